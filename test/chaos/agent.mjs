/**
 * An agent that does at random what agents do and what they should not. Its arguments: the folder in which it keeps its
 * records, the seed, and the real git. What it wrote and did not itself replace or remove is on record by its blob id: none
 * of that may get lost.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const [records, seedText, realGit] = process.argv.slice(2);
const call = nextCall();
const random = createRandom(Number(seedText) * 1009 + call);
const chance = (share) => random() < share;
const pick = (list) => list[Math.floor(random() * list.length)];
const say = (text) => process.stdout.write(`${text}\n`);

for await (const _ of process.stdin);
say(`call ${call}`);

const actions = [
  [4, 'new file', () => write(`src/new-${call}-${Math.floor(random() * 3)}.txt`, `new in call ${call}\n`)],
  [3, 'edit', () => edit(pick(['src/a.txt', 'src/b.txt']))],
  [1, 'delete', () => remove(pick(['src/a.txt', 'src/b.txt', 'docs/c.txt']))],
  [1, 'delete what is the user’s', () => fs.rmSync(pick(['README.md', 'todo.txt', 'staged.txt']), { force: true })],
  [2, 'commit', () => commit(`by the agent in call ${call}`)],
  [1, 'amend', () => git('commit', '-q', '--no-verify', '--amend', '-m', `amended in call ${call}`)],
  [1, 'reset', () => forget(() => git('reset', '-q', '--hard', pick(['HEAD', 'HEAD~1'])))],
  [1, 'clean', () => forget(() => git('clean', '-fdq'))],
  [1, 'checkout', () => forget(() => git('checkout', '-q', '-f', '.'))],
  [1, 'stage', () => git('add', '-A')],
  [1, 'stash', () => forget(() => git('stash', 'push', '-q', '--include-untracked'))],
  [1, 'drop the stash', () => forget(() => git('stash', 'drop', '-q'))],
  [1, 'branch', () => forget(() => git('checkout', '-q', '-f', '-B', `agent-${call}`))],
  [1, 'detach', () => forget(() => git('checkout', '-q', '-f', '--detach'))],
  [1, 'delete refs', () => git('update-ref', '-d', pick(['refs/heads/side', 'refs/tags/mark']))],
  [1, 'merge', () => forget(() => git('merge', '-q', 'side'))],
  [1, 'rebase', () => forget(() => git('rebase', '-q', 'side'))],
  [1, 'lock', () => fs.writeFileSync(path.join(gitDir(), pick(['index.lock', 'HEAD.lock', 'packed-refs.lock'])), '')],
  [1, 'no run folder', () => fs.rmSync('.ralph', { recursive: true, force: true })],
  [1, 'config', () => spoilConfig()],
  [2, 'log', () => log()],
  [1, 'log gone', () => remove('progress.txt')],
  [1, 'log cut', () => cutLog()],
  [3, 'prd', () => tamper()],
  [1, 'child', () => leave('sleep 30', false)],
  [1, 'child in a session of its own', () => leave('sleep 30', true)],
  [1, 'late writer', () => leave(`trap "" TERM INT; sleep 0.3; echo late > src/late-${call}.txt; sleep 30`, true)],
  [2, 'wait', () => sleep(Math.floor(random() * 300))],
];

for (let left = Math.floor(random() * 5); left > 0; left -= 1) await act();
if (chance(0.6)) await work();
if (chance(0.3)) await act();
await end();

async function act() {
  let at = random() * actions.reduce((sum, [weight]) => sum + weight, 0);
  const [, name, step] = actions.find(([weight]) => (at -= weight) < 0);
  say(`- ${name}`);
  try {
    await step();
  } catch (error) {
    say(`  ${String(error.message).split('\n')[0]}`);
  }
}

/** The story's work, with or without a tick. */
async function work() {
  const id = process.env.RALPH_STORY_ID;
  say(`- work at ${id}`);
  try {
    write(`done/${id}.txt`, chance(0.8) ? `${id} ok\n` : `${id} half\n`);
    log();
    if (chance(0.8)) tick(id);
    if (chance(0.3)) commit(`${id} by the agent`);
  } catch (error) {
    say(`  ${String(error.message).split('\n')[0]}`);
  }
}

