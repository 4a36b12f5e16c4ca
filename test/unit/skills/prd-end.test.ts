import { describe, expect, it } from 'vitest';
import type { AgentClass } from '../../../src/loop/events.ts';
import { compareDocuments } from '../../../src/skills/prd-documents.ts';
import { judgeHeadless, renderPrdEnd } from '../../../src/skills/prd-end.ts';
import type { PrdOutcome } from '../../../src/skills/prd-end.ts';

const outcome: PrdOutcome = {
  end: { kind: 'ended', problem: undefined },
  tool: 'claude',
  documents: [{ path: 'tasks/prd-a b.md', isNew: true }],
  others: [],
  hasCommitted: false,
  cwd: undefined,
};
const ended = (name: AgentClass) => ({
  end: {
    class: name,
    exit: 1,
    words: { sentinel: false, sentinelLast: false, blocked: undefined },
    obstacle: undefined,
    lastLine: 'its last line',
    costUsd: 0,
    tokens: undefined,
    denied: [],
  },
  signal: undefined,
});

describe('compareDocuments', () => {
  it('finds what is new and what has another content', () => {
    const before = new Map([
      ['/a', '1'],
      ['/b', '1'],
      ['/gone', '1'],
    ]);
    const after = new Map([
      ['/a', '1'],
      ['/b', '2'],
      ['/c', '1'],
    ]);
    expect(compareDocuments(before, after)).toEqual([
      { path: '/b', isNew: false },
      { path: '/c', isNew: true },
    ]);
  });
});

describe('renderPrdEnd', () => {
  it('names the document and the next command, fit to be pasted', () => {
    expect(renderPrdEnd({ ...outcome, cwd: "it's" })).toEqual({
      out: `Written: tasks/prd-a b.md\nNext: read it and change what is not as you want it. Then:\n  ralph convert -C 'it'\\''s' 'tasks/prd-a b.md'\n`,
      err: '',
      code: 0,
    });
  });

  it('ends with 1 where nothing was written, and says why', () => {
    const { out, err, code } = renderPrdEnd({
      ...outcome,
      documents: [],
      end: { kind: 'ended', problem: 'claude ended without a word' },
      others: ['notes.md'],
    });
    expect([out, code]).toEqual(['', 1]);
    expect(err).toBe(
      'ralph: no PRD document was written: no tasks/prd-*.md is new or changed\n  claude ended without a word\nWarning: not only the document has changed meanwhile: notes.md\n',
    );
  });

  it('does not take a document for whole whose agent was cut off', () => {
    const { out, err, code } = renderPrdEnd({ ...outcome, end: { kind: 'cut', code: 8, problem: 'a limit' } });
    expect([out, code]).toEqual(['Written: tasks/prd-a b.md\n', 8]);
    expect(err).toMatch(/may not be whole\n {2}a limit\n$/);
  });

  it('warns of what was not asked for', () => {
    const others = Array.from({ length: 12 }, (_, n) => `src/${n}.ts`);
    const { err, code } = renderPrdEnd({ ...outcome, others, hasCommitted: true });
    expect(code).toBe(0);
    expect(err).toMatch(/src\/9\.ts and 2 more\nWarning: HEAD is another commit now/);
  });
});

describe('judgeHeadless', () => {
  it.each([
    ['auth', 4],
    ['refused', 4],
    ['usage', 4],
    ['limit', 8],
    ['crash', 1],
    ['killed', 1],
    ['idle', 1],
    ['timeout', 1],
    ['overloaded', 1],
    ['budget', 1],
  ] as const)('%s: exit code %i, with the agent’s last line', (name, code) => {
    expect(judgeHeadless('claude', ended(name))).toMatchObject({
      kind: 'cut',
      code,
      problem: expect.stringContaining('its last line'),
    });
  });

  it('leaves a good end to the document, and an interrupt to its signal', () => {
    expect(judgeHeadless('claude', ended('ok'))).toEqual({ kind: 'ended', problem: undefined });
    expect(judgeHeadless('claude', ended('empty'))).toMatchObject({ kind: 'ended' });
    expect(judgeHeadless('claude', { ...ended('interrupted'), signal: 'SIGTERM' })).toMatchObject({ code: 143 });
  });
});
