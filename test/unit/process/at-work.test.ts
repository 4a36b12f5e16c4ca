import { describe, expect, it } from 'vitest';
import { mayBeAtWork, parseWorkers } from '../../../src/process/at-work.ts';
import type { ReadWorkers, Worker } from '../../../src/process/at-work.ts';

const table =
  (...workers: readonly Worker[]): ReadWorkers =>
  (isWanted) =>
    workers.filter(({ name }) => isWanted(name));
const at = (...workers: readonly Worker[]): boolean => mayBeAtWork('git', ['/repo', '/git'], table(...workers));

describe('a program may be at work', () => {
  it.each<[boolean, Worker]>([
    [true, { name: 'git', folder: '/repo' }],
    [true, { name: 'git', folder: '/repo/deep/er' }],
    [true, { name: 'git-remote-http', folder: '/git' }],
    [true, { name: 'git', folder: undefined }],
    [false, { name: 'git', folder: '/repository' }],
    [false, { name: 'git', folder: '/' }],
    [false, { name: 'gitk', folder: '/repo' }],
    [false, { name: 'vim', folder: undefined }],
  ])('%s: %j', (expected, worker) => {
    expect(at({ name: 'sh', folder: '/repo' }, worker)).toBe(expected);
  });

  it('where nothing runs: no; where there is no process table: yes', () => {
    expect(at()).toBe(false);
    expect(mayBeAtWork('git', ['/repo'], () => undefined)).toBe(true);
  });

  it('by name alone in what ps of macOS prints', () => {
    const ps = '/sbin/launchd\n/Applications/My App.app/Contents/MacOS/My App\n/usr/libexec/git-core/git-gc\ngit\n';
    const found = parseWorkers(ps, (name) => name.startsWith('git'));
    expect(found).toEqual([
      { name: 'git-gc', folder: undefined },
      { name: 'git', folder: undefined },
    ]);
  });
});
