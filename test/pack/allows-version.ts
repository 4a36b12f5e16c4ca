type Version = readonly [number, number, number];

/** Does a range of npm, as far as `engines` uses them (`>=18`, `^18 || >=20.5`, `18.x`, `>=14 <21`), allow this version? */
export function allowsVersion(range: string, version: Version): boolean {
  return range.split('||').some((alternative) => {
    const comparators = alternative
      .trim()
      .replace(/([<>=^~])\s+/g, '$1')
      .split(/\s+/)
      .filter((part) => part !== '');
    return comparators.every((comparator) => allows(comparator, version));
  });
}

function allows(comparator: string, version: Version): boolean {
  if (comparator === '*') return true;
  const [, operator = '', major = '', minor, patch] =
    /^([<>]=?|[\^~=]?)v?(\d+)(?:\.(\d+|x))?(?:\.(\d+|x))?$/.exec(comparator) ?? [];
  if (major === '') throw new Error(`a range that is not understood: ${comparator}`);
  const given: Version = [Number(major), numberOf(minor), numberOf(patch)];
  const order = compare(version, given);
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return order > 0;
    case '<=':
      return order <= 0;
    case '<':
      return order < 0;
    case '^':
      return order >= 0 && version[0] === given[0];
    case '~':
      return order >= 0 && version[0] === given[0] && version[1] === given[1];
    default:
      return (
        [minor, patch].every((part, at) => part === undefined || part === 'x' || version[at + 1] === given[at + 1]) &&
        version[0] === given[0]
      );
  }
}

const numberOf = (part: string | undefined): number => (part === undefined || part === 'x' ? 0 : Number(part));

function compare(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
