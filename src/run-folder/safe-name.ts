const MAX_LENGTH = 80;

/** A file name made of anything: letters, digits, `.`, `_` and `-`, no leading dot, not empty, at most 80 characters, extension kept. */
export function safeName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? '';
  const stem = plain.slice(0, plain.length - extension.length).slice(0, MAX_LENGTH - extension.length);
  return `${stem}${extension}` || 'unnamed';
}

/** `gate-lint.log`, `gate-lint-2.log`, `gate-lint-3.log`… */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
}
