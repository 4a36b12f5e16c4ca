import path from 'node:path';
import { commitTurn } from '../../../../src/git/commit-turn.ts';
import { compareTurn } from '../../../../src/git/compare-turn.ts';
import type { Turn } from '../../../../src/git/desk.ts';
import type { Git } from '../../../../src/git/git.ts';
import { forgetKept, readKept } from '../../../../src/git/kept-work.ts';
import { isAncestor } from '../../../../src/git/own-commits.ts';
import { readRefs } from '../../../../src/git/refs.ts';
import { rollBackTurn } from '../../../../src/git/roll-back.ts';
import { releaseDeadSnapshot } from '../../../../src/git/snapshot.ts';
import type { SnapshotData } from '../../../../src/git/snapshot.ts';
import { diffTrees } from '../../../../src/git/tree-diff.ts';
import { finishIndex } from '../../../../src/git/user-index.ts';
import { openDesk, openRoom } from '../room.ts';
import type { Ground } from '../ground.ts';
import type { Room } from '../room.ts';
import { look, readLog } from './look.ts';
import { describePlayed, findFaults } from './verify.ts';
import type { Played } from './verify.ts';
import type { PlayedTurn, Sequence } from './steps.ts';
import { copyWorld, readAside } from './world.ts';
import type { World } from './world.ts';

class Killed extends Error {}

/** Plays a sequence in a repository of its own. Returns what is wrong after the first turn that went wrong. */
export async function play(template: Ground, sequence: Sequence): Promise<string | undefined> {
  const world = copyWorld(template);
  const ground: Ground = { ...template, root: world.root, outside: path.dirname(world.root), env: world.env };
  try {
    let room = await openRoom(ground, { branch: 'main' });
    let hasKept = false;
    const warnings: string[] = [];
    for (const [at, turn] of sequence.turns.entries()) {
      const { played, room: next } = await playTurn(world, ground, room, {
        turn,
        iteration: at + 1,
        hasKept,
        warnings,
      });
      hasKept = played.settled === 'kept' || (hasKept && played.settled !== 'accepted');
      const faults = await findFaults(world, played);
      if (faults.length > 0) return `turn ${at + 1} (${played.settled}):\n  ${describePlayed(faults)}`;
      room = next;
    }
    return undefined;
  } catch (error) {
    return error instanceof Error
      ? `${error.stack ?? error.message}\n${'problems' in error ? String(error.problems) : ''}`
      : String(error);
  } finally {
    world.dispose();
  }
}

async function playTurn(
  world: World,
  ground: Ground,
  given: Room,
  { turn, iteration, hasKept, warnings }: { turn: PlayedTurn; iteration: number; hasKept: boolean; warnings: string[] },
): Promise<{ played: Played; room: Room }> {
  let room = given;
  await world.sh(turn.user.map(({ script }) => script));
  const before = await look(world);
  await room.begin(iteration);
  // Said once, and true until the kept work is committed.
  warnings.push(...room.warnings);
  const snapshot = structuredClone(room.recorded());
  const logged = readLog(world, 'HEAD').length;
  await world.sh(turn.agent.map(({ script }) => script));
  const left = world.files();
  const visited = readLog(world, 'HEAD')
    .slice(logged)
    .flat()
    .filter((id) => !/^0+$/.test(id));
  const facts = { turn, hasKept, before, snapshot, left, visited };
  const settle = async (): Promise<Pick<Played, 'settled' | 'outcome' | 'remarks'>> => {
    if (turn.end !== 'crash') return settleTurn(room, turn.end);
    const settled = await settleKilled(ground, room, turn.dies);
    room = await openRoom(ground, { branch: 'main' });
    return settled;
  };
  const settled = await settle();
  const after = await look(world);
  const remarks = [...settled.remarks, ...warnings];
  return { played: { ...facts, ...settled, remarks, after, aside: readAside(room.left(iteration)) }, room };
}

async function settleTurn(
  room: Room,
  end: 'accept' | 'reject' | 'keep',
): Promise<Pick<Played, 'settled' | 'outcome' | 'remarks'>> {
  const outcome = await room.compare();
  if (end === 'keep') {
    await room.keep();
    return { settled: 'kept', outcome, remarks: outcome.remarks };
  }
  if (end === 'reject' || outcome.violations.length > 0) {
    await room.reject();
    return { settled: 'rolled back', outcome, remarks: outcome.remarks };
  }
  const result = await room.accept();
  const more = result.kind === 'committed' ? result.remarks : [];
  return { settled: 'accepted', outcome, remarks: [...outcome.remarks, ...more] };
}

const nobody = new AbortController().signal;

/** Ralph is killed at one of its calls of git while it settles; the next run finishes what it finds. */
async function settleKilled(
  ground: Ground,
  given: Room,
  dies: number,
): Promise<Pick<Played, 'settled' | 'outcome' | 'remarks'>> {
  const snapshot = structuredClone(given.recorded());
  const remarks: string[] = [];
  const committing = await dieWhileSettling(ground, snapshot, dies, remarks);
  const desk = await openDesk(ground);
  const { repository } = desk;
  const open: Turn = { snapshot, kept: undefined, left: undefined };
  const tip = (await readRefs(repository.git)).refs['refs/heads/main'];
  const isAccepted =
    committing !== undefined && tip !== undefined && (await isAncestor(repository.git, committing.commit, tip));
  if (isAccepted) {
    const committed = await diffTrees(repository.git, snapshot.head, committing.commit);
    if (!committing.isIndexed) await finishIndex(desk, open, { committed, index: committing.index });
    await forgetKept(repository);
  } else {
    const outcome = await compareTurn(desk, open);
    remarks.push(...outcome.remarks);
    if (open.left !== undefined) await rollBackTurn(desk, open, open.left);
  }
  await releaseDeadSnapshot(repository);
  return { settled: isAccepted ? 'accepted' : 'rolled back', outcome: undefined, remarks };
}

interface Announced {
  readonly commit: string;
  readonly index: string;
  isIndexed: boolean;
}

/** Returns the commit that was announced before the end. */
async function dieWhileSettling(
  ground: Ground,
  snapshot: SnapshotData,
  dies: number,
  remarks: string[],
): Promise<Announced | undefined> {
  let committing: Announced | undefined;
  try {
    const desk = await openDesk(ground, { wrapGit: (git) => letDie(git, dies) });
    const open: Turn = { snapshot, kept: readKept(desk.repository), left: undefined };
    const outcome = await compareTurn(desk, open);
    if (open.left === undefined) return undefined;
    remarks.push(...outcome.remarks);
    if (dies % 2 === 0 || outcome.violations.length > 0) await rollBackTurn(desk, open, open.left);
    else {
      const scope = { iteration: snapshot.iteration, story: 'US-001', signal: nobody };
      const announce = (commit: string, index: string): void => {
        committing = { commit, index, isIndexed: false };
      };
      const indexed = (): void => {
        if (committing !== undefined) committing.isIndexed = true;
      };
      const steps = { announce, indexed, keepChanged: async () => Promise.resolve() };
      const result = await commitTurn(desk, open, open.left, { subject: 'feat: x', trailers: [], scope }, steps);
      if (result.kind === 'committed') remarks.push(...result.remarks);
    }
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
  return committing;
}

function letDie(git: Git, dies: number): Git {
  let calls = 0;
  const count = (): void => {
    calls += 1;
    if (calls > dies) throw new Killed();
  };
  return {
    ...git,
    run: async (args, options) => {
      count();
      return git.run(args, options);
    },
    text: async (...args) => {
      count();
      return git.text(...args);
    },
  };
}
