/** A place in a text as editors count: both from 1, the column in characters, a byte order mark not counted. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The innermost object, list or text that had not ended where the error is. */
export interface OpenPart {
  readonly kind: 'object' | 'list' | 'text';
  readonly at: TextPosition;
}

/** Text that is no JSON. `message` is one sentence without the place; the place is in the fields. */
export class JsonSyntaxError extends Error {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly found: string;
  readonly open: OpenPart | undefined;

  constructor(facts: {
    text: string;
    offset: number;
    expected: string;
    found: string;
    open: { kind: OpenPart['kind']; start: number } | undefined;
    hint: string | undefined;
  }) {
    const open = facts.open && { kind: facts.open.kind, at: positionOf(facts.text, facts.open.start) };
    const hint = facts.hint === undefined ? '' : ` (${facts.hint})`;
    const still =
      open && `; the ${open.kind} that begins at line ${open.at.line} column ${open.at.column} is still open`;
    super(`expected ${facts.expected}, but found ${facts.found}${hint}${still ?? ''}`);
    this.name = 'JsonSyntaxError';
    const { line, column } = positionOf(facts.text, facts.offset);
    this.offset = facts.offset;
    this.line = line;
    this.column = column;
    this.expected = facts.expected;
    this.found = facts.found;
    this.open = open;
  }
}

/** Line and column of an offset. A line ends with LF, CR LF or a lone CR. */
export function positionOf(text: string, offset: number): TextPosition {
  let line = 1;
  let lineStart = text.startsWith('\uFEFF') ? 1 : 0;
  const breaks = /\r\n|\r|\n/g;
  for (let match = breaks.exec(text); match !== null && breaks.lastIndex <= offset; match = breaks.exec(text)) {
    line += 1;
    lineStart = breaks.lastIndex;
  }
  return { line, column: text.slice(lineStart, offset).replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, '_').length + 1 };
}
