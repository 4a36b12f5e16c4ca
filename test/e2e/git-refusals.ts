/** What ralph refuses because of the repository: its state, its place, its branches. */
import type { Refusal } from './refusal.ts';
import type { World } from './world.ts';

/** Shows also what a dry run doesn't come to: the branch, the files of a run, the gates. */
export const start = 'ralph run 1';

/** Two lines of history that disagree about README.md; the second of `side` is one more. */
const fork = `git switch --quiet -c side; echo a > README.md; git commit --quiet -am a
  echo x > x; git add x; git commit --quiet -m x
  git switch --quiet main; echo b > README.md; git commit --quiet -am b; `;
const onFork = (script: string) => (w: World) => void w.sh(fork + script);

const git: Refusal[] = [
  ['a detached HEAD, back', 'git switch --quiet -c side; git switch --quiet --detach', 'git switch side'],
  ['a detached HEAD, a new branch', 'git branch work; git switch --quiet --detach', 'git switch -c work-2'],
].map(([name = '', script = '', cure = '']) => {
  return { name, provoke: (w) => void w.sh(script), says: 'no branch is checked out', cure };
});

const underWay: Refusal[] = [
  ['a merge', 'git merge side', 'git merge --abort'],
  ['a rebase', 'git rebase side', 'git rebase --abort'],
  ['an older rebase', 'git rebase --apply side', 'git rebase --abort'],
  ['git am', 'git format-patch -1 --stdout side~1 | git am', 'git am --abort'],
  ['a cherry-pick', 'git cherry-pick side~1', 'git cherry-pick --abort'],
  ['a revert', 'echo c > README.md; git commit --quiet -am c; git revert --no-edit HEAD~1', 'git revert --abort'],
  [
    'a series of cherry-picks between two of them',
    'git cherry-pick side~1 side; echo c > README.md; git commit --quiet -am c',
    'git cherry-pick --abort',
  ],
  ['a bisect', 'git bisect start HEAD base', 'git bisect reset'],
].map(([name = '', script = '', cure = '']) => {
  return { name, provoke: onFork(script), says: 'is under way in', cure };
});

const repository: Refusal[] = [
  {
    name: 'no repository',
    provoke: (w) => void w.sh('rm -rf ../none; mkdir ../none'),
    at: '../none',
    says: 'is not in a git repository',
    cure: 'git init',
    ends: 2,
  },
  {
    name: 'no commit',
    provoke: (w) => void w.sh('rm -rf ../empty; git init --quiet ../empty'),
    at: '../empty',
    says: 'no commit yet',
    cure: 'git add',
    ends: 2,
  },
  {
    name: 'a bare repository',
    provoke: (w) => void w.sh('git clone --quiet --bare . ../bare'),
    at: '../bare',
    says: 'there is no working tree',
    cure: 'git worktree add',
  },
  {
    name: 'the git folder',
    provoke: () => {},
    at: '.git',
    says: 'there is no working tree',
    cure: 'ralph -C',
  },
  {
    name: "a repository of another user's, from a folder in it",
    provoke: (w) => void w.sh('mkdir src; cp prd.json src'),
    at: 'src',
    env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' },
    says: 'git does not trust',
    cure: 'git config',
  },
];

const feature = (w: World, script: string): void =>
  void w.sh(
    `git switch --quiet -c ralph/feature; ${script}; git add --all; git commit --quiet -m f; git switch --quiet main`,
  );

const branch: Refusal[] = [
  {
    name: 'a base branch that is not there',
    provoke: (w) => w.config({ baseBranch: 'develop' }),
    type: start,
    says: 'there is no branch develop',
    cure: 'git branch',
  },
  ...(['ralph -C', 'git worktree remove'] as const).map((cure): Refusal => {
    return {
      name: `a branch in another working tree: ${cure}`,
      provoke: (w) => void w.sh('rm -rf ../tree; git worktree add --quiet -b ralph/feature ../tree'),
      type: start,
      says: 'is checked out in another working tree',
      cure,
    };
  }),
  {
    name: 'a branch in a working tree that is gone',
    provoke: (w) => void w.sh('rm -rf ../tree; git worktree add --quiet -b ralph/feature ../tree; rm -rf ../tree'),
    type: start,
    says: 'is checked out in another working tree',
    cure: 'git worktree prune',
  },
  {
    name: 'a branch beside which there can be none of that name',
    provoke: (w) => void w.git('branch', 'ralph'),
    type: start,
    says: "git can't have a branch",
    cure: 'git branch -m',
  },
  {
    name: 'conflicts of a stash',
    provoke: onFork(
      'git switch --quiet side; echo c > README.md; git stash --quiet; git switch --quiet main; git stash pop',
    ),
    type: start,
    says: 'hold conflicts',
    cure: 'git add',
  },
  {
    name: 'a lock file of git',
    provoke: (w) => w.write('.git/index.lock', ''),
    type: start,
    says: 'a lock file of git is in the way',
    cure: 'rm',
  },
  {
    name: 'changes in the way',
    provoke(w) {
      feature(w, "echo f | tee README.md > 'a b.txt'");
      w.write('README.md', 'mine');
      w.write('a b.txt', 'mine');
    },
    type: start,
    says: 'changes of yours are in the way',
    cure: 'git stash push',
  },
];

export const gitRefusals: readonly Refusal[] = [...git, ...underWay, ...repository, ...branch];
