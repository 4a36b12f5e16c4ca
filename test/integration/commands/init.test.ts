import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { init } from '../../../src/commands/init.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';
import { createPrdFile } from '../../../src/prd/store.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
});
afterEach(() => w.dispose());

const remove = (file: string): void => rmSync(path.join(w.root, file), { recursive: true });

const scripts = JSON.stringify({ scripts: { dev: 'vite', typecheck: 'tsc', lint: 'eslint .', test: 'vitest run' } });

describe('init', () => {
  it('makes prd.json from the example, a config with the detected gates and the skills, and nothing else', async () => {
    w.write('package.json', scripts);
    expect(await init({ ...plain, skills: 'claude' }, w.io)).toBe(0);
    expect(w.read('prd.json')).toBe(readFileSync(new URL('../../../prd.json.example', import.meta.url), 'utf8'));
    expect(parseConfig(w.read('ralph.config.json')).gates).toEqual([
      { name: 'typecheck', run: 'npm run typecheck' },
      { name: 'lint', run: 'npm run lint' },
      { name: 'test', run: 'npm test' },
    ]);
    expect(w.read('ralph.config.json')).toMatch(/^\{\n {2}"gates": \[\n/);
    expect(w.out()).toMatch(
      /Made prd\.json.*\nMade ralph\.config\.json\. Gates: npm run typecheck · npm run lint · npm test\n/,
    );
    expect(w.git('status', '--porcelain', '-uall').split('\n')).toEqual([
      '?? .claude/skills/prd/SKILL.md',
      '?? .claude/skills/ralph/SKILL.md',
      '?? package.json',
      '?? prd.json',
      '?? ralph.config.json',
    ]);
    expect(w.git('for-each-ref')).toBe('');
  });

  it('the example is a valid PRD without a warning', async () => {
    await init(plain, w.io);
    const { prd, warnings } = await createPrdFile({ root: w.root, path: 'prd.json' }).read();
    expect(warnings).toEqual([]);
    expect(prd.stories).toHaveLength(4);
    for (const { acceptanceCriteria } of prd.stories) expect(acceptanceCriteria.length).toBeGreaterThan(3);
    expect(prd.stories.some(({ checks }) => checks.length > 0)).toBe(true);
    expect(prd.stories.some(({ dependsOn }) => dependsOn.length > 0)).toBe(true);
  });

  it('points to the schema of an installed ralph where there is one', async () => {
    w.write('node_modules/ralph-run/schema/ralph.config.schema.json', '{}');
    await init(plain, w.io);
    expect(JSON.parse(w.read('ralph.config.json'))).toEqual({
      $schema: './node_modules/ralph-run/schema/ralph.config.schema.json',
    });
    expect(w.out()).toContain('No gates were found');
  });

  it('never overwrites, and names what it kept', async () => {
    w.write('prd.json', '{ "mine": 1 }');
    w.write('ralph.config.json', '{ "maxAttempts": 2 }');
    await init(plain, w.io);
    await init(plain, w.io);
    expect([w.read('prd.json'), w.read('ralph.config.json')]).toEqual(['{ "mine": 1 }', '{ "maxAttempts": 2 }']);
    expect(w.out()).toContain('Kept prd.json.\nKept ralph.config.json.\n');
    expect(w.out()).not.toMatch(/Made (prd\.json|ralph\.config)/);
  });

  it('keeps a PRD in one of the usual places, and one that the config names', async () => {
    w.write('scripts/ralph/prd.json', '{}');
    await init(plain, w.io);
    expect(w.out()).toContain('Kept scripts/ralph/prd.json.');
    w.write('ralph.config.json', '{ "prd": "tasks/mine.json" }');
    w.write('tasks/mine.json', '{}');
    await init(plain, w.io);
    expect(w.out()).toContain('Kept tasks/mine.json.');
    expect(w.exists('prd.json')).toBe(false);
  });

  it('takes a link that leads nowhere for something of the user', async () => {
    symlinkSync('gone.json', path.join(w.root, 'ralph.config.json'));
    await init(plain, w.io);
    expect(w.out()).toContain('Kept ralph.config.json.');
    expect(w.exists('gone.json')).toBe(false);
  });

  it('works from a subfolder: config at the root, prd.json where it was started', async () => {
    w.write('packages/größe & co/package.json', scripts);
    await init(plain, w.from('packages/größe & co'));
    expect(w.exists('ralph.config.json')).toBe(true);
    expect(w.exists('packages/größe & co/prd.json')).toBe(true);
    expect(w.out()).toContain('Gates: npm run typecheck');
    expect(w.out()).toContain('Made packages/größe & co/prd.json');
  });

  it('finds the folder with -C', async () => {
    w.write('sub/x', '');
    await init({ ...plain, cwd: 'sub' }, w.io);
    expect(w.exists('sub/prd.json')).toBe(true);
  });

  it('says how tracked, ignored and untracked state files behave', async () => {
    await init(plain, w.io);
    expect(w.out()).toMatch(/prd\.json is not tracked by git: it, progress\.txt and archive\/ stay out/);
    expect(w.out()).toMatch(/no commit yet/);
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'base');
    await init(plain, w.io);
    expect(w.out()).toMatch(/prd\.json is tracked by git: it, progress\.txt and archive\/ become part/);
    w.git('rm', '--quiet', '--cached', 'prd.json');
    w.write('.gitignore', 'prd.json\n');
    await init(plain, w.io);
    expect(w.out()).toMatch(/prd\.json is ignored by git/);
    expect(w.out().match(/no commit yet/g)).toHaveLength(1);
  });
});

describe('init and the skills', () => {
  const own = (name: string): string =>
    readFileSync(new URL(`../../../skills/${name}/SKILL.md`, import.meta.url), 'utf8');
  const bare = (more: NodeJS.ProcessEnv = {}) => {
    const folders = (process.env['PATH'] ?? '').split(path.delimiter);
    const git = folders.find((folder) => existsSync(path.join(folder, 'git'))) ?? '';
    mkdirSync(path.join(w.root, 'tools'));
    symlinkSync(path.join(git, 'git'), path.join(w.root, 'tools/git'));
    return w.from('.', { PATH: path.join(w.root, 'tools'), ...more });
  };

  it('puts them where the tools look that show themselves, at the root', async () => {
    const io = bare();
    w.write('tools/amp', '#!/bin/sh\n');
    chmodSync(path.join(w.root, 'tools/amp'), 0o755);
    w.write('.claude/settings.json', '{}');
    w.write('sub/x', '');
    await init({ ...plain, cwd: 'sub' }, io);
    for (const folder of ['.claude', '.agents']) {
      for (const name of ['prd', 'ralph']) expect(w.read(`${folder}/skills/${name}/SKILL.md`)).toBe(own(name));
    }
    expect(w.out()).toContain('Made .claude/skills/prd/SKILL.md.\n');
    expect(w.exists('sub/.claude')).toBe(false);
  });

  it('takes .claude where no tool shows itself, and none where none is asked for', async () => {
    const io = bare();
    await init({ ...plain, skills: 'none' }, io);
    expect(w.out()).toContain('No skills, as asked for.');
    expect(w.exists('.claude')).toBe(false);
    await init({ ...plain, skills: 'agents' }, io);
    expect([w.exists('.claude'), w.exists('.agents/skills/prd/SKILL.md')]).toEqual([false, true]);
    remove('.agents');
    await init(plain, io);
    expect(w.read('.claude/skills/ralph/SKILL.md')).toBe(own('ralph'));
    expect(w.exists('.agents')).toBe(false);
  });

  it('never overwrites, and tells a skill that is not its own', async () => {
    w.write('.claude/skills/prd/SKILL.md', 'mine');
    w.write('.claude/skills/ralph/notes.md', 'mine, too');
    await init({ ...plain, skills: 'claude' }, w.io);
    expect(w.read('.claude/skills/prd/SKILL.md')).toBe('mine');
    expect(w.exists('.claude/skills/ralph/SKILL.md')).toBe(false);
    expect(w.out()).toContain("Kept .claude/skills/prd/SKILL.md, which is not this version's");
    remove('.claude/skills');
    await init({ ...plain, skills: 'claude' }, w.io);
    await init({ ...plain, skills: 'claude' }, w.io);
    expect(w.out()).toContain('Kept .claude/skills/prd/SKILL.md.\n');
  });

  it('goes through a link from one place to the other', async () => {
    const io = bare();
    w.write('.agents/skills/x', '');
    mkdirSync(path.join(w.root, '.claude'));
    symlinkSync('../.agents/skills', path.join(w.root, '.claude/skills'));
    await init(plain, io);
    expect(w.out()).toContain('Made .claude/skills/prd/SKILL.md.\n');
    expect(w.out()).toContain('Kept .agents/skills/prd/SKILL.md.\n');
  });

  it('says so where it can’t, and refuses a place that it does not know, before anything is made', async () => {
    await expect(init({ ...plain, skills: 'codex' }, w.io)).rejects.toThrow(
      /^--skills: must be none, claude or agents, not "codex"$/,
    );
    expect(w.exists('prd.json')).toBe(false);
    w.write('.agents', 'a file');
    await expect(init({ ...plain, skills: 'agents' }, w.io)).rejects.toMatchObject({ reason: 'environment' });
  });
});

describe('init without a repository', () => {
  it('says what to do, and makes nothing', async () => {
    const bare = createWorld({ repository: false });
    try {
      await expect(init(plain, bare.io)).rejects.toMatchObject({
        reason: 'usage',
        cures: [expect.stringContaining('git init')],
      });
      await expect(init(plain, { ...bare.io, env: { PATH: bare.root } })).rejects.toMatchObject({
        reason: 'usage',
        message: 'git is not on PATH',
      });
      await expect(init({ ...plain, cwd: 'nowhere' }, bare.io)).rejects.toThrow(/^-C: .*nowhere does not exist$/);
      bare.write('file', '');
      await expect(init({ ...plain, cwd: 'file' }, bare.io)).rejects.toThrow(/^-C: .*file is not a folder$/);
      expect(bare.exists('prd.json')).toBe(false);
    } finally {
      bare.dispose();
    }
  });
});
