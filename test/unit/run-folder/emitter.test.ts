import { describe, expect, it } from 'vitest';
import type { RalphEvent } from '../../../src/loop/events.ts';
import { createEmitter } from '../../../src/run-folder/emitter.ts';

function setUp(times: number[]) {
  const lines: string[] = [];
  const seen: RalphEvent[] = [];
  const emitter = createEmitter('r1', { now: () => times.shift() ?? 0 }, (event, line) => {
    seen.push(event);
    lines.push(line);
  });
  return { ...emitter, lines, seen };
}

describe('createEmitter', () => {
  it('stamps version, time, run and place', () => {
    const { emit, lines } = setUp([Date.UTC(2026, 0, 2, 3, 4, 5, 6)]);
    emit({ type: 'claim.made', stories: ['US-001'] }, { iteration: 2, story: 'US-001', try: 1 });
    expect(lines).toEqual([
      '{"v":1,"type":"claim.made","at":"2026-01-02T03:04:05.006Z","run":"r1","iteration":2,"story":"US-001","try":1,"stories":["US-001"]}',
    ]);
  });

  it('has times that never go back', () => {
    const { emit, seen } = setUp([2_000, 1_000, 3_000]);
    for (let i = 0; i < 3; i += 1) emit({ type: 'claim.made', stories: [] });
    expect(seen.map(({ at }) => Date.parse(at))).toEqual([2_000, 2_000, 3_000]);
  });

  it('is one line whatever the text holds', () => {
    const { emit, lines } = setUp([]);
    emit({ type: 'agent.text', text: 'a\nb\r\0\ud800' });
    expect(lines[0]).not.toMatch(/[\n\r]/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ text: 'a\nb\r\0\ud800' });
  });

  it('drops a listener that throws and says so to the others', () => {
    const { emit, listen, seen } = setUp([]);
    const texts: string[] = [];
    listen(() => {
      throw new Error('screen gone');
    });
    listen((event) => void texts.push(event.type));
    emit({ type: 'claim.made', stories: [] });
    emit({ type: 'claim.made', stories: [] });
    expect(texts.filter((type) => type === 'claim.made')).toHaveLength(2);
    expect(seen.filter(({ type }) => type === 'warning.raised')).toMatchObject([
      { text: expect.stringContaining('screen gone') },
    ]);
  });

  it('no longer tells a listener that has left', () => {
    const { emit, listen } = setUp([]);
    const types: string[] = [];
    listen((event) => void types.push(event.type))();
    emit({ type: 'claim.made', stories: [] });
    expect(types).toEqual([]);
  });
});
