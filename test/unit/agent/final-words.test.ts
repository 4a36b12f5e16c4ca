import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { echoesOf, findWords, joinWords, markOf, noWords } from '../../../src/agent/final-words.ts';
import { cutAt, decodeAll } from './decode-all.ts';

const SENTINEL = '<promise>COMPLETE</promise>';
const shown = (pieces: readonly Uint8Array[]): string =>
  decodeAll('text', pieces)
    .events.map((event) => (event.kind === 'text' ? event.text : ''))
    .join('\n');
const found = { sentinel: true, sentinelLast: true, blocked: undefined };

const decoration = fc
  .array(fc.constantFrom(' ', '\t', '*', '**', '_', '~', '#', '###', '-', '+', '>', '\u00a0'), { maxLength: 6 })
  .map((parts) => parts.join(''));
const lead = fc
  .tuple(decoration, fc.constantFrom('', '1. ', '12) ', '> 3. '), decoration)
  .map((parts) => parts.join(''));
const tick = fc.constantFrom('', '`');
const inside = fc.stringMatching(/^[ \t]{0,3}$/);

describe('the sentinel alone on a line', () => {
  it('is found in every decoration that the rule allows', () => {
    fc.assert(
      fc.property(lead, tick, decoration, inside, inside, (before, mark, behind, left, right) => {
        const line = `${before}${mark}<promise>${left}COMPLETE${right}</promise>${mark}${behind}`;
        // Three or more tildes in front are a fence, and what stands on its line belongs to it.
        fc.pre(!/^[\s>*+-]*(?:\d+[.)]\s)*[\s>]*~{3}/.test(line));
        expect(findWords(`All done.\n\n${line}\n`)).toEqual(found);
      }),
    );
  });

  it('is not found with anything else on its line', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9.,:;!?()"'=]{1,8}$/).filter((text) => !/^\d{1,9}[.)]$/.test(text));
    fc.assert(
      fc.property(decoration, word, fc.boolean(), (spaces, text, inFront) => {
        const line = inFront ? `${text}${spaces}${SENTINEL}` : `${SENTINEL}${spaces}${text}`;
        expect(findWords(line)).toEqual(noWords);
      }),
    );
  });

  it.each([
    `I will reply with ${SENTINEL} when everything is finished.`,
    `${SENTINEL}.`,
    `${SENTINEL} ${SENTINEL}`,
    `\`${SENTINEL}`,
    `\`\`${SENTINEL}\`\``,
    '<promise>complete</promise>',
    '<PROMISE>COMPLETE</PROMISE>',
    '<promise>COMPLETE',
    '<promise>\nCOMPLETE\n</promise>',
    '<promise>**COMPLETE**</promise>',
    '<promise>COMPLETED</promise>',
    `1234567890. ${SENTINEL}`,
    `| ${SENTINEL} |`,
  ])('is not in %j', (message) => expect(findWords(message)).toEqual(noWords));

  it('is one that was taken back where text follows', () => {
    expect(findWords(`${SENTINEL}\n\nWait, one test still fails.`)).toEqual({ ...found, sentinelLast: false });
  });

  it.each(['\n', '\r\n', '\r'])('stands behind any line break, here %j', (eol) => {
    expect(findWords(`done${eol}${SENTINEL}${eol}${eol}`)).toEqual(found);
  });

  it('is seen through colour codes, titles and cursor moves', () => {
    expect(findWords(`\u001b]0;title\u0007\u001b[1m<promise>\u001b[32mCOMPLETE\u001b[0m</promise>\u001b[K`)).toEqual(
      found,
    );
    expect(findWords(`\u001b]8;;https://x.y\u001b\\${SENTINEL}\u001b]8;;\u001b\\`)).toEqual(found);
  });

  it('costs no more than its length on lines made to be costly', () => {
    const start = performance.now();
    for (const text of [
      '*'.repeat(500_000),
      '1.'.repeat(250_000),
      '`'.repeat(500_000),
      ' >'.repeat(250_000),
      '\u001b]x'.repeat(150_000),
    ]) {
      findWords(`${text}x${SENTINEL}`);
      findWords(`<promise>BLOCKED: ${text}`);
    }
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

describe('code fences', () => {
  it.each([
    `\`\`\`text\n${SENTINEL}\n\`\`\``,
    `~~~\n${SENTINEL}\n~~~`,
    `      \`\`\`\n      ${SENTINEL}\n      \`\`\``,
    `- \`\`\`sh\n  ${SENTINEL}\n  \`\`\``,
    `1. ~~~\n${SENTINEL}`,
    `> \`\`\`\n> ${SENTINEL}\n> \`\`\``,
    `\`\`\`\`\n\`\`\`\n${SENTINEL}\n\`\`\`\`\n`,
    `\`\`\`\n~~~\n${SENTINEL}`,
    `\`\`\`\n\`\`\` not the end\n${SENTINEL}`,
    `\`\`\`\nnever closed\n\n${SENTINEL}`,
  ])('hide what is in them: %j', (message) => expect(findWords(message)).toEqual(noWords));

  it.each([
    `\`\`\`\ncode\n\`\`\`\n${SENTINEL}`,
    `~~~~ info \`with\` ticks\ncode\n~~~~~\n${SENTINEL}`,
    `\`\`\`a\`\`\` is code on one line\n${SENTINEL}`,
    `> \`\`\`\n> a quotation with an open fence\n\n${SENTINEL}`,
    `\`\`\`\r\ncode\r\n\`\`\`   \r\n${SENTINEL}\r\n`,
  ])('are over where they end: %j', (message) => expect(findWords(message)).toEqual(found));
});

describe('a block', () => {
  it('is found as the sentinel is, with its reason', () => {
    expect(findWords('I looked.\n\n> **`<promise> BLOCKED:  no key   for `x` </promise>`**').blocked).toBe(
      'no key for `x`',
    );
    expect(findWords('```\n<promise>BLOCKED: shown only</promise>\n```').blocked).toBeUndefined();
    expect(findWords('He said <promise>BLOCKED: no</promise>').blocked).toBeUndefined();
  });

  it('needs a reason', () => {
    expect(markOf('<promise>BLOCKED: </promise>')).toBeUndefined();
    expect(markOf('<promise>BLOCKED</promise>')).toBeUndefined();
  });

  it('takes the last of several reasons, and bounds it', () => {
    expect(findWords('<promise>BLOCKED: a</promise>\n<promise>BLOCKED: b</promise>').blocked).toBe('b');
    expect(findWords(`<promise>BLOCKED: ${'x'.repeat(5_000)}</promise>`).blocked?.length).toBe(1_000);
  });

  it('behind a sentinel is the last line', () => {
    expect(findWords(`${SENTINEL}\n<promise>BLOCKED: b</promise>`)).toEqual({
      sentinel: true,
      sentinelLast: false,
      blocked: 'b',
    });
  });
});

describe('several final messages', () => {
  it('claim together', () => {
    expect(joinWords(findWords(SENTINEL), findWords('The build is green.'))).toEqual(found);
    expect(joinWords(findWords('<promise>BLOCKED: a</promise>'), findWords('well')).blocked).toBe('a');
    expect(
      joinWords(findWords('<promise>BLOCKED: a</promise>'), findWords('<promise>BLOCKED: b</promise>')).blocked,
    ).toBe('b');
  });
});

describe('a prompt that is repeated', () => {
  const prompt = `Do the next story. When all are done, print\n${SENTINEL}\nIf you can't go on:\n  - <promise>BLOCKED: why</promise>\n\nIteration 1 of 3\n`;

  it('claims nothing', () => {
    expect(findWords(prompt, echoesOf(prompt))).toEqual(noWords);
    expect(findWords(`I was told:\n${prompt}\nShall I start?`, echoesOf(prompt))).toEqual(noWords);
  });

  it("takes nothing from the agent's own words", () => {
    expect(findWords(`${prompt}\nAll stories pass.\n${SENTINEL}`, echoesOf(prompt))).toEqual(found);
    expect(findWords(SENTINEL, echoesOf(prompt))).toEqual(found);
    expect(findWords(SENTINEL, echoesOf(SENTINEL))).toEqual(found);
  });
});

describe('plain text, however it arrives', () => {
  const text = Buffer.from(`naïve 🚀\r\n\`\`\`\n${SENTINEL}\n\`\`\`\r10%\r\u001b[2K100%\r\n\n**${SENTINEL}**  \n\n`);

  it('gives the same words for every cut into two', () => {
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(decodeAll('text', [text.subarray(0, cut), text.subarray(cut)]).report.words).toEqual(found);
    }
  });

  it('gives the same words and lines for any cuts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const pieces = cutAt(text, cuts);
        expect(decodeAll('text', pieces).report.words).toEqual(found);
        expect(shown(pieces)).toBe(shown([text]));
      }),
    );
  });

  it('looks at the last 256 KiB, and knows which fence they began in', () => {
    const filler = `${'t'.repeat(1_023)}\n`.repeat(300);
    expect(decodeAll('text', [`${SENTINEL}\n${filler}`]).report.words).toEqual(noWords);
    expect(decodeAll('text', [`\`\`\`\n${filler}${SENTINEL}\n\`\`\`\n`]).report.words).toEqual(noWords);
    expect(decodeAll('text', [`${filler}${SENTINEL}\n`]).report.words).toEqual(found);
  });

  it('does not take the end of a cut line for a line', () => {
    expect(decodeAll('text', [`${' '.repeat(300_000)}${SENTINEL}\n`]).report.words).toEqual(noWords);
    expect(decodeAll('text', [`${SENTINEL}${' '.repeat(300_000)}, not yet\n`]).report.words).toEqual(noWords);
  });
});
