import { describe, expect, it } from 'vitest';
import { didYouMean, suggest } from '../../../src/config/suggest.ts';

const options = ['--tool', '--max-iterations', '--max-attempts', '--model', '--json'];

describe('suggest', () => {
  it.each([
    ['--max-iteration', '--max-iterations'],
    ['--tol', '--tool'],
    ['--max', '--max-iterations'],
    ['--maxAttempts', '--max-attempts'],
    ['--MODEL', '--model'],
    ['--jsno', '--json'],
  ])('%s means %s', (word, name) => expect(suggest(word, options)).toBe(name));

  it.each(['', '-', '--x', '--frobnicate'])('nothing is near %j', (word) =>
    expect(suggest(word, options)).toBeUndefined(),
  );

  it('sees two swapped letters as one mistake', () => {
    expect(suggest('statsu', ['start', 'status'])).toBe('status');
    expect(suggest('rnu', ['run', 'init'])).toBe('run');
  });

  it('asks, or says nothing', () => {
    expect(didYouMean('--tol', options)).toBe(' (did you mean --tool?)');
    expect(didYouMean('--frobnicate', options)).toBe('');
  });
});
