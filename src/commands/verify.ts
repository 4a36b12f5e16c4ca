import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemClock } from '../clock.ts';
import type { GateSetting } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { exitCodeOf } from '../exit.ts';
import { createGates } from '../gates/run-gates.ts';
import { headOf, listSubmodulesIn, listUncommitted } from '../git/checkout.ts';
import { FIRST_COMMIT } from '../git/repository.ts';
import type { Check, GatesPort, PrdReading } from '../loop/ports.ts';
import { checksOf } from '../loop/judge.ts';
import type { Story } from '../prd/types.ts';
import { installInterrupt } from '../process/interrupt.ts';
import { createChildRegistry } from '../process/registry.ts';
import type { ChildRegistry } from '../process/registry.ts';
import { nothing } from '../process/timers.ts';
import { lookAtScreen } from '../reporters/create-reporter.ts';
import { linesOf } from '../reporters/event-lines.ts';
import { createPalette } from '../reporters/palette.ts';
import { renderAbsent, renderSetupHint, renderTail, renderVerifyEnd } from '../reporters/verify-text.ts';
import { createEmitter } from '../run-folder/emitter.ts';
import { createIterationFiles } from '../run-folder/iteration-files.ts';
import { createRunId } from '../run-folder/run-id.ts';
import { besideOf } from '../project/beside.ts';
import { openCheckout, removeDeadCheckouts } from '../run/clean-checkout.ts';
import type { CleanCheckout } from '../run/clean-checkout.ts';
import { chooseGates } from '../project/choose-gates.ts';
import { requirePrdFile } from '../project/find-prd-file.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import type { CommandIo, VerifyOptions } from './types.ts';

/** All that is to hold. */
interface Task {
  readonly place: Place;
  /** Path of prd.json from the root of the working tree. */
  readonly prd: string;
  readonly commit: string;
  readonly setup: Check | undefined;
  readonly gates: readonly Check[];
  readonly stories: readonly { readonly story: Story; readonly checks: readonly Check[] }[];
}

/** How the task is worked on. */
interface Work {
  readonly id: string;
  readonly io: CommandIo;
  readonly noColor: boolean;
  readonly registry: ChildRegistry;
  readonly signal: AbortSignal;
}

/**
 * Runs `verify.setup`, every gate and the checks of every passed story on HEAD, in a clean checkout outside of the user's
 * tree, which is removed afterwards; nothing in the tree is written. Gives 0 if all holds, else 1, or 128+n after a signal.
 */
export async function verify(options: VerifyOptions, io: CommandIo): Promise<number> {
  const task = await readTask(options, io);
  const controller = new AbortController();
  const registry = createChildRegistry();
  const id = createRunId(Date.now());
  const interrupt = installInterrupt({ controller, registry, run: () => id });
  try {
    await removeDeadCheckouts(task.place.repository);
    const hint = await sayWhatIsMissing(task, io);
    const work = { id, io, noColor: options.noColor, registry, signal: controller.signal };
    const code = await workInCheckout(task, work);
    const first = interrupt.first();
    // At the end, since a screenful of errors may stand in between.
    if (code !== 0 && first === undefined) io.writer.out(hint);
    return first === undefined ? code : exitCodeOf('interrupted', first.signal);
  } finally {
    interrupt.uninstall();
  }
}

async function readTask(options: VerifyOptions, io: CommandIo): Promise<Task> {
  const place = await findPlace(options.cwd, io);
  const resolved = await loadSettings(place, options.given, io.env);
  const { settings } = resolved;
  const prd = await requirePrdFile(place, resolved);
  const commit = await headOf(place.repository);
  if (commit === undefined) {
    throw new UsageError('the repository has no commit yet: there is nothing to verify', {
      cures: [FIRST_COMMIT],
    });
  }
  const timeoutMs = settings.gateTimeout;
  const toCheck = ({ name, run, timeout }: GateSetting): Check => {
    return { name, kind: 'gate', command: run, timeoutMs: timeout ?? timeoutMs };
  };
  const { setup } = settings.verify;
  return {
    place,
    prd: prd.path,
    commit,
    setup: setup === undefined ? undefined : { name: 'setup', kind: 'gate', command: setup, timeoutMs },
    gates: (await chooseGates(place, settings)).map(toCheck),
    stories: passedStories(await prd.read(), timeoutMs),
  };
}

