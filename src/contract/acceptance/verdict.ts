// What an acceptance answers, and where the pick of a chosen schema is found.
import type { z } from 'zod';

/** The answer for a value of which only zod can tell whether it is accepted. */
export const undecided = Symbol('undecided');

/** Of a value either the output that zod would give for it, or `undecided`. It throws where zod would. */
export type Acceptance = (value: unknown) => unknown;

/** The acceptance of a schema, made when it is first asked for. */
export type AcceptanceOf = (schema: z.core.$ZodType) => Acceptance;

/** The acceptance of a schema of which nothing is known. */
export const cannotTell: Acceptance = () => undecided;

/** What zod's own code is handed, and leaves its value or its issues in. */
export type Payload = z.core.ParsePayload<unknown>;

/** What zod's own code left in a payload; `undecided` where it found an issue, or has not come to an end. */
export function leftIn({ value, issues, aborted }: Payload, outcome: unknown): unknown {
  return issues.length > 0 || aborted || outcome instanceof Promise ? undecided : value;
}

type Pick = (value: unknown) => z.core.$ZodType;

// By the transform and not by the schema, as a schema with other metadata is another one of the same definition.
const picks = new WeakMap<object, Pick>();

/** Remembers by which pick a transform chooses the schema that makes its output. */
export function rememberPick(transform: object, pick: Pick): void {
  picks.set(transform, pick);
}

/** The pick of a transform; undefined for one that chooses no schema. */
export const pickOf = (transform: object): Pick | undefined => picks.get(transform);
