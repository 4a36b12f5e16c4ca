// Terminal sequences. OSC and the like run until a terminator, another escape or the end of the line.
const escapes = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join('|'),
  'g',
);
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// oxlint-disable-next-line no-control-regex -- the same, to ask whether there is any
const anyControl = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** A text as it may be shown on a plain screen: no terminal sequences and no control codes but tab and line feed; a lone carriage return is a line break. */
export function displayText(text: string): string {
  // Nearly all lines have none, and there may be millions.
  if (!anyControl.test(text)) return text;
  return text.replace(/\r\n?/g, '\n').replace(escapes, '').replace(controls, '');
}

/** The lines of a text that are not empty, as they may be shown, without white space at their ends. */
export function shownLines(text: string): string[] {
  return displayText(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** At most `max` UTF-16 units of a text, cut between characters, with an ellipsis where something was cut. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${cutBefore(text, max - 1)}…`;
}

/** The first part of a text, at most `max` UTF-16 units long, never with half a character at its end. */
export function cutBefore(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? max - 1 : max);
}
