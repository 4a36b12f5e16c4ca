import { describe, expect, it } from 'vitest';
import { parsePs } from '../../../src/process/ps-table.ts';

const table = [
  '    1     0     1 Ss   /sbin/launchd',
  '  100     1   100 Ss   node ralph run',
  '  101   100   100 S    node worker',
  '  200     1   200 S    sleep 50',
  '  201     1   200 Z    (sleep)',
  '  300     1   300 S    grep RALPH_RUN_ID=run-1',
  '  400     1   400 S    sleep 60',
  '  500     1   500 S    sleep 70',
].join('\n');
const environments = [
  '  100 node ralph run RALPH_RUN_ID=run-1 HOME=/Users/a',
  '  101 node worker RALPH_RUN_ID=run-1',
  '  200 sleep 50 HOME=/Users/a',
  '  300 grep RALPH_RUN_ID=run-1 HOME=/Users/a',
  '  400 sleep 60 HOME=/Users/a RALPH_RUN_ID=run-1',
  '  500 sleep 70 RALPH_RUN_ID=run-10 X=RALPH_RUN_ID=run-1',
].join('\n');

describe('parsePs', () => {
  it('finds who carries exactly the id in the environment, without this process and its ancestors', () => {
    expect(parsePs({ table, environments }, { run: 'run-1' }, 101)).toEqual([
      { pid: 400, group: 400, command: 'sleep 60' },
    ]);
  });

  it('finds the members of a group, but no zombie', () => {
    expect(parsePs({ table, environments }, { group: 200 }, 101).map(({ pid }) => pid)).toEqual([200]);
  });
});
