import type { Verdict } from './events.ts';
import type { Judgement } from './judge.ts';
import type { Try } from './try.ts';

/** The lines of ralph's own entry in progress.txt. It is part of the commit, so it can't name it. */
export function describeEntry(facts: {
  tried: Try;
  judgement: Judgement;
  verdict: Verdict;
  ref: string | undefined;
}): string[] {
  const { tried, judgement, verdict, ref } = facts;
  const findings = [...judgement.findings].filter(
    ([id, { kind }]) => kind === 'passed' || tried.claims.ticked.includes(id),
  );
  const gates = judgement.gates.map(({ name, green }) => `${name} ${green ? 'green' : 'red'}`);
  return [
    `verdict of ralph: ${verdict}`,
    ...findings.map(([id, finding]) =>
      finding.kind === 'passed'
        ? `${id}: passed${finding.verified ? '' : ' (claimed, not verified)'}`
        : `${id}: rejected, ${finding.reason}`,
    ),
    ...(gates.length === 0 ? [] : [`gates: ${gates.join(', ')}`]),
    ...tried.remarks,
    ...(ref === undefined ? [] : [`the work is kept under ${ref}: git diff ${ref}^1 ${ref}`]),
  ];
}
