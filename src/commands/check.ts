import { suggest } from '../config/suggest.ts';
import { UsageError } from '../errors.ts';
import { decodeUtf8 } from '../json/read-file.ts';
import type { PrdFile } from '../loop/ports.ts';
import { inspectPrd } from '../prd/lint/inspect-prd.ts';
import { lintPrd } from '../prd/lint/lint-prd.ts';
import { rules } from '../prd/lint/rules.ts';
import { renderCheck } from '../reporters/check-text.ts';
import type { CheckReport } from '../reporters/check-text.ts';
import { lookAtScreen } from '../reporters/create-reporter.ts';
import { createPalette } from '../reporters/palette.ts';
import { exitCodeOf } from '../exit.ts';
import type { Settings } from '../config/settings.ts';
import { chooseGates } from '../project/choose-gates.ts';
import { requirePrdFile } from '../project/find-prd-file.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import { gatherLintFacts } from '../project/lint-facts.ts';
import type { CheckOptions, CommandIo } from './types.ts';

/**
 * Looks at prd.json as a worker without memory will: what is wrong in its format, and what makes a story hard to finish.
 * Writes nothing. Gives 0, and 2 where there is an error, or with `--strict` a warning. Throws UsageError where there is no
 * file, or the config names a rule that does not exist.
 */
export async function check(options: CheckOptions, io: CommandIo): Promise<number> {
  const place = await findPlace(options.cwd, io);
  const named = options.file === undefined ? {} : { prd: { value: options.file, source: 'check' } };
  const resolved = await loadSettings(place, { ...options.given, ...named }, io.env);
  verifyRules(resolved.settings.check.off);
  const report = await inspectFile(place, resolved.settings, await requirePrdFile(place, resolved));
  if (options.json) io.writer.out(`${JSON.stringify(report, null, 2)}\n`);
  else {
    const { color } = lookAtScreen(io.screen, io.env, options.noColor);
    io.writer.out(renderCheck(report, createPalette(color)));
  }
  const isBad = report.errors.length > 0 || (options.strict && report.warnings.length > 0);
  return isBad ? exitCodeOf('usage') : 0;
}

/** Errors and warnings of one file. */
export async function inspectFile(
  place: Place,
  settings: Pick<Settings, 'gates' | 'check'>,
  file: PrdFile,
): Promise<CheckReport> {
  const bytes = await file.raw();
  const text = bytes === undefined ? undefined : decodeUtf8(bytes);
  // What is missing, a folder or no UTF-8 the reader says best.
  if (text === undefined) await file.read();
  const { reading, errors, warnings } = inspectPrd(text ?? '', file.path);
  if (reading === undefined) return { v: 1, file: file.path, errors, warnings };
  const gates = await chooseGates(place, settings);
  const remarks = lintPrd(
    await gatherLintFacts(place, { prd: reading.prd, path: file.path, gates }),
    settings.check.off,
  );
  return { v: 1, file: file.path, errors, warnings: [...warnings, ...remarks] };
}

function verifyRules(off: readonly string[]): void {
  const known = rules.map(({ name }) => name);
  const problems = off.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const meant = suggest(name, known);
    return [
      `check.off[${index}]: there is no rule ${JSON.stringify(name)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`,
    ];
  });
  if (problems.length === 0) return;
  throw new UsageError('ralph.config.json switches off rules that do not exist', {
    problems,
    cures: [`the rules: ${known.join(', ')}`],
  });
}
