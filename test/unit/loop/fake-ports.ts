import type { EventBody, EventScope, EventType } from '../../../src/loop/events.ts';
import type { LoopOptions } from '../../../src/loop/options.ts';
import type {
  AgentEnd,
  AgentRequest,
  Check,
  CheckResult,
  CommitRequest,
  CommitResult,
  Cut,
  LogEntry,
  PromptFacts,
  StateTexts,
  StateWrite,
} from '../../../src/loop/ports.ts';
import { runLoop, runPromptLoop } from '../../../src/loop/run-loop.ts';
import { createRunState } from '../../../src/loop/run-state.ts';
import type { RunState } from '../../../src/loop/run-state.ts';
import type { Stop } from '../../../src/loop/stop.ts';
import type { PrdPorts } from '../../../src/loop/try.ts';
import { comparePrd } from '../../../src/prd/compare.ts';
import { editPrd } from '../../../src/prd/edit-prd.ts';
import { parsePrd } from '../../../src/prd/parse-prd.ts';
import type { Story } from '../../../src/prd/types.ts';
import { guardLog } from '../../../src/progress/guard-log.ts';
import { documentOf } from '../prd/prd-helpers.ts';

export type Recorded = EventBody & EventScope;
/** How a command ends in the fake world; a text is the output of a red one. */
export type CheckEnd = 'green' | 'red' | 'timeout' | 'interrupted' | { red: string };

/** An agent's hands on the fake world. What it returns is how it ended, if not well and with a word. */
export interface Hand {
  /** Which agent of the run this is, from 1. */
  readonly call: number;
  readonly story: string;
  tick(id?: string, passes?: boolean): void;
  note(id: string, notes: string): void;
  write(path: string, text?: string): void;
  /** A commit of its own. */
  commit(): void;
  /** What ordinary good work looks like: a change and a tick. */
  work(id?: string): void;
  cut(cut: Cut): void;
}

export type Agent = (hand: Hand) => Partial<AgentEnd> | undefined | void;

export interface WorldOptions {
  readonly stories?: readonly object[];
  readonly options?: Partial<LoopOptions>;
  readonly agent?: Agent;
  /** Decides how a gate, check or hook ends; green where it says nothing. */
  readonly check?: (check: Check, world: World) => CheckEnd | undefined | void;
  /** Names of the gates. */
  readonly gates?: readonly string[];
  /** Is told of each look at the clock while it waits, after the time has gone by. */
  readonly onSleep?: (world: World) => void;
  /** Does what a commit does, instead of making one. */
  readonly commit?: (request: CommitRequest, world: World) => CommitResult | undefined | void;
  readonly violations?: () => readonly string[];
  readonly remarks?: readonly string[];
  readonly random?: number;
  readonly userFiles?: boolean;
}

export const START = Date.UTC(2026, 0, 5, 10);
/** One iteration, and the run is over. */
export const once = { maxIterations: 1 };
export const good: Agent = (hand) => hand.work();
export const silent: Agent = () => undefined;
export const blockedBy = (reason: string): Partial<AgentEnd> => ({ words: { ...noWords, blocked: reason } });
export const sentinel: Partial<AgentEnd> = { words: { sentinel: true, sentinelLast: true, blocked: undefined } };
export const earlySentinel: Partial<AgentEnd> = { words: { sentinel: true, sentinelLast: false, blocked: undefined } };
const noWords = { sentinel: false, sentinelLast: false, blocked: undefined };

export function limitUntil(resetAt: number | undefined): Partial<AgentEnd> {
  return { class: 'limit', obstacle: { kind: 'limit', resetAt, text: 'usage limit' } };
}
export const overloaded: Partial<AgentEnd> = { class: 'overloaded', obstacle: { kind: 'overloaded', text: '529' } };
export const rateLimited: Partial<AgentEnd> = { class: 'overloaded', obstacle: { kind: 'rate', text: '429' } };
export const noCredit: Partial<AgentEnd> = { class: 'limit', obstacle: { kind: 'account', text: 'no credit' } };

export function gate(name: string): Check {
  return { name, kind: 'gate', command: `run ${name}`, timeoutMs: 60_000 };
}

