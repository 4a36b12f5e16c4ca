import * as fc from 'fast-check';
import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCapture } from '../../../src/run-folder/capture.ts';
import type { CaptureOptions } from '../../../src/run-folder/capture.ts';
import { createFolders } from '../process/support.ts';

const newFolder = createFolders();
const MIB = 1024 * 1024;

function open(more: Partial<CaptureOptions> = {}) {
  const file = path.join(newFolder(), 'output.log');
  const errors: unknown[] = [];
  const capture = openCapture(file, { onError: (error) => errors.push(error), ...more });
  return { file, capture, errors };
}

describe('openCapture', () => {
  it('keeps the first and the last bytes exactly, and says how many are left out', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(20), fc.integer({ min: 1, max: 30 }), chunks, (head, tail, parts) => {
        const { file, capture, errors } = open({ head, tail });
        for (const part of parts) capture.write(part);
        capture.close();
        const all = Buffer.concat(parts);
        const missing = all.length - head - tail;
        const expected =
          missing <= 0
            ? all
            : Buffer.concat([
                all.subarray(0, head),
                Buffer.from(`\n[ralph: ${missing} bytes left out here]\n`),
                all.subarray(-tail),
              ]);
        expect(readFileSync(file).equals(expected)).toBe(true);
        expect(errors).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('can be followed while it is written', () => {
    const { file, capture } = open();
    capture.write(Buffer.from([0x61, 0, 0xff]));
    expect([...readFileSync(file)]).toEqual([0x61, 0, 0xff]);
    capture.close();
  });

  it('is 8 MiB and 56 MiB large, with flat memory and a bounded file, whatever comes', () => {
    const { file, capture } = open();
    const chunk = Buffer.alloc(MIB);
    const before = process.memoryUsage.rss();
    for (let i = 0; i < 200; i += 1) {
      chunk.fill(i);
      capture.write(chunk);
    }
    expect(statSync(file).size).toBe(64 * MIB);
    capture.close();
    expect(process.memoryUsage.rss() - before).toBeLessThan(40 * MIB);
    const kept = readFileSync(file);
    const marker = Buffer.from(`\n[ralph: ${136 * MIB} bytes left out here]\n`);
    expect(kept.length).toBe(64 * MIB + marker.length);
    expect([kept[0], kept[8 * MIB - 1]]).toEqual([0, 7]);
    expect(kept.subarray(8 * MIB, 8 * MIB + marker.length).equals(marker)).toBe(true);
    expect([kept[8 * MIB + marker.length], kept.at(-1)]).toEqual([144, 199]);
  });

  it('brings a deleted file back', () => {
    const { file, capture } = open();
    capture.write(Buffer.from('before '));
    rmSync(path.dirname(file), { recursive: true });
    capture.write(Buffer.from('after'));
    capture.close();
    expect(readFileSync(file, 'utf8')).toBe('before after');
  });

  it('takes nothing after the end, and does not mind a second one', () => {
    const { file, capture, errors } = open();
    capture.close();
    capture.write(Buffer.from('late'));
    capture.close();
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(errors).toEqual([]);
  });

  it('never overwrites', () => {
    const { file, capture } = open();
    capture.close();
    expect(() => openCapture(file, { onError: () => {} })).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  });
});
