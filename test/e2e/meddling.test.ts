/** An agent that meddles with git and with ralph's own files. */
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('another branch, a reset, an amend, a merge half done: the branch goes on from where it was', async () => {
  const w = createWorld({
    stories: [{}, {}],
    agent(a) {
      if (a.call === 2) {
        a.git('reset', '-q', '--hard', 'main');
        a.git('clean', '-fdq');
      }
      if (a.call === 3) {
        a.git('checkout', '-q', '-b', 'elsewhere');
        a.write('idea.txt', 'x');
        a.commit('an idea');
        return a.say('I went elsewhere.');
      }
      if (a.call === 4) {
        a.sh(
          'git checkout -q -b other && echo other > README.md && git commit -qam other && git checkout -q ralph/feature',
        );
        a.sh('echo here > README.md && git commit -qam here; git merge other');
        return a.say('There is a conflict.');
      }
      a.solve(a.call === 1 ? 'US-001' : 'US-002');
      if (a.call === 2) a.tick('US-002', false);
      if (a.call === 5) {
        a.git('add', '--all');
        a.git('commit', '-q', '--amend', '--no-edit');
      }
    },
  });
  w.write('README.md', '# edited by the user\n');
  w.write('notes.txt', 'mine\n');
  (await w.loop(9, '--max-attempts', '9')).exits(0);
  expect(w.calls()).toHaveLength(5);
  expect(w.subjects().filter((subject) => subject.startsWith('feat'))).toEqual([
    'feat: [US-002] - Story 2',
    'feat: [US-001] - Story 1',
  ]);
  const first = w.event('story.passed')[0]?.commit ?? '';
  expect(w.git('merge-base', first, 'HEAD')).toBe(first);
  expect(w.branch()).toBe('ralph/feature');
  expect(w.exists('.git/MERGE_HEAD')).toBe(false);
  expect(w.rescued('idea.txt')).toBeDefined();
  expect(w.tree()).not.toContain('idea.txt');
  expect(w.read('README.md')).toBe('# edited by the user\n');
  expect(w.read('notes.txt')).toBe('mine\n');
  expect(w.read('progress.txt')).toContain('solved US-001');
});

test('branches, tags and stashes of the user: deleted ones are back, moved ones named with their old tip kept', async () => {
  const w = createWorld({
    agent(a) {
      a.git('branch', '-D', 'mine');
      a.git('tag', '-d', 'v1');
      a.git('branch', '-f', 'moved', 'HEAD');
      a.git('stash', 'drop', '-q');
      a.write('.git/index.lock', '');
      a.solve();
    },
  });
  w.git('checkout', '-q', '-b', 'mine');
  w.git('commit', '-q', '--allow-empty', '-m', 'mine');
  w.git('tag', 'v1');
  w.git('branch', 'moved');
  w.git('checkout', '-q', 'main');
  w.write('README.md', 'stashed\n');
  w.git('stash', 'push', '-q');
  const [tip, stash] = [w.git('rev-parse', 'mine'), w.git('rev-parse', 'stash@{0}')];
  const r = (await w.loop(1)).exits(0);
  expect(w.git('rev-parse', 'mine', 'v1')).toBe(`${tip}\n${tip}`);
  expect(w.git('stash', 'list', '--format=%H')).toBe(stash);
  expect(r.out).toContain('moved');
  expect(w.git('for-each-ref', '--contains', tip, '--format=%(refname)', 'refs/ralph')).not.toBe('');
  expect(w.exists('.git/index.lock')).toBe(false);
  expect(w.status()).toBe('');
});

test('ignored files are never removed or committed, even if .gitignore goes; a gc of everything loses nothing', async () => {
  const w = createWorld({
    files: { '.gitignore': 'node_modules/\n.env\n' },
    agent(a) {
      if (a.call === 1) {
        a.remove('.gitignore');
        a.write('BROKEN', 'x');
        a.git('reflog', 'expire', '--expire=now', '--all');
        a.git('gc', '-q', '--prune=now');
      }
      a.solve();
    },
  });
  w.write('node_modules/x/index.js', 'x\n');
  w.write('.env', 'TOKEN=secret\n');
  w.write('mine.txt', 'mine\n');
  (await w.loop(3)).exits(0);
  expect(w.verdicts()).toEqual(['rejected', 'passed']);
  expect(w.read('node_modules/x/index.js')).toBe('x\n');
  expect(w.read('.env')).toBe('TOKEN=secret\n');
  expect(w.git('log', '--branches', '--format=', '--name-only')).not.toMatch(/node_modules|\.env/u);
  expect(w.status()).toBe('?? mine.txt');
});

