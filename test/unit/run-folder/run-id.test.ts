import { describe, expect, it } from 'vitest';
import { createRunId, isRunId, startOf } from '../../../src/run-folder/run-id.ts';

describe('createRunId', () => {
  it('is the time in UTC to the millisecond and four characters', () => {
    expect(createRunId(Date.UTC(2026, 10, 30, 13, 26, 43, 7), () => 'ab3f')).toBe('20261130-132643-007-ab3f');
  });

  it('sorts by time and is known again', () => {
    const ids = [0, 1, 999, 1_000, 60_000, 86_400_000].map((ms) => createRunId(1_790_000_000_000 + ms));
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every(isRunId)).toBe(true);
  });

  it('tells run folders from other things', () => {
    for (const name of ['.gitignore', '00000000-000000', '20261130-132643-007-ab3f.bak', 'latest'])
      expect(isRunId(name)).toBe(false);
  });

  it('says when its run began', () => {
    for (const ms of [0, 1_790_000_000_000, 1_790_012_345_678]) expect(startOf(createRunId(ms))).toBe(ms);
    for (const id of ['latest', '20261399-132643-007-ab3f']) expect(startOf(id)).toBeUndefined();
  });
});
