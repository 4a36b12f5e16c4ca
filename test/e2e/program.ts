/** Starts a program and tells how it ended and what it printed. */
import { spawn } from 'node:child_process';

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
  /** Standard output, then standard error. */
  text: string;
  /** From start to end. */
  ms: number;
  /** Throws, with all that was printed, if the exit code is another one. */
  exits(code: number): Outcome;
}
export interface Started {
  readonly pid: number;
  readonly done: Promise<Outcome>;
  /** What was printed so far. */
  text(): string;
  kill(signal: NodeJS.Signals): void;
  /** Sends the signal; the outcome's `ms` count from then on. */
  end(signal: NodeJS.Signals): Promise<Outcome>;
  /** Kills its group, if it is still there. */
  stop(): void;
}

export function startProgram(
  [file = '', ...args]: string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Started {
  const startedAt = Date.now();
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const pid = child.pid ?? 0;
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const done = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve(createOutcome({ code, signal, out, err, text: out + err, ms: Date.now() - startedAt }));
    });
  });
  const kill = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  return {
    pid,
    done,
    text: () => out + err,
    kill,
    async end(signal) {
      const at = Date.now();
      kill(signal);
      return createOutcome({ ...(await done), ms: Date.now() - at });
    },
    stop() {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    },
  };
}

function createOutcome(facts: Omit<Outcome, 'exits'>): Outcome {
  const outcome: Outcome = {
    ...facts,
    exits(code) {
      if (facts.code === code) return outcome;
      throw new Error(`exit ${facts.code ?? facts.signal} in place of ${code}:\n${facts.text}`);
    },
  };
  return outcome;
}
