import type { EventBody, EventScope, EventType } from '../../../src/loop/events.ts';
import type { LoopOptions } from '../../../src/loop/options.ts';
import type {
  AgentEnd,
  AgentRequest,
  Check,
  CheckResult,
  CommitRequest,
  CommitResult,
  LogEntry,
  PromptFacts,
  Workspace,
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
import { documentOf } from '../prd/readings.ts';
import { noWords } from './fake-agents.ts';
import type { Agent, Hand } from './fake-agents.ts';
import { createFakeWorkspace } from './fake-workspace.ts';
import type { Ground, WorkspaceOptions } from './fake-workspace.ts';

export type Recorded = EventBody & EventScope;
/** How a command ends in the fake world; a text is the output of a red one. */
export type CheckEnd = 'green' | 'red' | 'timeout' | 'interrupted' | { red: string };

export interface WorldOptions extends WorkspaceOptions {
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
  readonly random?: number;
}

export const START = Date.UTC(2026, 0, 5, 10);
/** One iteration, and the run is over. */
export const once = { maxIterations: 1 };

export function gate(name: string): Check {
  return { name, kind: 'gate', command: `run ${name}`, timeoutMs: 60_000 };
}

/** A world in memory: one PRD, one log, a tree of files, commits, and a clock that moves only when somebody waits. */
export class World implements Ground {
  prdText: string;
  logText = '# Ralph Progress Log\n---\n';
  now = START;
  stopRequested = false;
  /** The agents that had been started when the branch was looked after. */
  readonly looks: number[] = [];
  readonly tree = new Map<string, string>();
  readonly ownCommits: string[] = [];
  readonly commits: Ground['commits'] = [];
  readonly refs: Ground['refs'] = [];
  readonly events: Recorded[] = [];
  readonly requests: AgentRequest[] = [];
  readonly prompts: PromptFacts[] = [];
  readonly entries: LogEntry[] = [];
  readonly checks: string[] = [];
  readonly keptFiles: string[] = [];
  readonly steps: string[] = [];
  readonly writings: Ground['writings'] = [];
  readonly state: RunState = createRunState(START);
  readonly controller = new AbortController();
  readonly options: LoopOptions;
  pushWarning: string | undefined;
  readonly #given: WorldOptions;
  readonly #workspace: Workspace;

  constructor(given: WorldOptions = {}) {
    this.#given = given;
    this.#workspace = createFakeWorkspace(this, given, (request) => given.commit?.(request, this));
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
      workspace: this.#workspace,
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
    this.ownCommits.length = 0;
    const story = request.story ?? '';
    const hand: Hand = {
      call: this.requests.length,
      story,
      tick: (id = story, passes = true) => this.setStory(id, { passes }),
      note: (id, notes) => this.setStory(id, { notes }),
      write: (path, text = 'x') => void this.tree.set(path, text),
      commit: () => void this.ownCommits.push(`own-${this.requests.length}`),
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
}
