import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';

const DEADLINE_MS = 15_000;

/** A fresh folder that goes after the test. */
export function createFolders(): () => string {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ralph test '));
    folders.push(folder);
    return folder;
  };
}

/** Looks until the probe gives something; fails after 15 s. */
export async function until<T>(what: string, probe: () => T | undefined | false): Promise<T> {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`not within ${DEADLINE_MS} ms: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

/** Waits for a file with a whole line, and returns the number in it. */
export function numberIn(file: string): Promise<number> {
  return until(file, () => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text.endsWith('\n') ? Number(text) : undefined;
  });
}

/** Runs, and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** The environment of a test's children: a run that tests ralph may itself be an iteration. */
export function cleanEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { RALPH_RUN_ID: _run, ...env } = process.env;
  return { ...env, ...more };
}
