import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Numbers of the iterations of a run that have output of an agent, ascending. */
export function listIterations(runFolder: string): number[] {
  return namesIn(runFolder)
    .filter((name) => /^\d{3,}$/.test(name) && existsSync(join(runFolder, name, 'output.log')))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The logs of an iteration's tries in order: `output.log`, `output-2.log`… Absolute paths. */
export function listTries(runFolder: string, iteration: number, stem: 'output' | 'stderr'): string[] {
  const folder = folderOf(runFolder, iteration);
  return namesIn(folder)
    .flatMap((name) => {
      const match = new RegExp(`^${stem}(?:-(\\d+))?\\.log$`).exec(name);
      return match === null ? [] : [{ file: join(folder, name), number: Number(match[1] ?? 1) }];
    })
    .sort((a, b) => a.number - b.number)
    .map(({ file }) => file);
}

function folderOf(runFolder: string, iteration: number): string {
  return join(runFolder, String(iteration).padStart(3, '0'));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The agent that a run was started with, or undefined where its record does not tell. */
export function readTool(runFolder: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(runFolder, 'run.json'), 'utf8'));
    const isNamed = typeof value === 'object' && value !== null && 'tool' in value;
    return isNamed && typeof value.tool === 'string' ? value.tool : undefined;
  } catch {
    return undefined;
  }
}

const BLOCK = 64 * 1024;

/** The first bytes of a file; none where it is not there. */
export function readStart(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(BLOCK);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, BLOCK, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

/** Is the end of this iteration among the newest events of the run? */
export function hasFinished(runFolder: string, iteration: number): boolean {
  return readEnd(join(runFolder, 'events.jsonl'))
    .split('\n')
    .some((line) => line.includes('"type":"iteration.finished"') && line.includes(`"iteration":${iteration},`));
}

function readEnd(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = statSync(file);
      const buffer = Buffer.alloc(Math.min(size, BLOCK));
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, size - buffer.length));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
