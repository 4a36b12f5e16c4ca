/** Git: what the agent did, and only that, becomes a commit on the PRD's branch; what is the user's stays the user's. */
import { expect, test } from 'vitest';
import { prdText } from './setting.ts';
import { createWorld } from './world.ts';

const lines = (text: (n: number) => string): string => Array.from({ length: 40 }, (_, n) => `${text(n)}\n`).join('');

test('an accepted story is one commit with subject, trailers, tick and log, on a branch made from where HEAD was', async () => {
  const w = createWorld({
    stories: [{ title: '--amend $(touch PWNED) `x` "q" \'it\' %s \\n #1 –\n größer' }, {}],
    files: { 'old.txt': 'old\n', 'kept.txt': 'kept\n' },
    agent(a) {
      a.remove('old.txt');
      a.append('kept.txt', 'more\n');
      for (const name of ['a b.txt', 'größe 日本.txt', 'quote"d.txt', 'two\nlines.txt', '-rf']) a.write(name, a.story);
      a.solve();
    },
  });
  w.git('checkout', '-q', '-b', 'stage');
  w.git('commit', '-q', '--allow-empty', '-m', 'on stage');
  const r = (await w.loop(2)).exits(0);
  expect(w.subjects()).toEqual([
    'feat: [US-002] - Story 2',
    'feat: [US-001] - --amend $(touch PWNED) `x` "q" \'it\' %s \\n #1 – größer',
    'on stage',
    'base',
  ]);
  expect(r.out).toContain('Created the branch ralph/feature from stage (1 commit ahead of main)');
  expect(w.branch()).toBe('ralph/feature');
  expect(w.git('log', '-1', '--format=%(trailers)').split('\n').filter(Boolean)).toEqual([
    'Ralph-Story: US-002',
    `Ralph-Run: ${w.runs()[0]}`,
    'Ralph-Iteration: 2',
    'Ralph-Gates: sound',
  ]);
  expect(w.event('story.passed').map((event) => event.commit)).toEqual([
    w.git('rev-parse', 'HEAD~1'),
    w.git('rev-parse', 'HEAD'),
  ]);
  expect(w.git('diff', '--name-status', '--no-renames', 'main', 'HEAD', '--', '*old.txt', 'kept.txt')).toBe(
    'M\tkept.txt\nD\told.txt',
  );
  expect(w.tree()).toEqual(
    expect.arrayContaining(['a b.txt', 'größe 日本.txt', 'quote"d.txt', 'two\nlines.txt', '-rf']),
  );
  expect(w.sh('find .. -name PWNED')).toBe('');
  expect(w.status()).toBe('');
  expect(w.git('log', '--all', '--format=', '--name-only')).not.toMatch(/^\.ralph/mu);
});

test('what the user edited, staged, stashed or left untracked is in no commit, and index, stash and files are as before', async () => {
  const w = createWorld({
    stories: [{}, {}],
    files: { 'long.txt': lines((n) => `line ${n}`), '.gitignore': 'secret.txt\n' },
    agent(a) {
      a.write(
        'long.txt',
        a
          .read('long.txt')
          .replace('line 39', `by the agent for ${a.story}`)
          .replace(/by the agent.*/u, `by the agent for ${a.story}`),
      );
      a.git('add', '--all');
      if (a.call === 2) a.git('commit', '-q', '-m', 'swept in');
      a.solve();
    },
  });
  w.write('README.md', '# stashed\n');
  w.git('stash', 'push', '-q', '-m', 'later');
  const stash = w.git('stash', 'list', '--format=%H %gs');
  w.write('README.md', '# edited\n');
  w.write('staged.txt', 'staged\n');
  w.git('add', 'staged.txt');
  w.write('staged.txt', 'staged, then edited\n');
  w.write('mine.txt', 'mine\n');
  w.write('secret.txt', 'ignored\n');
  w.write('long.txt', w.read('long.txt').replace('line 0\n', 'line of the user\n'));
  const before = w.status();

  (await w.loop(2)).exits(0);
  expect(w.status()).toBe(before);
  expect(w.git('stash', 'list', '--format=%H %gs')).toBe(stash);
  expect(w.git('show', ':staged.txt')).toBe('staged');
  expect(w.read('staged.txt')).toBe('staged, then edited\n');
  const touched = w.git('log', '--format=', '--name-only', 'main..HEAD');
  expect(touched).not.toMatch(/README|staged|mine|secret/u);
  expect(w.subjects()).toContain('swept in');
  expect(w.rescued('mine.txt')).toBeDefined();
  expect(w.git('show', 'HEAD:long.txt')).toMatch(/^line 0\n[^]*by the agent for US-002$/u);
  expect(w.read('long.txt')).toMatch(/^line of the user\n[^]*by the agent for US-002\n$/u);
  expect(w.git('log', '-1', '--format=%(trailers:key=Ralph-Gates,valueonly)')).toContain(
    'uncommitted files of the user',
  );
});

