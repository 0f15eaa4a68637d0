// How many requests are asked for: a number, or bounds.
import { z } from 'zod';

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