async function end() {
  if (chance(0.2)) say('<promise>COMPLETE</promise>');
  if (chance(0.06)) process.kill(process.pid, 'SIGKILL');
  if (chance(0.06)) await sleep(60_000);
  if (chance(0.1)) process.exit(3);
  say('done');
}

function tamper() {
  const text = fs.readFileSync('prd.json', 'utf8');
  const prd = JSON.parse(text);
  const ways = [
    () => fs.rmSync('prd.json'),
    () => fs.writeFileSync('prd.json', text.slice(0, text.length / 2)),
    () => fs.writeFileSync('prd.json', ''),
    () => save({ ...prd, userStories: prd.userStories.slice(1) }),
    () => save({ ...prd, branchName: 'elsewhere' }),
    () => save({ ...prd, userStories: prd.userStories.map((story) => ({ ...story, passes: true })) }),
    () => save({ ...prd, userStories: prd.userStories.map((story) => ({ ...story, checks: [] })) }),
    () => fs.writeFileSync('prd.json', JSON.stringify(prd)),
    () => replaceByFolder('prd.json'),
  ];
  pick(ways)();
}

/** With a file that turns the gate red: accepted, such a config would be the project's from then on. */
function spoilConfig() {
  fs.writeFileSync('BROKEN', '');
  fs.writeFileSync('ralph.config.json', pick(['{', '{"gates": []}\n', '']));
}

function tick(id) {
  const prd = JSON.parse(fs.readFileSync('prd.json', 'utf8'));
  for (const story of prd.userStories) if (story.id === id) story.passes = true;
  save(prd);
}

function save(prd) {
  fs.writeFileSync('prd.json', `${JSON.stringify(prd, null, 2)}\n`);
}

function replaceByFolder(file) {
  fs.rmSync(file, { recursive: true });
  fs.mkdirSync(file);
  fs.writeFileSync(path.join(file, 'inside.txt'), 'inside\n');
}

function cutLog() {
  supersede('progress.txt');
  fs.truncateSync('progress.txt', 10);
}

function log() {
  const line = `learnt in call ${call}, number ${Math.floor(random() * 1e9)}`;
  fs.appendFileSync('progress.txt', `\n## call ${call}\n- ${line}\n---\n`);
  record('progress.txt', 'logged', line);
}

function write(file, text) {
  supersede(file);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  record(file, 'wrote', text);
}

function edit(file) {
  const text = `${fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''}line of call ${call}\n`;
  write(file, text);
}

function remove(file) {
  supersede(file);
  fs.rmSync(file, { force: true });
}

/** What the agent throws away itself without git's keeping it is its own business. */
function forget(step) {
  supersede(undefined);
  return step();
}

function supersede(file) {
  record(file ?? '*', 'gone', '');
}

function record(file, what, text) {
  const data = Buffer.from(text);
  const id = what === 'logged' ? text : createHash('sha1').update(`blob ${data.length}\0`).update(data).digest('hex');
  fs.appendFileSync(path.join(records, 'writes.jsonl'), `${JSON.stringify({ call, file, what, id })}\n`);
}

function leave(command, detached) {
  spawn('sh', ['-c', command], { detached, stdio: ['ignore', chance(0.5) ? 'inherit' : 'ignore', 'ignore'] }).unref();
}

function commit(message) {
  git('add', '-A');
  git('commit', '-q', '--no-verify', '-m', message);
}

function git(...args) {
  execFileSync(realGit, args, { stdio: 'pipe' });
}

function gitDir() {
  return execFileSync(realGit, ['rev-parse', '--git-dir'], { encoding: 'utf8' }).trim();
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function nextCall() {
  const file = path.join(records, 'calls.txt');
  fs.appendFileSync(file, '.');
  return fs.statSync(file).size;
}

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
