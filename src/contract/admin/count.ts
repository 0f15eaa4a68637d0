// How many requests are expected: a number, or bounds.
import { z } from 'zod';
import type { DeepReadonly } from '../records.ts';
import { match } from './match.ts';

const whole = z.int().min(0);

export const count = z.union(
  [
    whole,
    z
      .strictObject({ at_least: whole.optional(), at_most: whole.optional() })
      .refine(({ at_least, at_most }) => at_least !== undefined || at_most !== undefined, 'at_least or at_most'),
  ],
  'a number, or {"at_least", "at_most"}',
);
export type Count = z.output<typeof count>;

/** At least and at most so many requests. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Which numbers are good. */
export function boundsOf(count: DeepReadonly<Count>): Bounds {
  if (typeof count === 'number') return { least: count, most: count };
  return { least: count.at_least ?? 0, most: count.at_most ?? Number.POSITIVE_INFINITY };
}

/** Requests that a correct client sends under a scenario. */
export const expectation = z.strictObject({ match, count });
export type Expectation = z.output<typeof expectation>;
