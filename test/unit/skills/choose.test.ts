import { describe, expect, it } from 'vitest';
import { choosePlaces } from '../../../src/skills/choose-places.ts';
import { chooseSkill } from '../../../src/skills/choose-skill.ts';

const signs = (...names: string[]) => ({
  hasFolder: (name: string) => names.includes(name),
  isOnPath: (command: string) => names.includes(command),
});

describe('choosePlaces', () => {
  it.each([
    ['none', ['.claude', 'amp'], []],
    ['claude', ['.agents'], ['claude']],
    ['agents', ['.claude'], ['agents']],
    [undefined, [], ['claude']],
    [undefined, ['claude'], ['claude']],
    [undefined, ['.claude'], ['claude']],
    [undefined, ['.agents'], ['agents']],
    [undefined, ['amp'], ['agents']],
    [undefined, ['codex'], ['agents']],
    [undefined, ['claude', 'amp'], ['claude', 'agents']],
    [undefined, ['.agents', '.claude'], ['claude', 'agents']],
  ] as const)('%s with %j: %j', (choice, names, places) => {
    expect(choosePlaces(choice, signs(...names))).toEqual(places);
  });
});

describe('chooseSkill', () => {
  const own = new Map([['prd', 'own']] as const);
  const both = new Map([
    ['.claude/skills/prd/SKILL.md', 'claude'],
    ['.agents/skills/prd/SKILL.md', 'agents'],
  ]);

  it('takes the one of the project before that of ralph, and first where the agent looks', () => {
    expect(chooseSkill('prd', 'claude', both, own)).toBe('claude');
    expect(chooseSkill('prd', 'amp', both, own)).toBe('agents');
    expect(chooseSkill('prd', 'amp', new Map([['.claude/skills/prd/SKILL.md', 'claude']]), own)).toBe('claude');
    expect(chooseSkill('prd', 'claude', new Map(), own)).toBe('own');
    expect(chooseSkill('prd', 'claude', new Map([['.claude/skills/prd/SKILL.md', ' \n']]), own)).toBe('own');
  });
});