test('a start that git forbids: exit 2 with the cure, and nothing has happened', async () => {
  const w = createWorld({ repository: false });
  const refused = async (cure: RegExp): Promise<void> => {
    const r = (await w.loop(1)).exits(2);
    expect(r.err).toMatch(cure);
    expect(w.exists('progress.txt')).toBe(false);
  };
  await refused(/git init/u);
  w.git('init', '-q');
  await refused(/git commit/u);
  w.git('add', '--all');
  w.git('commit', '-q', '-m', 'base');
  w.git('checkout', '-q', '--detach');
  await refused(/git (switch|checkout)/u);
  w.git('checkout', '-q', '-b', 'ralph/feature');
  w.write('README.md', 'on the branch\n');
  w.git('commit', '-q', '-am', 'on the branch');
  w.git('checkout', '-q', 'main');
  w.write('README.md', 'mine\n');
  await refused(/README\.md/u);
  expect(w.branch()).toBe('main');
  w.git('commit', '-q', '-am', 'main');
  w.sh('git merge ralph/feature');
  await refused(/git merge --(abort|continue)/u);
  expect(w.exists('.git/MERGE_HEAD')).toBe(true);
  expect(w.calls()).toEqual([]);
});

test('without an identity commits are made as Ralph; the branch is pushed after each story, and that branch alone', async () => {
  const w = createWorld({ stories: [{}, {}] });
  w.write('../home/.gitconfig', '[user]\n\tuseConfigOnly = true\n');
  w.git('init', '-q', '--bare', w.at('../remote.git'));
  w.write('../remote.git/hooks/post-receive', '#!/bin/sh\ncat >> "$HOME/pushes"\n', 0o755);
  w.git('remote', 'add', 'origin', w.at('../remote.git'));
  const config = w.read('.git/config');
  (await w.loop(2, '--push')).exits(0);
  expect(w.git('log', '-1', '--format=%an <%ae> %cn <%ce>')).toBe('Ralph <ralph@localhost> Ralph <ralph@localhost>');
  expect(w.git('ls-remote', 'origin')).toBe(`${w.git('rev-parse', 'HEAD')}\trefs/heads/ralph/feature`);
  expect(w.read('../home/pushes').trim().split('\n')).toHaveLength(2);
  expect(w.read('.git/config')).toBe(config);
});

test('a linked worktree, odd characters in its path, and line-end conversion: all of it happens there, byte for byte', async () => {
  const w = createWorld({
    folder: 'my proj – größe & "co"',
    files: { 'unix.sh': 'a\nb\n' },
    agent(a) {
      if (a.call === 1) {
        a.write('BROKEN', 'x');
        a.remove('dos.txt');
        a.write('unix.sh', 'agent\n');
      }
      a.solve();
    },
  });
  w.git('config', 'core.autocrlf', 'true');
  w.git('config', 'core.safecrlf', 'false');
  w.git('worktree', 'add', '-q', '-b', 'side', '../wt é');
  w.write('../wt é/dos.txt', 'one\r\ntwo\nthree\r\n');
  w.write('../wt é/unix.sh', 'a\nb\nedited\n');
  (await w.startRalph(['2', '--tool', 'claude'], { cwd: w.at('../wt é') }).done).exits(0);
  expect(w.read('../wt é/dos.txt')).toBe('one\r\ntwo\nthree\r\n');
  expect(w.read('../wt é/unix.sh')).toBe('a\nb\nedited\n');
  expect(w.subjects('ralph/feature')).toEqual(['feat: [US-001] - Story 1', 'base']);
  expect(w.list('../wt é/.ralph/runs')).toHaveLength(1);
  expect(w.branch()).toBe('main');
  expect(w.exists('.ralph')).toBe(false);
  expect(w.passes()).toEqual([false]);
});

test('started in a folder of a monorepo with -C and --prd: the agent works there, ralph lives at the root', async () => {
  const w = createWorld({
    prd: null,
    files: { 'packages/a/plans/next.json': prdText([{}]), 'packages/b/b.txt': 'b\n' },
    agent(a) {
      a.write('src/a.txt', 'x');
      a.tick(a.story, true, 'plans/next.json');
      a.say('done');
    },
  });
  w.write('packages/b/b.txt', 'edited by the user\n');
  (await w.ralph('-C', 'packages/a', 'run', '1', '--prd', 'plans/next.json', '--tool', 'claude')).exits(0);
  expect(w.calls()[0]?.cwd).toBe(w.at('packages/a'));
  expect(w.event('run.started')[0]?.prd).toBe('packages/a/plans/next.json');
  expect(w.tree()).toEqual(expect.arrayContaining(['packages/a/plans/progress.txt', 'packages/a/src/a.txt']));
  expect(w.exists('packages/a/.ralph')).toBe(false);
  expect(w.status()).toBe(' M packages/b/b.txt');
  const lost = (await w.startRalph(['run'], { cwd: w.at('packages/b') }).done).exits(2);
  expect(lost.err).toContain(w.at('packages/b'));
});

test('a branch that the user checks out during the delay: the work goes on where it belongs, and his stays as it was', async () => {
  const w = createWorld({ stories: [{}, {}], agent: (a) => a.solve() });
  const run = w.startRalph(['run', '3', '--tool', 'claude', '--delay', '2s']);
  await w.happened('iteration.finished');
  w.git('checkout', '-q', '-b', 'mine');
  const tip = w.git('rev-parse', 'mine');
  w.write('notes.txt', 'mine\n');
  (await run.done).exits(0);
  expect(w.git('rev-parse', 'mine')).toBe(tip);
  expect(w.branch()).toBe('ralph/feature');
  expect(w.subjects('main..HEAD')).toEqual(['feat: [US-002] - Story 2', 'feat: [US-001] - Story 1']);
  expect(w.read('notes.txt')).toBe('mine\n');
});
