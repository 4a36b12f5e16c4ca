import type { GateSetting } from './settings.ts';

/** A gate as it is written down: a command, or an object with more about it. */
export type WrittenGate = string | { name?: string | undefined; run: string; timeout?: number | undefined };

const RUNNER = /^(?:npm|pnpm|yarn|bun)\s+(?:(?:run|run-script|--silent|-s)\s+)*(?=[\w:.-]+$)/;
const LONGEST = 40;

/** Gives each gate without a name one that is made from its command; a name in use gets `-2`, `-3`…. */
export function nameGates(gates: readonly WrittenGate[]): GateSetting[] {
  const taken = new Set(
    gates.flatMap((gate) => (typeof gate === 'string' || gate.name === undefined ? [] : [gate.name])),
  );
  return gates.map((gate) => {
    const { name, run, timeout } = typeof gate === 'string' ? { run: gate, name: undefined, timeout: undefined } : gate;
    return { name: name ?? takeName(run, taken), run, timeout };
  });
}

function takeName(command: string, taken: Set<string>): string {
  const base = shorten(command);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  taken.add(name);
  return name;
}

/** `npm run lint` → `lint`, `cargo test` → `cargo-test`. */
function shorten(command: string): string {
  const words = command.trim().replace(RUNNER, '');
  const name = words
    .replaceAll(/[^A-Za-z0-9._:-]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return name === '' ? 'gate' : name;
}
