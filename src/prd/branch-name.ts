import type { PrdWarning } from './types.ts';

/**
 * What is wrong with a branch name, or undefined. The rules are those of `git check-ref-format --branch`, without its
 * shorthands (`@{-1}`), and names that git takes for an option or for HEAD are refused.
 */
export function findBranchProblem(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty: name a branch, or leave the key out';
  if (name.startsWith('-')) return `"${name}" begins with "-": git would take it for an option`;
  if (name === 'HEAD' || name === '@') return `"${name}" is git's own word for the current commit`;
  const rule = brokenRule(name);
  return rule === undefined ? undefined : `${JSON.stringify(name)} is no branch name for git: it ${rule}`;
}

function brokenRule(name: string): string | undefined {
  if (/\s/.test(name)) return 'holds white space';
  if (/\p{Cc}/u.test(name)) return 'holds a control character';
  if (/\p{Cs}/u.test(name)) return 'holds half a character';
  const forbidden = /[~^:?*[\\]|\.\.|@\{|\/\//.exec(name)?.[0];
  if (forbidden !== undefined) return `holds "${forbidden}"`;
  if (name.startsWith('/')) return 'begins with "/"';
  if (/[/.]$/.test(name)) return `ends with "${name.slice(-1)}"`;
  for (const part of name.split('/')) {
    if (part.startsWith('.')) return `has a part that begins with "."`;
    if (part.endsWith('.lock')) return `has a part that ends with ".lock"`;
  }
  return undefined;
}

/** A PRD whose work would go straight to the default branch is warned of. */
export function warnOfDefaultBranch(
  branchName: string | undefined,
  defaultBranch: string | undefined,
): PrdWarning | undefined {
  if (branchName === undefined || branchName !== defaultBranch) return undefined;
  return {
    place: 'branchName',
    text: `"${branchName}" is the default branch: the work goes straight to it (a name like "ralph/<feature>" keeps it apart)`,
  };
}
