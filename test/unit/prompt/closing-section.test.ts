import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Feedback, PromptFacts } from '../../../src/loop/ports.ts';
import { writeClosingSection } from '../../../src/prompt/closing-section.ts';
import { SENTINEL } from '../../../src/prompt/create-prompt.ts';
import { makeFacts } from './facts.ts';

const feedback: Feedback = {
  verdict: 'rejected',
  reason: 'the check node check.js failed',
  gate: { name: 'check 1', tail: 'expected 2\ngot 3' },
  ref: 'refs/ralph/run-1/001',
  remarks: ['prd.json was put back'],
};

function write(changes: Partial<PromptFacts> = {}, withoutPatterns = false): string {
  return writeClosingSection(makeFacts(changes), { sentinel: SENTINEL, withoutPatterns, progress: 'progress.txt' });
}

/** What a line says when the decoration around a sentinel is taken off. */
function bare(line: string): string {
  return line.replace(/^[\s*_~#+>`\-\d.)]+/, '').replace(/[\s*_~#+`-]+$/, '');
}

describe('the facts', () => {
  it('name number and limit, branch, story, gates and checks', () => {
    const lines = write().split('\n');
    for (const line of [
      'Iteration 2 of 7',
      'Branch: ralph/feature (stay on it)',
      'Story: US-001 - Round to cents',
      '- test: npm test',
      '- node check.js',
    ]) {
      expect(lines).toContain(line);
    }
    expect(write()).not.toContain('What was wrong last time');
  });

  it('say that there is no limit, and leave out what there is not', () => {
    const text = write({ maxIterations: undefined, gates: [], story: undefined });
    expect(text).toContain('Iteration 2, without a limit');
    expect(text).not.toMatch(/Gates|Checks|Story:/);
  });

  it('carry any title and id whole and as plain text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, title) => {
        expect(write({ story: { id, title, json: '{}', checks: [] } })).toContain(`\nStory: ${id} - ${title}\n`);
      }),
    );
  });
});

describe('what was wrong last time', () => {
  it('is only remarks where nothing was concluded on this story', () => {
    const text = write({ feedback: { ...feedback, verdict: undefined, reason: '', gate: undefined, ref: undefined } });
    expect(text).toContain('## What was wrong last time\n\n- prd.json was put back\n');
    expect(text).not.toContain('Verdict');
  });

  it('has verdict, reason, tail, rescue ref, how to look at it, and remarks', () => {
    const text = write({ feedback });
    for (const part of [
      '## What was wrong last time\n\nVerdict: rejected\nReason: the check node check.js failed\n',
      'The end of what check 1 printed:\n```\nexpected 2\ngot 3\n```\n',
      'git show refs/ralph/run-1/001 --stat\n',
      'git diff refs/ralph/run-1/001^1 refs/ralph/run-1/001\n',
      '- prd.json was put back\n',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('is short where there is only a verdict', () => {
    const text = write({
      feedback: { verdict: 'unfinished', reason: '', gate: undefined, ref: undefined, remarks: [] },
    });
    expect(text).toMatch(/## What was wrong last time\n\nVerdict: unfinished\n\n/);
  });

  it('keeps the tail of a gate to 8 KiB, cut between characters', () => {
    const text = write({ feedback: { ...feedback, gate: { name: 'test', tail: `START${'€'.repeat(10_000)}END` } } });
    expect(text).not.toContain('START');
    expect(text).toContain('€END\n```');
    expect(text).not.toContain('\uFFFD');
    expect(Buffer.byteLength(text)).toBeLessThan(8 * 1024 + 2000);
  });

  it('puts the tail into a fence that it cannot close', () => {
    const tail = 'before\n```\n````\n## Story: another one\n';
    expect(write({ feedback: { ...feedback, gate: { name: 'test', tail } } })).toContain(
      `\`\`\`\`\`\n${tail}\`\`\`\`\`\n`,
    );
  });

  it('does not let reason and remarks grow without end', () => {
    const long = 'x'.repeat(100_000);
    const text = write({ feedback: { ...feedback, reason: long, remarks: Array.from({ length: 10 }, () => long) } });
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  });
});

describe('patterns and newest entries', () => {
  it('stand in it as they are', () => {
    const text = write({ patterns: '- money is in cents\n', newest: '## LAST\n- the newest one\n' });
    expect(text).toContain('## Codebase patterns\n\n```\n- money is in cents\n```\n');
    expect(text).toContain('```\n## LAST\n- the newest one\n```');
  });

  it('are cut to 12 KiB each: the first patterns, the newest entries, and it is said where the rest is', () => {
    const text = write({ patterns: `FIRST${'ä'.repeat(20_000)}END`, newest: `OLDEST${'ö'.repeat(20_000)}NEWEST` });
    expect(text).toContain('FIRST');
    expect(text).not.toContain('END');
    expect(text).not.toContain('OLDEST');
    expect(text).toContain('NEWEST');
    expect(text.match(/the rest is in progress\.txt/g)).toHaveLength(2);
    expect(Buffer.byteLength(text)).toBeLessThan(25 * 1024);
  });

  it('leave out the patterns that the template has told already', () => {
    expect(write({ patterns: '- money is in cents' }, true)).not.toContain('money');
  });
});

describe('an agent that repeats the section', () => {
  it.each([undefined, makeFacts().story])(
    'has not said the sentinel: it never stands alone on a line (story %j)',
    (story) => {
      for (const gates of [[], ['test: npm test']]) {
        const text = write({ story, gates, feedback, patterns: '- p', newest: 'n' });
        expect(text.split('\n').filter((line) => bare(line).startsWith('<promise>'))).toEqual([]);
      }
    },
  );

  it('ends with a sentence, even when the log or a gate ends with the sentinel', () => {
    for (const story of [undefined, makeFacts().story]) {
      const text = write({
        story,
        patterns: SENTINEL,
        newest: SENTINEL,
        feedback: { ...feedback, remarks: [SENTINEL], gate: { name: 'g', tail: SENTINEL } },
      });
      expect(text.trimEnd().split('\n').at(-1)).toMatch(/^\w.*\.$/);
    }
  });

  it('tells in a run without stories how to finish, and with stories leaves that to the template', () => {
    expect(write({ story: undefined })).toContain(
      `and every gate is green, make ${SENTINEL} the last line of your answer`,
    );
    expect(write({ story: undefined, gates: [] })).not.toContain('gate');
    expect(write()).not.toContain(SENTINEL);
  });
});
