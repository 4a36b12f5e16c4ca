/**
 * The scripted coding agent of `ralph demo`: a real process that reads its prompt, writes real code, runs real commands and
 * reports what it does as JSON lines, as `claude --output-format stream-json` does. There is no model behind it: it knows
 * three stories by heart. Of the second one it forgets a half, and mends it only if its prompt tells it what was wrong.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const startedAt = Date.now();
const prompt = readFileSync(0, 'utf8');
const session = `demo-${process.pid}`;
let toolCalls = 0;

const story = /^Story: (\S+) - /m.exec(prompt.slice(prompt.lastIndexOf('\n## This iteration\n')))?.[1];
const feedback = sectionOf('## What was wrong last time');

emit({
  type: 'system',
  subtype: 'init',
  session_id: session,
  model: 'none',
  cwd: process.cwd(),
  tools: ['Read', 'Write', 'Bash'],
});
const stories = { 'US-001': createTasks, 'US-002': filterTasks, 'US-003': listTasks };
if (story === undefined || stories[story] === undefined) {
  finish(
    `I am the agent of a demo and know only ${Object.keys(stories).join(', ')}; my prompt names ${story ?? 'no story'}.`,
    true,
  );
} else {
  say(`Taking ${story}.`);
  stories[story]();
  tick(story);
  const open = readPrd().userStories.filter(({ passes }) => !passes);
  finish(
    open.length === 0
      ? `${story} is done, and it was the last one.\n\n<promise>COMPLETE</promise>`
      : `${story} is done, ${open.length} to go.`,
    false,
  );
}

function createTasks() {
  write('src/tasks.js', [
    '/** An open task. Throws where the title is empty. */',
    'export function createTask(title, tags = []) {',
    "  if (title.trim() === '') throw new Error('A task needs a title');",
    '  return { title: title.trim(), tags, done: false };',
    '}',
  ]);
  writeTest('tasks', 'createTask', '../src/tasks.js', [
    "test('a new task is open', () => {",
    "  assert.equal(createTask('Buy milk').done, false);",
    '});',
    '',
    "test('an empty title is refused', () => {",
    "  assert.throws(() => createTask(''));",
    '});',
  ]);
  run('node --test');
  log(['src/tasks.js: createTask, with tests']);
}

function filterTasks() {
  // What a hurried author writes: with `done: false` the condition is skipped, and the own test doesn't look.
  const forgotten = ['    (task) => (!done || task.done) && (!tag || task.tags.includes(tag)),'];
  const mended = [
    '    (task) => (done === undefined || task.done === done) && (tag === undefined || task.tags.includes(tag)),',
  ];
  const told = feedback.includes('done: false must give the open tasks alone');
  if (told)
    say(
      'Last time `done: false` gave all tasks, because a filter of false was taken for no filter. I write it anew and test exactly that.',
    );
  write('src/filter.js', [
    '/** The tasks with this tag and in this state; a filter that is left out lets everything through. */',
    'export function filterTasks(tasks, { done, tag } = {}) {',
    '  return tasks.filter(',
    ...(told ? mended : forgotten),
    '  );',
    '}',
  ]);
  writeTest('filter', 'filterTasks', '../src/filter.js', [
    "const tasks = [{ title: 'Buy milk', tags: ['shop'], done: false }, { title: 'Call home', tags: [], done: true }];",
    '',
    "test('filters by tag', () => {",
    "  assert.deepEqual(filterTasks(tasks, { tag: 'shop' }), [tasks[0]]);",
    '});',
    ...(told
      ? [
          '',
          "test('filters by state, false included', () => {",
          '  assert.deepEqual(filterTasks(tasks, { done: false }), [tasks[0]]);',
          '});',
        ]
      : []),
  ]);
  run('node --test');
  if (told) {
    run('node acceptance/filters-by-state.js');
    learn('A filter of `false` is a filter: compare with `undefined`, never with `!`.');
  }
  log([`src/filter.js: filterTasks, with ${told ? 'a test for done: false' : 'a test'}`]);
}

