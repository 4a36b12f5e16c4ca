import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardLog } from '../../../src/progress/guard-log.ts';

const header = '# Ralph Progress Log\nBranch: ralph/feature\nStarted: Mon Jan  6 10:00:00 UTC 2025\n---\n';
const patterns = '\n## Codebase Patterns\n- use tabs\n- no tests\n\n---\n';
const one = '\n## OLD-ONE\n- ports start at 4000\n- Typecheck passes\n---\n';
const two = '\n## OLD-TWO\n- tests need a database\n---\n';
const fresh = '\n## NEW-ONE\n- started over\n- Typecheck passes\n---\n';
const log = header + patterns + one + two;
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('guardLog leaves alone', () => {
  it.each([
    ['nothing done', log, log],
    ['an entry appended', log, log + fresh],
    ['the first text in an empty log', '', fresh],
    ['patterns rewritten', log, log.replace('- use tabs\n- no tests', '- merged')],
    ['patterns rewritten and an entry appended', log, log.replace('- use tabs\n- no tests', '- merged') + fresh],
    ['patterns made new on top', header + one, header + patterns + one],
  ])('%s', (_, before, after) => {
    expect(guardLog(before, after)).toEqual({ text: after, isRestored: false });
  });
});

describe('guardLog puts right, without calling it a loss,', () => {
  it.each([
    ['other line ends', log.replaceAll('\n', '\r\n'), log],
    ['other line ends and a new entry', (log + fresh).replaceAll('\n', '\r\n'), log + fresh],
    ['another order', header + patterns + two + one, log],
    ['a new entry above the old ones', header + patterns + fresh + one + two, log + fresh],
    ['a new entry above everything', fresh.trimStart() + log, log + fresh],
    ['white space at line ends', log.replace('4000\n', '4000  \n'), log],
    ['separators and empty lines taken out', log.replaceAll('\n---\n', '\n'), log],
    ['a byte order mark', `\uFEFF${log}`, log],
    ['a copy of an entry', header + patterns + one + one + two, log],
  ])('%s', (_, after, wanted) => {
    expect(guardLog(log, after)).toEqual({ text: wanted, isRestored: false });
  });

  it('patterns made new above the header', () => {
    const after = `## Codebase Patterns\n- x\n\n${header}${one}`;
    expect(guardLog(header + one, after)).toEqual({
      text: `${header}\n## Codebase Patterns\n- x\n${one}`,
      isRestored: false,
    });
  });

  it('line ends of a log with CR LF', () => {
    const windows = log.replaceAll('\n', '\r\n');
    expect(guardLog(windows, log + fresh)).toEqual({
      text: windows + fresh.replaceAll('\n', '\r\n'),
      isRestored: false,
    });
  });
});

describe('guardLog puts back', () => {
  it.each([
    ['a deleted file', '', log],
    ['a log replaced by a new entry', fresh.trimStart(), log + fresh],
    ['a log replaced by a new log', `# Ralph Progress Log\nStarted: now\n---\n${fresh}`, log + fresh],
    ['a log cut off', log.slice(0, -20), log],
    ['a log cut off in a heading', log.slice(0, log.indexOf('OLD-TWO') + 5), log],
    ['a deleted entry', header + patterns + two, log],
    ['a deleted entry and a new one', header + patterns + two + fresh, log + fresh],
    ['deleted patterns', header + one + two, log],
    ['a deleted header', patterns + one + two, log],
    ['a changed header', log.replace('Branch: ralph/feature', 'Branch: main'), log],
    ['a changed entry', log.replace('4000', '5000'), `${log}\n- ports start at 5000\n---\n`],
    ['an entry with a line less', log.replace('- ports start at 4000\n', ''), log],
    [
      'an entry under another heading',
      log.replace('## OLD-ONE', '## OLD-ONE (done)'),
      `${log}\n## OLD-ONE (done)\n---\n`,
    ],
    ['an entry without its heading', log.replace('## OLD-ONE\n', ''), log],
  ])('%s', (_, after, wanted) => {
    expect(guardLog(log, after)).toEqual({ text: wanted, isRestored: true });
  });

  it('the entries of a log without header and headings', () => {
    const plain = 'did a\n---\ndid b\n---\n';
    expect(guardLog(plain, 'did b\n---\ndid c\n---\n')).toEqual({ text: `${plain}\ndid c\n---\n`, isRestored: true });
  });

  it('an entry as often as it was there', () => {
    const twice = header + two + two;
    expect(guardLog(twice, header + two)).toEqual({ text: twice, isRestored: true });
  });

  it('bytes that are no UTF-8', () => {
    const odd = header + one.replace('4000', '\udcff\udc80');
    expect(guardLog(odd, fresh).text).toBe(odd + fresh);
  });

  it('what a patterns part without an end would swallow', () => {
    const before = `${header}\n## Codebase Patterns\n- x\n---\nfree text\n---\n`;
    const { text } = guardLog(before, `${header}\n## Codebase Patterns\n- y\n`);
    expect(text).toContain('- y\n---\n');
    expect(guardLog(text, text.replace('free text', '')).text).toContain('free text');
  });
});

