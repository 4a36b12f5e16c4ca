import type { Tokens } from '../loop/events.ts';
import { fieldsOf, numberOf } from './fields.ts';
import type { Fields } from './fields.ts';

export const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheCreation: a.cacheCreation + b.cacheCreation,
  };
}

/** The sum over the models of claude's `modelUsage`; undefined where it names none. */
export function tokensOfModels(models: Fields): Tokens | undefined {
  const each = Object.values(models).map((value): Tokens => {
    const usage = fieldsOf(value);
    return {
      input: numberOf(usage['inputTokens']) ?? 0,
      output: numberOf(usage['outputTokens']) ?? 0,
      cacheRead: numberOf(usage['cacheReadInputTokens']) ?? 0,
      cacheCreation: numberOf(usage['cacheCreationInputTokens']) ?? 0,
    };
  });
  return each.length === 0 ? undefined : each.reduce(addTokens, noTokens);
}

/** The `usage` of one result of claude or amp. */
export function tokensOfUsage(value: unknown): Tokens | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const usage = fieldsOf(value);
  return {
    input: numberOf(usage['input_tokens']) ?? 0,
    output: numberOf(usage['output_tokens']) ?? 0,
    cacheRead: numberOf(usage['cache_read_input_tokens']) ?? 0,
    cacheCreation: numberOf(usage['cache_creation_input_tokens']) ?? 0,
  };
}

/** The `usage` of a turn of codex, whose input includes what came from the cache. */
export function tokensOfCodex(value: unknown): Tokens {
  const usage = fieldsOf(value);
  const cacheRead = numberOf(usage['cached_input_tokens']) ?? 0;
  return {
    input: Math.max(0, (numberOf(usage['input_tokens']) ?? 0) - cacheRead),
    output: numberOf(usage['output_tokens']) ?? 0,
    cacheRead,
    cacheCreation: numberOf(usage['cache_write_input_tokens']) ?? 0,
  };
}