function listTasks() {
  write('src/cli.js', [
    "import { readFileSync } from 'node:fs';",
    "import { filterTasks } from './filter.js';",
    '',
    "const tasks = JSON.parse(readFileSync(process.argv[2], 'utf8'));",
    'for (const { title, tags } of filterTasks(tasks, { done: false })) {',
    "  process.stdout.write(`- ${title}${tags.length > 0 ? ` (${tags.join(', ')})` : ''}\\n`);",
    '}',
  ]);
  run('node --test');
  run('node acceptance/lists-open-tasks.js');
  log(['src/cli.js: lists open tasks; uses filterTasks']);
}

function writeTest(name, imported, from, body) {
  const head = [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    `import { ${imported} } from '${from}';`,
    '',
  ];
  write(`test/${name}.test.js`, [...head, ...body]);
}

/** Memory: the nearest AGENTS.md, and the part of the log that every later prompt carries. */
function learn(lesson) {
  write('AGENTS.md', [
    ...(existsSync('AGENTS.md') ? [readFileSync('AGENTS.md', 'utf8').trimEnd()] : ['# Notes for agents', '']),
    `- ${lesson}`,
  ]);
  const text = readFileSync('progress.txt', 'utf8');
  const heading = '## Codebase Patterns\n';
  const header = /^---\r?\n/m.exec(text);
  const at = text.includes(heading)
    ? text.indexOf(heading) + heading.length
    : header === null
      ? 0
      : header.index + header[0].length;
  const part = text.includes(heading) ? `- ${lesson}\n` : `\n${heading}- ${lesson}\n\n---\n`;
  useTool('Edit', { file_path: path.resolve('progress.txt') }, () => {
    writeFileSync('progress.txt', text.slice(0, at) + part + text.slice(at));
    return 'added a pattern';
  });
}

function log(lines) {
  const entry = [``, `## ${new Date().toISOString()} - ${story}`, ...lines.map((line) => `- ${line}`), '---', ''].join(
    '\n',
  );
  useTool('Bash', { command: 'cat >> progress.txt', description: 'Append to the log' }, () => {
    appendFileSync('progress.txt', entry);
    return '';
  });
}

function tick(id) {
  useTool('Edit', { file_path: path.resolve('prd.json') }, () => {
    const prd = readPrd();
    for (const one of prd.userStories) if (one.id === id) one.passes = true;
    writeFileSync('prd.json', `${JSON.stringify(prd, null, 2)}\n`);
    return `${id} passes`;
  });
}

function readPrd() {
  return JSON.parse(readFileSync('prd.json', 'utf8'));
}

function write(file, lines) {
  const text = `${lines.join('\n')}\n`;
  useTool('Write', { file_path: path.resolve(file), content: text }, () => {
    mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    writeFileSync(file, text);
    return `wrote ${file}`;
  });
}

function run(command) {
  useTool('Bash', { command }, () => {
    const { status, stdout, stderr, error } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    return `${stdout ?? ''}${stderr ?? ''}exit ${status ?? String(error)}`;
  });
}

/** Says what is done, does it, and says what came of it. */
function useTool(name, input, act) {
  toolCalls += 1;
  const id = `tool-${toolCalls}`;
  emit({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    session_id: session,
  });
  emit({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: act() }] },
    session_id: session,
  });
}

function say(text) {
  emit({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] }, session_id: session });
}

function finish(text, isError) {
  say(text);
  const usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const outcome = {
    subtype: isError ? 'error_during_execution' : 'success',
    is_error: isError,
    result: text,
    errors: isError ? [text] : [],
  };
  emit({
    type: 'result',
    ...outcome,
    duration_ms: Date.now() - startedAt,
    num_turns: toolCalls + 1,
    session_id: session,
    total_cost_usd: 0,
    usage,
    permission_denials: [],
  });
  process.exitCode = isError ? 1 : 0;
}

function emit(event) {
  writeFileSync(1, `${JSON.stringify(event)}\n`);
}

/** The end of the prompt from this heading on; empty where it has none. */
function sectionOf(heading) {
  const start = prompt.lastIndexOf(`\n${heading}\n`);
  return start === -1 ? '' : prompt.slice(start);
}
