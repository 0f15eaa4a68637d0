// The rate limit that a reading sets (`rate_limit`): calls of a sandbox in a window.
import type { Reading } from './assumptions.ts';

export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
}

export const rateLimits: Readonly<Record<Reading<'rate_limit'>, RateLimit | null>> = {
  off: null,
  '100/60s': { calls: 100, seconds: 60 },
};