function passedStories({ prd }: PrdReading, checkTimeoutMs: number): Task['stories'] {
  return prd.stories
    .filter(({ passes }) => passes)
    .map((story) => ({ story, checks: checksOf(story, { checkTimeoutMs }) }));
}

/** Returns the hint for the case that something is red. */
async function sayWhatIsMissing({ place: { repository }, prd, commit, setup }: Task, io: CommandIo): Promise<string> {
  const { progress, archive } = besideOf(prd);
  const isLeftOut = (path: string): boolean =>
    path.startsWith('.ralph/') || path === prd || path === progress || path.startsWith(`${archive}/`);
  const submodules = await listSubmodulesIn(repository, commit);
  const absent = { ...(await listUncommitted(repository, isLeftOut)), submodules, setup: setup?.command };
  io.writer.out(`Verifying ${commit.slice(0, 12)} (HEAD) in a clean checkout\n`);
  io.writer.out(renderAbsent(absent));
  return renderSetupHint(absent);
}

async function workInCheckout(task: Task, work: Work): Promise<number> {
  const { place } = task;
  const checkout = await openCheckout(place.repository, work.id, task.commit);
  try {
    const start = join(checkout.root, relative(place.repository.root, place.start));
    if (!existsSync(start)) {
      const folder = relative(place.repository.root, place.start);
      work.io.writer.out(`HEAD does not hold: the folder ${folder} is not in it. To have it in: git add ${folder}\n`);
      return 1;
    }
    return await runAll(task, work, openGates(checkout, start, work));
  } finally {
    await checkout.close();
  }
}

function openGates(checkout: CleanCheckout, cwd: string, { id, io, noColor, registry }: Work): GatesPort {
  const { openLog } = createIterationFiles(checkout.root, checkout.logs, nothing);
  const palette = createPalette(lookAtScreen(io.screen, io.env, noColor).color);
  const context = { tool: '', maxIterations: null, maxAttempts: undefined, timeZone: undefined };
  const { emit } = createEmitter(id, systemClock, (event) => {
    const lines = linesOf(event, context).filter(({ tone }) => tone !== 'detail');
    io.writer.out(lines.map(({ tone, text }) => `${palette[tone](text)}\n`).join(''));
  });
  return createGates({ cwd, env: io.env, run: id, emit, openLog, registry });
}

/** Everything is run, also behind a red one: all that is wrong is wanted. Only without its setup nothing would tell. */
async function runAll(task: Task, { io, signal }: Work, port: GatesPort): Promise<number> {
  const red: string[] = [];
  const run = async (check: Check, story?: string): Promise<void> => {
    if (signal.aborted) return;
    const result = await port.run(check, { iteration: 0, story, signal });
    if (result.green || result.interrupted) return;
    red.push(`${check.name === 'setup' ? 'verify.setup' : `${check.kind} ${check.name}`} is red`);
    io.writer.out(renderTail(result.tail));
  };
  if (task.setup !== undefined) await run(task.setup);
  if (red.length === 0) {
    for (const gate of task.gates) await run(gate);
    for (const { story, checks } of task.stories) for (const check of checks) await run(check, story.id);
  }
  if (signal.aborted) return 1;
  io.writer.out(
    renderVerifyEnd({
      gates: task.gates.length,
      checks: task.stories.reduce((sum, { checks }) => sum + checks.length, 0),
      passed: task.stories.length,
      unchecked: task.stories.filter(({ checks }) => checks.length === 0).map(({ story }) => story.id),
      red,
    }),
  );
  return red.length === 0 ? 0 : 1;
}
