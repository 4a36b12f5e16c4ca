/** What is going on right now, for the line at the bottom of a terminal. Pure. */
import type { RalphEvent } from '../loop/events.ts';
import { cleanLine } from './clean-text.ts';
import { formatElapsed, formatLeft } from './units.ts';

/** Something that runs since a moment, or a wait until one (milliseconds since the epoch). */
export type Activity =
  | { kind: 'works'; label: string; since: number }
  | { kind: 'waits'; label: string; until: number }
  | { kind: 'nothing' };

export const nothing: Activity = { kind: 'nothing' };

/** What goes on after an event, given what went on before it. */
export function followActivity(before: Activity, event: RalphEvent): Activity {
  const at = Date.parse(event.at);
  const subject = event.story === undefined ? '' : ` · ${event.story}`;
  switch (event.type) {
    case 'agent.started':
      return works(`${event.tool} works${subject}`, at);
    case 'gate.started':
      return works(`${event.kind} ${event.name}${subject}`, at);
    case 'agent.limit':
      return event.waitMs > 0 ? waits('waits for the usage limit', at + event.waitMs) : nothing;
    case 'agent.retry':
      return waits('waits for the provider', at + event.waitMs);
    case 'agent.finished':
    case 'gate.finished':
    case 'iteration.started':
    case 'iteration.finished':
    case 'run.finished':
      return nothing;
    case 'run.started':
    case 'run.recovered':
    case 'warning.raised':
    case 'archive.created':
    case 'agent.text':
    case 'agent.tool':
    case 'agent.denied':
    case 'state.restored':
    case 'claim.made':
    case 'claim.premature':
    case 'claim.withdrawn':
    case 'story.passed':
    case 'story.rejected':
    case 'story.unfinished':
    case 'story.blocked':
    case 'story.failed':
    case 'rescue.saved':
    case 'process.killed':
      break;
  }
  return before;
}

function works(label: string, since: number): Activity {
  return { kind: 'works', label: cleanLine(label), since };
}

function waits(label: string, until: number): Activity {
  return { kind: 'waits', label, until };
}

/** The activity with its clock at `now`: `claude works · US-001 · 1m 05s`; undefined where nothing goes on. */
export function activityText(activity: Activity, now: number): string | undefined {
  if (activity.kind === 'nothing') return undefined;
  if (activity.kind === 'waits') return `${activity.label} · ${formatLeft(activity.until - now)} left`;
  return `${activity.label} · ${formatElapsed(now - activity.since)}`;
}
