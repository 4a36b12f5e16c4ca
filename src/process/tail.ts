/** The end of a stream of bytes. */
export interface Tail {
  write(chunk: Uint8Array): void;
  /** As text, cut between characters; what is no UTF-8 shows as U+FFFD. */
  text(): string;
}

/** Keeps the last `limit` bytes; holds at most twice as many, however large or small the chunks are. */
export function createTail(limit: number): Tail {
  const ring = Buffer.alloc(limit * 2);
  let end = 0;
  let cut = false;
  const write = (chunk: Uint8Array): void => {
    const part = chunk.length > limit ? chunk.subarray(chunk.length - limit) : chunk;
    if (end + part.length > ring.length) {
      ring.copyWithin(0, end - limit, end);
      end = limit;
    }
    cut ||= part.length < chunk.length || end + part.length > limit;
    ring.set(part, end);
    end += part.length;
  };
  const text = (): string => {
    const start = Math.max(0, end - limit);
    return ring.toString('utf8', cut ? start + halfCharacter(ring.subarray(start, end)) : start, end);
  };
  return { write, text };
}

/** How many bytes at the start belong to a character whose beginning is missing: at most three, in UTF-8. */
function halfCharacter(bytes: Uint8Array): number {
  const first = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return first === -1 ? Math.min(3, bytes.length) : first;
}
