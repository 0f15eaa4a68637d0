// The readings over the control API: all that are in force, or some to turn.
import { z } from 'zod';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices, profiles } from '../assumptions.ts';

const readingOf = <Id extends AssumptionId>(id: Id) =>
  z.enum(assumptionRegister[id].choices.map(([name]) => name as Choices[Id])).describe(assumptionRegister[id].question);

const choices = Object.fromEntries(assumptionIds.map((id) => [id, readingOf(id)]));

/** The readings in force. */
export const choicesSchema = z.strictObject(choices) as unknown as z.ZodType<Choices, Choices>;

type Shape = { readonly [Id in AssumptionId]: z.ZodOptional<z.ZodNullable<ReturnType<typeof readingOf<Id>>>> };

const patches = Object.fromEntries(
  Object.entries(choices).map(([id, choice]) => [id, choice.nullable().optional()]),
) as unknown as Shape;

/** PATCH …/assumptions: single readings, null for the default; `profile` puts its named set beneath them. */
export const choicesPatch = z.strictObject({
  profile: z.enum(Object.keys(profiles) as (keyof typeof profiles)[]).optional(),
  ...patches,
});
export type ChoicesPatch = z.output<typeof choicesPatch>;
