import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, open, readFile, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { RalphError, messageOf, systemCodeOf } from '../errors.ts';
import { quoteWord } from '../shell-words.ts';

/** As many links in a row as Linux follows. */
const MAX_LINKS = 40;

/**
 * Puts bytes into a file in one step: whoever reads it, and whoever starts again after a power cut, sees the old bytes or the
 * new ones. A link stays a link (its target is written), mode bits and owner stay, a read-only file is no obstacle, a missing
 * folder is made. A file that holds these bytes already is not touched.
 *
 * `write-file-atomic` does not do: it takes a short write (disk nearly full) for a whole one, leaves the folder unsynced, and
 * what it leaves after a kill has a name that says nothing.
 *
 * @param name how messages call the file
 * @returns whether it was written
 * @throws {RalphError} `environment`, where the system refuses; the file is as it was
 */
export async function writeFileAtomically(path: string, data: string | Uint8Array, name = path): Promise<boolean> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    const target = await resolveLinks(path);
    await removeLeftovers(target);
    if (await holds(target, bytes)) return false;
    await mkdir(dirname(target), { recursive: true });
    await replace(target, bytes);
    return true;
  } catch (error) {
    throw refusal(name, path, error);
  }
}

/** The file that a path leads to in the end, whether or not it is there. */
async function resolveLinks(path: string): Promise<string> {
  let target = resolve(path);
  for (let hops = 0; hops < MAX_LINKS; hops += 1) {
    const next = await readlink(target).catch(() => undefined);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  throw Object.assign(new Error(`ELOOP: too many links, '${path}'`), { code: 'ELOOP' });
}

async function holds(target: string, bytes: Uint8Array): Promise<boolean> {
  const present = await readFile(target).catch(() => undefined);
  return present !== undefined && present.equals(bytes);
}

async function replace(target: string, bytes: Uint8Array): Promise<void> {
  const before = await stat(target).catch(() => undefined);
  if (before?.isDirectory()) throw Object.assign(new Error(`EISDIR: it is a folder, '${target}'`), { code: 'EISDIR' });
  const draft = join(dirname(target), draftName(basename(target)));
  try {
    const file = await open(draft, 'wx', before ? 0o600 : 0o666);
    try {
      await file.writeFile(bytes);
      if (before) await copyRights(file, before);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Owner first: changing it clears set-id bits. Only root may give files away, and some file systems know no rights at all. */
async function copyRights(file: FileHandle, before: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== before.uid || own.gid !== before.gid) await file.chown(before.uid, before.gid).catch(ignoreRefusal);
  await file.chmod(before.mode & 0o7777).catch(ignoreRefusal);
}

function ignoreRefusal(error: unknown): void {
  const code = systemCodeOf(error);
  if (code !== 'EPERM' && code !== 'EINVAL' && code !== 'ENOSYS' && code !== 'ENOTSUP') throw error;
}

/** Makes the rename last. Where a folder can't be opened or synced (some network file systems) there is nothing to be done. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

function draftName(name: string): string {
  return `.${name}.${process.pid}.${randomBytes(4).toString('hex')}.ralph-draft`;
}

/** Removes what a killed writer of this file left beside it. Never throws. */
export async function removeDrafts(path: string): Promise<void> {
  await resolveLinks(path).then(removeLeftovers, () => undefined);
}

/** Drafts of the same file whose writer was killed. */
async function removeLeftovers(target: string): Promise<void> {
  const [folder, prefix] = [dirname(target), `.${basename(target)}.`];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const pid = /^(\d{1,10})\.[\da-f]{8}\.ralph-draft$/.exec(name.slice(prefix.length))?.[1];
    // Our own number is a dead writer's too (in a container it is always the same): a file is written by one at a time.
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}

const cureOf: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on the disk, then start again',
  EDQUOT: 'make room in the disk quota, then start again',
  EROFS: 'the file system is read-only: mount it for writing, or work in a copy elsewhere',
  EACCES: 'its folder must be one that you can write into: chmod u+rwx <folder>',
  EPERM: 'the folder must be writable, and the file not immutable (lsattr)',
  EBUSY: 'a file that is mounted by itself can only be replaced when its folder is mounted instead',
  EISDIR: 'move the folder of that name away',
  ENOTDIR: 'a part of the path is a file: move it away',
  EEXIST: 'a part of the path is a file: move it away',
  ELOOP: 'the link leads back to itself: mend it',
};

function refusal(name: string, path: string, error: unknown): RalphError {
  const cure = cureOf[systemCodeOf(error) ?? '']?.replace('<folder>', quoteWord(dirname(path)));
  return new RalphError('environment', `${name} can't be written`, {
    problems: [`${name}: ${messageOf(error)}`],
    cures: cure === undefined ? [] : [cure],
    cause: error,
  });
}
