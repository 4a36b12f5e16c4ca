import type { Tokens } from '../loop/events.ts';
import type { FinalWords } from '../loop/ports.ts';
import { shownLines } from './display-text.ts';
import { fieldsOf, listOf, numberOf, parseEvent, textOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { findWords, joinWords, noWords } from './final-words.ts';
import { LineSplitter } from './line-splitter.ts';
import type { Line } from './line-splitter.ts';
import { StrayLines } from './stray-lines.ts';
import { addTokens, noTokens, tokensOfModels, tokensOfUsage } from './tokens.ts';
import { oneLine, summarizeTool } from './tool-summary.ts';
import type { Decoded, Decoder, Report, ReportedError, Result } from './types.ts';

/** A longer event can't be one that matters: they are tool results with whole files in them. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;
const MAX_DENIED = 50;

/** Reads the event stream of `claude --output-format stream-json`, which amp speaks, too. */
export class ClaudeStreamDecoder implements Decoder {
  readonly #lines = new LineSplitter({ maxBytes: MAX_EVENT_BYTES, loneCr: false }, (line) => this.#line(line));
  readonly #echoes: ReadonlySet<string>;
  readonly #emit: (event: Decoded) => void;
  readonly #stray = new StrayLines();
  readonly #limits = new Map<string, number | undefined>();
  readonly #denied = new Set<string>();
  #result: Result = { kind: 'none' };
  #words: FinalWords = noWords;
  /** What the agent said last, as long as no tool call follows: its final message, if nothing more comes. */
  #said = '';
  #latestText = '';
  #spoke = false;
  #worked = false;
  #lastSaid = '';
  #apiError: string | undefined;
  #costUsd: number | undefined;
  #tokensByModel: Tokens | undefined;
  #tokensByResult: Tokens | undefined;
  #session: string | undefined;

  constructor(echoes: ReadonlySet<string>, emit: (event: Decoded) => void) {
    this.#echoes = echoes;
    this.#emit = emit;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  pending(): string {
    return this.#lines.pending();
  }

  report(): Report {
    return {
      result: this.#result,
      // Without a result behind it, what was said last is the final message.
      words: joinWords(this.#words, findWords(this.#said, this.#echoes)),
      spoke: this.#spoke,
      worked: this.#worked,
      lastSaid: this.#lastSaid,
      strayLines: this.#stray.last(),
      limits: [...this.#limits.values()],
      costUsd: this.#costUsd,
      tokens: this.#tokensByModel ?? this.#tokensByResult,
      session: this.#session,
      denied: [...this.#denied],
    };
  }

  #line(line: Line): void {
    if (line.cut || line.text.trim() === '') return;
    const event = parseEvent(line.text);
    if (event === undefined) this.#showStray(line.text);
    else this.#event(event);
  }

  #event(event: Fields): void {
    const session = textOf(event['session_id']);
    if (session !== undefined && session !== '') this.#session = session;
    switch (event['type']) {
      case 'assistant':
        return this.#assistant(event);
      case 'result':
        return this.#takeResult(event);
      case 'system':
        return this.#system(event);
      case 'rate_limit_event':
        return this.#rateLimit(fieldsOf(event['rate_limit_info']));
      case 'user':
      case 'stream_event':
        // Tool results and the prompt itself are not the agent's words; pieces of a message come again as a whole.
        return this.#emit({ kind: 'turn' });
      default:
        return undefined;
    }
  }

  #assistant(event: Fields): void {
    const message = fieldsOf(event['message']);
    const blocks = listOf(message['content']).map(fieldsOf);
    const text = blocks.flatMap((block) => (block['type'] === 'text' ? [textOf(block['text']) ?? ''] : [])).join('\n');
    if (isSynthetic(event, message)) {
      this.#apiError = textOf(event['error']);
      return this.#showStray(text);
    }
    this.#apiError = undefined;
    this.#stray.clear();
    this.#result = { kind: 'none' };
    const ownWords = typeof event['parent_tool_use_id'] !== 'string';
    if (text.trim() !== '') this.#say(text, ownWords);
    for (const block of blocks) if (block['type'] === 'tool_use') this.#tool(block);
    return this.#emit({ kind: 'turn' });
  }

  #say(text: string, ownWords: boolean): void {
    this.#worked = true;
    if (ownWords) this.#hear(text);
    this.#emit({ kind: 'text', text });
  }

  #hear(text: string): void {
    this.#said = text;
    this.#latestText = text;
    this.#spoke = true;
    this.#lastSaid = shownLines(text).at(-1) ?? this.#lastSaid;
  }

  #tool(block: Fields): void {
    this.#worked = true;
    this.#said = '';
    const summary = summarizeTool(fieldsOf(block['input']));
    this.#emit({ kind: 'tool', name: oneLine(textOf(block['name']) ?? 'tool'), summary });
  }

  #takeResult(event: Fields): void {
    this.#count(event);
    // `subtype: success` with `is_error: true` is the usual shape of an error of the provider.
    if (event['is_error'] === true) this.#fail(event);
    else this.#succeed(textOf(event['result']));
    this.#words = joinWords(this.#words, findWords(this.#said, this.#echoes));
    this.#said = '';
    this.#emit({ kind: 'result' });
  }

  #succeed(text: string | undefined): void {
    this.#result = { kind: 'good' };
    if (text === undefined) return;
    if (text.trim() !== '' && text.trim() !== this.#latestText.trim()) this.#say(text, true);
    // An empty result leaves nothing to be found, whatever was said on the way.
    this.#said = text;
  }

  #fail(event: Fields): void {
    const error = this.#errorOf(event);
    // Stopped after a good result: what it says on the way out takes nothing back.
    const isAborted = error.codes.some((code) => code.startsWith('aborted_'));
    if (isAborted && this.#result.kind === 'good') return;
    this.#result = { kind: 'error', error };
    if (error.text !== '' && this.#stray.latest !== error.text) this.#showStray(error.text);
  }

  #errorOf(event: Fields): ReportedError {
    const subtype = textOf(event['subtype']);
    const texts = [event['result'], event['error'], ...listOf(event['errors'])].flatMap((value) => textOf(value) ?? []);
    const codes = [
      subtype === 'success' ? undefined : subtype,
      this.#apiError,
      ...['api_error', 'api_error_type', 'terminal_reason', 'stop_reason'].map((key) => textOf(event[key])),
    ].filter((code) => code !== undefined);
    return { status: numberOf(event['api_error_status']), codes, text: texts.join('\n').trim() };
  }

  #count(event: Fields): void {
    // Cost and models are sums over the whole process; usage is that of one result.
    this.#costUsd = numberOf(event['total_cost_usd']) ?? this.#costUsd;
    this.#tokensByModel = tokensOfModels(fieldsOf(event['modelUsage'])) ?? this.#tokensByModel;
    const usage = tokensOfUsage(event['usage']);
    if (usage !== undefined) this.#tokensByResult = addTokens(this.#tokensByResult ?? noTokens, usage);
    for (const denial of listOf(event['permission_denials'])) {
      const tool = textOf(denial) ?? textOf(fieldsOf(denial)['tool_name']);
      if (tool !== undefined && this.#denied.size < MAX_DENIED) this.#denied.add(oneLine(tool));
    }
  }

  #system(event: Fields): void {
    switch (event['subtype']) {
      case 'api_retry':
        return this.#emit({ kind: 'retry', text: describeRetry(event) });
      case 'init':
      case 'task_notification':
        return this.#emit({ kind: 'turn' });
      case 'status':
        // `requesting` begins a turn; null ends one.
        return typeof event['status'] === 'string' ? this.#emit({ kind: 'turn' }) : undefined;
      default:
        return undefined;
    }
  }

  #rateLimit(info: Fields): void {
    const type = textOf(info['rateLimitType']) ?? '';
    if (info['status'] === 'rejected') this.#limits.set(type, numberOf(info['resetsAt']));
    else this.#limits.delete(type);
  }

  #showStray(text: string): void {
    this.#stray.add(text);
    this.#emit({ kind: 'stray', text });
  }
}

/** A message that claude itself made up to report an error of the provider: not the model's words. */
function isSynthetic(event: Fields, message: Fields): boolean {
  return (
    message['model'] === '<synthetic>' || event['is_api_error_message'] === true || textOf(event['error']) !== undefined
  );
}

function describeRetry(event: Fields): string {
  const cause = textOf(event['error']) ?? 'unknown error';
  const status = numberOf(event['error_status']);
  const seconds = Math.ceil((numberOf(event['retry_delay_ms']) ?? 0) / 1000);
  const attempts = `attempt ${String(numberOf(event['attempt']) ?? '?')} of ${String(numberOf(event['max_retries']) ?? '?')}`;
  return `waiting for the provider (${cause}${status === undefined ? '' : ` ${status}`}): ${attempts}, again in ${seconds} s`;
}
