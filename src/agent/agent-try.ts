import type { AgentClass, Emit } from '../loop/events.ts';
import type { Look } from '../process/run-watched.ts';
import type { Ending } from './classify.ts';
import { createDecoder } from './decode.ts';
import { shownLines } from './display-text.ts';
import { LineSplitter } from './line-splitter.ts';
import { StrayLines } from './stray-lines.ts';
import type { TextOutlet } from './text-outlet.ts';
import type { AgentSpec, Decoded, Decoder, Report } from './types.ts';

export interface TryOptions {
  readonly spec: AgentSpec;
  readonly prompt: string;
  readonly outlet: TextOutlet;
  readonly emit: Emit;
}

const MAX_STDERR_LINE = 16 * 1024;
/** A line that is none of the agent's events is shown so far: it may be megabytes of anything. */
const MAX_STRAY = 64 * 1024;

/** One process of an agent while it runs: takes its bytes, shows what it says, and knows how far it got. */
export class AgentTry {
  readonly #options: TryOptions;
  readonly #decoder: Decoder;
  readonly #stderrLines: LineSplitter;
  readonly #stderr = new StrayLines();
  #look: Look = 'working';
  #fatal: { class: AgentClass; line: string } | undefined;
  #hasStarted = false;
  #stdoutEmpty = true;

  constructor(options: TryOptions) {
    this.#options = options;
    this.#decoder = createDecoder(options.spec.output, options.prompt, (event) => this.#take(event));
    this.#stderrLines = new LineSplitter({ maxBytes: MAX_STDERR_LINE, loneCr: true }, ({ text }) => {
      this.#stderr.add(text);
      this.#checkFatal(text);
    });
  }

  started(pid: number | null): void {
    this.#hasStarted = true;
    this.#options.emit({ type: 'agent.started', tool: this.#options.spec.name, pid });
  }

  stdout(chunk: Buffer): void {
    // White space is no output: 126 and 127 then still mean that nothing ran.
    this.#stdoutEmpty &&= chunk.every((byte) => byte <= 0x20);
    this.#decoder.push(chunk);
    this.#checkFatal(this.#decoder.pending());
  }

  stderr(chunk: Buffer): void {
    this.#stderrLines.push(chunk);
    this.#checkFatal(this.#stderrLines.pending());
  }

  /** No more output comes. A process that never started is told of as one without a pid. */
  end(): void {
    this.#decoder.end();
    this.#stderrLines.end();
    if (!this.#hasStarted) this.started(null);
  }

  look(): Look {
    return this.#look;
  }

  report(): Report {
    return this.#decoder.report();
  }

  /** What `classify` needs to know besides the report and the end of the process. */
  facts(): Omit<Ending, 'report' | 'stopped' | 'exit'> {
    const { output, exitClasses } = this.#options.spec;
    return {
      structured: output !== 'text',
      stdoutEmpty: this.#stdoutEmpty,
      stderr: this.#stderr.last(),
      fatal: this.#fatal,
      exitClasses,
    };
  }

  #take(event: Decoded): void {
    const { outlet, emit } = this.#options;
    switch (event.kind) {
      case 'text':
        return outlet.show(event.text);
      case 'stray':
        this.#checkFatal(event.text);
        return outlet.show(event.text.slice(0, MAX_STRAY));
      case 'retry':
        return outlet.show(event.text);
      case 'tool':
        this.#turn('working');
        return emit({ type: 'agent.tool', name: event.name, summary: event.summary });
      case 'turn':
        return this.#turn('working');
      case 'result':
        return this.#turn('result-seen');
    }
  }

  #turn(look: Look): void {
    if (this.#fatal === undefined) this.#look = look;
  }

  #checkFatal(text: string): void {
    const { fatalLines } = this.#options.spec;
    if (fatalLines.length === 0 || this.#fatal !== undefined) return;
    for (const line of shownLines(text.slice(0, MAX_STRAY))) {
      const match = fatalLines.find(({ pattern }) => pattern.test(line));
      if (match === undefined) continue;
      this.#fatal = { class: match.class, line };
      this.#look = 'fatal-line';
    }
  }
}
