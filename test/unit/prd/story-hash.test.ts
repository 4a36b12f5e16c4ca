import { describe, expect, it } from 'vitest';
import { hashStory } from '../../../src/prd/story-hash.ts';
import { readingOf } from './readings.ts';

describe("ralph's record", () => {
  const wording = { title: 'T', description: 'D', acceptanceCriteria: ['a'], checks: ['true'], dependsOn: [] };
  const read = (of: string | undefined, more: object = {}) =>
    readingOf([{ ...wording, ...more, ralph: { attempts: 2, blocked: 'why', of } }]).prd.stories[0];

  it('counts while the wording is the one it was written about, or where it does not say', () => {
    expect(read(hashStory(wording))).toMatchObject({ attempts: 2, blocked: 'why' });
    expect(read(undefined)).toMatchObject({ attempts: 2, blocked: 'why' });
    expect(read(hashStory(wording), { notes: 'new', priority: 9 })).toMatchObject({ attempts: 2 });
  });

  it.each([{ title: 'T2' }, { description: '' }, { acceptanceCriteria: ['a', 'b'] }, { checks: [] }])(
    'is forgotten after %j',
    (more) => {
      expect(read(hashStory(wording), more)).toMatchObject({ attempts: 0, blocked: undefined });
    },
  );

  it('hashes empty parts as missing ones, and parts apart', () => {
    expect(hashStory({ ...wording, acceptanceCriteria: ['x'], checks: [] })).not.toBe(
      hashStory({ ...wording, acceptanceCriteria: [], checks: ['x'] }),
    );
    expect(hashStory(wording)).toMatch(/^[\da-f]{16}$/);
  });
});
