import { messageOf } from '../errors.ts';
import { EVENT_VERSION } from '../loop/events.ts';
import type { Emit, EventBody, EventScope, RalphEvent } from '../loop/events.ts';

/** Gets an event and its line as it stands in `events.jsonl`, without the line end. */
export type EventListener = (event: RalphEvent, line: string) => void;

export interface Emitter {
  readonly emit: Emit;
  /** The listener gets every event from now on; one that throws is dropped, and a warning says so. Returns the undoing. */
  readonly listen: (listener: EventListener) => () => void;
}

/** Stamps events with version, time (which never goes back) and run, and hands them on; `first` gets each of them before the listeners. */
export function createEmitter(run: string, clock: { now(): number }, first: EventListener): Emitter {
  const listeners = new Set<EventListener>();
  let last = 0;
  const emit: Emit = (body, scope = {}) => {
    last = Math.max(last, clock.now());
    const event = stamp(body, scope, run, last);
    const line = JSON.stringify(event);
    first(event, line);
    for (const listener of listeners) tell(listener, event, line);
  };
  const tell = (listener: EventListener, event: RalphEvent, line: string): void => {
    try {
      listener(event, line);
    } catch (error) {
      listeners.delete(listener);
      emit({ type: 'warning.raised', text: `The events can't be shown any more: ${messageOf(error)}`, place: null });
    }
  };
  const listen = (listener: EventListener): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { emit, listen };
}

function stamp(body: EventBody, { iteration, story, try: number }: EventScope, run: string, at: number): RalphEvent {
  // In this order, for people who read the file.
  const head = { v: EVENT_VERSION, type: body.type, at: new Date(at).toISOString(), run };
  const place = {
    ...(iteration === undefined ? {} : { iteration }),
    ...(story === undefined ? {} : { story }),
    ...(number === undefined ? {} : { try: number }),
  };
  return { ...head, ...place, ...body };
}
