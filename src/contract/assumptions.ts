// The register of assumptions: what the contract does not show, the readings a real service could have, our default first.
// Source: reading.md, "Assumptions". A reading that no code asks for must not stand here.

import { answerAssumptions } from './register/answers.ts';
import { orderRequestAssumptions } from './register/order-requests.ts';
import { refusalAssumptions } from './register/refusals.ts';

export type { Assumption } from './register/assumption.ts';

/** In the order of reading.md. */
export const assumptionRegister = { ...refusalAssumptions, ...orderRequestAssumptions, ...answerAssumptions } as const;

export type AssumptionId = keyof typeof assumptionRegister;
/** The names of the readings of one assumption. */
export type Choice<Id extends AssumptionId> = (typeof assumptionRegister)[Id]['choices'][number][0];
/**
 * One chosen reading for each assumption.
 * @example const assumptions: Partial<Choices> = { next_cursor: 'meta', list_order: 'oldest_first' };
 */
export type Choices = { readonly [Id in AssumptionId]: Choice<Id> };

export const assumptionIds = Object.keys(assumptionRegister) as AssumptionId[];

/** Named sets of readings. `strict` offers nothing that the contract does not name (reading.md). */
export const profiles = {
  default: {},
  strict: { order_endpoints: 'absent' },
} as const satisfies Record<string, Partial<Choices>>;
/**
 * The name of a profile.
 * @example const profile: ProfileName = 'strict';
 */
export type ProfileName = keyof typeof profiles;
