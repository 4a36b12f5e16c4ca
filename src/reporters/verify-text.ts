/** What `ralph verify` says besides the lines of its gates: facts → text, pure. */
import { cleanLine, cleanLines } from './clean-text.ts';

const SHOWN = 10;

/** What a clean checkout of HEAD does not have. */
export interface AbsentFacts {
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly submodules: readonly string[];
  /** The command that makes it ready, or undefined. */
  readonly setup: string | undefined;
}

/** One line for each kind of thing that is missing. */
export function renderAbsent({ changed, untracked, ignored, submodules }: AbsentFacts): string {
  return [
    ...lineOf('Not verified, since not committed', changed),
    ...lineOf('Not in the checkout, since git does not track it', untracked),
    ...lineOf('Not in the checkout, since git ignores it', ignored),
    ...lineOf('Not in the checkout: the content of the submodules', submodules),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** How what is missing gets there, for whoever sees something red because of it; empty where nothing can be the cause. */
export function renderSetupHint({ ignored, submodules, setup }: AbsentFacts): string {
  if (setup !== undefined || ignored.length + submodules.length === 0) return '';
  const cure = submodules.length > 0 ? 'git submodule update --init --recursive' : 'npm ci';
  return `If it is red because the checkout lacks what git ignores: "verify": { "setup": "${cure}" } in ralph.config.json\n`;
}

function lineOf(head: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return [cleanLine(`${head}: ${paths.slice(0, SHOWN).join(', ')}${more}`)];
}

/** The last lines of what a red command printed, indented. */
export function renderTail(tail: string): string {
  return cleanLines(tail.trimEnd())
    .filter((line) => line !== '')
    .map((line) => `    ${line}\n`)
    .join('');
}

export interface VerifyEnd {
  readonly gates: number;
  readonly checks: number;
  /** Passed stories, and those of them without a check. */
  readonly passed: number;
  readonly unchecked: readonly string[];
  /** What is red or could not be run, one short phrase each. */
  readonly red: readonly string[];
}

/** The last lines. */
export function renderVerifyEnd({ gates, checks, passed, unchecked, red }: VerifyEnd): string {
  const lines = [];
  if (gates + checks === 0 && red.length === 0) {
    lines.push('claimed, not verified: there is no gate, and no passed story has a check');
  } else if (unchecked.length > 0) {
    lines.push(`Passed stories without a check of their own, only gates speak for them: ${unchecked.join(', ')}`);
  }
  const sum = `${count(gates, 'gate')}, ${count(checks, 'check')} of ${count(passed, 'passed story', 'passed stories')}`;
  lines.push(red.length === 0 ? `HEAD holds: ${sum}.` : `HEAD does not hold: ${red.join(', ')} (of ${sum}).`);
  return lines.map((line) => `${cleanLine(line)}\n`).join('');
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
