// PATCH …/assumptions: single readings, null for the default; `profile` puts its named set beneath them.
import { z } from 'zod';
import { type AssumptionId, assumptionIds, assumptions, profiles } from '../assumptions.ts';

const readingOf = (id: AssumptionId) =>
  z
    .enum(assumptions[id].readings.map(([name]) => name as string))
    .nullable()
    .optional();

const shape = Object.fromEntries(assumptionIds.map((id) => [id, readingOf(id)])) as Record<
  AssumptionId,
  ReturnType<typeof readingOf>
>;

export const readingsPatch = z.strictObject({
  profile: z.enum(Object.keys(profiles) as (keyof typeof profiles)[]).optional(),
  ...shape,
});
export type ReadingsPatch = z.output<typeof readingsPatch>;