/** A world in memory: one PRD, one log, a tree of files, commits, and a clock that moves only when somebody waits. */
export class World {
  prdText: string;
  logText = '# Ralph Progress Log\n---\n';
  now = START;
  stopRequested = false;
  /** The agents that had been started when the branch was looked after. */
  readonly looks: number[] = [];
  readonly tree = new Map<string, string>();
  readonly commits: { subject: string; trailers: Record<string, string>; files: string[]; prd: string }[] = [];
  readonly refs: Map<string, string>[] = [];
  readonly events: Recorded[] = [];
  readonly requests: AgentRequest[] = [];
  readonly prompts: PromptFacts[] = [];
  readonly entries: LogEntry[] = [];
  readonly checks: string[] = [];
  readonly keptFiles: string[] = [];
  readonly steps: string[] = [];
  /** What was announced of the state files, and what stood in them then. */
  readonly writings: (StateWrite & { inFile: StateTexts })[] = [];
  readonly state: RunState = createRunState(START);
  readonly controller = new AbortController();
  readonly options: LoopOptions;
  pushWarning: string | undefined;
  readonly #given: WorldOptions;
  #snapshot = new Map<string, string>();
  #kept: Map<string, string> | undefined;
  #own: string[] = [];
  #left = new Map<string, string>();

  constructor(given: WorldOptions = {}) {
    this.#given = given;
    this.prdText = JSON.stringify(documentOf(given.stories ?? [{}]), null, 2);
    this.options = {
      mode: 'prd',
      maxIterations: 10,
      maxAttempts: 3,
      maxStalls: 3,
      maxFailures: 5,
      maxCostUsd: undefined,
      deadline: undefined,
      trust: false,
      onReject: 'rollback',
      regressions: 'each',
      onLimit: 'wait',
      allowRed: false,
      push: false,
      delayMs: 2_000,
      retryDelayMs: 5_000,
      gates: (given.gates ?? ['test']).map(gate),
      checkTimeoutMs: 60_000,
      subjectOf: ({ id, title }: Story) => `feat: [${id}] - ${title}`,
      ...given.options,
    };
  }

  run(): Promise<Stop> {
    return runLoop(this.ports(), this.options, this.state);
  }

  runPrompt(): Promise<Stop> {
    return runPromptLoop({ ...this.ports(), prd: undefined, log: undefined }, this.options, this.state);
  }

  story(id = 'US-001'): Story {
    const story = parsePrd(this.prdText, 'prd.json').prd.stories.find((candidate) => candidate.id === id);
    if (story === undefined) throw new Error(`no story ${id}`);
    return story;
  }

  passes(): boolean[] {
    return parsePrd(this.prdText, 'prd.json').prd.stories.map(({ passes }) => passes);
  }

  event<T extends EventType>(type: T): (Recorded & { type: T })[] {
    return this.events.filter((event): event is Recorded & { type: T } => event.type === type);
  }

  verdicts(): string[] {
    return this.event('iteration.finished').map(({ verdict }) => verdict);
  }

  setStory(id: string, change: object): void {
    const document = JSON.parse(this.prdText);
    Object.assign(
      document.userStories.find((story: { id: string }) => story.id === id),
      change,
    );
    this.prdText = JSON.stringify(document, null, 2);
  }

  ports(): PrdPorts {
    return {
      clock: {
        now: () => this.now,
        sleep: async (ms, signal) => {
          if (signal.aborted) return;
          this.now += ms;
          this.#given.onSleep?.(this);
        },
      },
      cut: this.controller.signal,
      random: () => this.#given.random ?? 0,
      prd: this.#prd(),
      backToBranch: async () => void this.looks.push(this.requests.length),
      log: this.#log(),
      agent: { name: 'fake', run: (request) => this.#agent(request) },
      gates: { run: (check) => this.#check(check) },
      prompt: {
        render: (facts) => {
          this.prompts.push(facts);
          return `prompt ${this.prompts.length}`;
        },
      },
      workspace: this.#workspace(),
      folder: {
        run: 'run-1',
        emit: (body, scope = {}) => void this.events.push({ ...body, ...scope }),
        keep: async (iteration, name) => {
          this.keptFiles.push(`${iteration}/${name}`);
          return `.ralph/runs/run-1/${iteration}/${name}`;
        },
        ensure: async () => undefined,
        stopRequested: () => this.stopRequested,
      },
    };
  }

  #prd(): PrdPorts['prd'] {
    return {
      path: 'prd.json',
      read: async () => parsePrd(this.prdText, 'prd.json'),
      compare: async (before) => comparePrd(before, { kind: 'text', text: this.prdText }),
      edit: (before, changes) => editPrd(before, changes, 'prd.json'),
      write: async ({ text }) => void (this.prdText = text),
      raw: async () => Buffer.from(this.prdText),
    };
  }

  #log(): PrdPorts['log'] {
    const readingOf = (text: string): { text: string; patterns: string; newest: string } => ({
      text,
      patterns: '',
      newest: '',
    });
    const withEntry: PrdPorts['log']['withEntry'] = ({ text }, entry) => {
      this.entries.push(entry);
      return `${text}\n## ${entry.stories.join(', ')}\n${entry.lines.join('\n')}\n---\n`;
    };
    return {
      path: 'progress.txt',
      read: async () => readingOf(this.logText),
      guard: async (before) => {
        const { text, isRestored } = guardLog(before.text, this.logText);
        return { reading: readingOf(text), restored: isRestored ? this.logText : undefined };
      },
      write: async (text) => void (this.logText = text),
      withEntry,
      append: async (reading, entry) => (this.logText = withEntry(reading, entry)),
    };
  }

