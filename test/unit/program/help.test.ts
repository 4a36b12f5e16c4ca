import { describe, expect, it } from 'vitest';
import { callRows, settingRows } from '../../../src/config/option-rows.ts';
import { commandNames } from '../../../src/program.ts';
import { call } from './calling.ts';

describe('help', () => {
  it.each([
    [['--help'], /Usage: ralph \[command\] \[options\]/],
    [['-h'], /Usage: ralph \[command\]/],
    [['help'], /Usage: ralph \[command\]/],
    [['run', '--help'], /Usage: ralph run \[iterations\]/],
    [['help', 'status'], /Usage: ralph status/],
    [['status', '-h'], /Usage: ralph status/],
    [['--tool', 'claude', '--help'], /Usage: ralph run/],
    [['10', '--help'], /Usage: ralph run/],
    [['run', '--nonsense', '--help'], /Usage: ralph run/],
    [['run', '--model', '--help'], /Usage: ralph run/],
    [['statsu', '--help'], /Usage: ralph/],
  ])('%j answers and starts nothing', async (argv, usage) => {
    const { out, code, calls } = await call(...argv);
    expect(out).toMatch(usage);
    expect([code, calls]).toEqual([0, []]);
  });

  it('of run names every option with its default, and the exit codes', async () => {
    const { out } = await call('run', '--help');
    for (const row of [...settingRows, ...callRows]) expect(out).toContain(row.flags);
    for (const flags of ['--agent <name>', '--no-gates']) expect(out).toContain(flags);
    const text = out.replaceAll(/\s+/g, ' ');
    const fallbacks = settingRows.map((row) => ({ ...row, fallback: 'default' in row ? row.default : row.otherwise }));
    for (const { help, fallback } of fallbacks.filter((row) => row.fallback !== false)) {
      expect(text).toContain(`${help} (default: ${fallback})`);
    }
    expect(out).toMatch(/130/);
  });

  it('of the whole names every command, and none that is not there', async () => {
    const { out } = await call('--help');
    for (const name of commandNames) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    const [, listed = ''] = /^Commands:\n([^]*?)\n\n/m.exec(out) ?? [];
    const names = [...listed.matchAll(/^  (\w+) /gm)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set([...commandNames, 'help']));
    expect(out.split('\n').every((line) => line.length <= 110)).toBe(true);
  });
});
