import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../src/convert/read-document.ts';
import { lintPrd } from '../../../src/prd/lint/lint-prd.ts';
import { parsePrd } from '../../../src/prd/parse-prd.ts';
import { describeSkills } from '../../../src/skills/describe-skills.ts';
import { findSkills, readOwnSkills, skillNames, skillPath } from '../../../src/skills/skill-files.ts';

const own = await readOwnSkills();
const text = (name: (typeof skillNames)[number]): string => own.get(name) ?? '';

describe('the packaged skills', () => {
  it('are all that is in the folder', () => {
    expect(readdirSync(new URL('../../../skills/', import.meta.url)).sort()).toEqual([...skillNames]);
  });

  it.each(skillNames)('%s has a frontmatter that every reader of skills takes', (name) => {
    const [, frontmatter = ''] = /^---\n([^]*?)\n---\n\n# /.exec(text(name)) ?? [];
    const fields = frontmatter.split('\n').map((line) => /^([a-z]+): (.+)$/.exec(line)?.slice(1) ?? [line]);
    expect(fields.map(([key]) => key)).toEqual(['name', 'description']);
    expect(fields[0]?.[1]).toBe(name);
    const description = fields[1]?.[1] ?? '';
    // A plain YAML scalar: no `: `, no ` #`, no character that means something at the start.
    expect(description).toMatch(/^[A-Z]/);
    expect(description).not.toMatch(/: | #/);
    expect(description.length).toBeLessThan(1024);
    expect(description).toMatch(/Use when asked to /);
  });

  it('prd asks with letters, writes one document, and starts nothing', () => {
    expect(text('prd')).toContain('1B 2A 3C');
    expect(text('prd')).toContain('tasks/prd-<feature>.md');
    expect(text('prd')).toContain('Write the document and nothing else');
    const [, shape = ''] = /```markdown\n([^]*?)\n```/.exec(text('prd')) ?? [];
    expect(shape.match(/^##? .+$/gm)).toEqual([
      '# PRD: <Feature>',
      '## Introduction',
      '## Goals',
      '## User Stories',
      '## Functional Requirements',
      '## Non-Goals',
      '## Design Considerations',
      '## Technical Considerations',
      '## Success Metrics',
      '## Open Questions',
    ]);
    expect(shape.match(/^\*\*.+?:\*\*/gm)?.filter((label, index, all) => all.indexOf(label) === index)).toEqual([
      '**Project:**',
      '**Branch:**',
      '**Description:**',
      '**Acceptance Criteria:**',
      '**Depends on:**',
      '**Checks:**',
    ]);
  });

  it('the shape that prd describes is what the converter reads', () => {
    const [, shape = ''] = /```markdown\n([^]*?)\n```/.exec(text('prd')) ?? [];
    const read = readDocument(shape);
    expect(read).toMatchObject({ project: '<name of the project>', branch: 'ralph/<feature>', unplaced: [] });
    expect(read.nonGoals).toHaveLength(1);
    expect(read.stories.map(({ id, dependsOn, checks, criteria }) => [id, dependsOn, checks, criteria.length])).toEqual(
      [
        ['US-001', [], [], 3],
        ['US-002', ['US-001'], ['<command that exits 0 when this story is done>'], 3],
      ],
    );
    for (const { description, remarks } of read.stories) {
      expect([description, remarks]).toEqual([expect.stringMatching(/^As a <who>/), []]);
    }
  });

  it('the example of ralph is one that ralph check finds nothing in', () => {
    const [, example = ''] = /```json\n([^]*?)\n```/.exec(text('ralph')) ?? [];
    const { prd, warnings } = parsePrd(example, 'prd.json');
    expect(warnings).toEqual([]);
    const document = { path: 'tasks/prd-x.md', hasNonGoals: false };
    expect(lintPrd({ prd, gates: ['npm test'], scripts: new Set(['test']), document })).toEqual([]);
  });

  it('ralph shows a valid example, and ends with a checklist and ralph check', () => {
    const [, example = ''] = /```json\n([^]*?)\n```/.exec(text('ralph')) ?? [];
    const { userStories } = JSON.parse(example) as { userStories: { id: string; acceptanceCriteria: string[] }[] };
    for (const { acceptanceCriteria } of userStories) expect(acceptanceCriteria).toContain('Typecheck passes');
    expect(text('ralph').match(/^- \[ \] /gm)?.length).toBeGreaterThan(5);
    expect(text('ralph').indexOf('ralph check')).toBeGreaterThan(text('ralph').lastIndexOf('- [ ]'));
  });
});

describe('findSkills', () => {
  it('tells what is missing, as this version has it, or something else', () => {
    const texts = new Map([
      [skillPath('prd', 'claude'), text('prd').replaceAll('\n', '\r\n')],
      [skillPath('ralph', 'claude'), 'my own'],
    ]);
    expect(findSkills(texts, own)).toEqual([
      { name: 'prd', place: 'claude', path: '.claude/skills/prd/SKILL.md', state: 'current' },
      { name: 'ralph', place: 'claude', path: '.claude/skills/ralph/SKILL.md', state: 'changed' },
      { name: 'prd', place: 'agents', path: '.agents/skills/prd/SKILL.md', state: 'missing' },
      { name: 'ralph', place: 'agents', path: '.agents/skills/ralph/SKILL.md', state: 'missing' },
    ]);
  });
});

describe('describeSkills', () => {
  it('names the places that have any, and what is to be done', () => {
    expect(describeSkills(findSkills(new Map(), own))).toBe('none in this repository (ralph init puts them in)');
    const texts = new Map([
      [skillPath('prd', 'claude'), text('prd')],
      [skillPath('ralph', 'claude'), text('ralph')],
      [skillPath('prd', 'agents'), 'my own'],
    ]);
    expect(describeSkills(findSkills(texts, own))).toBe(
      ".claude/skills: prd, ralph · .agents/skills: prd (not this version's), ralph (missing: ralph init puts it in)",
    );
  });
});

describe('the manifests for Claude Code', () => {
  const read = (file: string): Record<string, unknown> =>
    JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')) as Record<string, unknown>;

  it('say what the package says', () => {
    const { name, version, license } = read('package.json');
    const plugin = read('.claude-plugin/plugin.json');
    expect(plugin).toMatchObject({ name: 'ralph', version, license, skills: './skills/' });
    const marketplace = read('.claude-plugin/marketplace.json');
    expect(marketplace).toMatchObject({ name, plugins: [{ name: 'ralph', source: './' }] });
  });
});
