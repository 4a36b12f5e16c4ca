/** How agents end, by what they wrote and by their exit, and what is made of it. */
import { classify } from '../../../src/agent/classify.ts';
import type { Classified, Ending } from '../../../src/agent/classify.ts';
import type { OutputFormat } from '../../../src/agent/types.ts';
import { decodeAll } from './decode-all.ts';

const now = Date.parse('2026-11-30T11:10:00Z');
const here = { now, zone: 'UTC' };

export interface Given extends Partial<Omit<Ending, 'report' | 'stderr'>> {
  readonly out?: string | Buffer;
  readonly stderr?: string;
  readonly code?: number;
  readonly format?: OutputFormat;
}

/** What an agent that ended like this is taken for. */
export function end({ out = '', stderr = '', code = 0, format = 'claude-stream-json', ...more }: Given): Classified {
  const { report } = decodeAll(format, [out]);
  const ending: Ending = {
    stopped: 'none',
    exit: { kind: 'exited', code },
    report,
    structured: format !== 'text',
    stdoutEmpty: out.length === 0,
    stderr: stderr.split('\n').filter((line) => line !== ''),
    fatal: undefined,
    exitClasses: {},
    ...more,
  };
  return classify(ending, here);
}

/** The class, and what stands in the way. */
export const brief = ({ class: name, obstacle }: Classified): string =>
  obstacle === undefined ? name : `${name}/${obstacle.kind}`;

export const line = (event: unknown): string => `${JSON.stringify(event)}\n`;
export const say = (text: string): string =>
  line({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
export const use = line({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] },
});
export const apiError = (result: string, more: object = {}): string =>
  line({ type: 'result', subtype: 'success', is_error: true, result, ...more });
