import type { End, PlayedTurn, Sequence, Step } from './steps.ts';

const append = (file: string, line: string): string => `mkdir -p "$(dirname '${file}')"; echo ${line} >> '${file}'`;
const overwrite = (file: string, script: string): Step => ({ script, overwrites: file });
const git = (script: string): Step => ({ script, history: true });
const prune: Step = {
  script: 'git reflog expire --expire=now --all; git gc -q --prune=now',
  history: true,
  prunes: true,
};

function turn(end: End, user: readonly string[], agent: readonly Step[], dies = 0): PlayedTurn {
  return { user: user.map((script) => ({ script })), agent, end, dies };
}

/** Sequences that once lost something or swept it in, shortened; the seed that found each is its number. */
export const named: readonly { readonly name: string; readonly sequence: Sequence }[] = [
  {
    name: 'a folder of the agent in the place of a link of the user is kept',
    sequence: {
      seed: 11,
      turns: [
        turn(
          'reject',
          [`rm -rf 'new.txt'; ln -s U1. 'new.txt'`],
          [overwrite('new.txt', `rm -rf 'new.txt'; ${append('new.txt/inner', 'A3.')}`)],
        ),
      ],
    },
  },
  {
    name: 'a file that the user has taken out of the index is not deleted for him',
    sequence: { seed: 62, turns: [turn('accept', [`git rm -q --cached 'b.txt'`], [git('git clean -xfdq')])] },
  },
  {
    name: 'a commit of what is in the index takes nothing along that the user had staged',
    sequence: {
      seed: 175,
      turns: [
        turn(
          'accept',
          [`${append('a.txt', 'U2.')}; git add a.txt; ${append('a.txt', 'U2b.')}`],
          [git(`git rm -q --cached 'dir/c.txt'; git commit -q -m A8.`)],
        ),
      ],
    },
  },
  {
    name: 'what was thrown away for the staged version comes back',
    sequence: {
      seed: 175,
      turns: [
        turn(
          'accept',
          [`${append('a.txt', 'U2.')}; git add a.txt; ${append('a.txt', 'U2b.')}`],
          [git(`git rm -q --cached 'dir/c.txt'; git commit -q -m A8.`), git('git checkout -q -f main')],
        ),
        turn('accept', [], [git('git checkout -q -- .')]),
      ],
    },
  },
  {
    name: 'the empty content of an intent to add outlives a prune',
    sequence: {
      seed: 307,
      turns: [turn('keep', [`${append('x', 'U3.')}; git add --intent-to-add x`], [git('rm -f .git/index'), prune])],
    },
  },
  {
    name: 'a commit that only a bisect still knows is kept',
    sequence: {
      seed: 365,
      turns: [
        turn(
          'reject',
          [`chmod +x 'dir/c.txt'`],
          [
            git('git commit -q -a -m A3.'),
            git('git bisect start HEAD HEAD~1'),
            git('git update-ref -d refs/heads/main'),
          ],
        ),
      ],
    },
  },
  {
    name: 'what the rules of another branch had hidden is kept, too',
    sequence: {
      seed: 3496,
      turns: [
        turn('accept', [], [overwrite('.gitignore', 'rm -f .gitignore')]),
        turn('reject', [], [git('git checkout -q -f other'), { script: append('build/A12.o', 'A12.') }]),
      ],
    },
  },
  {
    name: 'lines of the user come back into a file that a rebase has taken along',
    sequence: {
      seed: 3683,
      turns: [
        turn(
          'accept',
          [`{ echo U5.; cat b.txt; } > .git/top; cat .git/top > b.txt`],
          [git('git reset -q --hard'), git('git rebase -q other')],
        ),
      ],
    },
  },
  {
    name: 'what a rule hides in a folder with an odd name is kept when a file takes its place',
    sequence: {
      seed: 4075,
      turns: [
        turn(
          'reject',
          [`${append('ö ü.txt', 'U2.')}; git add 'ö ü.txt'; git commit -q -m U2. --only 'ö ü.txt'`],
          [
            overwrite('ö ü.txt', `rm -rf 'ö ü.txt'; ${append('ö ü.txt/inner', 'A11.')}`),
            { script: `echo '*.txt' >> .git/info/exclude; ${append('A13.txt', 'A13.')}` },
          ],
        ),
      ],
    },
  },
  {
    name: 'the run after a kill starts over a damaged index and without a folder of its own',
    sequence: {
      seed: 2441,
      turns: [turn('crash', [], [git('rm -rf .git/ralph'), git('printf nonsense > .git/index')], 37)],
    },
  },
  {
    name: 'a commit is made again over one that was, also where it swept nothing in itself',
    sequence: {
      seed: 2734,
      turns: [
        turn(
          'reject',
          [`git rm -q --cached 'a.txt'`],
          [
            git(`git rm -q --cached 'dir/sub/d.txt'; git commit -q -m A2.`),
            git('git checkout -q --orphan orphan; git add -A; git commit -q -m A5.'),
          ],
        ),
      ],
    },
  },
  {
    name: 'staged lines are kept when a link takes the place of their file',
    sequence: {
      seed: 353,
      turns: [
        turn(
          'accept',
          [`{ echo U2.; cat dir/sub/d.txt; } > .git/top; cat .git/top > dir/sub/d.txt; git add dir/sub/d.txt`],
          [overwrite('dir/sub/d.txt', `rm -f dir/sub/d.txt; ln -s A5. dir/sub/d.txt`)],
        ),
      ],
    },
  },
  {
    name: 'what the user took out of git and ignores is not lost when an agent stashes',
    sequence: {
      seed: 1498,
      turns: [
        turn(
          'accept',
          [],
          [git(`${append('dir/new.txt', 'A2.')}; git add dir; git commit -q -m A2.; echo '*' > dir/.gitignore`)],
        ),
        turn(
          'accept',
          [`rm dir/new.txt; ln -s U6. dir/new.txt; git rm -q -r --cached -- dir/new.txt`],
          [{ ...git('git stash -q -u'), prunes: true }],
        ),
      ],
    },
  },
  {
    name: 'a file that the user has deleted does not come back where a rule ignores it',
    sequence: {
      seed: 4907,
      turns: [
        turn('accept', [], [{ script: `printf '*\\n' > dir/.gitignore; ${append('dir/A6.', 'A6.')}` }]),
        turn('crash', [`rm -rf 'dir/c.txt'`], [git('git reset -q --hard HEAD~1'), git('rm -f .git/index')], 3),
      ],
    },
  },
  {
    name: 'a line that the user wrote into kept work is not thrown away with it',
    sequence: {
      seed: 9925,
      turns: [
        turn('keep', [], [{ script: `${append('x', 'A2.')}; git add -A` }]),
        turn('reject', [append('x', 'U10.')], []),
        turn('accept', [], [{ ...git('git stash -q -u'), prunes: true }]),
      ],
    },
  },
  {
    name: 'the stash is back after a drop and an expired reflog',
    sequence: { seed: 1006, turns: [turn('reject', [], [{ ...git('git stash drop -q'), prunes: true }, prune])] },
  },
];
