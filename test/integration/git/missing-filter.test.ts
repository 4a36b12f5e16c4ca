import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';
import type { Room } from './room.ts';

let ground: Ground;
let room: Room;

beforeEach(async () => {
  ground = breakGround();
  ground.write('.gitattributes', '*.bin filter=lfs\n');
  ground.write('a.txt', 'one\n');
  ground.commit('start');
  ground.git('config', 'filter.lfs.clean', 'no-such-program');
  ground.git('config', 'filter.lfs.smudge', 'no-such-program');
  ground.git('config', 'filter.lfs.required', 'true');
  ground.write('mine.bin', 'mine');
  room = await openRoom(ground);
  await room.begin();
  ground.write('big.bin', 'big');
  ground.write('mine.bin', 'mine, and the agent’s');
});
afterEach(() => ground.dispose());

describe('a filter that is required and not installed', () => {
  it('refuses the commit, as it does with git itself', async () => {
    await room.compare();
    await expect(room.accept()).rejects.toMatchObject({ reason: 'environment' });
    expect(ground.git('log', '--format=%s')).toBe('start');
  });

  it('does not keep the iteration from being compared and rolled back', async () => {
    const outcome = await room.compare();
    expect([...outcome.changed].sort()).toEqual(['big.bin', 'mine.bin']);
    const ref = await room.reject();
    expect(ground.exists('big.bin')).toBe(false);
    expect(ground.read('mine.bin')).toBe('mine');
    expect(ground.git('cat-file', 'blob', `${String(ref)}:big.bin`)).toBe('big');
  });
});
