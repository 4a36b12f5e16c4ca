import type { Story } from '../types.ts';
import { listOpen, pathOf, textOf } from './stories.ts';
import type { Finding, LintFacts, Rule } from './types.ts';

export const unknownCommand: Rule = {
  name: 'unknown-command',
  severity: 'warning',
  why: 'A worker that is told to run a command that does not exist invents one, or gets stuck on a check that can never be green.',
  mend: 'Use a script that package.json has, or let a criterion of an earlier story or of this one add it.',
  find: (facts) => {
    const { scripts } = facts;
    return scripts === undefined
      ? []
      : listOpen(facts.prd).flatMap(({ story, index }) => findInStory(story, index, scripts, facts));
  },
};

function findInStory(story: Story, index: number, scripts: ReadonlySet<string>, { prd }: LintFacts): Finding[] {
  const find = (text: string, part: 'acceptanceCriteria' | 'checks', position: number): Finding[] =>
    scriptsIn(text, part === 'checks')
      .filter(({ name }) => !scripts.has(name) && !prd.stories.some((other) => adds(other, name)))
      .map(({ command, name }) => ({
        path: pathOf(index, part, position),
        text: `names \`${command}\`, and package.json has no script "${name}"`,
      }));
  return [
    ...story.acceptanceCriteria.flatMap((text, position) => find(text, 'acceptanceCriteria', position)),
    ...story.checks.flatMap((text, position) => find(text, 'checks', position)),
  ];
}

interface Called {
  readonly command: string;
  readonly name: string;
}

const runs = /\b(?:npm|pnpm|yarn|bun)\s+(?:run|run-script)\s+(?:-s\s+|--silent\s+)?([\w:.-]*\w)(?!\S*=)/g;
const short =
  /\b(?:npm|pnpm|yarn)\s+(test|t|start)\b(?![:-])|\b(?:pnpm|yarn)\s+(typecheck|lint|build|check|format)\b(?![:-])/g;

/** Scripts that a text calls; another folder's (`--prefix`, `-w`, `cd`) are not ours to know. */
function scriptsIn(text: string, isCommand: boolean): Called[] {
  const spans = isCommand ? [text] : (text.match(/`[^`]+`/g) ?? []).map((span) => span.slice(1, -1));
  const plain = isCommand ? [] : [text.replace(/`[^`]*`/g, ' ')];
  const elsewhere =
    /(?:^|\s)(?:--prefix|-w|--workspace|--workspaces|-C|--cwd|--dir|--filter|-F|-r)\b|\bcd\s|\bworkspace\s/;
  const here = [...spans, ...plain].filter((span) => !elsewhere.test(span));
  const found = here.flatMap((span) => [
    ...[...span.matchAll(runs)].map(([command, name = '']) => ({ command, name })),
    ...[...span.matchAll(short)].map(([command, own, other]) => ({ command, name: full(own ?? other ?? '') })),
  ]);
  return found.filter(({ name }, position) => found.findIndex((other) => other.name === name) === position);
}

function full(name: string): string {
  return name === 't' ? 'test' : name;
}

/** Does a story say that it makes this script? */
function adds(story: Story, name: string): boolean {
  return textOf(story)
    .split('\n')
    .some((line) => /\bscripts?\b/i.test(line) && line.includes(name));
}
