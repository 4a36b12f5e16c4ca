import { reasonOf } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';

/** The lines of ralph's own entry in progress.txt. It is part of the commit, so it can't name it. */
export function describeEntry(conclusion: Conclusion, ref: string | undefined): string[] {
  const { tried, judgement, verdict, selected } = conclusion;
  const { story, claims } = tried;
  const findings = [...judgement.findings].filter(
    ([id, { kind }]) => (kind === 'passed' && verdict === 'passed') || claims.ticked.includes(id),
  );
  const isNamed = findings.some(([id]) => id === story.id);
  const gates = judgement.gates.map(({ name, green }) => `${name} ${green ? 'green' : 'red'}`);
  return [
    `verdict of ralph: ${verdict}`,
    ...findings.map(([id, finding]) =>
      finding.kind === 'passed'
        ? `${id}: passed${finding.verified ? '' : ' (claimed, not verified)'}`
        : `${id}: rejected, ${finding.reason}`,
    ),
    ...(isNamed || verdict === 'passed' ? [] : [`${story.id}: ${selected}, ${reasonOf(conclusion, story)}`]),
    ...(gates.length === 0 ? [] : [`gates: ${gates.join(', ')}`]),
    ...tried.remarks,
    ...(ref === undefined ? [] : [`the work is kept under ${ref}: git diff ${ref}^1 ${ref}`]),
  ];
}
