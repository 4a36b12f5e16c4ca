import { createDice } from './dice.ts';
import type { Dice } from './dice.ts';

/** A line of shell, run in the root; that it fails is no error. */
export interface Step {
  readonly script: string;
  /** A file whose content the agent replaces as a whole, so that lines of the user's may go. */
  readonly overwrites?: string;
  /** The agent moves history, refs or the whole tree about: where its own lines end up is not foretold. */
  readonly history?: true;
  /** Commits of the agent itself may be gone for good. */
  readonly prunes?: true;
}

export type End = 'accept' | 'reject' | 'keep' | 'crash';

export interface PlayedTurn {
  readonly user: readonly Step[];
  readonly agent: readonly Step[];
  readonly end: End;
  /** For a crash: after so many calls of git since the agent ended. */
  readonly dies: number;
}

export interface Sequence {
  readonly seed: number;
  readonly turns: readonly PlayedTurn[];
}

const files = ['a.txt', 'b.txt', 'dir/c.txt', 'dir/sub/d.txt', 'new.txt', 'dir/new.txt', 'ö ü.txt', 'x'] as const;

/** Tokens are unique lines: `U…` of the user, `S…` in the user's stash, `A…` of the agent. */
export function generate(seed: number): Sequence {
  const dice = createDice(seed);
  let token = 0;
  const say = (who: 'U' | 'A'): string => `${who}${(token += 1)}.`;
  const turns = Array.from({ length: dice.pick([1, 1, 1, 1, 2, 3]) }, () => ({
    user: Array.from({ length: dice.roll(5) }, () => userStep(dice, say('U'))),
    agent: Array.from({ length: 1 + dice.roll(5) }, () =>
      dice.roll(5) < 3 ? agentEdit(dice, say('A')) : agentGit(dice, say('A')),
    ),
    end: dice.pick<End>(['accept', 'accept', 'reject', 'reject', 'keep', 'crash']),
    dies: dice.roll(60),
  }));
  return { seed, turns };
}

const append = (file: string, token: string): string =>
  `mkdir -p "$(dirname '${file}')" && printf '${token}\\n' >> '${file}'`;
const prepend = (file: string, token: string): string =>
  `[ -f '${file}' ] && { printf '${token}\\n'; cat '${file}'; } > .git/top && cat .git/top > '${file}'`;

function userStep(dice: Dice, token: string): Step {
  const file = dice.pick(files);
  // An agent that pops it makes it its own change.
  const stashed = token.replace('U', 'S');
  const scripts = [
    prepend(file, token),
    prepend(file, token),
    append(file, token),
    `${prepend(file, token)}; git add -- '${file}'`,
    `${append(file, token)}; git add -- '${file}'; printf '${token.replace('.', 'b.')}\\n' >> '${file}'`,
    `rm -rf '${file}'`,
    `git rm -q -r --cached -- '${file}'`,
    `git mv -- '${file}' 'moved ${token}'`,
    `chmod +x '${file}'`,
    `rm -rf '${file}'; ln -s '${token}' '${file}'`,
    append(`build/${token}o`, token),
    append(`${token}log`, token),
    `${append(file, token)}; git add --intent-to-add -- '${file}'`,
    `${append(file, token)}; git commit -q -m '${token}' --only -- '${file}'`,
    `${append(file, stashed)}; git stash push -q -m '${stashed}' -- '${file}'`,
    `git init -q 'inner ${token}' && printf '${token}\\n' > 'inner ${token}/f'`,
  ] as const;
  return { script: dice.pick(scripts) };
}

function agentEdit(dice: Dice, token: string): Step {
  const file = dice.pick(files);
  const steps: readonly [Step, ...Step[]] = [
    { script: append(file, token) },
    { script: append(file, token) },
    { script: append(file, token) },
    { script: append(`work/${token}txt`, token) },
    { script: `rm -rf '${file}'`, overwrites: file },
    { script: `rm -rf '${file}'; ${append(file, token)}`, overwrites: file },
    { script: `chmod +x '${file}'` },
    { script: `rm -rf '${file}'; ln -s '${token}' '${file}'`, overwrites: file },
    { script: `rm -rf '${file}'; ${append(`${file}/inner`, token)}`, overwrites: file },
    { script: `rm -rf dir; ${append('dir', token)}`, overwrites: 'dir' },
    { script: append(`build/${token}o`, token) },
    { script: `printf '*.hid\\nwork/\\n' >> .gitignore; ${append(`${token}hid`, token)}`, overwrites: '.gitignore' },
    { script: `printf '*\\n' > dir/.gitignore; ${append(`dir/${token}`, token)}` },
    { script: `printf '*.txt\\n' >> .git/info/exclude; ${append(`${token}txt`, token)}` },
    { script: `rm -f .gitignore`, overwrites: '.gitignore' },
    { script: append(`node_modules/${token}js`, token) },
    { script: `${append(file, token)}; git add -A` },
    { script: `${append(file, token)}; git add -- '${file}'; git commit -q -m '${token}' --only -- '${file}'` },
  ];
  return dice.pick(steps);
}

function agentGit(dice: Dice, token: string): Step {
  const file = dice.pick(files);
  const scripts = [
    `git add -A; git commit -q -m '${token}'`,
    `git commit -q -a -m '${token}'`,
    'git reset -q --soft HEAD~1',
    'git reset -q HEAD~1',
    'git reset -q --hard',
    'git reset -q --hard HEAD~1',
    'git clean -fdq',
    'git clean -xfdq',
    'git checkout -q HEAD -- .',
    `git checkout -q HEAD -- '${file}'`,
    `git checkout -q other -- '${file}'`,
    'git checkout -q -f other',
    'git checkout -q -f main',
    `git switch -q -c 'fresh${token}'`,
    'git checkout -q --detach',
    `git commit -q --amend --allow-empty -m '${token}'`,
    `git commit -q --amend -a -m '${token}'`,
    'git stash -q -u',
    'git stash -q; git stash drop -q',
    'git stash -q -u; git stash pop -q',
    'git stash pop -q',
    'git stash drop -q',
    'git stash clear',
    'git branch -q -D other',
    'git branch -q -f other HEAD',
    'git branch -q -D deep/er; git branch -q deep',
    'git tag -d v1 light',
    'git tag -f v1 HEAD',
    'git merge -q --no-edit other',
    'git merge -q --no-edit other; git add -A; git commit -q --no-edit',
    'git rebase -q other',
    'git rebase -q --autostash other',
    'git cherry-pick other',
    'git bisect start HEAD HEAD~1',
    'git rebase -q --abort; git merge --abort; git bisect reset',
    'git reflog expire --expire=now --all; git gc -q --prune=now',
    'touch .git/index.lock .git/refs/heads/main.lock',
    `git checkout -q --orphan 'orphan${token}'`,
    `git checkout -q --orphan 'orphan${token}'; git add -A; git commit -q -m '${token}'`,
    'git update-ref -d refs/heads/main',
    'rm -f .git/index',
    'printf nonsense > .git/index',
    `git worktree add -q '../tree${token}' other`,
    `git rm -q --cached -r -- '${file}'; git commit -q -m '${token}'`,
    `git rm -q -f -r -- '${file}'`,
    'git pack-refs --all',
    'rm -rf .git/ralph',
    `git init -q 'inner ${token}'; git -C 'inner ${token}' commit -q --allow-empty -m '${token}'`,
  ] as const;
  const script = dice.pick(scripts);
  return { script, history: true, ...(/prune|pop|drop|clear|stash/.test(script) ? { prunes: true } : {}) };
}
