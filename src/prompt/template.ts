import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, systemCodeOf, UsageError } from '../errors.ts';
import { packageFile } from '../package-files.ts';

/** The text of a template as it is filled and sent, and the name of its file for messages. */
export interface Template {
  readonly text: string;
  readonly file: string;
}

const packaged = packageFile('templates/prompt.md');

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

/** A comment of the packaged template that says which failure a sentence guards against; alone on its line it takes the line along. */
const guardComment = /^[ \t]*<!-- guard:[^]*?-->[ \t]*\n|[ \t]*<!-- guard:[^]*?-->/gm;

/**
 * Reads the user's template, a path from the start folder, or else the packaged one without its comments. A user's file is
 * taken byte for byte, byte order mark, line ends and comments included. Throws UsageError where it can't be a prompt.
 */
export async function loadTemplate(file: string | undefined, startFolder: string): Promise<Template> {
  if (file === undefined) return { text: stripGuards(await readFile(packaged, 'utf8')), file: packaged };
  const text = decode(await read(path.resolve(startFolder, file), file), file);
  if (text.replace(/^\uFEFF/, '').trim() === '')
    throw new UsageError(`The prompt file ${file} is empty`, { cures: ['Write down in it what the agent is to do.'] });
  return { text, file };
}

/** The packaged template as it is sent. */
export function stripGuards(text: string): string {
  return text.replace(guardComment, '');
}

async function read(target: string, file: string): Promise<Buffer> {
  try {
    return await readFile(target);
  } catch (error) {
    throw new UsageError(`The prompt file ${file} can't be read: ${explain(error)}`, {
      problems: [`Looked for ${target}`],
      cures: [
        'Name a text file with --prompt <file>; a relative path is meant from the start folder (-C, else the current folder).',
      ],
      cause: error,
    });
  }
}

function explain(error: unknown): string {
  return reasons[systemCodeOf(error) ?? ''] ?? messageOf(error);
}

function decode(bytes: Buffer, file: string): string {
  const fail = (why: string): never => {
    throw new UsageError(`The prompt file ${file} is no text: ${why}`, { cures: ['Save it as UTF-8.'] });
  };
  if (bytes.includes(0)) return fail('it holds NUL bytes');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail('it is not UTF-8');
  }
}
