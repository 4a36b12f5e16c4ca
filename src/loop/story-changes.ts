import type { Story, StoryChange } from '../prd/types.ts';
import { findBlocks } from './blocked.ts';
import type { LoopOptions } from './options.ts';
import type { PrdPorts } from './try.ts';
import type { Conclusion } from './conclusion.ts';
import { reasonOf } from './conclusion.ts';
import { isAttempt, isRejectedAttempt } from './verdict.ts';

/** What is written into prd.json: accepted ticks, notes, stories opened again, attempts and blocks. */
export function changesOf(ports: PrdPorts, options: LoopOptions, conclusion: Conclusion): StoryChange[] {
  const { tried, verdict } = conclusion;
  const { claims, reading } = tried;
  const blocks = verdict === 'interrupted' ? new Map<string, string>() : findBlocks(tried);
  return reading.prd.stories.flatMap((story): StoryChange[] => {
    const { id } = story;
    const notes = claims.notes.get(id);
    const note = notes === undefined ? {} : { notes };
    if (isAccepted(conclusion, story))
      return [{ id, ...note, passes: true, ...recordOf(ports, options, conclusion, story) }];
    const block = blocks.get(id);
    if (claims.withdrawn.includes(id))
      return [{ id, ...note, passes: false, ralph: block === undefined ? null : { attempts: 0, blocked: block } }];
    if (block !== undefined && !story.passes)
      return [{ id, ...note, ralph: { attempts: story.attempts, blocked: block } }];
    if (!options.trust && counts(options, conclusion, story))
      return [{ id, ...note, ralph: attemptOf(options, story, reasonOf(conclusion, story)) }];
    return notes === undefined ? [] : [{ id, notes }];
  });
}

function isAccepted({ judgement, verdict }: Conclusion, { id }: Story): boolean {
  return verdict === 'passed' && judgement.findings.get(id)?.kind === 'passed';
}

function recordOf(
  { clock, folder }: PrdPorts,
  { trust }: LoopOptions,
  { judgement }: Conclusion,
  { id, attempts }: Story,
): Pick<StoryChange, 'ralph'> {
  const finding = judgement.findings.get(id);
  const isVerified = finding?.kind === 'passed' && finding.verified;
  const verified = isVerified ? { verified: { at: new Date(clock.now()).toISOString(), run: folder.run } } : {};
  return { ralph: { attempts: attempts + (trust ? 0 : 1), ...verified } };
}

function counts(options: LoopOptions, { tried, judgement, selected, facts }: Conclusion, { id }: Story): boolean {
  if (tried.claims.ticked.includes(id))
    return judgement.findings.get(id)?.kind === 'rejected' && isRejectedAttempt(facts.agent);
  return id === tried.story.id && isAttempt(selected, facts, options.onReject === 'keep');
}

/** Attempts used up: a person is needed, and told the last reason. */
function attemptOf(options: LoopOptions, story: Story, reason: string): { attempts: number; blocked?: string } {
  const attempts = story.attempts + 1;
  return attempts < options.maxAttempts ? { attempts } : { attempts, blocked: reason };
}
