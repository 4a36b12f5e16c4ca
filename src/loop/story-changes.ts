import type { Story, StoryChange } from '../prd/types.ts';
import { findBlocks } from './blocked.ts';
import type { Verdict } from './events.ts';
import type { Judgement } from './judge.ts';
import type { LoopOptions } from './options.ts';
import type { PrdPorts, Try } from './try.ts';
import { isAttempt } from './verdict.ts';
import type { IterationFacts } from './verdict.ts';

/** The notes that the agent left, which are its own to write. */
export function noteChanges({ claims }: Try): StoryChange[] {
  return [...claims.notes].map(([id, notes]) => ({ id, notes }));
}

/** What is written into prd.json: accepted ticks, notes, attempts and blocks. */
export function changesOf(
  ports: PrdPorts,
  options: LoopOptions,
  {
    tried,
    judgement,
    verdict,
    facts,
  }: { tried: Try; judgement: Judgement; verdict: Verdict; facts: IterationFacts | undefined },
): StoryChange[] {
  const { claims, reading } = tried;
  const blocks = verdict === 'interrupted' ? new Map<string, string>() : findBlocks(tried);
  return reading.prd.stories.flatMap((story): StoryChange[] => {
    const notes = claims.notes.get(story.id);
    const base = { id: story.id, ...(notes === undefined ? {} : { notes }) };
    const finding = judgement.findings.get(story.id);
    if (finding?.kind === 'passed' && verdict === 'passed') {
      const verified = finding.verified
        ? { verified: { at: new Date(ports.clock.now()).toISOString(), run: ports.folder.run } }
        : {};
      return [{ ...base, passes: true, ralph: { attempts: story.attempts + (options.trust ? 0 : 1), ...verified } }];
    }
    if (claims.withdrawn.includes(story.id)) return [{ ...base, passes: false, ralph: null }];
    const block = blocks.get(story.id);
    if (block !== undefined && !story.passes) return [{ ...base, ralph: { attempts: story.attempts, blocked: block } }];
    const isCounted = !options.trust && counts(options, tried, judgement, verdict, facts, story);
    if (!isCounted) return notes === undefined ? [] : [base];
    return [{ ...base, ralph: attemptOf(options, story, reasonOf(tried, judgement, story)) }];
  });
}

function counts(
  options: LoopOptions,
  tried: Try,
  judgement: Judgement,
  verdict: Verdict,
  facts: IterationFacts | undefined,
  story: Story,
): boolean {
  if (verdict === 'interrupted') return false;
  if (judgement.findings.get(story.id)?.kind === 'rejected' && tried.claims.ticked.includes(story.id)) return true;
  return story.id === tried.story.id && facts !== undefined && isAttempt(verdict, facts, options.onReject === 'keep');
}

/** Attempts used up: a person is needed, and told the last reason. */
function attemptOf(options: LoopOptions, story: Story, reason: string): { attempts: number; blocked?: string } {
  const attempts = story.attempts + 1;
  return attempts < options.maxAttempts ? { attempts } : { attempts, blocked: reason };
}

/** Why a story did not pass, in one sentence. */
export function reasonOf({ end, outcome }: Try, judgement: Judgement, story: Story): string {
  const finding = judgement.findings.get(story.id);
  if (finding?.kind === 'rejected') return finding.reason;
  switch (end.class) {
    case 'idle':
      return 'the agent went silent and was stopped';
    case 'timeout':
      return 'the agent worked longer than the iteration timeout and was stopped';
    case 'killed':
      return 'the agent was killed';
    case 'empty':
      return 'the agent said nothing and changed nothing';
    case 'crash':
      return `the agent failed: ${end.lastLine}`;
    case 'ok':
    case 'auth':
    case 'refused':
    case 'usage':
    case 'limit':
    case 'overloaded':
    case 'budget':
    case 'interrupted':
      return outcome.changed.length > 0
        ? 'work was done, but the story was not ticked'
        : 'nothing was changed and nothing ticked';
  }
}
