/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Dice {
  /** 0 up to but not including `sides`. */
  roll(sides: number): number;
  pick<T>(things: readonly [T, ...T[]]): T;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const roll = (sides: number): number => Math.floor(next() * sides);
  return { roll, pick: (things) => things[roll(things.length)] ?? things[0] };
}
