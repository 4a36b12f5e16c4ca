import type { OnceEnd } from '../agent/run-once.ts';
import { exitCodeOf } from '../exit.ts';
import { agentEndText } from '../messages.ts';
import type { WrittenDocument } from './prd-documents.ts';

/** How the agent ended. `cut`: something kept it from finishing, whatever it has written. */
export type PrdEnd =
  | { readonly kind: 'ended'; readonly problem: string | undefined }
  | { readonly kind: 'cut'; readonly code: number; readonly problem: string };

/** What came of it all. */
export interface PrdOutcome {
  readonly end: PrdEnd;
  readonly tool: string;
  /** Paths from the start folder. */
  readonly documents: readonly WrittenDocument[];
  /** What else has changed meanwhile, from the root of the working tree. */
  readonly others: readonly string[];
  readonly hasCommitted: boolean;
  /** `-C`, as it was typed. */
  readonly cwd: string | undefined;
}

/** Without a document of its own a failed agent has the exit code of its failure; there is no loop that could try again. */
export function judgeHeadless(tool: string, { end, signal }: OnceEnd): PrdEnd {
  const text = agentEndText(tool, end.class, end.exit ?? null, null, end.lastLine);
  if (signal !== undefined) {
    return { kind: 'cut', code: exitCodeOf('interrupted', signal), problem: `stopped by ${signal}` };
  }
  switch (end.class) {
    case 'ok':
      return { kind: 'ended', problem: undefined };
    case 'empty':
      return { kind: 'ended', problem: text };
    case 'auth':
    case 'refused':
    case 'usage':
      return { kind: 'cut', code: exitCodeOf('agent-unavailable'), problem: text ?? end.class };
    case 'limit':
      return { kind: 'cut', code: exitCodeOf('limit'), problem: text ?? end.class };
    case 'budget':
    case 'crash':
    case 'idle':
    case 'interrupted':
    case 'killed':
    case 'overloaded':
    case 'timeout':
      return { kind: 'cut', code: 1, problem: text ?? end.class };
  }
}

/** What to print, and the exit code: 0 only for a document that was written by an agent which came to its end. */
export function renderPrdEnd(outcome: PrdOutcome): { out: string; err: string; code: number } {
  const { documents, end } = outcome;
  const noteLines = otherLines(outcome);
  const isWhole = documents.length > 0 && end.kind === 'ended';
  const out = [
    ...documents.map(({ path, isNew }) => `${isNew ? 'Written' : 'Changed'}: ${path}`),
    ...(isWhole ? nextLines(outcome) : []),
  ];
  const err = isWhole ? noteLines : [...problemLines(outcome), ...noteLines];
  const code = end.kind === 'cut' ? end.code : isWhole ? 0 : 1;
  return { out: joinLines(out), err: joinLines(err), code };
}

function nextLines({ documents, cwd }: PrdOutcome): string[] {
  const at = cwd === undefined ? '' : ` -C ${word(cwd)}`;
  return [
    'Next: read it and change what is not as you want it. Then:',
    ...documents.map(({ path }) => `  ralph convert${at} ${word(path)}`),
  ];
}

function problemLines({ documents, end, tool }: PrdOutcome): string[] {
  const why = end.problem === undefined ? [] : [`  ${end.problem}`];
  const headline =
    documents.length === 0
      ? 'ralph: no PRD document was written: no tasks/prd-*.md is new or changed'
      : `ralph: ${tool} did not come to its end; the document may not be whole`;
  return [headline, ...why];
}

/** To write the document is all that it was asked for. */
function otherLines({ others, hasCommitted, tool }: PrdOutcome): string[] {
  const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
  return [
    ...(others.length === 0
      ? []
      : [`Warning: not only the document has changed meanwhile: ${others.slice(0, 10).join(', ')}${more}`]),
    ...(hasCommitted
      ? [`Warning: HEAD is another commit now: ${tool} was asked for a document only (see: git log)`]
      : []),
  ];
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** As one word for a shell to be pasted into. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
