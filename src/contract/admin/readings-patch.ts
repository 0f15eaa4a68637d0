// PATCH …/assumptions: single readings, null for the default; `profile` puts its named set beneath them.
import { z } from 'zod';
import { type AssumptionId, assumptionIds, assumptions, profiles, type Readings } from '../assumptions.ts';

const readingOf = <Id extends AssumptionId>(id: Id) =>
  z
    .enum(assumptions[id].readings.map(([name]) => name as Readings[Id]))
    .nullable()
    .optional();

type Shape = { readonly [Id in AssumptionId]: ReturnType<typeof readingOf<Id>> };

const shape = Object.fromEntries(assumptionIds.map((id) => [id, readingOf(id)])) as unknown as Shape;

export const readingsPatch = z.strictObject({
  profile: z.enum(Object.keys(profiles) as (keyof typeof profiles)[]).optional(),
  ...shape,
});
export type ReadingsPatch = z.output<typeof readingsPatch>;
