import { describe, expect, it } from 'vitest';
import { failures, files, isOwn, roomOf } from './source-files.ts';

/*
 * The layout that ARCHITECTURE.md describes, read off the sources: who imports whom, and which package is known in one
 * place only.
 */

/** What a room may import beside its own files, `node:*` and `packages`; `types` are erased and bind nothing at run time. */
interface Rule {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** Known to every room: what has no imports of its own but types, or none but these. */
const everywhere = ['errors', 'exit', 'folder-cure', 'package-files', 'shell-words'];
/** Facts that several rooms share, as types only. */
const contract = ['loop'];

const rules: Readonly<Record<string, Rule>> = {
  // From argv to the command: declarations, and one dynamic import for each command.
  main: { values: ['program', 'reporters'], types: [] },
  program: {
    values: ['config', 'help-notes', 'load-commands', 'program-commands', 'program-options', 'shape-argv'],
    types: ['commands'],
  },
  'program-commands': { values: ['config', 'help-notes', 'program-options'], types: ['commands', 'shape-argv'] },
  'program-options': { values: ['config'], types: ['commands'] },
  'shape-argv': { values: ['config'], types: [] },
  'load-commands': { values: ['commands'], types: [] },
  'help-notes': { values: [], types: [] },
  'shell-words': { values: [], types: [] },
  'package-files': { values: [], types: [] },
  'folder-cure': { values: [], types: [] },
  // Commands translate: everything below them may be called, another command may not (see below).
  commands: {
    values: [
      'agent',
      'archive',
      'clock',
      'config',
      'convert',
      'gates',
      'git',
      'json',
      'loop',
      'messages',
      'objective',
      'prd',
      'process',
      'progress',
      'project',
      'report',
      'reporters',
      'run',
      'run-folder',
      'schemas',
      'skills',
    ],
    types: ['prompt'],
  },
  // The way from a prepared run to its last event: it brings the rooms together and holds no policy of its own.
  run: {
    values: [
      'agent',
      'archive',
      'clock',
      'compose',
      'config',
      'git',
      'json',
      'loop',
      'messages',
      'prd',
      'process',
      'progress',
      'project',
      'prompt',
      'reporters',
      'run-folder',
    ],
    types: [],
  },
  // What a call is about: its folder, settings, PRD and gates.
  project: { values: ['archive', 'config', 'git', 'json', 'prd'], types: contract },
  compose: {
    values: ['agent', 'clock', 'gates', 'git', 'process', 'progress', 'run-folder'],
    types: ['config', 'loop'],
  },
  // The policy, and what is pure beside it.
  loop: { values: ['prd'], types: [] },
  objective: { values: ['loop', 'prd'], types: [] },
  messages: { values: [], types: contract },
  clock: { values: [], types: contract },
  // Formats of files.
  json: { values: [], types: [] },
  config: { values: ['json'], types: [] },
  prd: { values: ['json'], types: contract },
  progress: { values: ['json'], types: contract },
  prompt: { values: [], types: contract },
  archive: { values: [], types: [] },
  convert: { values: ['json', 'prd'], types: contract },
  skills: { values: ['json', 'messages', 'process'], types: ['agent'] },
  // The ports.
  agent: { values: ['json', 'process'], types: [...contract, 'config'] },
  gates: { values: ['process'], types: contract },
  git: { values: ['json', 'process'], types: contract },
  'run-folder': { values: ['json', 'loop', 'process'], types: [] },
  process: { values: [], types: contract },
  // Facts to text.
  reporters: { values: ['messages'], types: [...contract, 'convert', 'prd'] },
  report: { values: ['messages'], types: contract },
  schemas: { values: ['prd'], types: [...contract, 'reporters', 'run-folder'] },
  exit: { values: [], types: [] },
  errors: { values: [], types: [] },
};

/** The only rooms or files that may know a package. What is not in here is known to nobody. */
const packages: Readonly<Record<string, readonly string[]>> = {
  chalk: ['reporters/palette.ts'],
  commander: ['program.ts', 'program-options.ts', 'program-commands.ts'],
  execa: ['process/spawn.ts'],
  mdast: ['convert/markdown.ts'],
  'mdast-util-from-markdown': ['convert/markdown.ts'],
  'mdast-util-gfm': ['convert/markdown.ts'],
  'micromark-extension-gfm': ['convert/markdown.ts'],
  'simple-git': ['git/'],
  zod: ['config/', 'prd/', 'schemas/', 'objective/'],
};

describe('imports', () => {
  it('were found in every file but those that need none', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(files.length * 2);
  });

  it('go only where the table lets them', () => {
    const broken = failures(({ name, imports }) => {
      const room = roomOf(name);
      const rule = rules[room];
      if (rule === undefined) return ['its room is not in the table'];
      const values = [...rule.values, ...everywhere, room];
      return imports
        .filter(({ to }) => isOwn(to))
        .filter(({ to, isType }) => ![...values, ...(isType ? rule.types : [])].includes(roomOf(to)))
        .map(({ to, isType }) => `${isType ? 'type ' : ''}${to}`);
    });
    expect(broken).toEqual([]);
  });

  it('reach files that are there', () => {
    const names = new Set(files.map(({ name }) => name));
    expect(
      failures(({ imports }) => imports.filter(({ to }) => isOwn(to) && !names.has(to)).map(({ to }) => to)),
    ).toEqual([]);
  });

  it('form no circle, types included', () => {
    const own = new Map(files.map(({ name, imports }) => [name, imports.map(({ to }) => to).filter(isOwn)]));
    // What imports nothing any more can be in no circle: taken away again and again, only circles and their users are left.
    for (let size = -1; size !== own.size;) {
      size = own.size;
      for (const [name, imports] of own) if (!imports.some((to) => own.has(to))) own.delete(name);
    }
    expect([...own.keys()]).toEqual([]);
  });

  it('of packages stand in one place each', () => {
    const broken = failures(({ name, imports }) =>
      imports
        .map(({ to }) => to)
        .filter((to) => !isOwn(to) && !to.startsWith('node:'))
        .filter(
          (to) =>
            !(packages[to] ?? []).some((place) => name === place || (place.endsWith('/') && name.startsWith(place))),
        ),
    );
    expect(broken).toEqual([]);
  });

  it('of a command: only by the table that loads it, never by another command or from below', () => {
    const table = files.find(({ name }) => name === 'load-commands.ts')?.imports ?? [];
    const commands = new Set(table.map(({ to }) => to).filter((to) => roomOf(to) === 'commands'));
    expect(commands.size).toBeGreaterThan(5);
    const others = failures(({ name, imports }) =>
      imports
        .filter(({ to, isType }) => !isType && commands.has(to) && name !== 'load-commands.ts')
        .map(({ to }) => to),
    );
    expect(others).toEqual([]);
  });

  it('of the loop reach nothing of node and no package, however many files further on', () => {
    expect(reachedFrom('loop').filter((to) => !isOwn(to))).toEqual([]);
    expect(reachedFrom('loop')).toContain('prd/select.ts');
  });
});

