/**
 * Log text that holds bytes which are no UTF-8: such a byte stands in the string as a lone surrogate, U+DC80 to U+DCFF, which
 * no valid UTF-8 gives. So text can be cut and joined as strings and becomes the same bytes again.
 */
const FIRST = 0xdc00;

/** Bytes as text; the byte order mark stays. */
export function decodeLog(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const plain = buffer.toString('utf8');
  return plain.includes('\uFFFD') ? decodeDamaged(buffer) : plain;
}

/** The bytes of a text from `decodeLog`, or of any text. */
export function encodeLog(text: string): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  for (const match of text.matchAll(/\p{Cs}+/gu)) {
    parts.push(Buffer.from(text.slice(start, match.index)));
    parts.push(Buffer.from(Array.from(match[0], byteOf)));
    start = match.index + match[0].length;
  }
  return parts.length === 0 ? Buffer.from(text) : Buffer.concat([...parts, Buffer.from(text.slice(start))]);
}

/** Text for people and prompts: what is no UTF-8 is shown as U+FFFD. */
export function showLog(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}

function byteOf(unit: string): number {
  const code = unit.charCodeAt(0) - FIRST;
  return code >= 0x80 && code <= 0xff ? code : 0x3f;
}

/** Reads the longest valid runs between the bytes that are none. */
function decodeDamaged(buffer: Buffer): string {
  let text = '';
  let valid = 0;
  for (let at = 0; at < buffer.length;) {
    const length = characterLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += buffer.toString('utf8', valid, at) + String.fromCharCode(FIRST + (buffer[at] ?? 0));
    at += 1;
    valid = at;
  }
  return text + buffer.toString('utf8', valid);
}

/** How many bytes the valid UTF-8 character at an offset has; 0 where none begins. */
function characterLength(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > buffer.length) return 0;
  for (let next = 1; next < length; next += 1) {
    const byte = buffer[at + next] ?? 0;
    const [low, high] = next === 1 ? secondByteRange(first) : [0x80, 0xbf];
    if (byte < low || byte > high) return 0;
  }
  return length;
}

/** Shuts out overlong forms, surrogates and what lies behind U+10FFFF (RFC 3629). */
function secondByteRange(first: number): [number, number] {
  switch (first) {
    case 0xe0:
      return [0xa0, 0xbf];
    case 0xed:
      return [0x80, 0x9f];
    case 0xf0:
      return [0x90, 0xbf];
    case 0xf4:
      return [0x80, 0x8f];
    default:
      return [0x80, 0xbf];
  }
}
