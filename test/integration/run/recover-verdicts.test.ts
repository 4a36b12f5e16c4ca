import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markWriting } from '../../../src/run-folder/turn-file.ts';
import { createKilledRun, prd } from './killed-run.ts';
import type { KilledRun } from './killed-run.ts';

let w: KilledRun;
beforeEach(() => {
  w = createKilledRun();
});
afterEach(() => w.dispose());

describe('a start behind a kill', () => {
  it('keeps log entries of the killed iteration and says what came of it', async () => {
    await w.beginTurn();
    writeFileSync(path.join(w.root, 'progress.txt'), `${w.read('progress.txt')}\n## half way\n- learnt\n---\n`);
    expect(await w.go()).toBe(0);
    expect(w.read('progress.txt')).toMatch(
      /half way[^]*iteration 1\n- verdict of ralph: interrupted[^]*verdict of ralph: passed/,
    );
  });

  it('takes what ralph wrote itself for no tampering, and its verdict back', async () => {
    w.writeVerdict(await w.beginTurn(), 'of the agent');
    expect(await w.go({ maxIterations: '1' })).toBe(0);
    expect(w.typesOf()).toEqual(expect.arrayContaining(['run.recovered']));
    expect(w.typesOf()).not.toContain('state.restored');
    expect(w.passes()).toMatchObject({ userStories: [{ passes: true, notes: 'of the agent' }] });
    const log = w.read('progress.txt');
    expect(log.match(/verdict of ralph: \w+/g)).toEqual(['verdict of ralph: interrupted', 'verdict of ralph: passed']);
    expect(log.match(/half way/g)).toHaveLength(1);
  });

  it('still finds what somebody else changed after ralph wrote', async () => {
    w.writeVerdict(await w.beginTurn());
    w.write('prd.json', w.read('prd.json').replace('One', 'Another'));
    expect(await w.go()).toBe(0);
    expect(w.events().find(({ type }) => type === 'state.restored')).toMatchObject({ file: 'prd.json' });
    expect(w.passes()).toMatchObject({ userStories: [{ title: 'One' }] });
  });

  it('keeps what was noted in the file that ralph wrote', async () => {
    w.writeVerdict(await w.beginTurn());
    w.write('prd.json', w.read('prd.json').replace('"notes": ""', '"notes": "of the user"'));
    expect(await w.go()).toBe(0);
    expect(w.typesOf()).not.toContain('state.restored');
    expect(w.passes()).toMatchObject({ userStories: [{ notes: 'of the user' }] });
  });

  it('says of a killed iteration once what came of it, if the recovery is killed itself', async () => {
    await w.beginTurn();
    const turn = path.join(w.root, '.git/ralph/turn');
    const kept = readFileSync(path.join(turn, 'turn.json'));
    expect(await w.go()).toBe(0);
    const [, entry = ''] =
      /(\n## [^\n]*iteration 1\n- verdict of ralph: interrupted[^]*?---\n)/.exec(w.read('progress.txt')) ?? [];
    w.git('reset', '--quiet', '--hard', 'HEAD~1');
    // As a recovery leaves it that gets no further than the state files.
    const start = w.read('progress.txt');
    await w.beginTurn();
    writeFileSync(path.join(turn, 'turn.json'), kept);
    writeFileSync(path.join(turn, 'written-progress'), `${start}${entry}`);
    w.write('progress.txt', `${start}${entry}`);
    expect(await w.go()).toBe(0);
    expect(w.read('progress.txt').match(/verdict of ralph: interrupted/g)).toHaveLength(1);
  });

  it.each<[string, (rejected: string) => void]>([
    ['before the file was written', () => {}],
    ['after the file was written', (rejected) => w.write('prd.json', rejected)],
  ])('counts an attempt that was settled once: killed %s', async (_, write) => {
    const gitDir = await w.beginTurn();
    const log = w.read('progress.txt');
    const rejected = prd.replace('"passes": false', '"passes": false, "ralph": { "attempts": 1 }');
    w.write('prd.json', prd.replace('"passes": false', '"passes": true'));
    const entry = '\n## iteration 1\n- verdict of ralph: rejected\n---\n';
    markWriting(gitDir, {
      phase: 'settled',
      without: { prd: Buffer.from(prd), progress: Buffer.from(log) },
      written: { prd: Buffer.from(rejected), progress: Buffer.from(log + entry) },
    });
    write(rejected);
    w.write('mine.txt', 'written after the kill\n');
    expect(await w.go({ maxIterations: '1' })).toBe(0);
    expect(w.passes()).toMatchObject({ userStories: [{ passes: true, ralph: { attempts: 2 } }] });
    expect(w.read('progress.txt').match(/verdict of ralph: \w+/g)).toEqual([
      'verdict of ralph: rejected',
      'verdict of ralph: passed',
    ]);
    expect(w.read('mine.txt')).toBe('written after the kill\n');
    expect(w.typesOf().filter((type) => ['run.recovered', 'state.restored'].includes(type))).toEqual([]);
  });

  it('leaves a story ticked that the user ticks after an attempt was settled', async () => {
    const gitDir = await w.beginTurn();
    const progress = w.bytesOf('progress.txt');
    const rejected = prd.replace('"passes": false', '"passes": false, "ralph": { "attempts": 1 }');
    markWriting(gitDir, {
      phase: 'settled',
      without: { prd: Buffer.from(prd), progress },
      written: { prd: Buffer.from(rejected), progress },
    });
    w.write('work.txt', 'A1\n');
    w.write('prd.json', rejected.replace('"passes": false', '"passes": true'));
    expect(await w.go()).toBe(0);
    expect(w.typesOf()).not.toContain('iteration.started');
  });

  it('opens what the killed iteration opened, and begins with that count', async () => {
    const passed = prd.replace('}', '}, { "id": "B1", "title": "Two", "passes": true }');
    expect(JSON.parse(passed)).toMatchObject({ userStories: [{ id: 'A1' }, { id: 'B1' }] });
    w.write('prd.json', passed);
    w.git('commit', '--quiet', '-am', 'two');
    await w.beginTurn();
    w.write('prd.json', passed.replace('"passes": true', '"passes": false'));
    expect(await w.go({ maxIterations: '1' })).toBe(1);
    expect(w.events()[0]).toMatchObject({ type: 'run.started', stories: 2, passed: 0 });
    expect(w.events().find(({ type }) => type === 'claim.withdrawn')).toMatchObject({ story: 'B1' });
    expect(w.passes()).toMatchObject({ userStories: [{ passes: true }, { passes: false }] });
  });
});
