// An acceptance held against zod: it gives what zod gives, to the order of keys and the sign of zero, or nothing.
import { expect } from 'vitest';
import type { z } from 'zod';
import { acceptanceOf, undecided } from '../../../src/contract/acceptance.ts';

/** Whether nobody could tell one from the other: as JSON, by own keys and their order, by prototypes. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Reflect.ownKeys(one);
  const others = Reflect.ownKeys(other);
  return (
    Object.getPrototypeOf(one) === Object.getPrototypeOf(other) &&
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every((key, at) => key === others[at] && isSame(Reflect.get(one, key), Reflect.get(other, key)))
  );
}

type Outcome = { readonly thrown: unknown } | { readonly value: unknown } | 'refused' | typeof undecided;

function outcomeOf(ask: () => Outcome): Outcome {
  try {
    return ask();
  } catch (thrown) {
    return { thrown };
  }
}

const byZod = (schema: z.ZodType, value: unknown): Outcome =>
  outcomeOf(() => {
    const result = schema.safeParse(value, { reportInput: true });
    return result.success ? { value: result.data } : 'refused';
  });

const byAcceptance = (schema: z.ZodType, value: unknown): Outcome =>
  outcomeOf(() => {
    const made = acceptanceOf(schema)(value);
    return made === undecided ? undecided : { value: made };
  });

/** Fails where an acceptance decides otherwise than zod. Tells who accepts: both, zod alone, or nobody. */
export function agreementOn(schema: z.ZodType, value: unknown): 'both' | 'zod alone' | 'nobody' {
  const fast = byAcceptance(schema, value);
  const slow = byZod(schema, value);
  const isAccepted = typeof slow === 'object' && 'value' in slow;
  if (fast === undecided) return isAccepted ? 'zod alone' : 'nobody';
  const agrees =
    typeof fast === 'object' && typeof slow === 'object' && ('thrown' in fast ? 'thrown' in slow : isSame(fast, slow));
  // What follows only says how they differ.
  if (!agrees) expect({ value, fast }).toStrictEqual({ value, fast: slow });
  expect(agrees, 'they differ in the order of keys, in prototypes or in the sign of a zero').toBe(true);
  return isAccepted ? 'both' : 'nobody';
}
