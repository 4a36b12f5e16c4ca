/** `ralph doctor` for people: facts → text, pure. */
import { cleanLine, cleanText } from './clean-text.ts';
import { displayWidth } from './display-width.ts';
import type { Palette } from './palette.ts';

export interface AgentReport {
  readonly name: string;
  /** Version, login and file; or why it can't be used. */
  readonly text: string;
  readonly isUsable: boolean;
  /** Is it the one that a run would start? */
  readonly isChosen: boolean;
}

/** What keeps a run from starting. */
export interface Cause {
  readonly headline: string;
  readonly problems: readonly string[];
  readonly cures: readonly string[];
}

export interface DoctorFacts {
  /** What was looked at and found, one line each: what, and what it is. */
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly agents: readonly AgentReport[];
  readonly gates: readonly { readonly name: string; readonly run: string }[];
  readonly settings: readonly { readonly name: string; readonly value: string; readonly source: string }[];
  readonly warnings: readonly string[];
  readonly causes: readonly Cause[];
  /** The exit code of a run that is started now, as far as it shows. */
  readonly code: number;
}

/** Several lines, each with a line feed. */
export function renderDoctor(facts: DoctorFacts, palette: Palette): string {
  const lines = [
    ...alignRows(facts.facts.map(({ name, text }) => [name, text])),
    '',
    palette.headline('Agents'),
    ...agentLines(facts.agents, palette),
    '',
    palette.headline('Gates (not run)'),
    ...(facts.gates.length === 0
      ? [
          '  none: what an agent says can only be believed; add commands that must exit 0 as "gates" in ralph.config.json',
        ]
      : indent(alignRows(facts.gates.map(({ name, run }) => [name, run])))),
    '',
    palette.headline('Settings'),
    ...indent(alignRows(facts.settings.map(({ name, value, source }) => [name, value, source]))),
    '',
    ...facts.warnings.map((warning) => palette.warn(cleanLine(`Warning: ${warning}`))),
    ...facts.causes.flatMap((cause) => causeLines(cause, palette)),
    facts.causes.length === 0
      ? palette.good('All is well: a run can start.')
      : palette.bad(`A run started now would end with exit ${facts.code}.`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function agentLines(agents: readonly AgentReport[], palette: Palette): string[] {
  const rows = alignRows(
    agents.map(({ name, text, isChosen }) => [name, `${text}${isChosen ? ' · this one is used' : ''}`]),
  );
  return rows.map((row, index) => {
    const agent = agents[index];
    const mark = agent?.isUsable === true ? '✓' : agent?.isChosen === true ? '✗' : '·';
    const tone = agent?.isUsable === true ? palette.good : agent?.isChosen === true ? palette.bad : palette.detail;
    return tone(`  ${mark} ${row}`);
  });
}

function causeLines({ headline, problems, cures }: Cause, palette: Palette): string[] {
  const block = (text: string, start: string): string[] =>
    cleanText(text.trimEnd())
      .split('\n')
      .map((line) => `${start}${line}`);
  return [
    palette.bad(`✗ ${cleanLine(headline)}`),
    ...problems.flatMap((problem) => block(problem, '    ')),
    ...cures.flatMap((cure) => block(`Try: ${cure}`, '    ')),
  ];
}

/** Columns under each other; the last one is not filled up. */
function alignRows(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(cleanLine));
  const widthOf = (column: number): number =>
    Math.min(48, Math.max(...clean.map((row) => displayWidth(row[column] ?? ''))));
  return clean.map((row) =>
    row
      .map((cell, column) => {
        if (column === row.length - 1) return cell;
        return cell + ' '.repeat(Math.max(0, widthOf(column) - displayWidth(cell)));
      })
      .join('  ')
      .trimEnd(),
  );
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
