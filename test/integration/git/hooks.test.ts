import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';
import type { Room, RoomOptions } from './room.ts';

let ground: Ground;
beforeEach(() => {
  ground = breakGround();
  ground.write('a.txt', 'one\n');
  ground.write('mine.txt', 'mine\n');
  ground.commit('start');
  ground.write('mine.txt', 'edited by the user\n');
});
afterEach(() => ground.dispose());

function hook(name: string, script: string, folder = '.git/hooks'): void {
  ground.write(`${folder}/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(ground.root, folder, name), 0o755);
}

/** A turn that has been judged well, up to its commit. */
async function work(options: RoomOptions = {}): Promise<Room> {
  const room = await openRoom(ground, options);
  await room.begin();
  room.write('b.txt', 'work\n');
  await room.compare();
  return room;
}

describe('pre-commit', () => {
  it('sees what will be committed, and nothing of the user', async () => {
    hook(
      'pre-commit',
      'git diff --cached --name-only > ../seen; git diff --name-only >> ../seen; git log -1 --format=%s >> ../seen',
    );
    const room = await work();
    await room.accept();
    expect(room.read('../seen')).toBe('b.txt\nmine.txt\nstart\n');
  });

  it('that stages a formatted file: part of the commit and of the tree', async () => {
    hook('pre-commit', 'echo formatted > b.txt; echo new > gen.txt; git add b.txt gen.txt');
    const room = await work();
    await room.accept();
    expect([room.git('show', 'HEAD:b.txt'), room.read('b.txt')]).toEqual(['formatted', 'formatted\n']);
    expect([room.git('show', 'HEAD:gen.txt'), room.read('gen.txt')]).toEqual(['new', 'new\n']);
    expect(room.git('status', '--porcelain')).toBe('M mine.txt');
  });

  it('that only edits is put back', async () => {
    hook('pre-commit', 'echo formatted > b.txt; echo x > report; rm a.txt; echo gone > mine.txt');
    const room = await work();
    await room.accept();
    expect([room.git('show', 'HEAD:b.txt'), room.read('b.txt')]).toEqual(['work', 'work\n']);
    expect(room.read('mine.txt')).toBe('edited by the user\n');
    expect(room.git('status', '--porcelain')).toBe('M mine.txt');
  });

  it('that refuses leaves nothing of its own behind', async () => {
    hook('pre-commit', 'echo formatted > b.txt; git add b.txt; echo no >&2; exit 1');
    const room = await work();
    const result = await room.accept();
    expect(result).toMatchObject({ kind: 'hook', result: { green: false, tail: 'no\n' } });
    expect(room.read('b.txt')).toBe('work\n');
    await room.reject();
    expect(room.git('log', '--format=%s')).toBe('start');
    expect(room.git('status', '--porcelain')).toBe('M mine.txt');
  });

  it('that hangs is stopped by its time limit', async () => {
    hook('pre-commit', 'sleep 300');
    const room = await work({ hookTimeoutMs: 300 });
    expect(await room.accept()).toMatchObject({ kind: 'hook', result: { timedOut: true } });
    await room.reject();
    expect(room.exists('b.txt')).toBe(false);
  });

  it('that is interrupted ends the commit', async () => {
    hook('pre-commit', 'touch ../here; sleep 300');
    const room = await work();
    const controller = new AbortController();
    const commit = room.accept('subject', controller.signal);
    const look = setInterval(() => room.exists('../here') && controller.abort({ kind: 'stop' }), 20);
    expect(await commit).toEqual({ kind: 'interrupted' });
    clearInterval(look);
    await room.reject();
    expect(room.git('log', '--format=%s')).toBe('start');
  });
});

describe('the message', () => {
  it('may be prepared and changed, with git’s arguments', async () => {
    hook('prepare-commit-msg', 'echo "$2" > ../kind; printf "\\n\\nprepared   \\n\\n\\n" >> "$1"');
    hook('commit-msg', 'sed -i "1s/^/[x] /" "$1"');
    const room = await work();
    await room.accept('feat: a title');
    expect(room.git('log', '-1', '--format=%B')).toBe('[x] feat: a title\n\nRalph-Story: US-001\n\nprepared');
    expect(room.read('../kind')).toBe('message\n');
  });

  it('may be refused', async () => {
    hook('commit-msg', 'grep -q JIRA "$1" || { echo "no ticket"; exit 1; }');
    const room = await work();
    expect(await room.accept()).toMatchObject({ kind: 'hook', result: { tail: 'no ticket\n' } });
    expect(room.git('log', '--format=%s')).toBe('start');
  });
});

describe('post-commit', () => {
  it('that fails is a warning', async () => {
    hook('post-commit', 'git log -1 --format=%s > ../last; exit 3');
    const room = await work();
    const result = await room.accept();
    expect(result).toMatchObject({ kind: 'committed', remarks: [expect.stringContaining('post-commit hook failed')] });
    expect(room.read('../last')).toBe('feat: [US-001] - Story\n');
    expect(room.git('status', '--porcelain')).toBe('M mine.txt');
  });
});

describe('hooks', () => {
  it('are found where core.hooksPath says, from the root', async () => {
    ground.git('config', 'core.hooksPath', '.husky');
    hook('pre-commit', 'echo ran > ../ran', '.husky');
    const room = await openRoom(ground, { folder: ground.root });
    await room.begin();
    room.write('b.txt', 'work\n');
    await room.compare();
    await room.accept();
    expect(room.read('../ran')).toBe('ran\n');
  });

  it('that can’t be executed are left out, as git leaves them out', async () => {
    ground.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
    expect((await (await work()).accept()).kind).toBe('committed');
  });

  it('know who commits where nobody is configured', async () => {
    ground.write('../.gitconfig', '');
    ground.env['EMAIL'] = '';
    hook('pre-commit', 'git var GIT_COMMITTER_IDENT > ../who');
    const room = await work();
    await room.accept();
    expect(room.read('../who')).toMatch(/^Ralph <ralph@localhost>/);
    expect(room.git('log', '-1', '--format=%an <%ae>')).toBe('Ralph <ralph@localhost>');
  });
});

describe('a commit that can’t be written', () => {
  it('is a clear error for a signature without a key, and nothing is lost', async () => {
    ground.git('config', 'commit.gpgSign', 'true');
    ground.git('config', 'gpg.program', 'false');
    const room = await work();
    await expect(room.accept()).rejects.toMatchObject({ reason: 'environment', message: 'git commit-tree failed' });
    expect(room.read('b.txt')).toBe('work\n');
    expect(room.git('log', '--format=%s')).toBe('start');
    await room.reject();
    expect(room.git('status', '--porcelain')).toBe('M mine.txt');
  });
});

describe('state files', () => {
  it('that a hook formats and stages stay as ralph wrote them in the tree', async () => {
    for (const file of ['prd.json', 'progress.txt']) ground.write(file, '{}\n');
    chmodSync(path.join(ground.root, 'prd.json'), 0o755);
    ground.commit('state');
    const room = await openRoom(ground, { state: { committed: ['prd.json', 'progress.txt', 'archive'] } });
    await room.begin();
    room.write('b.txt', 'work\n');
    await room.compare();
    room.write('prd.json', '{"passes":true}\n');
    room.write('archive/old/prd.json', '{}\n');
    await room.accept();
    expect(room.git('show', 'HEAD:prd.json')).toBe('{"passes":true}');
    expect(room.git('ls-tree', 'HEAD', 'prd.json')).toMatch(/^100755/);
    expect(room.git('status', '--porcelain')).toBe('?? archive/');
  });
});
