import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { createPrompt } from '../../../src/prompt/create-prompt.ts';
import { loadTemplate, stripGuards } from '../../../src/prompt/template.ts';
import { makeFacts } from '../../unit/prompt/facts.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ralph template '));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function save(name: string, data: string | Uint8Array): Promise<string> {
  await writeFile(path.join(folder, name), data);
  return name;
}

describe("a user's template", () => {
  it('comes through byte for byte, from the start folder or by an absolute path', async () => {
    const text = '\uFEFF# Agent\r\n\r\n<!-- guard: mine -->\r\nWait {{ anything }} é€😀\r\n';
    const name = await save('own.md', text);
    expect(await loadTemplate(name, folder)).toEqual({ text, file: 'own.md' });
    expect((await loadTemplate(path.join(folder, name), '/')).text).toBe(text);
  });

  it('must be there and be text: UsageError with the name', async () => {
    await mkdir(path.join(folder, 'prompts'));
    const cases: [string, RegExp][] = [
      ['missing.md', /missing\.md.*there is no such file/],
      ['prompts', /prompts.*it is a folder/],
      ['own.md/deeper.md', /no such file/],
      [await save('nul.md', 'a\0b'), /nul\.md.*NUL bytes/],
      [await save('latin1.md', Uint8Array.from([0x67, 0x72, 0xfc, 0x6e])), /latin1\.md.*not UTF-8/],
      [await save('utf16.md', Buffer.from('\uFEFFDo it', 'utf16le')), /utf16\.md.*NUL bytes/],
      [await save('empty.md', ''), /empty\.md is empty/],
      [await save('blank.md', '\uFEFF \r\n\t\n'), /blank\.md is empty/],
    ];
    for (const [name, message] of cases) {
      const error: unknown = await loadTemplate(name, folder).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UsageError);
      expect(String(error)).toMatch(message);
    }
  });
});

describe('the packaged template', () => {
  const source = new URL('../../../templates/prompt.md', import.meta.url);

  it('explains its defensive sentences, and sends no explanation', async () => {
    const raw = await readFile(source, 'utf8');
    const { text } = await loadTemplate(undefined, folder);
    expect(raw.match(/<!-- guard: /g)?.length).toBeGreaterThan(10);
    expect(text).not.toMatch(/<!--|-->|guard:/);
    expect(text).not.toMatch(/[ \t]\n|\n{3}/);
    expect(Buffer.byteLength(text)).toBeLessThan(6 * 1024);
    expect(text).toBe(stripGuards(raw));
  });

  it('takes a comment that is alone on its line out with the line, and others without a trace', () => {
    expect(stripGuards('a\n<!-- guard: x\ny -->\nb. <!-- guard: z --> c\n<!-- kept -->\nd <!-- guard: e -->\n')).toBe(
      'a\nb. c\n<!-- kept -->\nd\n',
    );
  });

  it('can be filled, names story and files, and never shows a promise alone on a line', async () => {
    const template = await loadTemplate(undefined, folder);
    const port = createPrompt({
      template,
      prd: 'scripts/ralph/prd.json',
      progress: 'scripts/ralph/progress.txt',
      memoryFile: 'CLAUDE.md',
    });
    const prompt = port.render(makeFacts());
    for (const part of [
      'US-001',
      'scripts/ralph/prd.json',
      'scripts/ralph/progress.txt',
      'CLAUDE.md',
      'ralph/feature',
      '<promise>COMPLETE</promise>',
      '<promise>BLOCKED: reason</promise>',
    ]) {
      expect(prompt).toContain(part);
    }
    expect(prompt).not.toMatch(/\{\{/);
    expect(prompt).not.toMatch(/^[\s*_~#+>`\-\d.]*<promise>[^<]*<\/promise>[\s*_~#+`-]*$/m);
  });
});
