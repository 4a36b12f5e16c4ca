/** Commit hooks are gates; work that is kept waits in the tree. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('hooks run as in git: a red one rejects and is told, what one stages is committed, post-commit only warns', async () => {
  const w = createWorld({
    agent(a) {
      if (a.call === 2) a.write('FORMATTED', 'yes\n');
      a.solve();
    },
  });
  w.hook(
    'pre-commit',
    'test -e FORMATTED || { echo "please format me" >&2; exit 1; }; echo x > generated.txt; git add generated.txt',
  );
  w.hook('prepare-commit-msg', 'echo "Extra: yes" >> "$1"');
  w.hook('commit-msg', 'grep -q Extra "$1"');
  w.hook('post-commit', 'echo late; exit 3');
  const r = (await w.loop(2)).exits(0);
  expect(w.verdicts()).toEqual(['rejected', 'passed']);
  expect(w.calls()[1]?.prompt).toContain('please format me');
  expect(w.tree()).toEqual(expect.arrayContaining(['FORMATTED', 'generated.txt']));
  expect(w.git('log', '-1', '--format=%B')).toMatch(/^Extra: yes$/mu);
  expect(r.out).toMatch(/Warning: .*post-commit/u);
  expect(w.read(`${w.run()}/002/gate-post-commit.log`)).toBe('late\n');
  const hooks = w.event('gate.finished').filter((event) => event.kind === 'hook' && event.iteration === 2);
  expect(hooks.map((event) => [event.name, event.exit])).toEqual([
    ['pre-commit', 0],
    ['prepare-commit-msg', 0],
    ['commit-msg', 0],
    ['post-commit', 3],
  ]);
  expect(w.status()).toBe('');
});

test('a hook that hangs is stopped after the gate timeout', async () => {
  const w = createWorld();
  w.hook('commit-msg', 'echo $$ > "$HOME/hook"; exec sleep 50');
  (await w.loop(1, '--gate-timeout', '1s')).exits(1);
  expect(w.event('story.rejected')[0]?.reason).toMatch(/commit-msg timed out/u);
  expect(w.alive(await w.marked('hook'))).toBe(false);
});

test('--on-reject keep over two runs: the work stays, only the tick goes, and what passes is committed whole', async () => {
  const w = createWorld({
    agent(a) {
      if (a.call === 1) {
        a.write('first.txt', 'x');
        a.append('README.md', 'by the agent\n');
        a.write('BROKEN', 'x');
        a.tick(a.story);
        a.say('done');
      } else {
        a.remove('BROKEN');
        a.solve();
      }
    },
  });
  w.write('mine.txt', 'mine\n');
  (await w.loop(1, '--on-reject', 'keep')).exits(1);
  expect(w.passes()).toEqual([false]);
  expect(w.exists('BROKEN') && w.exists('first.txt')).toBe(true);
  expect(w.subjects()).toEqual(['base']);
  (await w.loop(1, '--on-reject', 'keep', '--allow-red')).exits(0);
  expect(w.tree()).toEqual([
    'README.md',
    'first.txt',
    'prd.json',
    'progress.txt',
    'ralph.config.json',
    'src/US-001.txt',
  ]);
  expect(w.git('show', 'HEAD:README.md')).toContain('by the agent');
  expect(w.status()).toBe('?? mine.txt');
});
