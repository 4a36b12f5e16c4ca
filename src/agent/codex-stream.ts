import type { Tokens } from '../loop/events.ts';
import { shownLines } from './display-text.ts';
import { fieldsOf, parseEvent, textOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { findWords } from './final-words.ts';
import { LineSplitter } from './line-splitter.ts';
import type { Line } from './line-splitter.ts';
import { StrayLines } from './stray-lines.ts';
import { tokensOfCodex } from './tokens.ts';
import { oneLine, summarizeTool } from './tool-summary.ts';
import type { Decoded, Decoder, Report, Result } from './types.ts';

const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** Items of codex that are talk or thought, not the use of a tool. */
const talk: ReadonlySet<unknown> = new Set(['agent_message', 'reasoning', 'error', 'todo_list', 'user_message']);

/** Reads the events of `codex exec --json`. */
export class CodexStreamDecoder implements Decoder {
  readonly #lines = new LineSplitter({ maxBytes: MAX_EVENT_BYTES, loneCr: false }, (line) => this.#line(line));
  readonly #echoes: ReadonlySet<string>;
  readonly #emit: (event: Decoded) => void;
  readonly #stray = new StrayLines();
  /** The item whose start was shown: its completion says nothing new. */
  #started: string | undefined;
  #result: Result = { kind: 'none' };
  #said = '';
  #spoke = false;
  #worked = false;
  #lastSaid = '';
  #tokens: Tokens | undefined;
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
      words: findWords(this.#said, this.#echoes),
      spoke: this.#spoke,
      worked: this.#worked,
      lastSaid: this.#lastSaid,
      strayLines: this.#stray.last(),
      limits: [],
      costUsd: undefined,
      tokens: this.#tokens,
      session: this.#session,
      denied: [],
    };
  }

  #line(line: Line): void {
    if (line.cut || line.text.trim() === '') return;
    const event = parseEvent(line.text);
    if (event === undefined) this.#showStray(line.text);
    else this.#event(event);
  }

  #event(event: Fields): void {
    switch (event['type']) {
      case 'thread.started':
        this.#session = textOf(event['thread_id']) ?? this.#session;
        return undefined;
      case 'turn.started':
        this.#result = { kind: 'none' };
        return this.#emit({ kind: 'turn' });
      case 'turn.completed':
        this.#result = { kind: 'good' };
        this.#tokens = tokensOfCodex(event['usage']);
        return this.#emit({ kind: 'result' });
      case 'turn.failed':
        return this.#fail(textOf(fieldsOf(event['error'])['message']) ?? '');
      case 'error':
        // Not fatal: codex reports each lost connection so, and goes on.
        return this.#showStray(textOf(event['message']) ?? '');
      case 'item.started':
        return this.#start(fieldsOf(event['item']));
      case 'item.completed':
        return this.#complete(fieldsOf(event['item']));
      default:
        return undefined;
    }
  }

  #fail(text: string): void {
    this.#result = { kind: 'error', error: { status: undefined, codes: [], text } };
    if (text !== this.#stray.latest) this.#showStray(text);
    this.#emit({ kind: 'result' });
  }

  #start(item: Fields): void {
    if (talk.has(item['type'])) return;
    this.#started = textOf(item['id']);
    this.#tool(item);
  }

  #complete(item: Fields): void {
    const text = textOf(item['text']) ?? '';
    if (item['type'] === 'agent_message' && text.trim() !== '') {
      this.#spoke = true;
      this.#worked = true;
      this.#stray.clear();
      this.#said = text;
      this.#lastSaid = shownLines(text).at(-1) ?? this.#lastSaid;
      this.#emit({ kind: 'text', text });
    }
    const isNews = this.#started === undefined || this.#started !== item['id'];
    if (!talk.has(item['type']) && isNews) this.#tool(item);
  }

  #tool(item: Fields): void {
    this.#worked = true;
    this.#said = '';
    const name = [item['server'], item['tool'] ?? item['type']].flatMap((part) => textOf(part) ?? []).join('.');
    this.#emit({ kind: 'tool', name: oneLine(name), summary: summarizeItem(item) });
  }

  #showStray(text: string): void {
    this.#stray.add(text);
    this.#emit({ kind: 'stray', text });
  }
}

/** The fields that say what is done; id, type and status say nothing. */
function summarizeItem(item: Fields): string {
  return summarizeTool({ command: item['command'], query: item['query'], ...fieldsOf(item['arguments']) });
}
