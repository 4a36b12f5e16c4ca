import { describe, expect, it } from 'vitest';
import { chooseColorLevel, createPalette } from '../../../src/reporters/palette.ts';

describe('chooseColorLevel', () => {
  it.each([
    ['a terminal', {}, 1],
    ['no terminal', { isTerminal: false }, 0],
    ['--no-color before everything', { noColor: true, env: { FORCE_COLOR: '1' } }, 0],
    ['NO_COLOR', { env: { NO_COLOR: '1' } }, 0],
    ['an empty NO_COLOR is not set', { env: { NO_COLOR: '' } }, 1],
    ['FORCE_COLOR without a terminal', { isTerminal: false, env: { FORCE_COLOR: '1' } }, 1],
    ['FORCE_COLOR before NO_COLOR', { env: { FORCE_COLOR: 'true', NO_COLOR: '1' } }, 1],
    ['FORCE_COLOR=0', { env: { FORCE_COLOR: '0' } }, 0],
    ['FORCE_COLOR=false', { env: { FORCE_COLOR: 'false' } }, 0],
    ['FORCE_COLOR=2', { env: { FORCE_COLOR: '2' } }, 2],
    ['FORCE_COLOR=3', { env: { FORCE_COLOR: '3' } }, 3],
    ['an empty FORCE_COLOR is not set', { isTerminal: false, env: { FORCE_COLOR: '' } }, 0],
    ['TERM=dumb', { env: { TERM: 'dumb' } }, 0],
  ])('%s', (_, facts, level) => {
    expect(chooseColorLevel({ noColor: false, isTerminal: true, env: {}, ...facts })).toBe(level);
  });
});

describe('createPalette', () => {
  it('paints with colours on, and gives text back with colours off', () => {
    expect(createPalette(1).bad('x')).toBe('\u001b[31mx\u001b[39m');
    expect(Object.values(createPalette(0)).map((paint) => paint('x'))).toEqual(Array(9).fill('x'));
  });
});