/** All that the value imports of a room reach, own files and others. */
function reachedFrom(room: string): string[] {
  const open = files.filter(({ name }) => roomOf(name) === room).map(({ name }) => name);
  const reached = new Set(open);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const file = files.find((candidate) => candidate.name === name);
    for (const { to, isType } of file?.imports ?? []) {
      if (isType || reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return [...reached];
}

describe('the world is touched in one place each', () => {
  const lines = (pattern: RegExp, allowed: readonly string[]): string[] =>
    failures(({ name, text }) =>
      allowed.includes(name) ? [] : [...withoutComments(text).matchAll(pattern)].map(([found]) => found),
    );

  it.each<[string, RegExp, readonly string[]]>([
    ['standard output and error', /process\.std(?:out|err)\b/g, ['main.ts', 'reporters/writer.ts']],
    ['process.exit', /process\.exit\(/g, ['main.ts']],
    ['child_process', /child_process/g, ['process/spawn.ts']],
    ['console', /\bconsole\./g, []],
  ])('%s', (_, pattern, allowed) => {
    expect(lines(pattern, allowed)).toEqual([]);
  });

  it('nothing is left to do', () => {
    expect(
      failures(({ text }) =>
        [...text.matchAll(/\b(?:TODO|FIXME|XXX)\b|@ts-(?:ignore|expect-error|nocheck)/g)].map(([found]) => found),
      ),
    ).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
