/** The plain loop over one text, without a prd.json; and templates of one's own. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

const task = { prd: null, files: { 'task.md': 'Write three chapters.\n' } };

test('unfinished work stays, a sentinel with a red gate is taken back and told, green gates end the loop; no commits', async () => {
  const w = createWorld({
    ...task,
    agent(a) {
      a.write(`chapter-${a.call}.txt`, 'x');
      if (a.call === 2) {
        a.write('BROKEN', 'x');
        a.git('add', 'BROKEN');
        a.git('commit', '-q', '-m', 'too early');
      }
      a.say(a.call === 1 ? 'One is there.' : `All are there.\n\n${a.sentinel}`);
    },
  });
  (await w.loop(9, '--prompt', 'task.md')).exits(0);
  expect(w.verdicts()).toEqual(['unfinished', 'rejected', 'passed']);
  expect([1, 2, 3].map((n) => w.exists(`chapter-${n}.txt`))).toEqual([true, false, true]);
  const ref = w.rescued('BROKEN');
  expect(w.calls()[2]?.prompt).toContain('sound');
  expect(w.calls()[2]?.prompt).toContain(ref);
  for (const { prompt } of w.calls()) expect(prompt).toMatch(/^Write three chapters\.\n/u);
  expect(w.order()).toEqual([undefined, undefined, undefined]);
  expect(w.branch()).toBe('main');
  expect(w.subjects()).toEqual(['base']);
  expect(w.exists('prd.json') || w.exists('progress.txt')).toBe(false);
});

test('with --on-reject keep, after crashes and after signals the work stays, too', async () => {
  const w = createWorld({
    ...task,
    async agent(a) {
      a.write(`part-${a.call}.txt`, 'x');
      if (a.call === 1) {
        a.write('BROKEN', 'x');
        return a.say(a.sentinel);
      }
      if (a.call === 2) {
        a.crash('out of memory');
        return 1;
      }
      a.mark('busy');
      return a.stay();
    },
  });
  const ralph = w.startLoop(9, '--prompt', 'task.md', '--on-reject', 'keep');
  await w.marked('busy');
  (await ralph.end('SIGINT')).exits(130);
  expect(w.verdicts()).toEqual(['rejected', 'failed', 'interrupted']);
  expect([1, 2, 3].map((n) => w.exists(`part-${n}.txt`))).toEqual([true, true, true]);
});

test('a template is sent as it is, its placeholders filled once, followed by the facts; what goes in comes through byte for byte', async () => {
  const own = 'MY LOOP\r\n\r\n- `tabs` $& {{ anything }} ${{ secrets.X }}\r\n';
  const title = 'Zebra $& $$ `touch PWNED` "d" $(touch PWNED) {{storyId}} $1 %s \\n é€';
  const w = createWorld({
    stories: [{ title }, {}],
    files: {
      'own.md': own,
      'filled.md':
        '{{storyId}}|{{ storyTitle }}|{{iteration}}/{{maxIterations}}|{{branch}}|{{prd}}|{{sentinel}}|\n{{story}}\n',
    },
  });
  (await w.loop(7, '--prompt', 'own.md')).exits(0);
  const [first] = w.calls();
  expect(first?.prompt.startsWith(own)).toBe(true);
  for (const part of [title, 'test ! -e BROKEN', 'Iteration 1 of 7']) expect(first?.prompt).toContain(part);
  expect(w.read(`${w.run()}/001/prompt.md`)).toBe(first?.prompt);
  expect(w.subjects().at(-2)).toBe(`feat: [US-001] - ${title}`);
  expect(w.sh('find .. -name PWNED')).toBe('');

  w.write('prd.json', w.read('prd.json').replaceAll('true', 'false'));
  (await w.loop(1, '--prompt', 'filled.md')).exits(1);
  expect(w.calls()[2]?.prompt).toMatch(
    /^US-001\|Zebra \$& .*\{\{storyId\}\}.*\|1\/1\|ralph\/feature\|prd\.json\|<promise>COMPLETE<\/promise>\|\n\{\n/u,
  );
});

test('an unknown placeholder beside known ones: exit 2 with a suggestion, nothing started', async () => {
  const w = createWorld({ files: { 'own.md': 'Do {{storyId}}: {{storyTitel}}.\n' } });
  const r = (await w.loop(1, '--prompt', 'own.md')).exits(2);
  expect(r.err).toMatch(/own\.md[^]*storyTitel[^]*storyTitle/u);
  expect(w.calls()).toEqual([]);
  expect((await w.loop(1, '--prompt', 'nowhere.md')).exits(2).err).toContain(w.at('nowhere.md'));
});

test('the layout and call of ralph.sh: state under scripts/ralph, options first, a number, no command', async () => {
  const w = createWorld({
    prd: null,
    files: {
      'scripts/ralph/CLAUDE.md': '# Your work\n\nAnswer in the end:\n<promise>COMPLETE</promise>\n',
      'scripts/ralph/prd.json': JSON.stringify({
        branchName: 'ralph/feature',
        userStories: [1, 2].map((n) => ({ id: `S${n}`, title: `T${n}`, acceptanceCriteria: ['x'], passes: false })),
      }),
    },
    agent(a) {
      a.write(`src/${a.story}.txt`, 'x');
      a.commit(`feat: [${a.story}] - by the agent`);
      a.log('done', 'scripts/ralph/progress.txt');
      a.tick(a.story, true, 'scripts/ralph/prd.json');
      a.say(a.call === 2 ? a.sentinel : 'One is done.');
    },
  });
  (await w.ralph('--tool=claude', '--prompt', 'scripts/ralph/CLAUDE.md', '5')).exits(0);
  expect(w.order()).toEqual(['S1', 'S2']);
  expect(w.passes('scripts/ralph/prd.json')).toEqual([true, true]);
  expect(w.exists('scripts/ralph/progress.txt')).toBe(true);
  expect(w.exists('progress.txt')).toBe(false);
  expect(w.event('claim.premature')).toEqual([]);
  expect(w.subjects()).toContain('feat: [S2] - by the agent');
});
