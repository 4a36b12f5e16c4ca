import { expect, it } from 'vitest';
import { mergePrd } from '../../../src/convert/merge-prd.ts';
import { readingOf } from '../prd/readings.ts';

it('stories keep what they had by id, where their text is the same', () => {
  const record = { attempts: 2, blocked: 'why' };
  const before = readingOf(
    [
      { passes: true, notes: 'n', ralph: { verified: { at: 'a', run: 'r' } }, owner: 'Ann' },
      { title: 'Old', passes: true, notes: 'gone' },
      { id: 'US-009', passes: true },
      { id: 'US-004', ralph: record },
    ],
    { own: 1, description: 'old' },
  );
  const next = readingOf([{ priority: 7 }, { title: 'New' }, {}, { id: 'US-004' }], { description: 'new' });
  const { prd, ...report } = mergePrd(before, next);
  expect(report).toEqual({ kept: ['US-001', 'US-004'], changed: ['US-002'], added: ['US-003'], removed: ['US-009'] });
  expect(prd).toMatchObject({
    own: 1,
    description: 'new',
    userStories: [
      { id: 'US-001', passes: true, notes: 'n', ralph: { verified: { at: 'a', run: 'r' } }, owner: 'Ann', priority: 7 },
      { id: 'US-002', title: 'New', passes: false },
      { id: 'US-003', passes: false },
      { id: 'US-004', passes: false, ralph: record },
    ],
  });
  expect(JSON.stringify(prd)).not.toContain('gone');
});
