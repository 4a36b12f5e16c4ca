import { cleanText } from './clean-text.ts';

export interface DryRunFacts {
  readonly branch: string;
  readonly currentBranch: string;
  readonly next: string;
  readonly gates: readonly string[];
  readonly checks: readonly string[];
  readonly command: readonly string[];
  readonly warnings: readonly string[];
  /** Undefined where no agent would be started. */
  readonly prompt: string | undefined;
}

/** What a run started now would do first. */
export function renderDryRun(facts: DryRunFacts): string {
  const isThere = facts.branch === facts.currentBranch;
  const lines = [
    `Branch: ${facts.branch}${isThere ? '' : ` (checked out or created at the start; now on ${facts.currentBranch})`}`,
    `Next story: ${facts.next}`,
    ...listOf('Gates', facts.gates),
    ...listOf('Checks of the story', facts.checks),
    `Command: ${facts.command.map(quote).join(' ')}`,
    ...facts.warnings.map((warning) => `Warning: ${warning}`),
    ...(facts.prompt === undefined ? [] : ['Prompt:', '', facts.prompt]),
  ];
  return cleanText(`${lines.join('\n')}\n`);
}

function listOf(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [`${name}: none`] : [`${name}:`, ...items.map((item) => `  ${item}`)];
}

/** As it would be typed in a shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
