import { UsageError } from '../errors.ts';
import type { CheckResult, PrdReading } from './facts.ts';
import { checksOf, describeRed, runAll } from './judge.ts';
import type { LoopOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { RunState } from './run-state.ts';
import { cutOf, stopOfCut } from './stop.ts';
import type { Stop } from './stop.ts';

/**
 * Runs the gates once before any work. A red one ends the start (UsageError with the three ways on), or with `--allow-red`
 * does not bind until it was green once. Returns a stop where the run was cut short meanwhile.
 */
export async function tryGates(ports: Ports, options: LoopOptions, state: RunState): Promise<Stop | undefined> {
  if (options.trust) return undefined;
  for (const gate of options.gates) {
    const result = await ports.gates.run(gate, { iteration: 0, story: undefined, signal: ports.cut });
    const cut = cutOf(ports.cut);
    if (cut !== undefined) return stopOfCut(cut);
    if (result.green) continue;
    if (!options.allowRed) throw redGate(result);
    state.unboundGates.add(gate.name);
    const text = `${describeRed(result)} before any work: it binds from its first green on (--allow-red)`;
    ports.folder.emit({ type: 'warning.raised', text, place: `gate ${gate.name}` });
  }
  return undefined;
}

function redGate(result: CheckResult): UsageError {
  const { name, command } = result.check;
  const tail = result.tail.trimEnd();
  return new UsageError(`the gate ${name} is red before any work: ${describeRed(result)}`, {
    problems: [...(tail === '' ? [] : tail.split('\n').slice(-15)), `its whole output: ${result.log}`],
    cures: [
      `mend it, until this is green: ${command}`,
      'drop it: take it out of "gates" in ralph.config.json, or, without any gate: ralph run --no-gates',
      'start all the same, and let it bind from its first green on: ralph run --allow-red',
    ],
  });
}

export interface WithdrawnStory {
  readonly id: string;
  readonly reason: string;
}

/** Runs the checks of the stories that passed; a red one opens its story again. */
export async function findBrokenStories(
  ports: Ports,
  options: LoopOptions,
  reading: PrdReading,
): Promise<WithdrawnStory[] | Stop> {
  const broken: WithdrawnStory[] = [];
  if (options.trust || options.regressions === 'off') return broken;
  for (const story of reading.prd.stories.filter(({ passes, checks }) => passes && checks.length > 0)) {
    const red = await runAll(ports, checksOf(story, options), { iteration: 0, story: story.id, signal: ports.cut });
    const cut = cutOf(ports.cut);
    if (cut !== undefined) return stopOfCut(cut);
    if (red !== undefined) broken.push({ id: story.id, reason: describeRed(red) });
  }
  return broken;
}
