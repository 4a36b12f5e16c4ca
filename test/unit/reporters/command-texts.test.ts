import { describe, expect, it } from 'vitest';
import { renderOutput } from '../../../src/reporters/agent-output.ts';
import { renderArchives } from '../../../src/reporters/archive-text.ts';
import { renderCleaning } from '../../../src/reporters/clean-run-text.ts';
import { renderDoctor } from '../../../src/reporters/doctor-text.ts';
import { createPalette } from '../../../src/reporters/palette.ts';
import { renderAbsent, renderSetupHint, renderTail, renderVerifyEnd } from '../../../src/reporters/verify-text.ts';

const plain = createPalette(0);

describe('an agent output event', () => {
  it('is clean lines; what goes on in silence is nothing', () => {
    expect(renderOutput({ kind: 'text', text: '\u001b[31ma\rb\u0007' }, plain)).toBe('a\nb\n');
    expect(renderOutput({ kind: 'tool', name: 'Bash', summary: 'ls' }, plain)).toBe('Bash ls\n');
    expect(renderOutput({ kind: 'tool', name: 'Bash', summary: '' }, plain)).toBe('Bash\n');
    expect(renderOutput({ kind: 'turn' }, plain)).toBe('');
  });
});

describe('the list of archives', () => {
  it('never cuts a name, however narrow the screen is', () => {
    const name = `2026-01-01-${'x'.repeat(80)}`;
    const text = renderArchives(
      [{ name, date: undefined, branch: '\u001b[2J', stories: { passed: 1, all: 3 } }],
      'archive',
      40,
    );
    expect(text).toContain(name);
    expect(text).toMatch(/1\/3\n$/);
    expect(text).not.toContain('\u001b');
  });
});

describe('what clean says', () => {
  it('has a line for each thing, and a sum', () => {
    const runs = [
      { id: 'a', hasFolder: true, refs: ['refs/ralph/a/001'] },
      { id: 'b', hasFolder: false, refs: ['refs/ralph/b/001'] },
    ];
    expect(renderCleaning(runs, false, '30d')).toBe(
      'removed .ralph/runs/a\nremoved refs/ralph/a/001\nremoved refs/ralph/b/001\nRemoved 2 runs and 2 rescue refs.\n',
    );
    expect(renderCleaning([], true, '0')).toBe('Nothing to remove: no run here has ended.\n');
  });
});

describe('what verify says', () => {
  const none = { changed: [], untracked: [], ignored: [], submodules: [], setup: undefined };

  it('names ten of what is missing, and the count of the rest', () => {
    const ignored = Array.from({ length: 12 }, (_, index) => `f${index}`);
    expect(renderAbsent({ ...none, ignored })).toMatch(/f0, .*, f9 and 2 more\n$/);
    expect(renderAbsent(none)).toBe('');
  });

  it('hints at a setup only where none is set and something is ignored or a submodule', () => {
    expect(renderSetupHint({ ...none, ignored: ['x'] })).toMatch(/"verify": \{ "setup": "npm ci" \}/);
    expect(renderSetupHint({ ...none, submodules: ['x'] })).toMatch(/git submodule update/);
    expect(renderSetupHint({ ...none, untracked: ['x'] })).toBe('');
    expect(renderSetupHint({ ...none, ignored: ['x'], setup: 'npm ci' })).toBe('');
  });

  it('a tail is indented and clean', () => expect(renderTail('\u001b[31ma\n\nb\n')).toBe('    a\n    b\n'));

  it('ends with what holds, or what does not', () => {
    const end = { gates: 1, checks: 2, passed: 1, unchecked: [], red: [] };
    expect(renderVerifyEnd(end)).toBe('HEAD holds: 1 gate, 2 checks of 1 passed story.\n');
    expect(renderVerifyEnd({ ...end, red: ['gate x is red'] })).toMatch(/^HEAD does not hold: gate x is red/);
    expect(renderVerifyEnd({ ...end, gates: 0, checks: 0 })).toMatch(/^claimed, not verified/);
  });
});

describe('what doctor says', () => {
  const facts = {
    facts: [{ name: 'git', text: '2.40' }],
    agents: [],
    gates: [],
    settings: [],
    warnings: [],
    causes: [],
    code: 0,
  };

  it('has each setting on one line, whatever is in it', () => {
    const settings = [
      { name: 'a', value: 'x\ny', source: 'default' },
      { name: 'longer', value: '1', source: 'ralph.config.json' },
    ];
    expect(renderDoctor({ ...facts, settings }, plain)).toMatch(
      /\n {2}a {7}x y {2}default\n {2}longer {2}1 {4}ralph\.config\.json\n/,
    );
  });

  it('ends with the causes, their cures and the exit code', () => {
    const causes = [{ headline: 'bad', problems: ['p1\np2'], cures: ['ralph init'] }];
    expect(renderDoctor({ ...facts, causes, code: 2 }, plain)).toMatch(
      /✗ bad\n {4}p1\n {4}p2\n {4}Try: ralph init\nA run started now would end with exit 2\.\n$/,
    );
  });
});
