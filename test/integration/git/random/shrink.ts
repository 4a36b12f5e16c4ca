import type { Ground } from '../ground.ts';
import { play } from './play.ts';
import type { PlayedTurn, Sequence } from './steps.ts';

/** The shortest sequence found by leaving steps out that still goes wrong. */
export async function shrink(template: Ground, sequence: Sequence): Promise<{ sequence: Sequence; fault: string }> {
  let best = sequence;
  let fault = (await play(template, best)) ?? 'it went wrong once and not again';
  for (let isShorter = true; isShorter;) {
    isShorter = false;
    for (const shorter of listShorter(best)) {
      const found = await play(template, shorter);
      if (found === undefined) continue;
      [best, fault, isShorter] = [shorter, found, true];
      break;
    }
  }
  return { sequence: best, fault };
}

function* listShorter({ seed, turns }: Sequence): Generator<Sequence> {
  for (const at of turns.keys()) yield { seed, turns: turns.filter((_, other) => other !== at) };
  for (const [at, turn] of turns.entries())
    for (const who of ['user', 'agent'] as const)
      for (const step of turn[who].keys()) {
        const shorter: PlayedTurn = { ...turn, [who]: turn[who].filter((_, other) => other !== step) };
        yield { seed, turns: turns.map((old, other) => (other === at ? shorter : old)) };
      }
}

/** As data, for a case of its own. */
export function show({ turns }: Sequence): string {
  return turns
    .map(({ user, agent, end, dies }, at) =>
      [
        `turn ${at + 1}: ${end}${end === 'crash' ? ` after ${dies} calls of git` : ''}`,
        ...user.map(({ script }) => `  user:  ${script}`),
        ...agent.map((step) => `  agent: ${step.script}`),
        `  ${JSON.stringify({ user, agent, end, dies })}`,
      ].join('\n'),
    )
    .join('\n');
}
