import type { AgentClass } from '../loop/events.ts';
import type { Obstacle } from '../loop/ports.ts';
import type { Stopped } from '../process/run-watched.ts';
import type { ChildExit } from '../process/types.ts';
import { shorten } from './display-text.ts';
import { judge, recognize } from './error-rules.ts';
import type { Report } from './types.ts';
import type { Here } from './zoned-time.ts';

/** All that is known when an agent's process is gone. */
export interface Ending {
  readonly stopped: Stopped;
  readonly exit: ChildExit;
  readonly report: Report;
  /** Its output has events, so that stray lines are its own errors and not its words. */
  readonly structured: boolean;
  readonly stdoutEmpty: boolean;
  /** The last lines of stderr, newest last. */
  readonly stderr: readonly string[];
  /** The line on which it was stopped at once. */
  readonly fatal: { class: AgentClass; line: string } | undefined;
  readonly exitClasses: Readonly<Record<number, AgentClass>>;
}

export interface Classified {
  readonly class: AgentClass;
  readonly obstacle: Obstacle | undefined;
  /** The agent's own line that says most. */
  readonly line: string;
}

const MAX_LINE = 500;
/** What an agent says about its end stands at the end. Further up it may be the output of its tools. */
const ERROR_LINES = 3;

/** Exit codes of a shell for a command that can't be run. */
const notStarted = new Set([126, 127]);
/** Exit codes of a program that ended because of HUP, INT, KILL or TERM. Others above 128 are the program's own. */
const killedCodes = new Set([129, 130, 137, 143]);
const killSignals = new Set<NodeJS.Signals>(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM']);

/**
 * How an agent ended: why ralph stopped it, else its own last result, else its exit and its own error lines. Only an agent
 * that failed is looked at for error texts, and never its words, tool results or files.
 */
export function classify(ending: Ending, here: Here): Classified {
  switch (ending.stopped) {
    case 'interrupted':
      return { class: 'interrupted', obstacle: undefined, line: lineOf(ending) };
    case 'fatal-line':
      return { class: ending.fatal?.class ?? 'crash', obstacle: undefined, line: ending.fatal?.line ?? lineOf(ending) };
    case 'idle':
    case 'timeout':
      // One that had given its result was only slow to leave.
      return byResult(ending, here) ?? { class: ending.stopped, obstacle: undefined, line: lineOf(ending) };
    case 'silent-after-result':
    case 'none':
      return byResult(ending, here) ?? byExit(ending, here);
  }
}

function byResult(ending: Ending, here: Here): Classified | undefined {
  const { result, limits, worked } = ending.report;
  switch (result.kind) {
    case 'none':
      return undefined;
    case 'good':
      return wellEnded(ending);
    case 'error': {
      const { error } = result;
      const line = shorten(error.text.split('\n')[0] ?? '', MAX_LINE);
      const { class: name, obstacle } = judge(
        { ...error, text: error.text.slice(0, MAX_LINE * 4), worked, limits },
        here,
      );
      return {
        class: name,
        obstacle: obstacle && { ...obstacle, text: line },
        line: line === '' ? lineOf(ending) : line,
      };
    }
  }
}

function byExit(ending: Ending, here: Here): Classified {
  const { exit } = ending;
  switch (exit.kind) {
    case 'failed':
      return { class: classOfFailedStart(exit.code), obstacle: undefined, line: exit.message };
    case 'signalled':
      return {
        class: killSignals.has(exit.signal) ? 'killed' : 'crash',
        obstacle: undefined,
        line: lineOf(ending),
      };
    case 'exited':
      return exit.code === 0 ? wellEnded(ending) : byCode(ending, exit.code, here);
  }
}

/** The system refused: `usage` where the command line was too long, `refused` where there is no such program. */
function classOfFailedStart(code: string): AgentClass {
  if (code === 'E2BIG') return 'usage';
  return ['ENOENT', 'EACCES', 'EPERM', 'ENOEXEC', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)
    ? 'refused'
    : 'crash';
}

function wellEnded(ending: Ending): Classified {
  const { spoke, lastSaid, strayLines } = ending.report;
  const line = shorten(lastSaid || (strayLines.at(-1) ?? ''), MAX_LINE);
  return { class: spoke ? 'ok' : 'empty', obstacle: undefined, line };
}

function byCode(ending: Ending, code: number, here: Here): Classified {
  const line = lineOf(ending);
  if (notStarted.has(code) && ending.stdoutEmpty) return { class: 'refused', obstacle: undefined, line };
  if (killedCodes.has(code)) return { class: 'killed', obstacle: undefined, line };
  const own = ending.exitClasses[code];
  return byErrorLines(ending, here) ?? { class: own ?? 'crash', obstacle: undefined, line };
}

/** The newest of its own lines that is a known error. */
function byErrorLines(ending: Ending, here: Here): Classified | undefined {
  const { worked, limits } = ending.report;
  for (const text of errorLines(ending).toReversed()) {
    const known = recognize(
      { status: undefined, codes: [], text, worked: worked && !ending.stdoutEmpty, limits },
      here,
    );
    if (known !== undefined) return { ...known, line: shorten(text, MAX_LINE) };
  }
  return undefined;
}

/**
 * Where a failed agent says why, oldest first. Of a plain-text agent's output only its last line, only where stderr is
 * silent and only where it begins as errors do, since the rest is its words.
 */
function errorLines(ending: Ending): readonly string[] {
  const stderr = ending.stderr.filter(isMessage).slice(-ERROR_LINES);
  const { strayLines } = ending.report;
  if (ending.structured) return [...strayLines.filter(isMessage).slice(-ERROR_LINES), ...stderr];
  return stderr.length > 0 ? stderr : strayLines.slice(-1).filter((line) => errorStart.test(line));
}

const errorStart =
  /^(?:(?:api |fatal )?error\b|fatal:|you(?:['’]ve|['’]re| have)\b|claude (?:ai )?usage|[\w-]+ limit reached|not logged in|invalid api key|credit balance|prompt is too long|failed to authenticate|there['’]s an issue with)/i;

/** No frame of a stack trace or what Node prints around it. */
function isMessage(line: string): boolean {
  return !/^(?:at .+[:)]|\^+$|Node\.js v\d|[{}\])]+;?$)/.test(line);
}

/** The line to show for a failure: its own last error line, else the last line it said. */
function lineOf(ending: Ending): string {
  return shorten(errorLines(ending).at(-1) ?? ending.report.lastSaid, MAX_LINE);
}
