import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround, lines } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('f.txt', lines());
  ground.write('g.txt', 'g\n');
  ground.commit('start');
});
afterEach(() => ground.dispose());

/** A run whose only iteration is rejected and leaves its work in the tree. */
async function keepWork(act: () => void): Promise<void> {
  const room = await openRoom(ground);
  await room.begin();
  act();
  await room.compare();
  await room.keep();
}

describe('kept work', () => {
  it('belongs to the next accepted commit, over runs', async () => {
    ground.write('mine.txt', 'mine\n');
    await keepWork(() => (ground.write('half.txt', 'half\n'), ground.write('f.txt', lines([15, 'AGENT']))));
    expect(ground.git('status', '--porcelain')).toBe('M f.txt\n?? half.txt\n?? mine.txt');
    const room = await openRoom(ground);
    await room.begin();
    room.write('done.txt', 'done\n');
    const outcome = await room.compare();
    expect([outcome.changed, [...outcome.pending].sort()]).toEqual([['done.txt'], ['done.txt', 'f.txt', 'half.txt']]);
    await room.accept();
    expect(room.names('HEAD')).toEqual(['done.txt', 'f.txt', 'g.txt', 'half.txt']);
    expect(room.git('status', '--porcelain')).toBe('?? mine.txt');
    await room.begin(2);
    expect((await room.compare()).pending).toEqual([]);
  });

  it('is told from what the user edits afterwards', async () => {
    await keepWork(() => ground.write('f.txt', lines([15, 'AGENT'])));
    ground.write('f.txt', lines([2, 'USER'], [15, 'AGENT']));
    ground.write('g.txt', 'edited by the user\n');
    const room = await openRoom(ground);
    await room.begin();
    room.write('done.txt', 'done\n');
    await room.compare();
    await room.accept();
    expect(room.warnings).toEqual([]);
    expect(`${room.git('show', 'HEAD:f.txt')}\n`).toBe(lines([15, 'AGENT']));
    expect(room.git('show', 'HEAD:g.txt')).toBe('g');
    expect(room.read('f.txt')).toBe(lines([2, 'USER'], [15, 'AGENT']));
  });

  it('is named where it can’t be told apart', async () => {
    await keepWork(() => ground.write('f.txt', lines([15, 'AGENT'])));
    ground.write('f.txt', lines([15, 'USER']));
    const room = await openRoom(ground);
    await room.begin();
    expect(room.warnings).toEqual([expect.stringContaining('f.txt holds kept work and changes of yours')]);
  });

  it('that can’t be told from the user’s edits is not thrown away by a later agent, over rejected iterations', async () => {
    await keepWork(() => (ground.write('new.txt', 'AGENT\n'), ground.write('f.txt', lines([15, 'AGENT']))));
    ground.write('new.txt', 'AGENT\nUSER\n');
    ground.write('f.txt', lines([15, 'USER']));
    const room = await openRoom(ground);
    await room.begin();
    await room.compare();
    await room.reject();
    await room.begin(2);
    room.sh('git stash -q -u');
    await room.compare();
    await room.keep();
    await room.begin(3);
    room.sh('git checkout -q f.txt; rm new.txt; echo x > done.txt');
    await room.compare();
    await room.accept();
    expect(room.read('new.txt')).toBe('AGENT\nUSER\n');
    expect(room.read('f.txt')).toBe(lines([15, 'USER']));
    // The user was told so: what can't be told apart belongs to the next accepted commit as a whole.
    expect(room.names('HEAD')).toEqual(['done.txt', 'f.txt', 'g.txt', 'new.txt']);
    expect(room.git('status', '--porcelain')).toBe('');
  });

  it('may be thrown away again once the user has taken the edits out', async () => {
    await keepWork(() => ground.write('f.txt', lines([15, 'AGENT'])));
    ground.write('f.txt', lines([15, 'USER']));
    const room = await openRoom(ground);
    await room.begin();
    await room.compare();
    await room.reject();
    room.write('f.txt', lines());
    await room.begin(2);
    room.write('f.txt', lines([15, 'AGENT AGAIN']));
    await room.compare();
    await room.keep();
    await room.begin(3);
    room.sh('git checkout -q f.txt; echo x > done.txt');
    const { ref } = await room.compare();
    await room.accept();
    expect(room.read('f.txt')).toBe(lines());
    expect(`${room.git('show', `${ref}^1:f.txt`)}\n`).toBe(lines([15, 'AGENT AGAIN']));
  });

  it('that a later agent throws away is under a rescue ref', async () => {
    await keepWork(() => (ground.write('half.txt', 'half\n'), ground.write('f.txt', lines([15, 'AGENT']))));
    const room = await openRoom(ground);
    await room.begin();
    room.sh('git reset -q --hard; git clean -fdq; echo x > done.txt');
    const { ref } = await room.compare();
    await room.accept();
    expect(room.git('show', `${ref}^1:half.txt`)).toBe('half');
    expect(room.names('HEAD')).toEqual(['done.txt', 'f.txt', 'g.txt']);
  });

  it('stays, as it was, when a later iteration is rolled back', async () => {
    await keepWork(() => ground.write('half.txt', 'half\n'));
    const room = await openRoom(ground);
    await room.begin();
    room.write('half.txt', 'whole\n');
    await room.compare();
    await room.reject();
    expect(room.read('half.txt')).toBe('half\n');
    await room.begin(2);
    room.write('done.txt', 'done\n');
    await room.compare();
    await room.accept();
    expect(room.names('HEAD')).toContain('half.txt');
  });
});

describe('without repairs (the plain loop over a prompt)', () => {
  it('the tree is the agent’s, and goes back when the work is rejected', async () => {
    ground.write('mine.txt', 'mine\n');
    const room = await openRoom(ground, { repairs: false });
    await room.begin();
    room.sh('rm mine.txt; echo x > x.txt; git add -A; git commit -q -m x; echo y > y.txt');
    const outcome = await room.compare();
    expect(outcome.commits.length).toBe(1);
    expect(room.exists('mine.txt')).toBe(false);
    await room.keep();
    expect(room.git('log', '-1', '--format=%s')).toBe('x');
    await room.begin(2);
    room.sh('git switch -q -c other; echo z > z.txt; git add -A; git commit -q -m z');
    await room.compare();
    const ref = await room.reject();
    expect(room.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    expect(room.exists('z.txt')).toBe(false);
    expect(room.read('y.txt')).toBe('y\n');
    expect(room.names(ref ?? '')).toContain('z.txt');
  });
});
