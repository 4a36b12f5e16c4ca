import { resolve } from 'node:path';
import { readBytes } from '../json/read-file.ts';
import { writeFileAtomically } from '../json/write-file.ts';
import type { LogReading, ProgressLog } from '../loop/ports.ts';
import { guardLog } from './guard-log.ts';
import { decodeLog, encodeLog, showLog } from './log-bytes.ts';
import { formatEntry } from './log-entry.ts';
import { readLog, readPatterns, startLog } from './log-text.ts';
import type { LogHeader } from './log-text.ts';
import { lineBreakOf } from './split-log.ts';

/** The log with what the start of a run and the archive need beside the loop's port. */
export interface ProgressFile extends ProgressLog {
  /** Makes the log where it is missing or empty; else leaves it as it is. */
  ensure(header: LogHeader): Promise<LogReading>;
  /** Puts a new log in the place of this one; only the patterns go along. Archive the old one before. */
  restart(header: LogHeader): Promise<LogReading>;
  /** The bytes that are in the file now, or undefined where there is none. */
  raw(): Promise<Uint8Array | undefined>;
}

/**
 * The progress.txt at `path`, which is relative to `root` (the root of the working tree) or absolute.
 * A missing log reads as an empty one. Bytes that are no UTF-8 come through (see log-bytes.ts).
 */
export function createProgressLog({ root, path }: { root: string; path: string }): ProgressFile {
  const file = resolve(root, path);
  const load = async (): Promise<string> => {
    const content = await readBytes(file, path);
    return content.kind === 'file' ? decodeLog(content.bytes) : '';
  };
  const write = async (text: string): Promise<void> => {
    await writeFileAtomically(file, encodeLog(text), path);
  };
  const start = async (header: LogHeader, patterns: string): Promise<LogReading> => {
    const text = startLog(header, patterns);
    await write(text);
    return readLog(text);
  };
  const withEntry: ProgressLog['withEntry'] = (reading, entry) => appendEntry(reading.text, formatEntry(entry));
  return {
    path,
    write,
    raw: async () => {
      const content = await readBytes(file, path);
      return content.kind === 'file' ? content.bytes : undefined;
    },
    read: async () => readLog(await load()),
    guard: async (before) => {
      // what an agent made unreadable is gone
      const after = await load().catch(() => '');
      const { text, isRestored } = guardLog(before.text, after);
      return {
        reading: text === before.text ? before : readLog(text),
        restored: isRestored ? showLog(after) : undefined,
      };
    },
    withEntry,
    append: async (reading, entry) => {
      const text = withEntry(reading, entry);
      await write(text);
      return text;
    },
    ensure: async (header) => {
      const text = await load();
      return text.trim() === '' ? start(header, '') : readLog(text);
    },
    restart: async (header) => start(header, readPatterns(await load())),
  };
}

/** Behind an empty line, with the line breaks of the log. */
function appendEntry(text: string, entry: string): string {
  const lineBreak = lineBreakOf(text);
  const gap =
    text === '' || /(?:\n\r?\n|^\r?\n)$/.test(text) ? '' : /[\r\n]$/.test(text) ? lineBreak : lineBreak + lineBreak;
  return text + gap + entry.replaceAll('\n', lineBreak);
}
