/**
 * Text from outside (agents, commands, files) made harmless for a screen: no escape sequences and no other control
 * characters, so that nothing can move the cursor, change colours or pass itself off as a line of ralph's own.
 */

const esc = String.raw`\u001b`;
const sequences = new RegExp(
  [
    // titles, links and other strings with an end of their own; one that never ends goes up to the end of its line
    String.raw`(?:${esc}[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u009c|${esc}\\)?`,
    // colours, cursor moves, modes
    String.raw`(?:${esc}\[|\u009b)[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]?`,
    // everything else that starts with an escape
    String.raw`${esc}[\u0020-\u002f]*[\u0030-\u007e]?`,
  ].join('|'),
  'gu',
);
// Marks that turn the direction of writing around can make a line read as another one.
const controls = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Strips control codes; CR LF and a lone CR become line feeds, tabs stay. */
export function cleanText(text: string): string {
  return text.replace(sequences, '').replace(/\r\n?/gu, '\n').replace(controls, '');
}

/** The clean lines of a text, without an empty one for its final line feed. */
export function cleanLines(text: string): string[] {
  const lines = cleanText(text).split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** A text as one clean line: every run of white space is one blank. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, ' ').trim();
}
