/**
 * Keys that look like one of ours and would be silently ignored. Names are compared without case, `_`, `-` and blanks; the
 * lists hold what other tools and models call the same thing, small slips are found by distance.
 */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  branchName: ['branch', 'gitbranch', 'featurebranch'],
  userStories: ['stories', 'userstory'],
  id: ['storyid'],
  title: ['storytitle', 'headline'],
  description: ['desc', 'storydescription'],
  acceptanceCriteria: ['criteria', 'acceptance', 'acceptancecriterias', 'acceptancecriterion', 'acceptancetests'],
  priority: ['prio', 'storypriority'],
  passes: ['pass', 'passed', 'passing', 'ispassing', 'done', 'isdone', 'complete', 'completed', 'finished'],
  notes: ['note'],
  dependsOn: [
    'dependencies',
    'dependency',
    'deps',
    'depends',
    'dependson',
    'dependent',
    'blockedby',
    'prerequisites',
    'requires',
  ],
  checks: [
    'check',
    'verify',
    'verifycommand',
    'verifycommands',
    'verification',
    'checkcommands',
    'testcommand',
    'testcommands',
  ],
};

export const topKeys = ['project', 'description', 'branchName', 'userStories'] as const;
export const storyKeys = [
  'id',
  'title',
  'description',
  'acceptanceCriteria',
  'priority',
  'passes',
  'notes',
  'dependsOn',
  'checks',
  'ralph',
] as const;

/** Which of our keys another key was probably meant to be, or undefined. */
export function findMeantKey(key: string, ours: readonly string[]): string | undefined {
  if (ours.includes(key)) return undefined;
  const plain = simplify(key);
  if (plain === '') return undefined;
  return (
    ours.find((own) => simplify(own) === plain) ??
    ours.find((own) => synonyms[own]?.includes(plain)) ??
    ours.find((own) => isSlip(plain, simplify(own)))
  );
}

function simplify(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

/** One slip in a word of five letters or more, two in a long one. */
function isSlip(key: string, own: string): boolean {
  const slips = own.length >= 10 ? 2 : 1;
  return own.length >= 5 && Math.abs(key.length - own.length) <= slips && countSlips(key, own) <= slips;
}

/** Edit distance in which two neighbours in the wrong order are one slip. */
export function countSlips(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let slips = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) slips = Math.min(slips, (beforeLast[column - 2] ?? 0) + 1);
      current.push(slips);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
