/** The world refuses: git fails or hangs, the disk is full, file descriptors run out. Nothing false may be recorded then. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkAlways, checkSettled, lookAt, storiesOf } from './invariants.ts';
import { below, createRandom } from './random.ts';
import { createWorld, listIn } from './world.ts';
import type { Ended, World } from './world.ts';

const options = ['run', '9', '--max-attempts', '9'];
const seed = Number(process.env['RALPH_CHAOS_SEED'] ?? 1);
/** Does every story at once, as it should. */
const worker = `cat > /dev/null; mkdir -p done; echo "$RALPH_STORY_ID ok" > "done/$RALPH_STORY_ID.txt"; echo done`;
const good = ['sh', '-c', worker];

let cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps) cleanUp();
  cleanUps = [];
});

function newWorld(given: { agent?: readonly string[]; parent?: string } = {}): World {
  const world = createWorld(seed, { trackedPrd: true, agent: good, ...given });
  cleanUps.unshift(() => world.dispose());
  return world;
}

function planGit(world: World, what: 'fail' | 'hang', call: number): void {
  rmSync(path.join(world.records, 'git-calls'), { force: true });
  writeFileSync(path.join(world.records, 'git-plan'), `${what} ${call}\n`);
}

/** Whatever went wrong, no tick stands that is not true; and once the cause is gone, the next run finishes. Returns faults. */
async function recover(world: World, promised: ReturnType<typeof lookAt>, first: Ended): Promise<string[]> {
  rmSync(path.join(world.records, 'git-plan'), { force: true });
  const faults = checkAlways(world);
  if (![0, 2, 10, 130].includes(first.code ?? -1)) faults.push(`it ended with ${first.code}`);
  if (existsSync(path.join(world.repo, '.git/ralph/lock'))) faults.push('the lock is still there');
  const ended = await world.start(options).done;
  if (ended.code !== 0) faults.push(`the next run ended with ${ended.code}`);
  faults.push(...checkSettled(world, promised));
  if (!storiesOf(world).every(({ passes }) => passes)) faults.push('a story is open');
  return faults.length === 0 ? [] : [...faults, first.text, ended.text];
}

describe.runIf(process.platform === 'linux')('a world that refuses', () => {
  const random = createRandom(seed);
  const calls = [1, 5, ...Array.from({ length: 4 }, () => 10 + below(random, 110))];

  it.each(calls)('git fails at call %i', async (call) => {
    const world = newWorld();
    const promised = lookAt(world);
    planGit(world, 'fail', call);
    const ended = await world.start(options).done;
    expect(await recover(world, promised, ended)).toEqual([]);
  });

  it.each([20 + below(random, 20), 60 + below(random, 60)])(
    'git hangs at call %i, and ralph is asked to end',
    async (call) => {
      const world = newWorld();
      const promised = lookAt(world);
      planGit(world, 'hang', call);
      const running = world.start(options);
      const isHanging = (): boolean => existsSync(path.join(world.records, 'git-log'));
      let ended: Ended | undefined;
      void running.done.then((end) => (ended = end));
      await expect.poll(() => isHanging() || ended !== undefined, { timeout: 60_000 }).toBe(true);
      const askedAt = Date.now();
      if (ended === undefined) process.kill(running.pid, 'SIGINT');
      const end = await running.done;
      if (isHanging()) {
        expect(end).toMatchObject({ code: 130 });
        // 10 s are promised; what is above them is for a busy machine.
        expect(Date.now() - askedAt).toBeLessThan(15_000);
      }
      expect(await recover(world, promised, end)).toEqual([]);
    },
  );

  it.each([20, 24, 30])('only %i file descriptors', async (count) => {
    const world = newWorld();
    const promised = lookAt(world);
    const ended = await world.start(options, ['sh', '-c', `ulimit -n ${count}; exec "$@"`, 'sh']).done;
    expect(await recover(world, promised, ended)).toEqual([]);
  });

  it('prd.json and progress.txt are read-only', async () => {
    const world = newWorld();
    const promised = lookAt(world);
    chmodSync(path.join(world.repo, 'prd.json'), 0o444);
    const ended = await world.start(options).done;
    expect(ended).toMatchObject({ code: 0 });
    expect(checkSettled(world, promised)).toEqual([]);
    expect(statSync(path.join(world.repo, 'prd.json')).mode & 0o777).toBe(0o444);
  });

  it('the disk is full, at any moment', async (context) => {
    const disk = mountSmallDisk();
    if (disk === undefined) return context.skip('no small disk can be mounted here');
    for (const left of [0, 60]) {
      const fill = `cat > /dev/null; mkdir -p done; echo "$RALPH_STORY_ID ok" > "done/$RALPH_STORY_ID.txt"
        if [ ! -e "${disk}/was-full" ]; then touch "${disk}/was-full"
          free=$(df -k --output=avail "${disk}" | tail -1); dd if=/dev/zero of="${disk}/filler" bs=1k count=$((free - ${left})) 2> /dev/null
        fi; echo done`;
      const world = newWorld({ agent: ['sh', '-c', fill], parent: disk });
      const promised = lookAt(world);
      const ended = await world.start(options).done;
      rmSync(path.join(disk, 'filler'), { force: true });
      expect(await recover(world, promised, ended)).toEqual([]);
      world.dispose();
      rmSync(path.join(disk, 'was-full'), { force: true });
    }
    expect(listIn(disk)).toEqual([]);
  });
});

/** A tmpfs of 12 MB, where this user may mount one. */
function mountSmallDisk(): string | undefined {
  const disk = mkdtempSync(path.join(tmpdir(), 'ralph-chaos-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk]).status !== 0) {
    rmSync(disk, { recursive: true });
    return undefined;
  }
  cleanUps.push(() => {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  expect(readFileSync('/proc/mounts', 'utf8')).toContain(disk);
  return disk;
}
