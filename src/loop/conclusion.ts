import type { Story } from '../prd/types.ts';
import { blockedReason } from './blocked.ts';
import type { Verdict } from './events.ts';
import { hasChanged } from './execute.ts';
import type { Judgement } from './judge.ts';
import type { Try } from './try.ts';
import { decideVerdict } from './verdict.ts';
import type { IterationFacts } from './verdict.ts';

/** What ralph concludes from a try. */
export interface Conclusion {
  readonly tried: Try;
  readonly judgement: Judgement;
  readonly facts: IterationFacts;
  /** On the whole iteration. */
  readonly verdict: Verdict;
  /** On the selected story, as far as it was not claimed: another one that was claimed and rejected takes nothing off it. */
  readonly selected: Verdict;
}

/** Draws the conclusion. `passed`: what was found good is committed. */
export function conclude(
  tried: Try,
  judgement: Judgement,
  { passed, interrupted }: { passed: boolean; interrupted: boolean },
): Conclusion {
  const { claims, end, outcome } = tried;
  const facts: IterationFacts = {
    agent: end.class,
    changed: hasChanged(outcome),
    ticked: claims.ticked.length > 0,
    blocked: blockedReason(tried) !== undefined,
    rejected: claims.ticked.some((id) => judgement.findings.get(id)?.kind === 'rejected'),
    passed,
    interrupted,
  };
  const selected = decideVerdict({ ...facts, rejected: facts.rejected && claims.ticked.includes(tried.story.id) });
  return { tried, judgement, facts, verdict: decideVerdict(facts), selected };
}

/** Why a story did not pass, in one sentence. */
export function reasonOf({ tried, judgement, facts }: Conclusion, story: Story): string {
  const finding = judgement.findings.get(story.id);
  if (facts.interrupted) return 'the run was cut short';
  if (finding?.kind === 'rejected') return finding.reason;
  const blocked = story.id === tried.story.id ? blockedReason(tried) : undefined;
  return blocked ?? describeEnd(tried, facts.changed);
}

function describeEnd({ end }: Try, changed: boolean): string {
  const line = end.lastLine === '' ? '' : `: ${end.lastLine}`;
  switch (end.class) {
    case 'idle':
      return 'the agent went silent and was stopped';
    case 'timeout':
      return 'the agent worked longer than the iteration timeout and was stopped';
    case 'killed':
      return 'the agent was killed';
    case 'crash':
      return `the agent failed${line}`;
    case 'auth':
    case 'refused':
    case 'usage':
      return `the agent could not work${line}`;
    case 'budget':
      return changed
        ? 'the agent reached its own limit of cost, turns or output before it was done'
        : 'the agent reached its own limit of cost, turns or output and had changed nothing';
    case 'empty':
    case 'ok':
    case 'limit':
    case 'overloaded':
    case 'interrupted':
      if (changed) return 'work was done, but the story was not ticked';
      return end.class === 'empty'
        ? 'the agent said nothing and changed nothing'
        : 'nothing was changed and nothing ticked';
  }
}