  async #agent(request: AgentRequest): Promise<AgentEnd> {
    this.requests.push(request);
    this.steps.push('agent');
    this.#own = [];
    const story = request.story ?? '';
    const hand: Hand = {
      call: this.requests.length,
      story,
      tick: (id = story, passes = true) => this.setStory(id, { passes }),
      note: (id, notes) => this.setStory(id, { notes }),
      write: (path, text = 'x') => void this.tree.set(path, text),
      commit: () => void this.#own.push(`own-${this.requests.length}`),
      work: (id = story) => {
        this.tree.set(`src/${id}`, `by call ${this.requests.length}`);
        this.setStory(id, { passes: true });
      },
      cut: (cut) => this.controller.abort(cut),
    };
    const end = this.#given.agent?.(hand) ?? {};
    return {
      class: this.controller.signal.aborted ? 'interrupted' : 'ok',
      exit: 0,
      words: noWords,
      obstacle: undefined,
      lastLine: 'the last line',
      costUsd: 0,
      tokens: undefined,
      denied: [],
      ...end,
    };
  }

  async #check(check: Check): Promise<CheckResult> {
    this.checks.push(check.name);
    this.steps.push(check.name);
    const end = this.#given.check?.(check, this) ?? 'green';
    return {
      check,
      green: end === 'green',
      exit: end === 'green' ? 0 : end === 'timeout' || end === 'interrupted' ? undefined : 1,
      timedOut: end === 'timeout',
      interrupted: end === 'interrupted',
      tail: typeof end === 'object' ? end.red : '',
      log: `logs/${check.name}.log`,
    };
  }

  #workspace(): PrdPorts['workspace'] {
    const changedSince = (base: ReadonlyMap<string, string>): string[] =>
      [...new Set([...base.keys(), ...this.#left.keys()])].filter((path) => base.get(path) !== this.#left.get(path));
    const set = (files: ReadonlyMap<string, string>): void => {
      this.tree.clear();
      for (const [path, text] of files) this.tree.set(path, text);
    };
    return {
      branch: () => 'ralph/feature',
      snapshot: async () => {
        this.steps.push('snapshot');
        this.#snapshot = new Map(this.tree);
        return { head: 'head', tree: 'tree' };
      },
      compare: async () => {
        this.#left = new Map(this.tree);
        return {
          changed: changedSince(this.#snapshot),
          pending: changedSince(this.#kept ?? this.#snapshot),
          commits: [...this.#own],
          violations: this.#given.violations?.() ?? [],
          remarks: this.#given.remarks ?? [],
          ref: undefined,
          userFiles: this.#given.userFiles ?? false,
        };
      },
      putBack: async () => {
        this.steps.push('put back');
        const paths = [...this.tree.keys()].filter((path) => this.tree.get(path) !== this.#left.get(path));
        set(this.#left);
        return paths;
      },
      commit: async (request) => {
        this.steps.push('commit');
        const instead = this.#given.commit?.(request, this);
        if (instead) return instead;
        const { subject } = request;
        const files = changedSince(this.#kept ?? this.#snapshot);
        const trailers = Object.fromEntries(request.trailers);
        this.commits.push({ subject, trailers, files, prd: this.prdText });
        this.#kept = undefined;
        return { kind: 'committed', commit: `commit-${this.commits.length}`, remarks: [] };
      },
      rollBack: async () => {
        this.steps.push('roll back');
        const hasWork = changedSince(this.#snapshot).length > 0 || this.#own.length > 0;
        set(this.#snapshot);
        if (!hasWork) return undefined;
        this.refs.push(this.#left);
        return `refs/ralph/run-1/${this.refs.length}`;
      },
      keep: async () => {
        this.steps.push('keep');
        this.#kept ??= this.#snapshot;
      },
      writing: (state) => void this.writings.push({ ...state, inFile: { prd: this.prdText, log: this.logText } }),
      release: async () => void this.steps.push('release'),
      push: async () => {
        this.steps.push('push');
        return this.pushWarning;
      },
    };
  }
}
