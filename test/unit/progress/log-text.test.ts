import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLog, encodeLog, showLog } from '../../../src/progress/log-bytes.ts';
import { formatEntry } from '../../../src/progress/log-entry.ts';
import { hasEntries, readLog, readLogBranch, readPatterns, startLog } from '../../../src/progress/log-text.ts';

const at = Date.UTC(2026, 0, 6, 10, 0, 0, 123);
const header = startLog({ branch: 'ralph/feature', startedAt: at });

describe('startLog', () => {
  it('makes the header, and takes patterns along', () => {
    expect(header).toBe('# Ralph Progress Log\nBranch: ralph/feature\nStarted: 2026-01-06T10:00:00Z\n---\n');
    expect(startLog({ branch: 'b', startedAt: at }, '- x\r\n- y\r\n')).toBe(
      '# Ralph Progress Log\nBranch: b\nStarted: 2026-01-06T10:00:00Z\n---\n\n## Codebase Patterns\n- x\n- y\n\n---\n',
    );
    expect(startLog({ branch: 'b', startedAt: at }, ' \n')).not.toContain('Patterns');
  });
});

describe('readLogBranch', () => {
  it('reads the header and nothing else', () => {
    expect(readLogBranch(header)).toBe('ralph/feature');
    expect(readLogBranch('\uFEFF# Ralph Progress Log\r\nBranch:  ralph/x \r\nStarted: x\r\n---\r\n')).toBe('ralph/x');
    expect(readLogBranch('# Ralph Progress Log\nStarted: x\n---\nBranch: no\n')).toBeUndefined();
    expect(readLogBranch('# Ralph Progress Log\nBranch:\nStarted: x\n')).toBeUndefined();
    expect(readLogBranch('## X\nBranch: no\n')).toBeUndefined();
    expect(readLogBranch('')).toBeUndefined();
  });
});

describe('readPatterns', () => {
  it('reads the part from its heading to the next one or its end', () => {
    for (const next of ['', '---\n- no', '## US-001\n- no', '# no']) {
      expect(readPatterns(`${header}\n## Codebase Patterns\n- a\n### Sub\n- b\n\n${next}`)).toBe('- a\n### Sub\n- b');
    }
    expect(readPatterns(`${header}\n## X\n- y\n---\n## codebase patterns:\r\n- late\r\n`)).toBe('- late');
    expect(readPatterns(header)).toBe('');
    expect(readPatterns('I read the ## Codebase Patterns\n- x')).toBe('');
  });
});

describe('hasEntries', () => {
  it('does not take header and patterns for entries', () => {
    expect(hasEntries('')).toBe(false);
    expect(hasEntries(header)).toBe(false);
    expect(hasEntries(startLog({ branch: 'b', startedAt: at }, '- x'))).toBe(false);
    expect(hasEntries(`${header}\n## X\n`)).toBe(true);
    expect(hasEntries('did a\n')).toBe(true);
  });
});

function entryOf(name: string, length: number): string {
  return `\n## ${name}\n- ${'é'.repeat(length)}\n---\n`;
}

describe('readLog', () => {
  it('shows all entries of a short log, without header and patterns', () => {
    const text = `${startLog({ branch: 'b', startedAt: at }, '- p')}\r\n## A\r\n- x\r\n---\r\n`;
    expect(readLog(text)).toEqual({ text, patterns: '- p', newest: '## A\n- x\n---' });
    expect(readLog('did a\n---\ndid b\n').newest).toBe('did a\n---\ndid b');
    expect(readLog('').newest).toBe('');
  });

  it('shows whole newest entries of a long log, and cuts a long entry between characters', () => {
    const many = header + Array.from({ length: 100 }, (_, index) => entryOf(`E${index}`, 500)).join('');
    expect(readLog(many).newest).toMatch(/^## E88\n/);
    expect(readLog(many).newest).toMatch(/## E99\n- é+\n---$/);
    const long = readLog(header + entryOf('E1', 20_000) + entryOf('E2', 10)).newest;
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(12 * 1024);
    expect(long).toMatch(/^é{5000,}\n---\n\n## E2\n- é{10}\n---$/);
  });

  it('stays within 12 KiB whatever is in it, and never shows half a character', () => {
    const text = fc.array(
      fc.constantFrom('## A\n', 'é'.repeat(300), '😀'.repeat(300), '\n', '\udcff', '- x\n---\n', 'w'.repeat(999)),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(text, text, (patterns, entries) => {
        const reading = readLog(
          `${header}\n## Codebase Patterns\n${patterns.join('').replaceAll(/^##.*/gm, '')}\n---\n${entries.join('')}`,
        );
        for (const shown of [reading.patterns, reading.newest]) {
          expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(12 * 1024);
          expect(shown).not.toMatch(/\p{Cs}/u);
          expect(shown.includes('\uFFFD') && !reading.text.includes('\udcff')).toBe(false);
        }
      }),
    );
  });
});

describe('formatEntry', () => {
  it('is a heading, bullets and a separator', () => {
    expect(formatEntry({ at, iteration: 3, stories: ['US-001', 'US-002'], lines: ['passed', '', 'gates: test'] })).toBe(
      '## 2026-01-06T10:00:00Z - US-001, US-002 - ralph, iteration 3\n- passed\n- gates: test\n---\n',
    );
    expect(formatEntry({ at, iteration: 1, stories: [], lines: [] })).toBe(
      '## 2026-01-06T10:00:00Z - ralph, iteration 1\n---\n',
    );
  });

  it('makes any text one harmless line', () => {
    const entry = formatEntry({
      at,
      iteration: 1,
      stories: ['a\n## b'],
      lines: [
        '<promise>COMPLETE</promise>',
        '< / Promise >\n---\n## x',
        '\u001b[31mred\u001b[0m\u0007',
        'y'.repeat(5000),
        '\u202ereversed',
      ],
    });
    expect(entry.split('\n')).toHaveLength(8);
    expect(entry).not.toMatch(/<\s*\/?\s*promise\s*>/i);
    expect(entry).toContain('- [promise]COMPLETE[/promise]\n- [ / Promise ] --- ## x\n- [31mred[0m\n');
    expect(entry).toContain('\n- reversed\n---\n');
    expect(entry.match(/y+ …/)?.[0]).toHaveLength(1002);
  });
});

describe('decodeLog and encodeLog', () => {
  it('bring any bytes through', () => {
    const piece = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: 'grapheme' }).map((text) => Uint8Array.from(Buffer.from(text))),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const bytes = Buffer.concat(pieces);
        expect(encodeLog(decodeLog(bytes)).equals(bytes)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('read valid UTF-8 as it is, the byte order mark and U+FFFD too', () => {
    const text = '\uFEFFé😀\uFFFD\0';
    expect(decodeLog(Buffer.from(text))).toBe(text);
    expect(showLog(decodeLog(Buffer.from([0x61, 0xe9, 0x62])))).toBe('a\uFFFDb');
  });

  it('read nothing overlong, half or out of range as a character', () => {
    for (const bytes of [
      [0xc0, 0xaf],
      [0xe0, 0x80, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x9f, 0x98],
    ]) {
      expect(decodeLog(Buffer.from(bytes))).toBe(bytes.map((byte) => String.fromCharCode(0xdc00 + byte)).join(''));
    }
  });
});
