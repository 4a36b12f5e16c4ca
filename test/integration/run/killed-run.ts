/** A repository in which a run was killed in its first iteration, and the start behind it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../../src/commands/run.ts';
import { openRepository } from '../../../src/git/repository.ts';
import { openShadow } from '../../../src/git/shadow.ts';
import { takeSnapshot } from '../../../src/git/snapshot.ts';
import { markWriting, writeTurn } from '../../../src/run-folder/turn-file.ts';
import { createWorld, plain } from '../commands/world.ts';
import type { World } from '../commands/world.ts';

const dead = '20250101T000000000Z-dead';
export const prd = `${JSON.stringify({ branchName: 'ralph/x', userStories: [{ id: 'A1', title: 'One', passes: false, checks: ['grep -qx A1 work.txt'] }] }, null, 2)}\n`;

export interface KilledRun extends World {
  bytesOf(file: string): Buffer;
  /** What is in prd.json. */
  passes(): unknown;
  /** The start behind the kill: its exit code, or the error. */
  go(more?: Record<string, string>): Promise<unknown>;
  /** The events of the newest run. */
  events(): { type: string; [key: string]: unknown }[];
  typesOf(): string[];
  /** What ralph writes into the state files before the hooks, and it is killed then. */
  writeVerdict(gitDir: string, notes?: string): void;
  /** An iteration is under way, and its ralph is no more. Returns the git folder. */
  beginTurn(paths?: { prd: string; progress: string }): Promise<string>;
}

export function createKilledRun(): KilledRun {
  const w = createWorld();
  const agents = { fake: { command: 'sh', args: ['-c', 'echo "$RALPH_STORY_ID" > work.txt; echo done'] } };
  w.write('ralph.config.json', JSON.stringify({ tool: 'fake', agents, gates: [], delay: '0' }));
  w.write('prd.json', prd);
  w.write('progress.txt', '# Ralph Progress Log\nBranch: ralph/x\nStarted: 2025\n---\n');
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'start');
  w.git('switch', '--quiet', '-c', 'ralph/x');
  const killed: KilledRun = {
    ...w,
    bytesOf: (file) => readFileSync(path.join(w.root, file)),
    passes: () => JSON.parse(w.read('prd.json')),
    go: async (more) => {
      const options = {
        ...plain,
        given: given(more),
        dryRun: false,
        nested: false,
        json: false,
        quiet: true,
        agentArgs: [],
      };
      return run(options, w.io).catch((error: unknown) => error);
    },
    events: () => readEvents(w),
    typesOf: () => killed.events().map(({ type }) => type),
    writeVerdict: (gitDir, notes = '') => writeVerdict(w, gitDir, notes),
    beginTurn: async (paths = { prd: 'prd.json', progress: 'progress.txt' }) => {
      const repository = await openRepository(w.root, w.io.env);
      const snapshot = await takeSnapshot(repository, await openShadow(repository), { iteration: 1, try: 1 });
      const turn = { v: 1, run: dead, phase: 'working', repairs: true, ...paths, snapshot } as const;
      writeTurn(repository.gitDir, turn, { prd: killed.bytesOf(paths.prd), progress: killed.bytesOf(paths.progress) });
      return repository.gitDir;
    },
  };
  return killed;
}

const given = (more: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(more).map(([key, value]) => [key, { value, source: `--${key}` }]));

function readEvents(w: World): { type: string; [key: string]: unknown }[] {
  const runs = path.join(w.root, '.ralph/runs');
  const [newest = ''] = readdirSync(runs)
    .filter((name) => name !== '.gitignore')
    .toSorted()
    .reverse();
  const lines = readFileSync(path.join(runs, newest, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

function writeVerdict(w: World, gitDir: string, notes: string): void {
  const texts = (passed: boolean): { prd: Buffer; progress: Buffer } => {
    const document = JSON.parse(prd);
    Object.assign(document.userStories[0], { notes }, passed ? { passes: true, ralph: { attempts: 0 } } : {});
    const verdict = passed ? '\n## iteration 1\n- verdict of ralph: passed\n---\n' : '';
    return {
      prd: Buffer.from(JSON.stringify(document, null, 2)),
      progress: Buffer.from(`${w.read('progress.txt')}\n## half way\n- learnt\n---\n${verdict}`),
    };
  };
  const written = texts(true);
  markWriting(gitDir, { phase: 'working', without: texts(false), written });
  w.write('prd.json', written.prd.toString());
  w.write('progress.txt', written.progress.toString());
}
