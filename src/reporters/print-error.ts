import { RalphError } from '../errors.ts';
import { renderBug, renderError } from '../messages.ts';
import { cleanText } from './clean-text.ts';
import type { Writer } from './writer.ts';

/**
 * Prints what was thrown on standard error, without control codes: the sentence of a RalphError, or for anything else that
 * it is a bug and where to report it.
 */
export function printError(writer: Writer, error: unknown, reportAt: string): void {
  writer.err(cleanText(error instanceof RalphError ? renderError(error) : renderBug(error, reportAt)));
}
