import { describe, expect, it } from 'vitest';
import { RalphError, UsageError } from '../../src/errors.ts';
import type { StopReason } from '../../src/exit.ts';
import { agentEndText, endText, nextSteps, obstacleText, renderBug, renderError } from '../../src/messages.ts';
import type { EndFacts } from '../../src/messages.ts';

const facts: EndFacts = {
  reason: 'complete',
  signal: null,
  text: null,
  tool: 'claude',
  isPromptMode: false,
  stories: 3,
  passed: 2,
  iterations: 10,
  open: [],
};

describe('renderError', () => {
  it('is the headline, one indented block per problem, and the cures', () => {
    const error = new UsageError('prd.json cannot be used', {
      problems: ['prd.json:4:29 a comma is missing', 'gate types ends with:\nerror TS1\n'],
      cures: ['ralph check', 'ralph convert x.json'],
    });
    expect(renderError(error)).toBe(
      [
        'ralph: prd.json cannot be used',
        '  prd.json:4:29 a comma is missing',
        '  gate types ends with:',
        '  error TS1',
        '  Try: ralph check',
        '  Try: ralph convert x.json',
        '',
      ].join('\n'),
    );
  });

  it('is one line where there is nothing more to say', () => {
    expect(renderError(new RalphError('locked', 'pid 7 works in this tree'))).toBe('ralph: pid 7 works in this tree\n');
  });
});

describe('renderBug', () => {
  it('shows the trace and says where to report it', () => {
    const text = renderBug(new Error('boom'), 'https://example.org/issues');
    expect(text).toMatch(/^ralph: this is a bug in ralph/u);
    expect(text).toContain('  Error: boom\n');
    expect(text.endsWith('\n  Please report it with these lines: https://example.org/issues\n')).toBe(true);
    expect(renderBug('text', 'x')).toContain('\n  text\n');
  });
});

describe('the end of a run', () => {
  it.each<[StopReason, string]>([
    ['iterations', 'The limit of 10 iterations was reached before all was done. 2 of 3 stories passed.'],
    ['usage', 'The run could not start: options, config, PRD or repository must be mended first.'],
    [
      'blocked',
      'No story is left that can be worked on: each is blocked or waits for a blocked one. 2 of 3 stories passed.',
    ],
    ['agent-unavailable', 'claude cannot be used as things are. 2 of 3 stories passed.'],
    ['budget', 'The limit of cost or duration is reached. 2 of 3 stories passed.'],
    ['stalled', 'Too many iterations in a row changed nothing or failed. 2 of 3 stories passed.'],
    ['locked', 'Another loop works in this tree.'],
    ['limit', 'The account of claude is at its usage limit. 2 of 3 stories passed.'],
    ['stopped', 'Stopped by `ralph stop`. 2 of 3 stories passed.'],
    ['environment', 'Git, the disk or a file refuses; the work is kept. 2 of 3 stories passed.'],
    ['internal', 'Ended by a bug in ralph.'],
    ['interrupted', 'Interrupted. 2 of 3 stories passed.'],
    ['complete', 'The agent said that all is done. 2 of 3 stories passed.'],
  ])('%s', (reason, text) => {
    expect(endText({ ...facts, reason })).toBe(text);
  });

  it.each<[Partial<EndFacts>, string]>([
    [{ passed: 3 }, 'All 3 stories passed.'],
    [{ passed: 1, stories: 1 }, 'The story passed.'],
    [{ passed: 3, iterations: 0 }, 'All 3 stories had passed already; no agent was started.'],
    [{ isPromptMode: true, passed: 0, stories: 0 }, 'The agent said that it is done.'],
    [
      { isPromptMode: true, reason: 'iterations', iterations: 1 },
      'The limit of 1 iteration was reached before all was done.',
    ],
    [
      { reason: 'interrupted', signal: 'SIGTERM', stories: 1, passed: 0 },
      'Interrupted by SIGTERM. 0 of 1 story passed.',
    ],
  ])('%o', (change, text) => {
    expect(endText({ ...facts, ...change })).toBe(text);
  });

  it('names what to do next, with the ids that must be unblocked', () => {
    const open = [
      { id: 'US-001', title: 'a', blocked: 'no key', waitsFor: [] },
      { id: 'US-002', title: 'b', blocked: null, waitsFor: ['US-001'] },
      { id: 'US-003', title: 'c', blocked: null, waitsFor: [] },
    ];
    expect(nextSteps({ ...facts, reason: 'blocked', open })).toEqual(['cure the cause, then: ralph unblock US-001']);
    expect(nextSteps({ ...facts, reason: 'blocked' })).toEqual([
      'see which and why: ralph status, then: ralph unblock',
    ]);
    expect(nextSteps(facts)).toEqual([]);
    expect(nextSteps({ ...facts, reason: 'stopped' })).toEqual(['go on where it ended: ralph run']);
    expect(open.map(obstacleText)).toEqual(['blocked: no key', 'waits for US-001', undefined]);
  });
});

describe('the end of an agent', () => {
  it('is told with exit code or signal and its own line, unless it ended well', () => {
    expect(agentEndText('amp', 'ok', 0, null, null)).toBeUndefined();
    expect(agentEndText('amp', 'empty', 0, null, ' ')).toBe('amp ended without a word');
    expect(agentEndText('amp', 'idle', null, 'SIGTERM', null)).toBe(
      'amp was silent for too long and was stopped (SIGTERM)',
    );
    expect(agentEndText('amp', 'auth', 1, null, 'login first')).toBe('amp is not logged in (exit 1): login first');
  });
});
