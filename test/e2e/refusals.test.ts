/**
 * Every refusal names what is wrong and the command that cures it. Here each is provoked, that command is taken out of the
 * message and typed into a shell as it was printed, and then nothing refuses any more. The ralph that this shell finds only
 * writes down how it was called, and the call is made in this process: a start of Node for each takes longer than all else.
 */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Refusal } from './refusal.ts';
import { refusals } from './refusals.ts';
import { findCure, typeLine } from './typed.ts';
import type { Place, Typed } from './typed.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** What a shell finds: ralph, nothing that is not listed, and no agent but those of the test. */
const programs = ['sh', 'env', 'git', 'node', 'cp', 'rm', 'mv', 'mkdir', 'sed', 'cat', 'uname'];

function writeProgram(w: World, name: string, script: string): void {
  fs.writeFileSync(path.join(w.bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function prepareShell(w: World): void {
  const lean = w.at('../lean');
  fs.mkdirSync(lean);
  w.sh(programs.map((name) => `ln -s "$(command -v ${name})" '${lean}'`).join('\n'));
  writeProgram(w, 'ralph', `{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; } > '${w.at('../called')}'`);
  // Installs what the test has put aside.
  writeProgram(w, 'npm', 'case "$*" in *claude-code) cp "$0-claude" "${0%npm}claude" ;; esac');
  fs.copyFileSync(path.join(w.bin, 'claude'), path.join(w.bin, 'npm-claude'));
  w.sh('git tag base; mkdir ../fresh; cp -a . ../fresh/repo; cp -a ../home ../fresh');
}

function reset(w: World): void {
  w.sh(`find .. -mindepth 1 -maxdepth 1 ! -name fresh ! -name bin ! -name lean -exec rm -rf {} +
    cp -a ../fresh/. ..; rm -f ../bin/logged-out; cp ../bin/npm-claude ../bin/claude`);
}

/** Runs the script as it was printed, and then what it called ralph for. */
async function shell(w: World, script: string, place: Place): Promise<Typed | undefined> {
  const called = w.at('../called');
  (await w.start(['sh', '-c', script], place).done).exits(0);
  if (!fs.existsSync(called)) return undefined;
  const [cwd = '', count = '0', ...words] = fs.readFileSync(called, 'utf8').split('\0');
  fs.rmSync(called);
  const env = words.slice(Number(count)).map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]);
  return typeLine(words.slice(0, Number(count)), { cwd, env: Object.fromEntries(env) });
}

async function see(w: World, row: Refusal): Promise<void> {
  row.provoke(w);
  const PATH = `${w.bin}${path.delimiter}${w.at('../lean')}`;
  const place = { cwd: w.at(row.at ?? '.'), env: { ...w.env, PATH, ...row.env } };
  const line = row.type ?? 'ralph run --dry-run';
  const words = line.split(' ').slice(1);
  const refused = await typeLine(words, place);
  expect(`${row.name}: ${refused.text}`).toContain(row.says);
  expect(refused.code, refused.text).toBe(row.code ?? 2);
  const cure = findCure(refused.text, row.cure);
  const isWhole = row.isWhole === true || /^export |\bralph (?:-C \S+ )?run\b/u.test(cure);
  const cured = await shell(w, cure.startsWith('export ') ? `${cure}\n${line}` : cure, place);
  const again = isWhole && cured !== undefined ? cured : await typeLine(words, place);
  expect(`${cured?.text} ${again.text}`).not.toContain(row.says);
  expect(again.code, `${row.name}: ${cure}\n${cured?.text}${again.text}`).toBe(row.ends ?? 0);
}

test('what is refused at the start is cured by the command that is named', async () => {
  const waiting = [...refusals];
  const work = async (w: World): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      await see(w, row);
      reset(w);
    }
  };
  const worlds = [1, 2].map(() => createWorld({ stories: [{ passes: true }], files: { '.gitignore': '.ralph\n' } }));
  worlds.forEach(prepareShell);
  await Promise.all(worlds.map(work));
});

test('a loop that works here, one that was cut off, a usage limit: the commands that are named lead on', async () => {
  const w = createWorld({
    agent(a) {
      if (a.call <= 2) return a.stay();
      if (a.call === 3) return a.limit(Math.floor(Date.now() / 1000) + 86_400);
      a.solve();
    },
  });
  writeProgram(w, 'ralph', `exec ${w.command} "$@"`);
  const env = { ...w.env, RALPH_TOOL: 'claude' };
  const place = { cwd: w.repo, env };
  const enter = (script: string, more: object = {}) => w.start(['sh', '-c', script], { env: { ...env, ...more } }).done;
  const first = w.startLoop(1);
  await w.happened('agent.started');
  const locked = (await typeLine(['run', '1'], place)).exits(7);
  (await enter(findCure(locked.text, 'ralph stop --now'))).exits(0);
  expect((await first.done).code).toBe(9);
  const second = w.startLoop(1);
  await w.until('a second agent', () => w.calls().length === 2);
  await second.end('SIGKILL');
  const unsettled = (await typeLine(['archive'], place)).exits(2);
  expect(unsettled.text).toContain('was cut off');
  const run = findCure(unsettled.text, 'ralph run');
  const limited = (await enter(run, { RALPH_ON_LIMIT: 'stop' })).exits(8);
  (await enter(findCure(limited.text, 'ralph run'))).exits(0);
  (await typeLine(['archive'], place)).exits(0);
});
