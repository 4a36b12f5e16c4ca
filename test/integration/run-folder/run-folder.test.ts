import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Totals } from '../../../src/loop/events.ts';
import { createRunFolder } from '../../../src/run-folder/run-folder.ts';
import { requestStop } from '../../../src/run-folder/stop-request.ts';
import { runSchema } from '../../../src/schemas/outputs.ts';
import { createFolders } from '../process/support.ts';

const newFolder = createFolders();
const NOW = Date.UTC(2026, 10, 30, 13, 26, 43, 123);
const tokens = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
const totals: Totals = { iterations: 1, passed: 1, rejected: 0, failed: 0, costUsd: 0, tokens, durationMs: 5 };

function typeOf(line: string): string {
  const event: { type: string } = JSON.parse(line);
  return event.type;
}

function setUp(root = newFolder()) {
  const random = ['aaaa', 'aaaa', 'bbbb'];
  const options = { root, clock: { now: () => NOW }, random: () => random.shift() ?? 'zzzz' };
  const folder = createRunFolder({ ...options, tool: 'claude', branch: 'main', prd: 'prd.json' });
  const json = (): unknown => {
    const value: unknown = JSON.parse(readFileSync(path.join(folder.path, 'run.json'), 'utf8'));
    expect(runSchema.strict().safeParse(value).error).toBeUndefined();
    return value;
  };
  const types = (): string[] =>
    readFileSync(path.join(folder.path, 'events.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => typeOf(line));
  const claim = (): void => folder.emit({ type: 'claim.made', stories: ['US-001'] }, { iteration: 1 });
  return { root, folder, options, json, types, claim };
}

describe('createRunFolder', () => {
  it('makes the folder of the run, with run.json, and a .gitignore in each of its own folders only', () => {
    const { root, folder, json } = setUp();
    expect(folder.run).toBe('20261130-132643-123-aaaa');
    expect(folder.path).toBe(path.join(root, '.ralph/runs', folder.run));
    expect(json()).toEqual({
      v: 1,
      id: folder.run,
      pid: process.pid,
      status: 'running',
      startedAt: '2026-11-30T13:26:43.123Z',
      tool: 'claude',
      branch: 'main',
      prd: 'prd.json',
      finishedAt: null,
      reason: null,
      code: null,
      totals: null,
    });
    for (const hidden of [folder.path, path.join(root, '.ralph/active')]) {
      expect(readFileSync(path.join(hidden, '.gitignore'), 'utf8')).toBe('*\n');
    }
    expect(readdirSync(path.join(root, '.ralph')).sort()).toEqual(['active', 'runs']);
    expect(readdirSync(path.join(root, '.ralph/runs'))).toEqual([folder.run]);
  });

  it('gives two runs of one millisecond a folder each, and touches no other file in .ralph', () => {
    const { root, folder, options } = setUp();
    writeFileSync(path.join(root, '.ralph/prd.json'), '{}');
    expect(createRunFolder(options).run).toBe('20261130-132643-123-bbbb');
    expect(folder.run).toBe('20261130-132643-123-aaaa');
    expect(readFileSync(path.join(root, '.ralph/prd.json'), 'utf8')).toBe('{}');
  });

  it('appends every event at once, and tells the listeners', () => {
    const { folder, types, claim } = setUp();
    const seen: string[] = [];
    folder.onEvent((event, line) => void seen.push(`${event.type} ${line.length > 0}`));
    claim();
    expect(types()).toEqual(['claim.made']);
    folder.emit({ type: 'rescue.saved', ref: 'r' });
    expect(types()).toEqual(['claim.made', 'rescue.saved']);
    expect(seen).toEqual(['claim.made true', 'rescue.saved true']);
  });

  it('has run.json follow the events', () => {
    const { folder, json } = setUp();
    const start = { tool: 'amp', branch: 'ralph/x', prd: null, maxIterations: 3, stories: 2, passed: 0 };
    folder.emit({ type: 'run.started', ...start, maxAttempts: 3 });
    expect(json()).toMatchObject({ status: 'running', tool: 'amp', branch: 'ralph/x', prd: null });
    folder.emit({
      type: 'run.finished',
      reason: 'complete',
      code: 0,
      signal: null,
      text: null,
      verified: true,
      totals,
    });
    expect(json()).toMatchObject({
      status: 'finished',
      finishedAt: '2026-11-30T13:26:43.123Z',
      reason: 'complete',
      code: 0,
      totals,
    });
  });

  it('comes back with all events when an agent has deleted it, at the next event or when asked', async () => {
    const { root, folder, types, json, claim } = setUp();
    claim();
    rmSync(path.join(root, '.ralph'), { recursive: true });
    claim();
    expect(types()).toEqual(['claim.made', 'claim.made']);
    expect(existsSync(path.join(folder.path, '.gitignore'))).toBe(true);
    rmSync(path.join(root, '.ralph'), { recursive: true });
    await folder.ensure();
    expect(types()).toEqual(['claim.made', 'claim.made']);
    expect(json()).toMatchObject({ id: folder.run });
    claim();
    expect(types()).toHaveLength(3);
    expect(folder.problem()).toBeUndefined();
  });

  it.each(['.ralph', '.ralph/runs', '.ralph/active'])(
    'comes back where a file or a dead link stands for %s',
    async (name) => {
      const { root, folder, json, types, claim } = setUp();
      const inTheWay = path.join(root, name);
      claim();
      rmSync(inTheWay, { recursive: true });
      writeFileSync(inTheWay, 'by an agent');
      claim();
      await folder.ensure();
      expect(types()).toEqual(['claim.made', 'claim.made']);
      rmSync(inTheWay, { recursive: true });
      symlinkSync('/nowhere/at/all', inTheWay);
      await folder.ensure();
      expect(folder.problem()).toBeUndefined();
      expect(json()).toMatchObject({ status: 'running' });
      expect(readdirSync(path.join(root, '.ralph')).sort()).toEqual(['active', 'runs']);
      expect(readdirSync(root)).toEqual(['.ralph']);
      expect(readdirSync(path.join(folder.path, 'left'))).toEqual([path.basename(name)]);
    },
  );

  it('brings back a file that was replaced', async () => {
    const { folder, types, claim } = setUp();
    claim();
    rmSync(path.join(folder.path, 'events.jsonl'));
    writeFileSync(path.join(folder.path, 'events.jsonl'), 'nonsense\n');
    await folder.ensure();
    expect(types()).toEqual(['claim.made']);
  });

  it('starts a new line after half a line of somebody else', () => {
    const { folder, types, claim } = setUp();
    claim();
    appendFileSync(path.join(folder.path, 'events.jsonl'), '{"v":1,"type":"age');
    claim();
    expect(types()).toEqual(['claim.made', 'claim.made']);
  });

  it('keeps texts and logs in the folder of the iteration and never overwrites one', async () => {
    const { root, folder } = setUp();
    expect(await folder.keep(1, 'prompt.md', 'one')).toBe(`.ralph/runs/${folder.run}/001/prompt.md`);
    expect(await folder.keep(1, 'prompt.md', Buffer.from([0xff]))).toBe(`.ralph/runs/${folder.run}/001/prompt-2.md`);
    expect([...readFileSync(path.join(root, `.ralph/runs/${folder.run}/001/prompt-2.md`))]).toEqual([0xff]);
    const logs = ['gate-a b.log', 'gate-a/b.log'].map((name) => folder.openLog(0, name));
    expect(logs.map((log) => path.basename(log.path))).toEqual(['gate-a-b.log', 'gate-a-b-2.log']);
    expect(path.dirname(logs[0]?.path ?? '')).toBe(`.ralph/runs/${folder.run}/000`);
    for (const log of logs) log.close();
    expect(statSync(folder.folderOf(1234)).isDirectory()).toBe(true);
  });

  it('knows a request to stop, and holds on to it', () => {
    const { folder } = setUp();
    expect(folder.stopRequested()).toBe(false);
    requestStop(folder.path, 'after-iteration');
    expect([folder.stopRequested(), folder.stopRequest()]).toEqual([true, 'after-iteration']);
    requestStop(folder.path, 'now');
    expect(folder.stopRequest()).toBe('now');
    rmSync(path.join(folder.path, 'stop'));
    expect(folder.stopRequest()).toBe('now');
  });

  it('refuses with a cure where it can not be made', () => {
    const root = newFolder();
    writeFileSync(path.join(root, '.ralph'), 'a file');
    expect(() => setUp(root)).toThrow(
      expect.objectContaining({ reason: 'environment', cures: [expect.stringContaining('.ralph')] }),
    );
  });

  it('keeps the first error and goes on when the disk refuses', async () => {
    const { root, folder, claim } = setUp();
    const seen: string[] = [];
    folder.onEvent((event) => void seen.push(event.type));
    rmSync(root, { recursive: true });
    writeFileSync(root, 'in the way');
    claim();
    const log = folder.openLog(1, 'output.log');
    log.write(Buffer.from('x'));
    log.close();
    await folder.keep(1, 'prompt.md', 'x');
    expect(seen).toEqual(['claim.made']);
    expect(folder.problem()).toBeInstanceOf(Error);
    rmSync(root);
    mkdirSync(root);
    await folder.ensure();
    expect(readFileSync(path.join(folder.path, 'run.json'), 'utf8')).toContain(folder.run);
  });
});
