import type { Resolved } from '../config/settings.ts';
import type { PrdReading } from '../loop/ports.ts';
import { selectStory } from '../prd/select.ts';
import { lookAtScreen } from '../reporters/create-reporter.ts';
import { createPalette } from '../reporters/palette.ts';
import { renderStatus } from '../reporters/status-text.ts';
import type { StatusFacts, StatusReport, StatusRun } from '../reporters/status-text.ts';
import { readNewestRun } from '../run-folder/read-runs.ts';
import type { RunStatus } from '../run-folder/read-runs.ts';
import { stopReason } from '../schemas/events.ts';
import { findPrdFile, missingPrd } from '../project/find-prd-file.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import { findDeadTurn, findOpenTurn } from '../run/as-recovered.ts';
import type { DeadTurn } from '../run/as-recovered.ts';
import { readRecords } from './read-records.ts';
import { readRunEnd } from './read-run-end.ts';
import type { RunEnd } from './read-run-end.ts';
import type { CommandIo, StatusOptions } from './types.ts';

const noEnd: RunEnd = { verified: null, neverGreen: [] };

/** Shows stories and runs, whatever their state. Writes nothing. Throws UsageError for a bad config or PRD, or where there is neither PRD nor run. */
export async function status(options: StatusOptions, io: CommandIo): Promise<number> {
  const place = await findPlace(options.cwd, io);
  const dead = await findDeadTurn(place.repository);
  const resolved = await loadSettings(place, options.given, io.env, dead?.config);
  const reading = await readStories(place, resolved, dead);
  const run = readNewestRun(place.repository.root, place.repository.gitDir);
  // Runs with --prompt alone have no PRD.
  if (reading === undefined && run === null) throw await missingPrd(place);
  const facts = await gatherFacts(place, { reading, run, leftTurn: dead?.end ?? null });
  if (options.json) io.writer.out(`${JSON.stringify(toReport(facts), null, 2)}\n`);
  else if (reading === undefined) io.writer.out(describePromptRun(facts.run));
  else {
    const { color, columns } = lookAtScreen(io.screen, io.env, options.noColor);
    io.writer.out(renderStatus(facts, createPalette(color), columns()));
  }
  return 0;
}

/**
 * The stories as they are, or, where a killed run left an iteration under way, as the next run makes them. An agent at work may
 * have taken the file away, or be in the middle of writing it: then they are shown as it was given them.
 */
async function readStories(
  place: Place,
  resolved: Resolved,
  dead: DeadTurn | undefined,
): Promise<PrdReading | undefined> {
  const kept = async (turn: DeadTurn | undefined): Promise<PrdReading | undefined> => {
    const path = await turn?.findPrd(place.start, resolved.settings.prd);
    return path === undefined ? undefined : turn?.read(path);
  };
  const then = await kept(dead);
  if (then !== undefined) return then;
  const given = async (): Promise<PrdReading | undefined> => kept(await findOpenTurn(place.repository));
  try {
    return (await (await findPrdFile(place, resolved))?.read()) ?? (await given());
  } catch (error) {
    const reading = await given();
    if (reading === undefined) throw error;
    return reading;
  }
}

interface Found {
  readonly reading: PrdReading | undefined;
  readonly run: RunStatus | null;
  readonly leftTurn: StatusFacts['leftTurn'];
}

async function gatherFacts(place: Place, { reading, run, leftTurn }: Found): Promise<StatusFacts> {
  const end = run === null ? noEnd : await readRunEnd(run.folder);
  const prd = reading?.prd;
  return {
    v: 1,
    project: prd?.project ?? null,
    branch: prd?.branchName ?? (await currentBranch(place)),
    stories: (prd?.stories ?? []).map(({ id, title, passes, attempts, blocked }) => {
      return { id, title, passes, attempts, blocked: blocked ?? null };
    }),
    ...(reading === undefined ? { next: null, waits: [], unverified: [] } : storyFacts(reading, end)),
    run: run === null ? null : toRun(run),
    neverGreen: end.neverGreen,
    leftTurn,
  };
}

function storyFacts(reading: PrdReading, end: RunEnd): Pick<StatusFacts, 'next' | 'waits' | 'unverified'> {
  const { stories } = reading.prd;
  const records = readRecords(reading);
  const selection = selectStory(reading.prd);
  const passed = new Set(stories.filter((story) => story.passes).map((story) => story.id));
  return {
    next: selection.kind === 'story' ? selection.story.id : null,
    waits: stories.flatMap(({ id, passes, blocked, dependsOn }) => {
      const on = dependsOn.filter((other) => !passed.has(other));
      return passes || blocked !== undefined || on.length === 0 ? [] : [{ id, for: on }];
    }),
    // Where the last run had neither gates nor checks, what it has no record of was only claimed.
    unverified: end.verified === false ? [...passed].filter((id) => records.get(id)?.verified === undefined) : [],
  };
}

function describePromptRun(run: StatusRun | null): string {
  const end = run?.status === 'finished' ? `: ${run.reason ?? 'unknown'}, exit ${run.code ?? 'unknown'}` : '';
  return `No prd.json here: no stories.\nLast run: ${run?.id ?? 'none'} ${run?.status ?? ''}${end}\n`;
}

async function currentBranch({ repository }: Place): Promise<string | null> {
  const { code, stdout } = await repository.git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1] });
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

function toRun({ id, status: state, reason, code, iteration, story }: RunStatus): StatusRun {
  return { id, status: state, reason: stopReason.safeParse(reason).data ?? null, code, iteration, story };
}

/** Only what is promised to programs. */
function toReport({ v, project, branch, stories, next, run }: StatusFacts): StatusReport {
  return { v, project, branch, stories, next, run };
}
