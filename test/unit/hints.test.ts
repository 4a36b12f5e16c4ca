import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StopReason } from '../../src/exit.ts';
import { nextSteps } from '../../src/messages.ts';
import { commandNames } from '../../src/program.ts';

const source = path.resolve(import.meta.dirname, '../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const known = new Set<string>([...commandNames, 'help']);

/** The commands that a text tells to type: behind a quote, a colon, `then` or another command. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/(?:^|['"`:,;(]\s*|\bthen(?: again)?:? )ralph (?:-C \S+ )?([a-z]+)/g)].flatMap(
    ([, name]) => name ?? [],
  );
}

describe('the commands that hints name', () => {
  const cures = files.flatMap((name) =>
    [...readFileSync(path.join(source, name), 'utf8').matchAll(/\bcures(?::| =) \[([^\]]*)\]/g)].flatMap(
      ([, text = '']) => commandsIn(text).map((command) => [name, command] as const),
    ),
  );

  it('are found', () => expect(cures.length).toBeGreaterThan(20));

  it('exist, in the cures of errors', () => {
    expect(cures.filter(([, command]) => !known.has(command))).toEqual([]);
  });

  it.each<StopReason>([
    'iterations',
    'usage',
    'blocked',
    'agent-unavailable',
    'budget',
    'stalled',
    'locked',
    'limit',
    'stopped',
    'interrupted',
    'environment',
    'internal',
  ])('exist, behind a run that ended with %s', (reason) => {
    const facts = {
      reason,
      signal: null,
      text: null,
      tool: 't',
      isPromptMode: false,
      stories: 1,
      passed: 0,
      iterations: 1,
      open: [],
    };
    const commands = nextSteps(facts).flatMap(commandsIn);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => !known.has(command))).toEqual([]);
  });
});