test('the own folders deleted by the agent are made again, with all events; what it committed and took back is taken back', async () => {
  const w = createWorld({
    agent(a) {
      a.remove('.ralph');
      a.remove('.git/ralph');
      a.write('tmp.txt', 'x');
      a.write('README.md', 'changed\n');
      a.commit('wip');
      a.remove('tmp.txt');
      a.write('README.md', '# test project\n');
      a.solve();
    },
  });
  (await w.loop(1)).exits(0);
  expect(w.events()[0]?.type).toBe('run.started');
  expect(w.reason()).toBe('complete');
  expect(JSON.parse(w.read(`${w.run()}/run.json`))).toMatchObject({ status: 'finished', reason: 'complete', code: 0 });
  expect(w.subjects()).toEqual(['feat: [US-001] - Story 1', 'wip', 'base']);
  expect(w.git('diff', '--name-only', 'main', 'HEAD')).not.toMatch(/tmp|README/u);
  expect(w.status()).toBe('');
});

test('an edited config is a change like any other: the gates of this run stay', async () => {
  const w = createWorld({
    stories: [{}, {}],
    agent(a) {
      if (a.call === 1) a.write('ralph.config.json', '{"gates":[]}');
      if (a.call === 2) a.write('BROKEN', 'x');
      a.solve();
    },
  });
  (await w.loop(3)).exits(0);
  expect(w.verdicts()).toEqual(['passed', 'rejected', 'passed']);
  expect(w.git('show', 'HEAD:ralph.config.json')).toBe('{"gates":[]}');
});

test('a commit in a submodule counts as change and is recorded', async () => {
  const w = createWorld({
    agent(a) {
      a.sh('cd lib && echo inner > inner.txt && git add --all && git commit -qm inner');
      a.tick(a.story);
      a.say('done');
    },
  });
  w.sh('git init -q ../lib && cd ../lib && echo lib > lib.txt && git add --all && git commit -qm lib');
  w.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', w.at('../lib'), 'lib');
  w.git('commit', '-q', '-m', 'submodule');
  (await w.loop(1)).exits(0);
  expect(w.read('lib/inner.txt')).toBe('inner\n');
  expect(w.git('rev-parse', 'HEAD:lib')).toBe(w.git('-C', 'lib', 'rev-parse', 'HEAD'));
});

test('a git folder that git refuses: the run ends, and a tick that nobody judged does not stand', async () => {
  const w = createWorld({
    agent(a) {
      a.solve('US-001');
      a.write('.git/HEAD', 'nonsense');
    },
  });
  (await w.loop(1)).exits(10);
  expect(w.passes()).toEqual([false]);
});

test('pipes for the state files, a file for .ralph, a file for a link: all back, and what is done counts', async () => {
  const w = createWorld({
    stories: [{}, {}, {}],
    agent(a) {
      if (a.call === 1) {
        a.sh('rm -r .ralph prd.json progress.txt && echo x > .ralph && mkfifo prd.json progress.txt');
        return a.say('Pipes.');
      }
      const solved = `US-00${a.call - 1}`;
      a.solve(solved);
      if (a.call === 2) a.sh('cp prd.json new.json && mv new.json prd.json');
    },
  });
  w.sh(
    'mkdir plans && mv prd.json plans/list.json && ln -s plans/list.json prd.json && git add -A && git commit -qm link',
  );
  (await w.loop(6)).exits(0);
  expect(w.sh('readlink prd.json').trim()).toBe('plans/list.json');
  expect(w.git('show', 'HEAD:plans/list.json')).not.toContain('"passes": false');
  expect(w.event('run.started')).toHaveLength(1);
  expect(w.event('iteration.finished')).toHaveLength(4);
  expect(w.tree()).not.toContain('.ralph');
});