describe('guardLog, whatever an agent does,', () => {
  const line = fc.constantFrom('- a', '- b', '- Typecheck passes', 'text', '  - c', '```', '### sub', '', '- é 😀');
  const entryOf = (name: string) =>
    fc
      .array(line, { maxLength: 4 })
      .map((lines) => `\n## ${name}\n- about ${name}\n${lines.map((text) => `${text}\n`).join('')}---\n`);
  const entries = (prefix: string) =>
    fc.nat(5).chain((length) => fc.tuple(...Array.from({ length }, (_, index) => entryOf(`${prefix}-${index}.`))));
  const top = fc.record({
    header: fc.constantFrom(header, '', '# Ralph Progress Log\nStarted: x\n---\n'),
    patterns: fc.constantFrom(patterns, ''),
  });
  const behaviour = fc.record({
    keep: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    keepTop: fc.boolean(),
    rewrite: fc.boolean(),
    reverse: fc.boolean(),
    where: fc.constantFrom('behind', 'above', 'on top'),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    cut: fc.option(fc.nat(60)),
  });

  it('keeps every earlier entry once and in order, and every new one', () => {
    fc.assert(
      fc.property(top, entries('old'), entries('new'), behaviour, (start, old, added, how) => {
        const before = start.header + start.patterns + old.join('');
        const kept = old.filter((_, index) => how.keep[index]);
        if (how.reverse) kept.reverse();
        const own = how.rewrite && start.patterns !== '' ? '\n## Codebase Patterns\n- merged\n\n---\n' : start.patterns;
        const above = how.keepTop ? start.header + own : '';
        const left = {
          behind: above + kept.join('') + added.join(''),
          above: above + added.join('') + kept.join(''),
          'on top': added.join('') + above + kept.join(''),
        }[how.where];
        const isCut = how.cut !== null && added.length === 0;
        const after = (isCut ? left.slice(0, -1 - (how.cut ?? 0)) : left).replaceAll('\n', how.lineBreak);
        const guarded = guardLog(before, after);
        const { isRestored } = guarded;
        // an empty log has no line ends that an agent would have to keep
        const text = before === '' ? guarded.text.replaceAll('\r\n', '\n') : guarded.text;
        expect([...old, ...added].filter((entry) => count(text, entry.trim()) !== 1)).toEqual([]);
        expect(old.map((entry) => text.indexOf(entry.trim()))).toEqual(
          old.map((entry) => text.indexOf(entry.trim())).sort((a, b) => a - b),
        );
        expect(count(text, '## Codebase Patterns')).toBe(start.patterns === '' ? 0 : 1);
        expect(count(text, '# Ralph Progress Log')).toBe(start.header === '' ? 0 : 1);
        const isWhole = how.keepTop && !isCut;
        expect(isRestored || kept.length === old.length).toBe(true);
        expect(isRestored && isWhole && kept.length === old.length).toBe(false);
        expect(text.includes('- merged') || !isWhole || !how.rewrite || start.patterns === '').toBe(true);
        expect(guardLog(text, text)).toEqual({ text, isRestored: false });
      }),
      { numRuns: 1000 },
    );
  });

  it('loses no earlier line and no new one when it edits at random', () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(line), fc.nat(9), fc.nat(9), (body, put, at, cut) => {
        const before = header + one + body.map((text) => `${text}\n`).join('') + two;
        const lines = before.split('\n');
        lines.splice(at, cut, ...put);
        const { text } = guardLog(before, lines.join('\n'));
        const found = new Set(text.split('\n').map((item) => item.trimEnd()));
        expect([...before.split('\n'), ...put].filter((item) => !found.has(item.trimEnd()))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the length', () => {
    const many =
      header +
      patterns +
      Array.from({ length: 2000 }, (_, index) => `\n## filler ${index}\n- ${'x'.repeat(980)}\n---\n`).join('');
    const began = process.cpuUsage();
    const rewritten = many.replace('- use tabs', '- use blanks') + fresh;
    expect(guardLog(many, rewritten)).toEqual({ text: rewritten, isRestored: false });
    expect(guardLog(many, many.replace('filler 77\n', 'filler 77, changed\n')).isRestored).toBe(true);
    expect(guardLog(many, fresh).text).toBe(many + fresh);
    const { user } = process.cpuUsage(began);
    // linear work takes some tenths of a second here, quadratic work minutes
    expect(user / 1000).toBeLessThan(5000);
  });
});
