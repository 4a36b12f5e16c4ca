import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { peekHead } from '../../../src/git/peek-head.ts';
import { isReadyOn, openRepository } from '../../../src/git/repository.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { breakGround } from './ground.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
let repository: Repository;
let tip: string;
beforeEach(async () => {
  ground = breakGround();
  ground.write('a.txt', 'a\n');
  tip = ground.commit('start');
  repository = await openRepository(ground.root, ground.env);
});
afterEach(() => ground.dispose());

describe('what git’s own files say of HEAD', () => {
  it('is the branch and its tip, with a name of any kind', () => {
    expect(peekHead(repository)).toEqual({ branch: 'main', tip });
    ground.git('switch', '-qc', 'ralph/ö');
    expect(peekHead(repository)).toEqual({ branch: 'ralph/ö', tip });
  });

  it('is nothing where it takes git to tell: a packed ref, a detached HEAD', () => {
    ground.git('pack-refs', '--all');
    expect(peekHead(repository)).toBeUndefined();
    ground.git('checkout', '-q', '--detach');
    expect(peekHead(repository)).toBeUndefined();
  });

  it('is that of this working tree in a linked one', async () => {
    ground.git('worktree', 'add', '-q', '../linked', '-b', 'other');
    const linked = await openRepository(`${ground.outside}/linked`, ground.env);
    expect([peekHead(linked)?.branch, peekHead(repository)?.branch]).toEqual(['other', 'main']);
  });

  it('is enough to go on with a branch, unless something is half done', () => {
    expect([isReadyOn(repository, 'main'), isReadyOn(repository, 'other')]).toEqual([true, false]);
    ground.write('.git/MERGE_HEAD', `${tip}\n`);
    expect(isReadyOn(repository, 'main')).toBe(false);
  });
});
