import { createDecoder } from '../agent/decode.ts';
import { listAgents } from '../agent/registry.ts';
import type { OutputFormat } from '../agent/types.ts';
import { UsageError } from '../errors.ts';
import { renderHeading, renderOutput } from '../reporters/agent-output.ts';
import { lookAtScreen } from '../reporters/create-reporter.ts';
import { createPalette } from '../reporters/palette.ts';
import type { Palette } from '../reporters/palette.ts';
import type { Writer } from '../reporters/writer.ts';
import { listRuns, readRun } from '../run-folder/read-runs.ts';
import type { RunStatus } from '../run-folder/read-runs.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import { hasFinished, listIterations, listTries, readStart, readTool } from './iteration-logs.ts';
import { pause, readGrowing } from './read-growing.ts';
import type { CommandIo, LogsOptions } from './types.ts';

const SHOWN_RUNS = 10;
/** As long as a timer can: a pager may stand still for hours. */
const PATIENT_MS = 2 ** 31 - 1;

/** Takes a piece of an agent's output; false: nobody reads any more. */
interface Outlet {
  readonly begin: (heading: string | undefined) => void;
  readonly take: (piece: Buffer) => boolean;
  readonly end: () => void;
}

/**
 * Shows the output of one iteration, decoded or byte for byte, all its tries in order; with `-f` until it ends. Reads in
 * pieces and waits for the reader. Throws UsageError for a run or number that does not exist, naming those that do.
 */
export async function logs(options: LogsOptions, io: CommandIo): Promise<number> {
  const place = await findPlace(options.cwd, io);
  const run = findRun(place, options.run);
  const iteration = await findIteration(place, run, options);
  const palette = createPalette(lookAtScreen(io.screen, io.env, options.noColor).color);
  const outlet = options.raw
    ? createRawOutlet(io.writer)
    : createReadableOutlet(io.writer, palette, await formatOf(place, run, iteration, io));
  const isOpen = (): boolean => options.follow && isUnderWay(place, run.id, iteration);
  const isRead = await showTries(run.folder, iteration, isOpen, outlet, io.writer);
  if (isRead && !options.raw) await showStderr(run.folder, iteration, palette, io.writer);
  return 0;
}

function findRun({ repository: { root, gitDir } }: Place, wanted: string | undefined): RunStatus {
  const known = listRuns(root);
  const id = wanted ?? known.at(-1);
  if (id !== undefined && known.includes(id)) return readRun(root, gitDir, id);
  if (known.length === 0) {
    throw new UsageError(`there is no run in ${root} yet`, { cures: ['ralph run'] });
  }
  throw new UsageError(`there is no run ${JSON.stringify(wanted)}`, {
    problems: [`the newest ones: ${known.slice(-SHOWN_RUNS).join(', ')}`],
    cures: [`ralph logs --run ${known.at(-1) ?? ''}`],
  });
}

/** The wanted iteration, else the newest; of a run that has just begun the first is waited for. */
async function findIteration(place: Place, run: RunStatus, { number, follow }: LogsOptions): Promise<number> {
  const wanted = number === undefined ? undefined : readNumber(number);
  for (;;) {
    // Asked before listing: what it came to until it ended is still seen.
    const mayCome = follow && isRunning(place, run.id);
    const known = listIterations(run.folder);
    const found = wanted === undefined ? known.at(-1) : known.find((other) => other === wanted);
    if (found !== undefined) return found;
    const isNext = wanted === undefined || wanted > (known.at(-1) ?? 0);
    if (!mayCome || !isNext) throw noIteration(place, run, wanted, known);
    await pause();
  }
}

function readNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`[n] must be the number of an iteration, not ${JSON.stringify(text)}`, {
    cures: ['ralph logs 1', 'of the newest one: ralph logs'],
  });
}

