import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/reporters/display-width.ts';
import { createPalette } from '../../../src/reporters/palette.ts';
import { renderStatus } from '../../../src/reporters/status-text.ts';
import type { StatusFacts } from '../../../src/reporters/status-text.ts';

const facts: StatusFacts = {
  v: 1,
  project: 'Shop',
  branch: 'ralph/priority',
  stories: [
    { id: 'US-001', title: 'Add a priority field', passes: true, attempts: 0, blocked: null },
    { id: 'US-002', title: 'Show priority', passes: false, attempts: 2, blocked: 'gate sound is red' },
    { id: 'US-003', title: 'Filter by priority', passes: false, attempts: 0, blocked: null },
    { id: 'US-004', title: 'Sort by priority', passes: false, attempts: 1, blocked: null },
  ],
  next: 'US-004',
  run: { id: 'r1', status: 'finished', reason: 'iterations', code: 1, iteration: 3, story: 'US-004' },
  waits: [{ id: 'US-003', for: ['US-002'] }],
  unverified: [],
  leftTurn: null,
  neverGreen: [],
};

function render(change: Partial<StatusFacts> = {}, columns = 80): string {
  return renderStatus({ ...facts, ...change }, createPalette(0), columns);
}

describe('the status for people', () => {
  it('lists stories with marks, the next one, the blocked ones with the cure, and the last run', () => {
    expect(render()).toBe(
      [
        'Shop · branch ralph/priority · 1 of 4 stories passed',
        '',
        '✓ US-001 Add a priority field',
        '✗ US-002 Show priority · 2 attempts',
        '    blocked: gate sound is red',
        '· US-003 Filter by priority',
        '    waits for US-002',
        '· US-004 Sort by priority · 1 attempt',
        '',
        'Next: US-004',
        'When the cause is cured: ralph unblock US-002',
        'Last run: r1 ended: iterations, exit 1 (iteration 3, US-004)',
        '',
      ].join('\n'),
    );
  });

  it.each<[string, Partial<StatusFacts>, string]>([
    ['no run', { run: null }, 'No run yet.'],
    [
      'a run under way',
      { run: { id: 'r2', status: 'running', reason: null, code: null, iteration: 2, story: 'US-004' } },
      'Running: r2 (iteration 2, US-004). ralph stop ends it after this iteration.',
    ],
    [
      'a run that was cut off',
      { run: { id: 'r2', status: 'crashed', reason: null, code: null, iteration: null, story: null } },
      'Last run: r2 was cut off. The next run puts in order what it left.',
    ],
    ['nothing workable', { next: null }, 'No story can be worked on: each is blocked or waits for a blocked one.'],
    ['all passed', { next: null, stories: facts.stories.slice(0, 1) }, 'All stories passed.'],
    ['not verified', { unverified: ['US-001'] }, 'claimed, not verified: US-001'],
    ['a gate that was never green', { neverGreen: ['docs'] }, 'Never green, so not binding yet: docs'],
  ])('says: %s', (_, change, line) => {
    expect(render(change).split('\n')).toContain(line);
  });

  it('cuts titles to a narrow terminal, never reasons, and keeps the attempts', () => {
    const stories = [
      { id: 'US-001', title: '日本語の題名'.repeat(9), passes: false, attempts: 2, blocked: 'r'.repeat(60) },
    ];
    const lines = render({ stories }, 40).split('\n');
    expect(lines[2]).toMatch(/^✗ US-001 日.*… · 2 attempts$/u);
    expect(displayWidth(lines[2] ?? '')).toBeLessThanOrEqual(40);
    expect(lines[3]).toBe(`    blocked: ${'r'.repeat(60)}`);
  });

  it.each([
    [
      'undone',
      'Its iteration is not put in order yet: the next run keeps the work under a rescue ref and goes back to before it.',
    ],
    [
      'settled',
      'Its last iteration was settled: the next run finishes what is left to write. The stories are shown so.',
    ],
    [
      'accepted',
      'Its last iteration was settled: the next run finishes what is left to write. The stories are shown so.',
    ],
  ] as const)('says what the next run does with an iteration that was left under way: %s', (leftTurn, line) => {
    const run = {
      ...facts.run,
      id: 'r1',
      status: 'crashed',
      reason: null,
      code: null,
      iteration: 3,
      story: null,
    } as const;
    const lines = render({ run, leftTurn }).split('\n');
    expect(lines.indexOf(line)).toBe(lines.findIndex((other) => other.includes('was cut off')) + 1);
    expect(render({ run }).split('\n')).not.toContain(line);
  });

  it('prints no control code of a title or a reason', () => {
    const stories = [{ id: 'US-001', title: 'a\u001b[2J\nb', passes: false, attempts: 0, blocked: 'x\ry' }];
    expect(render({ stories })).toContain('✗ US-001 a b\n    blocked: x y\n');
  });

  it('has colours where the palette has', () => {
    expect(renderStatus(facts, createPalette(1), 80)).toContain('\u001b[32m✓ US-001 Add a priority field\u001b[39m');
  });
});
