import { describe, expect, it } from 'vitest';
import { findBranchProblem, warnOfDefaultBranch } from '../../../src/prd/branch-name.ts';

describe('findBranchProblem', () => {
  it.each([
    'main',
    'ralph/feature',
    'feat/api/v2',
    'ü-é',
    'a.b',
    'x@y',
    'a-',
    'lock',
    'foo.lockx',
    '#1',
    'refs/heads/x',
    "it's",
    '$(x)',
  ])('takes %s', (name) => {
    expect(findBranchProblem(name)).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    '--orphan',
    '-b',
    'a b',
    'a\tb',
    'a..b',
    'a.lock',
    'a.lock/b',
    '.a',
    'a/.b',
    '/a',
    'a/',
    'a//b',
    'a.',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'a@{1}',
    '@{-1}',
    '@',
    'HEAD',
    'a\u0007',
    'a\u007f',
    'a\n',
    'a\ud800',
  ])('refuses %j', (name) => {
    expect(findBranchProblem(name)).toMatch(/\S/);
  });
});

describe('warnOfDefaultBranch', () => {
  it('warns where both are the same', () => {
    expect(warnOfDefaultBranch('main', 'main')).toMatchObject({
      place: 'branchName',
      text: expect.stringContaining('"main"'),
    });
    expect(warnOfDefaultBranch('ralph/x', 'main')).toBeUndefined();
    expect(warnOfDefaultBranch(undefined, undefined)).toBeUndefined();
  });
});