function noIteration(
  { repository: { root } }: Place,
  run: RunStatus,
  wanted: number | undefined,
  known: number[],
): UsageError {
  const last = known.at(-1);
  if (last !== undefined) {
    return new UsageError(`run ${run.id} has no iteration ${wanted}`, {
      problems: [`its iterations: ${rangesOf(known)}`],
      cures: [`ralph logs ${last} --run ${run.id}`],
    });
  }
  const other = listRuns(root).findLast((id) => listIterations(run.folder.replace(run.id, id)).length > 0);
  return new UsageError(`run ${run.id} started no agent: it has no iteration to show`, {
    problems: [`it ended with: ${run.reason ?? run.status}`],
    cures: other === undefined ? ['ralph run'] : [`ralph logs --run ${other}`],
  });
}

/** `1–4, 6`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === number) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}

function isRunning({ repository: { root, gitDir } }: Place, id: string): boolean {
  return readRun(root, gitDir, id).status === 'running';
}

/** Does the agent of this iteration run, or will it be tried again? */
function isUnderWay(place: Place, id: string, iteration: number): boolean {
  const { root, gitDir } = place.repository;
  const run = readRun(root, gitDir, id);
  return run.status === 'running' && (run.iteration ?? 0) <= iteration && !hasFinished(run.folder, iteration);
}

/** False: nobody reads any more. */
async function showTries(
  folder: string,
  iteration: number,
  isOpen: () => boolean,
  outlet: Outlet,
  writer: Writer,
): Promise<boolean> {
  for (let number = 1; ; number += 1) {
    const hasNext = (): boolean => listTries(folder, iteration, 'output').length > number;
    const file = listTries(folder, iteration, 'output')[number - 1];
    if (file === undefined) return true;
    outlet.begin(number === 1 ? undefined : `try ${number}`);
    for await (const piece of readGrowing(file, () => !hasNext() && isOpen())) {
      if (!outlet.take(piece)) return false;
      await writer.flush(PATIENT_MS);
    }
    outlet.end();
    await writer.flush(PATIENT_MS);
  }
}

function createRawOutlet(writer: Writer): Outlet {
  return { begin: () => {}, take: (piece) => writer.outBytes(piece), end: () => {} };
}

function createReadableOutlet(writer: Writer, palette: Palette, format: OutputFormat): Outlet {
  let isRead = true;
  const show = (text: string): void => {
    if (text !== '') isRead = writer.outBytes(Buffer.from(text));
  };
  const create = (): ReturnType<typeof createDecoder> =>
    createDecoder(format, '', (event) => show(renderOutput(event, palette)));
  let decoder = create();
  return {
    begin: (heading) => {
      decoder = create();
      if (heading !== undefined) show(renderHeading(heading, palette));
    },
    take: (piece) => {
      decoder.push(piece);
      return isRead;
    },
    end: () => decoder.end(),
  };
}

/** How the output is to be read: as the agent of the run writes it, else as it looks. */
async function formatOf(place: Place, run: RunStatus, iteration: number, io: CommandIo): Promise<OutputFormat> {
  const tool = readTool(run.folder);
  // A config that is broken by now is no reason to show nothing.
  const agents = await loadSettings(place, {}, io.env)
    .then(({ settings }) => listAgents(settings.agents))
    .catch(() => listAgents({}));
  const spec = agents.find(({ name }) => name === tool);
  if (spec !== undefined) return spec.output;
  const start = readStart(listTries(run.folder, iteration, 'output')[0] ?? '');
  if (/^\s*\{.*"type"\s*:\s*"(?:thread|turn|item)\./.test(start)) return 'codex-json';
  return /^\s*\{.*"type"\s*:/.test(start) ? 'claude-stream-json' : 'text';
}

/** What the agent wrote to standard error, behind its output. */
async function showStderr(folder: string, iteration: number, palette: Palette, writer: Writer): Promise<void> {
  for (const file of listTries(folder, iteration, 'stderr')) {
    let isFirst = true;
    const decoder = createDecoder('text', '', (event) => writer.out(renderOutput(event, palette)));
    for await (const piece of readGrowing(file, () => false)) {
      if (isFirst) writer.out(renderHeading('stderr', palette));
      isFirst = false;
      decoder.push(piece);
      await writer.flush(PATIENT_MS);
    }
    decoder.end();
  }
}
