import { afterEach, expect, it, vi } from 'vitest';
import { here } from '../../../src/agent/zoned-time.ts';

afterEach(() => void vi.unstubAllEnvs());

it.each(['Pacific/Auckland', 'America/New_York'])('reads clocks without a zone in that of the machine: %s', (zone) => {
  vi.stubEnv('TZ', zone);
  expect(here().zone).toBe(zone);
});
