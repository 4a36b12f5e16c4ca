import type { Clock } from './loop/ports.ts';

/** No timer of Node reaches further than 2^31 ms, and none counts while the machine sleeps: look at the clock each minute. */
const LOOK_MS = 60_000;

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const until = Date.now() + ms;
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const look = (): void => {
        const left = until - Date.now();
        if (left <= 0 || signal.aborted) end();
        else timer = setTimeout(look, Math.min(left, LOOK_MS));
      };
      signal.addEventListener('abort', end, { once: true });
      look();
    }),
};
