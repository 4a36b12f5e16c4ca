import { afterEach, describe, expect, it } from 'vitest';
import { breakGround } from './ground.ts';
import { openRoom } from './room.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
afterEach(() => ground.dispose());

const mixed = 'one\r\ntwo\nthree\r\n$Id$\n';
const conversions: readonly { name: string; prepare: (user: Ground) => void }[] = [
  { name: 'core.autocrlf=true', prepare: (user) => user.git('config', 'core.autocrlf', 'true') },
  { name: 'core.autocrlf=input', prepare: (user) => user.git('config', 'core.autocrlf', 'input') },
  { name: 'text=auto', prepare: (user) => user.write('.gitattributes', '* text=auto\n') },
  { name: 'eol=crlf', prepare: (user) => user.write('.gitattributes', '*.txt text eol=crlf\n') },
  { name: 'ident', prepare: (user) => user.write('.gitattributes', '* ident\n') },
  {
    name: 'working-tree-encoding',
    prepare: (user) => user.write('.gitattributes', '*.txt working-tree-encoding=UTF-16LE\n'),
  },
  {
    name: 'a filter with clean and smudge',
    prepare: (user) => {
      user.write('.gitattributes', '*.txt filter=turn\n');
      user.git('config', 'filter.turn.clean', 'tr a-z n-za-m');
      user.git('config', 'filter.turn.smudge', 'tr a-z n-za-m');
      user.git('config', 'filter.turn.required', 'true');
    },
  },
];

describe.each(conversions)('with $name', ({ name, prepare }) => {
  const encode = (text: string): Buffer => Buffer.from(text, name === 'working-tree-encoding' ? 'utf16le' : 'utf8');

  async function start(): ReturnType<typeof openRoom> {
    ground = breakGround();
    prepare(ground);
    ground.write('a.txt', encode(mixed));
    ground.write('b.txt', encode('plain\nplain\n'));
    ground.commit('start');
    ground.write('b.txt', encode('plain\r\nof the user\nplain\n'));
    ground.write('new.txt', encode(mixed));
    return openRoom(ground);
  }

  it('a roll back brings back every byte', async () => {
    const room = await start();
    const before = ['a.txt', 'b.txt', 'new.txt'].map((file) => room.bytes(file));
    const status = room.git('status', '--porcelain');
    await room.begin();
    for (const file of ['a.txt', 'new.txt', 'b.txt']) room.remove(file);
    room.write('a.txt', encode('rewritten\n'));
    room.tryGit('commit', '-aqm', 'all gone');
    await room.compare();
    await room.reject();
    expect(['a.txt', 'b.txt', 'new.txt'].map((file) => room.bytes(file))).toEqual(before);
    expect(room.git('status', '--porcelain')).toBe(status);
  });

  it('a commit holds what git would store, the tree keeps its bytes', async () => {
    const room = await start();
    await room.begin();
    const written = encode(`${mixed}by the agent\r\n`);
    room.write('a.txt', written);
    room.write('fresh.txt', encode('fresh\r\n'));
    const outcome = await room.compare();
    expect([...outcome.changed].sort()).toEqual(['a.txt', 'fresh.txt']);
    expect((await room.accept()).kind).toBe('committed');
    expect(room.bytes('a.txt').equals(written)).toBe(true);
    expect(room.git('rev-parse', 'HEAD:a.txt')).toBe(room.git('hash-object', '--path=a.txt', 'a.txt'));
    expect(room.git('rev-parse', 'HEAD:fresh.txt')).toBe(room.git('hash-object', '--path=fresh.txt', 'fresh.txt'));
    expect(room.git('diff', '--name-only', 'HEAD^', 'HEAD')).toBe('a.txt\nfresh.txt');
    expect(
      room
        .git('status', '--porcelain')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(['M b.txt', '?? new.txt']);
  });

  it('reset --hard costs no uncommitted byte', async () => {
    const room = await start();
    const before = room.bytes('b.txt');
    await room.begin();
    room.git('reset', '-q', '--hard');
    const outcome = await room.compare();
    expect(outcome.changed).toEqual([]);
    expect(room.bytes('b.txt').equals(before)).toBe(true);
    await room.reject();
  });
});

describe('attributes that an agent changes', () => {
  it('count for its commit', async () => {
    ground = breakGround();
    ground.write('a.txt', 'one\n');
    ground.commit('start');
    const room = await openRoom(ground);
    await room.begin();
    room.write('b.txt', 'two\r\n');
    await room.compare();
    await room.accept();
    await room.begin(2);
    room.write('.gitattributes', '* text=auto\n');
    room.write('b.txt', 'two\r\nthree\r\n');
    await room.compare();
    await room.accept();
    expect(room.git('cat-file', 'blob', 'HEAD:b.txt')).toBe('two\nthree');
    expect(room.git('status', '--porcelain')).toBe('');
  });
});
