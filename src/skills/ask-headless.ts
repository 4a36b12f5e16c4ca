import type { OnceEnd, OnceRequest, runOnce } from '../agent/run-once.ts';
import { createPrdPrompt, createSecondPrompt } from './prd-prompt.ts';
import type { PrdPromptFacts } from './prd-prompt.ts';

export interface HeadlessRequest extends Omit<OnceRequest, 'prompt'> {
  readonly facts: PrdPromptFacts;
  /** Is there a document now that wasn't there before? */
  readonly isWritten: () => Promise<boolean>;
  readonly runOnce: typeof runOnce;
}

/** What was said is kept so far, for the second prompt: questions stand at the end. */
const MAX_SAID = 32 * 1024;

/**
 * Has an agent make up the questions, answer them as told and write the document, all in one turn. One that ends with its
 * questions instead gets a second turn, with them and the answers.
 */
export async function askHeadless({ facts, isWritten, runOnce: run, ...rest }: HeadlessRequest): Promise<OnceEnd> {
  let said = '';
  const request: Omit<OnceRequest, 'prompt'> = {
    ...rest,
    onEvent: (event) => {
      if (event.type === 'agent.text') said = `${said}${event.text}\n`.slice(-MAX_SAID);
      rest.onEvent(event);
    },
  };
  const first = await run({ ...request, prompt: createPrdPrompt(facts) });
  if (first.signal !== undefined || first.end.class !== 'ok' || (await isWritten())) return first;
  return run({ ...request, prompt: createSecondPrompt(facts, said) });
}
