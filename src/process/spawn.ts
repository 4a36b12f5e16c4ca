import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { execa, execaSync } from 'execa';
import type { Options } from 'execa';
import { messageOf, systemCodeOf } from '../errors.ts';
import { nothing } from './timers.ts';
import type { Child, ChildExit, ChildSpec, TerminalSpec } from './types.ts';

/** How long output is still read after the leader has gone: a grandchild may hold the pipes for ever. */
const DRAIN_MS = 2_000;

// The cheapest set (0.6 ms above a bare spawn): no collected output, no exit hook, nothing inherited. The promise of execa
// is not waited for, since it never settles while a grandchild holds a pipe.
const quick = {
  reject: false,
  buffer: false,
  encoding: 'buffer',
  stripFinalNewline: false,
  cleanup: false,
  extendEnv: false,
  // A session of its own: no controlling terminal, a group to signal, and Ctrl-C at the terminal reaches ralph alone.
  detached: process.platform !== 'win32',
} as const satisfies Options;

function launch(spec: ChildSpec) {
  const stdin: 'ignore' | 'pipe' = spec.input === undefined ? 'ignore' : 'pipe';
  return execa(spec.command, spec.args, { ...quick, stdin, cwd: spec.cwd, env: spec.env });
}

/**
 * Starts a process as the leader of its own group and session, with exactly the environment of `spec`. This is the only
 * place that starts one. Never throws: what can't be started ends as `failed` with the code of the system.
 */
export function startChild(spec: ChildSpec): Child {
  try {
    verifyFreeDescriptors();
    const child = launch(spec);
    if (child.pid === undefined) return { pid: undefined, exit: failureOf(child, spec), release: nothing };
    child.stdout.on('data', spec.onStdout);
    child.stderr.on('data', spec.onStderr);
    feed(child, spec.input);
    return { pid: child.pid, exit: endOf(child, spec.onExit), release: () => release(child) };
  } catch (error) {
    return { pid: undefined, exit: Promise.resolve(failed(error, spec)), release: nothing };
  }
}

/**
 * The same for the short helpers (git, ps) of which an iteration needs dozens: none of them has a use for what execa does,
 * and it costs as much as their own start.
 */
export function startHelper(spec: ChildSpec): Child {
  try {
    verifyFreeDescriptors();
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.env,
      detached: quick.detached,
      stdio: [spec.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const failure = new Promise<ChildExit>((resolve) => child.once('error', (error) => resolve(failed(error, spec))));
    if (child.pid === undefined) return { pid: undefined, exit: failure, release: nothing };
    child.stdout?.on('data', spec.onStdout);
    child.stderr?.on('data', spec.onStderr);
    feed(child, spec.input);
    return { pid: child.pid, exit: endOf(child, spec.onExit), release: () => release(child) };
  } catch (error) {
    return { pid: undefined, exit: Promise.resolve(failed(error, spec)), release: nothing };
  }
}

/**
 * Throws EMFILE or ENFILE where a process could not be started for want of file descriptors (three pipes and the system's
 * own need eight). Node then gives execa a child without pipes, over which it trips, and whose `error` nobody can catch.
 */
function verifyFreeDescriptors(): void {
  const open: number[] = [];
  try {
    while (open.length < 8) open.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

function feed(child: ChildProcess, input: string | Uint8Array | undefined): void {
  // A reader that goes away (EPIPE) shows in its exit code, if it minds; a pipe that breaks while reading likewise.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', nothing);
  if (input !== undefined) child.stdin?.end(input);
}

function endOf(child: ChildProcess, onExit: (() => void) | undefined): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      onExit?.();
      const exit: ChildExit = signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal };
      const drain = setTimeout(() => release(child), DRAIN_MS);
      child.once('close', () => {
        clearTimeout(drain);
        resolve(exit);
      });
    });
  });
}

/** Lets go of pipes that somebody else still holds; `close` follows. */
function release(child: ChildProcess): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

async function failureOf(child: ReturnType<typeof launch>, spec: ChildSpec): Promise<ChildExit> {
  const result = await child;
  return failed(result.cause ?? result, spec);
}

function failed(error: unknown, spec: TerminalSpec): ChildExit {
  const code = systemCodeOf(error) ?? 'EUNKNOWN';
  // The system says ENOENT for a missing folder, too, and names the command.
  const folderGone = code === 'ENOENT' && !existsSync(spec.cwd);
  return { kind: 'failed', code, message: folderGone ? `the folder ${spec.cwd} does not exist` : messageOf(error) };
}

/**
 * Starts a program that a person talks with: it has ralph's own terminal, and is in ralph's group, so that Ctrl-C at the
 * terminal reaches it. Never throws: what can't be started ends as `failed` with the code of the system.
 */
export function startInTerminal(spec: TerminalSpec): Pick<Child, 'pid' | 'exit'> {
  try {
    const options = { reject: false, buffer: false, cleanup: false, extendEnv: false, stdio: 'inherit' } as const;
    const child = execa(spec.command, spec.args, { ...options, cwd: spec.cwd, env: spec.env });
    const exit = child.then((result): ChildExit => {
      if (result.signal !== undefined) return { kind: 'signalled', signal: result.signal };
      if (result.exitCode !== undefined) return { kind: 'exited', code: result.exitCode };
      return failed(result.cause ?? result, spec);
    });
    return { pid: child.pid, exit };
  } catch (error) {
    return { pid: undefined, exit: Promise.resolve(failed(error, spec)) };
  }
}

/** What a quick system tool (`ps`) prints; empty where it can't be run. Blocks, so that a process table and what is done with it belong together. */
export function readOutput(command: string, args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
  const options = {
    reject: false,
    extendEnv: false,
    env,
    stdin: 'ignore',
    timeout: 5_000,
    maxBuffer: 100_000_000,
  } as const;
  return execaSync(command, args, options).stdout;
}

/** Ends a process with all that it started, where there are no process groups (Windows). */
export function stopTree(pid: number): void {
  execaSync('taskkill', ['/pid', String(pid), '/T', '/F'], { reject: false, stdin: 'ignore', timeout: 5_000 });
}
