import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installClaude } from './install-claude.ts';
import type { Script } from './model-server.ts';
import { createRealWorld, ralph } from './real-world.ts';
import type { RealWorld } from './real-world.ts';

/** Built before (npm run build). */
const program = process.env['RALPH_BIN'] ?? ralph;
const project = fileURLToPath(new URL('../..', import.meta.url));
const document = '# PRD: Due dates\n\n## Introduction\n\nTasks get a due date.\n';

let w: RealWorld;

/** A model that writes the document that it is asked for, and otherwise says a word. */
function playAuthor(folder: string): Script {
  return ({ text, toolResults }) => {
    if (!text.includes('> due dates for tasks') || toolResults.length > 0) return [{ type: 'text', text: 'Done.' }];
    const file = path.join(folder, 'tasks', 'prd-due-dates.md');
    return [
      { type: 'text', text: '1. Who sees it?\n   A. All (recommended)\n   B. The owner' },
      { type: 'tool_use', name: 'Write', input: { file_path: file, content: document } },
    ];
  };
}

beforeEach(async () => {
  w = await createRealWorld(playAuthor);
});

afterEach(async () => w.dispose());

async function listSkills(bin: string, ...options: string[]): Promise<string[]> {
  const args = ['-p', '--output-format', 'stream-json', '--verbose', ...options];
  const { code, out, err } = await w.start('claude', args, w.environment(bin), 'Hello').ended;
  expect(code, `${out}${err}`).toBe(0);
  const events = out
    .split('\n')
    .filter(Boolean)
    .map((line): { type: string; subtype?: string; skills?: string[] } => JSON.parse(line));
  return events.find(({ type, subtype }) => type === 'system' && subtype === 'init')?.skills ?? [];
}

describe.each(['2.1.197', '2.1.332'])('the skills and Claude Code %s', (version) => {
  let bin = '';

  beforeAll(() => {
    bin = installClaude(version);
  });

  it('accepts the manifests of plugin and marketplace', async () => {
    for (const file of ['.', '.claude-plugin/plugin.json', '.claude-plugin/marketplace.json']) {
      const args = ['plugin', 'validate', path.join(project, file)];
      const { code, out, err } = await w.start('claude', args, w.environment(bin)).ended;
      expect(code, `${out}${err}`).toBe(0);
      expect(out).toContain('Validation passed');
    }
  });

  it('is offered both by the plugin', async () => {
    expect(await listSkills(bin)).not.toContain('ralph:prd');
    expect(await listSkills(bin, '--plugin-dir', project)).toEqual(
      expect.arrayContaining(['ralph:prd', 'ralph:ralph']),
    );
  });

  it('can be installed from the marketplace', async () => {
    const env = w.environment(bin);
    for (const args of [
      ['marketplace', 'add', project],
      ['install', 'ralph@ralph-run'],
    ]) {
      const { code, out, err } = await w.start('claude', ['plugin', ...args], env).ended;
      expect(code, `${out}${err}`).toBe(0);
    }
    expect(await listSkills(bin)).toEqual(expect.arrayContaining(['ralph:prd', 'ralph:ralph']));
  });

  it('is offered both after ralph init', async () => {
    const { code, out, err } = await w.start(process.execPath, [program, 'init'], w.environment(bin)).ended;
    expect(code, `${out}${err}`).toBe(0);
    expect(await listSkills(bin)).toEqual(expect.arrayContaining(['prd', 'ralph']));
  });

  it('writes a PRD document without anybody there', async () => {
    const args = [program, 'prd', 'due dates for tasks', '--answers', '1B', '--no-color'];
    const { code, out, err } = await w.start(process.execPath, args, w.environment(bin)).ended;
    expect(code, `${out}${err}`).toBe(0);
    expect(readFileSync(path.join(w.repository, 'tasks', 'prd-due-dates.md'), 'utf8')).toBe(document);
    expect(out).toMatch(
      /1\. Who sees it\?[^]*Written: tasks\/prd-due-dates\.md\n[^]*ralph convert tasks\/prd-due-dates\.md\n$/,
    );
    expect(w.git('status', '--porcelain', '-uall')).toBe('?? tasks/prd-due-dates.md');
  });
});
