/** The longest start of a text that has at most so many bytes of UTF-8, cut between characters. */
export function cutHead(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && isInside(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** The longest end of a text that has at most so many bytes of UTF-8, cut between characters. */
export function cutTail(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let start = bytes.length - maxBytes;
  while (isInside(bytes[start])) start += 1;
  return bytes.toString('utf8', start);
}

/** Is this a byte of a character that is not its first? */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
