import { JsonSyntaxError } from '../../json/json-syntax-error.ts';
import { formatPlace, valueOf } from '../../json/json-tree.ts';
import type { JsonDocument } from '../../json/json-tree.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { PrdReading } from '../../loop/ports.ts';
import { quoteWord } from '../../shell-words.ts';
import { parsePrd } from '../parse-prd.ts';
import type { PrdProblem } from '../problem.ts';
import { validatePrd } from '../validate-prd.ts';
import type { Remark } from './types.ts';

/** What is to be said of the text of a prd.json before any rule looks at it. */
export interface Inspection {
  /** Present exactly where there is no error. */
  readonly reading: PrdReading | undefined;
  readonly errors: readonly Remark[];
  readonly warnings: readonly Remark[];
}

const reasons = {
  syntax: {
    why: 'Nothing can be read from a file that is no JSON.',
    mend: 'Mend the text at this place.',
  },
  shape: {
    why: 'ralph reads only the format of prd.json.',
    // The name of the file is put in.
    mend: "Turn another tool's list into this format: ralph convert ",
  },
  schema: {
    why: 'ralph run refuses a file that can be understood in two ways.',
    mend: 'Give the key the value that belongs there.',
  },
  dependencies: {
    why: 'A story that waits for what can never pass is never worked on.',
    mend: 'Name ids that are in the file, and leave out one side of a circle.',
  },
  format: {
    why: 'What ralph does not read, or has to guess, may not be what was meant.',
    mend: 'Write it as it is meant.',
  },
} as const;

/** Syntax, format and dependencies of the text of a prd.json. `name` is the file as messages call it. Never throws for a text. */
export function inspectPrd(text: string, name: string): Inspection {
  let document: JsonDocument;
  try {
    document = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const place = `${name}:${error.line}:${error.column}`;
    return { reading: undefined, errors: [remark('syntax', place, error.message)], warnings: [] };
  }
  const { problems, warnings } = validatePrd(valueOf(document.root));
  const errors = problems
    .map((problem) => remark(kindOf(problem), formatPlace(problem.path), problem.text))
    .map((found) => (found.rule === 'shape' ? { ...found, mend: `${found.mend}${quoteWord(name)}` } : found));
  const reading = errors.length === 0 ? parsePrd(text, name) : undefined;
  return {
    reading,
    errors,
    warnings: (reading?.warnings ?? warnings).map((warning) => remark('format', warning.place, warning.text)),
  };
}

function kindOf({ path, isShape }: PrdProblem): keyof typeof reasons {
  if (isShape === true) return 'shape';
  return path.includes('dependsOn') ? 'dependencies' : 'schema';
}

function remark(rule: keyof typeof reasons, place: string, text: string): Remark {
  return { rule, place, text, ...reasons[rule] };
}
