import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createWriter } from '../../../src/reporters/writer.ts';

type Done = (error?: Error | null) => void;

/** A stream whose reader takes what it is given only when asked to. */
class SlowStream extends EventEmitter {
  readonly written: string[] = [];
  readonly waiting: Done[] = [];
  writableLength = 0;
  failure: Error | undefined;

  write(text: string, done: Done): boolean {
    if (this.failure !== undefined) throw this.failure;
    this.written.push(text);
    this.waiting.push(done);
    return false;
  }

  take(error?: Error): void {
    for (const done of this.waiting.splice(0)) done(error ?? null);
  }
}

function setUp(maxWaiting?: number) {
  const stdout = new SlowStream();
  const stderr = new SlowStream();
  return {
    stdout,
    stderr,
    writer: createWriter({ stdout, stderr, ...(maxWaiting === undefined ? {} : { maxWaiting }) }),
  };
}

const brokenPipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

describe('the writer', () => {
  it('writes each text to its own stream, as it is', () => {
    const { stdout, stderr, writer } = setUp();
    writer.out('a\n');
    writer.err('b');
    writer.out('');
    expect([stdout.written, stderr.written]).toEqual([['a\n'], ['b']]);
  });

  it('goes on in silence when the reader of stdout goes away, and stderr still works', async () => {
    const { stdout, stderr, writer } = setUp();
    writer.out('a');
    stdout.take(brokenPipe);
    expect(() => stdout.emit('error', brokenPipe)).not.toThrow();
    writer.out('b');
    writer.err('c');
    stderr.take();
    await writer.flush();
    expect([stdout.written, stderr.written]).toEqual([['a'], ['c']]);
  });

  it('goes on when a destroyed stream throws', async () => {
    const { stdout, writer } = setUp();
    stdout.failure = new Error('write after end');
    expect(() => writer.out('a')).not.toThrow();
    stdout.failure = undefined;
    writer.out('b');
    await writer.flush();
    expect(stdout.written).toEqual([]);
  });

  it('flush waits until everything is handed over', async () => {
    const { stdout, writer } = setUp();
    writer.out('a');
    let isFlushed = false;
    const flushed = (async () => {
      await writer.flush();
      isFlushed = true;
    })();
    await Promise.resolve();
    expect(isFlushed).toBe(false);
    stdout.take();
    await flushed;
    expect(isFlushed).toBe(true);
  });

  it('flush ends when the reader goes away, and in any case after its limit', async () => {
    const { stdout, writer } = setUp();
    writer.out('a');
    const flushed = writer.flush();
    stdout.emit('error', brokenPipe);
    await flushed;

    const stuck = setUp();
    stuck.writer.out('a');
    await stuck.writer.flush(1);
    expect(stuck.stdout.waiting).toHaveLength(1);
  });

  it('leaves out what a stalled reader does not take, says so once on stderr, and goes on when it takes again', () => {
    const { stdout, stderr, writer } = setUp(100);
    stdout.writableLength = 101;
    writer.out('lost\n');
    writer.out('lost, too\n');
    stdout.writableLength = 0;
    writer.out('seen\n');
    expect(stdout.written).toEqual(['seen\n']);
    expect(stderr.written).toEqual([
      'ralph: the reader of the output is too slow; some of it is left out here, the run folder has all of it\n',
    ]);
  });
});
