import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { messageOf, RalphError } from '../errors.ts';
import { addCheckout, dropCheckout } from '../git/checkout.ts';
import type { Repository } from '../git/repository.ts';
import { identityOf, lifeOf, parseIdentity } from '../process/identity.ts';
import { sweep } from '../process/sweep.ts';
import { removeFolder } from './remove-folder.ts';

/** A clean checkout in a temp folder of its own. */
export interface CleanCheckout {
  /** Root of the checkout, absolute. */
  readonly root: string;
  /** A folder beside it, for logs. */
  readonly logs: string;
  /** Removes all of it, also from git's list of working trees. */
  close(): Promise<void>;
}

/** What is written down about a checkout, for the start after a kill. */
interface Mark {
  readonly file: string;
  readonly folder: string;
  /** The id in the environment of everything that was started in it. */
  readonly id: string;
}

/**
 * Checks a commit out outside of the user's tree, so that no file above it (node_modules, configs) is found by what runs in
 * it. `id` is the RALPH_RUN_ID of what will run there. Throws RalphError(environment) where it can't be made.
 */
export async function openCheckout(repository: Repository, id: string, commit: string): Promise<CleanCheckout> {
  const folder = makeTempFolder();
  const mark = { file: join(marksFolder(repository), `${id}.json`), folder, id };
  // The name of the project: tools show it, and some derive things from it.
  const root = join(folder, basename(repository.root));
  try {
    mkdirSync(marksFolder(repository), { recursive: true });
    writeFileSync(mark.file, `${JSON.stringify({ v: 1, folder, id, owner: identityOf() })}\n`);
    await addCheckout(repository, root, commit);
  } catch (error) {
    await remove(repository, mark);
    throw error;
  }
  return { root, logs: join(folder, 'logs'), close: async () => remove(repository, mark) };
}

function makeTempFolder(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), 'ralph-verify-')));
  } catch (error) {
    throw new RalphError('environment', `no folder can be made in ${tmpdir()}: ${messageOf(error)}`, {
      cures: ['name another temp folder: TMPDIR=<folder> ralph verify'],
      cause: error,
    });
  }
}

/** Removes the checkouts of processes that were killed, with what still runs in them. */
export async function removeDeadCheckouts(repository: Repository): Promise<void> {
  for (const mark of readMarks(marksFolder(repository))) {
    await sweep({ run: mark.id });
    await remove(repository, mark);
  }
}

/** Those whose owner is dead. */
function readMarks(folder: string): Mark[] {
  try {
    return readdirSync(folder).flatMap((name) => readMark(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

function readMark(file: string): Mark | undefined {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const fields = new Map<string, unknown>(Object.entries(Object(value)));
  const [folder, id, owner] = [fields.get('folder'), fields.get('id'), parseIdentity(fields.get('owner'))];
  if (typeof folder !== 'string' || typeof id !== 'string' || owner === undefined) return undefined;
  const life = lifeOf(owner);
  const isDead = life === 'dead' || (life === 'elsewhere' && owner.host === hostname());
  // Only what this program names so is ever removed, whatever the file says.
  return isDead && /^ralph-verify-\w{6}$/.test(basename(folder)) ? { file, folder, id } : undefined;
}

function marksFolder({ gitDir }: Repository): string {
  return join(gitDir, 'ralph', 'verify');
}

/** The mark last: what is half removed is found again. */
async function remove(repository: Repository, { file, folder }: Mark): Promise<void> {
  removeFolder(folder);
  await dropCheckout(repository, join(folder, basename(repository.root)));
  rmSync(file, { force: true });
}
