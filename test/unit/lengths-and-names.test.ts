import { describe, expect, it } from 'vitest';
import { failures, files } from './source-files.ts';

/* What AGENTS.md says of how long things are and how they are called, read off the sources. */

/** Longer than the house allows, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {};

describe('length', () => {
  it('files have at most 250 lines', () => {
    expect(
      failures(({ name, text }) =>
        text.split('\n').length - 1 > 250 && !(name in exceptions) ? [`${text.split('\n').length - 1} lines`] : [],
      ),
    ).toEqual([]);
  });

  // From the line that opens a function (a declaration, a method, or a constant that is one) to the brace at the same depth.
  it('functions have at most 60 lines', () => {
    const long = failures(({ name, text }) =>
      functionsOf(text)
        .filter(({ title, lines }) => lines > 60 && !(`${name}#${title}` in exceptions))
        .map(({ title, lines }) => `${title}: ${lines} lines`),
    );
    expect(long).toEqual([]);
  });

  it('functions are found at all', () => {
    expect(files.flatMap(({ text }) => functionsOf(text)).length).toBeGreaterThan(600);
  });
});

interface Measured {
  readonly title: string;
  readonly lines: number;
}

function functionsOf(text: string): Measured[] {
  const lines = text.split('\n');
  return lines.flatMap((line, from) => {
    const [, indent, title] = opening.exec(line) ?? [];
    if (indent === undefined || title === undefined || statements.has(title)) return [];
    // A list of parameters over several lines ends at the depth it began at, and opens the body there.
    const isAtDepth = (other: string, at: number): boolean => at > from && /^\s*/.exec(other)?.[0] === indent;
    const opened = line.endsWith('(') ? lines.findIndex(isAtDepth) : from;
    if (lines[opened]?.endsWith('{') !== true) return [];
    const to = lines.findIndex((other, at) => at > opened && other.startsWith(`${indent}}`));
    return [{ title, lines: to - from + 1 }];
  });
}

/** `function name(`, `const name = (`, `const name = async (` and methods. */
const opening =
  /^(\s*)(?:(?:export|async|static|readonly) )*(?:function\*? |const )?(#?\w+)(?:<.*?>)?(?:: [^=]*)?(?: = (?:async )?(?:<.*?>)?)?\(/;
const statements = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'await', 'throw']);

describe('names', () => {
  it('of files and folders are kebab-case', () => {
    expect(
      files
        .filter(({ name }) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(name))
        .map(({ name }) => name),
    ).toEqual([]);
  });
});
