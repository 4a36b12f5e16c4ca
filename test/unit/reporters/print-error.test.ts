import { expect, it } from 'vitest';
import { RalphError } from '../../../src/errors.ts';
import { printError } from '../../../src/reporters/print-error.ts';
import { recordWrites } from './recording.ts';

it('an error goes to standard error, without the control codes of what it quotes', () => {
  const writer = recordWrites();
  printError(
    writer,
    new RalphError('agent-unavailable', 'claude cannot start', { problems: ['\u001b[31mNot logged in\u001b[0m'] }),
    'x',
  );
  expect(writer.errText()).toBe('ralph: claude cannot start\n  Not logged in\n');
  expect(writer.outText()).toBe('');
});

it('anything else is a bug, with the place to report it', () => {
  const writer = recordWrites();
  printError(writer, new TypeError('boom'), 'https://example.org');
  expect(writer.errText()).toContain('this is a bug in ralph');
  expect(writer.errText()).toContain('TypeError: boom');
  expect(writer.errText()).toContain('https://example.org');
});
