import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/git/repository.ts';
import { findFeature, findOldFeature, nameBranch } from '../../../src/run/old-feature.ts';
import type { OldFeature } from '../../../src/run/old-feature.ts';
import { createWorld } from '../commands/world.ts';
import type { World } from '../commands/world.ts';

let w: World;
beforeEach(() => {
  w = createWorld();
});
afterEach(() => w.dispose());

const prdOf = (branchName: string | undefined, mark = ''): string =>
  JSON.stringify({ branchName, mark, userStories: [] });
const logOf = (branch: string | undefined, entry = '## x\n- old\n'): string =>
  `# Ralph Progress Log\n${branch === undefined ? '' : `Branch: ${branch}\n`}Started: x\n---\n\n${entry}`;
const bytes = (text: string): Buffer => Buffer.from(text);
const feature = (log?: string, prd = 'prd.json'): string | undefined =>
  findFeature(w.root, { prd, log: log === undefined ? undefined : bytes(log) });
const find = async (branch: string | undefined, log?: string): Promise<OldFeature | undefined> =>
  findOldFeature(
    await openRepository(w.root, w.io.env),
    { prd: 'prd.json', log: log === undefined ? undefined : bytes(log) },
    branch,
  );
const shown = (old: OldFeature | undefined): unknown =>
  old?.sources.map(({ branch, prd, log }) => [
    branch,
    prd && Buffer.from(prd).toString(),
    log && Buffer.from(log).toString(),
  ]);

describe('the feature under way', () => {
  it('is that of the copies, else of the log, else of .last-branch', () => {
    expect(feature()).toBeUndefined();
    w.write('.last-branch', ' \uFEFF ralph/last \r\n'.replace('\uFEFF ', ''));
    expect(feature()).toBe('ralph/last');
    expect(feature(logOf(undefined))).toBe('ralph/last');
    expect(feature(logOf('  ralph/log \r'))).toBe('ralph/log');
    w.write('.ralph/active/prd.json', prdOf(' ralph/active '));
    expect(feature(logOf('ralph/log'))).toBe('ralph/active');
  });

  it('.last-branch lies beside the PRD', () => {
    w.write('scripts/ralph/.last-branch', 'ralph/last');
    expect(feature(undefined, 'scripts/ralph/prd.json')).toBe('ralph/last');
    expect(feature()).toBeUndefined();
  });

  it('of a copy without branchName is that of the log beside it', () => {
    w.write('.ralph/active/prd.json', prdOf(undefined));
    w.write('.ralph/active/progress.txt', logOf('mine'));
    expect(feature(logOf('other'))).toBe('mine');
  });

  it('is none behind ralph archive, whatever .last-branch says', () => {
    w.write('.last-branch', 'ralph/last');
    expect(feature(logOf('none yet'))).toBeUndefined();
  });

  it('what can not be read tells nothing', () => {
    w.write('.last-branch/x', '');
    w.write('.ralph/active/prd.json/x', '');
    expect(feature()).toBeUndefined();
  });
});

describe('what is archived', () => {
  it('is nothing where the feature goes on, or where none was under way', async () => {
    expect(await find('ralph/b')).toBeUndefined();
    w.write('.ralph/active/prd.json', prdOf('ralph/b'));
    expect(await find('ralph/b', logOf('ralph/a'))).toBeUndefined();
  });

  it('is the copy of the PRD, never the one in place, and the log in place', async () => {
    w.write('.ralph/active/prd.json', prdOf('ralph/a', 'copy'));
    w.write('prd.json', prdOf('ralph/b'));
    const log = logOf('ralph/a');
    expect(shown(await find('ralph/b', log))).toEqual([['ralph/a', prdOf('ralph/a', 'copy'), log]]);
  });

  it('is else the last commit with that branchName, on any branch, but nothing out of rescue refs or the stash', async () => {
    for (const mark of ['first', 'second', 'rescued', 'stashed']) {
      w.write('prd.json', prdOf('ralph/a', mark));
      w.git('add', 'prd.json');
      if (mark === 'stashed') w.git('stash', '--quiet');
      else w.git('commit', '--quiet', '-m', mark);
      if (mark === 'rescued') {
        w.git('update-ref', 'refs/ralph/20260101-000000-000-aaaa/001', 'HEAD');
        w.git('reset', '--quiet', '--hard', 'HEAD^');
      }
    }
    w.git('switch', '--quiet', '-c', 'ralph/b', 'HEAD^');
    w.write('prd.json', prdOf('ralph/b'));
    w.git('commit', '--quiet', '-am', 'b');
    const log = logOf('ralph/a');
    const old = await find('ralph/b', log);
    expect(shown(old)).toEqual([['ralph/a', prdOf('ralph/a', 'second'), log]]);
    expect(old?.notes).toEqual([]);
  });

  it('is else only the log, and that is said', async () => {
    w.write('prd.json', prdOf('ralph/b'));
    w.git('add', '-A');
    w.git('commit', '--quiet', '-m', 'b');
    const old = await find('ralph/b', logOf('ralph/a'));
    expect(shown(old)).toEqual([['ralph/a', undefined, logOf('ralph/a')]]);
    expect(old?.notes).toEqual(['the PRD of ralph/a could not be found: only its log is archived']);
  });

  it('is nothing where neither PRD nor log can be found', async () => {
    w.write('.last-branch', 'ralph/a');
    w.git('commit', '--quiet', '--allow-empty', '-m', 'x');
    expect(await find('ralph/b')).toBeUndefined();
  });

  it('has the copy of the log where the one in place is the new feature its own, or gone', async () => {
    w.write('.ralph/active/prd.json', prdOf('ralph/a'));
    w.write('.ralph/active/progress.txt', logOf('ralph/a', '## copy\n'));
    for (const inPlace of [logOf('ralph/b'), undefined, '']) {
      expect(shown(await find('ralph/b', inPlace))).toEqual([
        ['ralph/a', prdOf('ralph/a'), logOf('ralph/a', '## copy\n')],
      ]);
    }
  });

  it('keeps the log of a third feature apart, so that none is lost', async () => {
    w.write('.ralph/active/prd.json', prdOf('ralph/a'));
    w.write('.ralph/active/progress.txt', logOf('ralph/a'));
    w.git('commit', '--quiet', '--allow-empty', '-m', 'x');
    expect(shown(await find('ralph/b', logOf('ralph/c')))).toEqual([
      ['ralph/a', prdOf('ralph/a'), logOf('ralph/a')],
      ['ralph/c', undefined, logOf('ralph/c')],
    ]);
  });

  it('gives the patterns on', async () => {
    w.write('.ralph/active/prd.json', prdOf('ralph/a'));
    const log = logOf('ralph/a', '## Codebase Patterns\n- one\n---\n## x\n');
    expect((await find('ralph/b', log))?.patterns).toBe('- one');
  });
});

describe('nameBranch', () => {
  it('changes the one line, with any characters', () => {
    expect(nameBranch(logOf('none yet', 'Branch: none yet\n'), 'ralph/$&')).toBe(
      logOf('ralph/$&', 'Branch: none yet\n'),
    );
  });
});
