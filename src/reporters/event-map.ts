import type { EventBody, EventType, RalphEvent } from '../loop/events.ts';

/** The whole event of each type, so that a table with one entry per type can be checked for being complete. */
export type EventMap = { [T in EventType]: RalphEvent & Extract<EventBody, { type: T }> };

export type EventOf<T extends EventType> = EventMap[T];
