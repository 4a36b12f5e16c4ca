import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProgressLog } from '../../../src/progress/progress-log.ts';
import type { ProgressFile } from '../../../src/progress/progress-log.ts';

let root = '';
let log: ProgressFile;
const startedAt = Date.UTC(2026, 0, 6, 10);
const entry = { at: startedAt, iteration: 1, stories: ['US-001'], lines: ['passed'] };
const own = '## 2026-01-06T10:00:00Z - US-001 - ralph, iteration 1\n- passed\n---\n';
const file = (): string => join(root, 'sub/progress.txt');
const text = async (): Promise<string> => readFile(file(), 'utf8');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ralph-log-'));
  await mkdir(join(root, 'sub'));
  log = createProgressLog({ root, path: 'sub/progress.txt' });
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('createProgressLog', () => {
  it('makes a log where there is none, and leaves one that is there', async () => {
    expect(await log.read()).toEqual({ text: '', patterns: '', newest: '' });
    const header = '# Ralph Progress Log\nBranch: b\nStarted: 2026-01-06T10:00:00Z\n---\n';
    expect((await log.ensure({ branch: 'b', startedAt })).text).toBe(header);
    expect((await log.ensure({ branch: 'other', startedAt })).text).toBe(header);
    expect(await text()).toBe(header);
  });

  it('appends its entry behind what the agent appended', async () => {
    const before = await log.ensure({ branch: 'b', startedAt });
    await writeFile(file(), `${before.text}\n## mine\n- x`);
    const { reading, restored } = await log.guard(before);
    expect(restored).toBeUndefined();
    expect(reading.newest).toBe('## mine\n- x');
    expect(await log.append(reading, entry)).toBe(`${before.text}\n## mine\n- x\n\n${own}`);
    expect(await text()).toBe(`${before.text}\n## mine\n- x\n\n${own}`);
  });

  it('appends with the line ends of the log', async () => {
    await writeFile(file(), '## a\r\n- x\r\n');
    expect(await log.append(await log.read(), entry)).toBe(`## a\r\n- x\r\n\r\n${own.replaceAll('\n', '\r\n')}`);
  });

  it('puts back what is gone, and gives the text that the agent left', async () => {
    await writeFile(file(), '## a\n- x\n---\n');
    const before = await log.read();
    await writeFile(file(), '## b\n- y\n---\n');
    const { reading, restored } = await log.guard(before);
    expect(restored).toBe('## b\n- y\n---\n');
    expect(reading.text).toBe('## a\n- x\n---\n\n## b\n- y\n---\n');
    expect(await text()).toBe('## b\n- y\n---\n');
    await log.append(reading, entry);
    expect(await text()).toBe(`## a\n- x\n---\n\n## b\n- y\n---\n\n${own}`);
  });

  it('puts back a log whose folder was deleted', async () => {
    await writeFile(file(), '## a\n');
    const before = await log.read();
    await rm(join(root, 'sub'), { recursive: true });
    const { reading, restored } = await log.guard(before);
    expect(restored).toBe('');
    await log.append(reading, entry);
    expect(await text()).toBe(`## a\n\n${own}`);
  });

  it('keeps bytes that are no UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('## a\n- caf'), Buffer.from([0xe9, 0x0a])]);
    await writeFile(file(), bytes);
    const before = await log.read();
    await writeFile(file(), '## b\n');
    await log.append((await log.guard(before)).reading, entry);
    const found = await readFile(file());
    expect(found.subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(before.newest).toBe('## a\n- caf\uFFFD');
  });

  it('starts again with nothing but the patterns', async () => {
    await writeFile(file(), '# Ralph Progress Log\n---\n\n## Codebase Patterns\n- p\n\n## a\n- x\n---\n');
    const reading = await log.restart({ branch: 'next', startedAt });
    expect(await text()).toBe(
      '# Ralph Progress Log\nBranch: next\nStarted: 2026-01-06T10:00:00Z\n---\n\n## Codebase Patterns\n- p\n\n---\n',
    );
    expect(reading).toMatchObject({ patterns: '- p', newest: '' });
  });

  it('writes a text back byte for byte', async () => {
    await log.write('## a \udcff\r\n');
    expect(await readFile(file())).toEqual(
      Buffer.concat([Buffer.from('## a '), Buffer.from([0xff]), Buffer.from('\r\n')]),
    );
  });
});
