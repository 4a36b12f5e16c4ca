/** A text without what it only quotes: inline code and words in quotes. Each becomes `…`. */
export function withoutQuotes(text: string): string {
  return text
    .replace(/`+[^`]*`+/g, '…')
    .replace(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/g, '…')
    .replace(/(^|[\s(:])'[^']*'(?=$|[\s.,;:)])/g, '$1…');
}

/**
 * Does a criterion name something that can be looked up: a number, a quoted text, code, a path, a format like YYYY-MM-DD, a
 * list in parentheses or behind a colon?
 */
export function isConcrete(text: string): boolean {
  return (
    /\d|`[^`]+`|"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»/.test(text) ||
    /(?:^|[\s(:])'[^']+'(?:$|[\s.,;:)])/.test(text) ||
    /\b[A-Z]{2,}[-_][A-Z_-]+\b|\b[\w-]+\/[\w-]+|\b\w+\.(?:[a-z]{2,4})\b(?!\s*$)/.test(text) ||
    /:\s+\S+(?:\s+\S+){2,}|\((?:[^)]*,){1,}[^)]*\)|\(e\.g\./.test(text)
  );
}

/** A text for comparing: lower case, only letters and digits, single blanks. */
export function simplify(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A text in a message: at most so many characters. */
export function quote(text: string, limit = 60): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = Array.from(line);
  return `"${letters.length > limit ? `${letters.slice(0, limit - 1).join('')}…` : line}"`;
}
