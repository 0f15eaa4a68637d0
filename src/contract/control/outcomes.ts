// What a client must have reached at the end of a scenario, so that `sachet certify` passes it.
import { z } from 'zod';
import type { Choices, EndpointAssumption } from '../assumptions.ts';
import { operationList } from '../operations.ts';
import type { DeepReadonly } from '../records.ts';

/** The outcomes, each with what the client has to do. */
export const outcomes = {
  order_followed: 'read every order that it placed, or the fulfillments of that order, by the id of the order',
  order_delivered: 'read a fulfillment with a delivery_date of an order that it placed',
  all_fulfillments_read: 'read lists with all fulfillments that existed when the scenario began',
  label_downloaded: 'download a label',
} as const;

/**
 * The id of an outcome.
 * @example const id: OutcomeId = 'label_downloaded';
 */
export type OutcomeId = keyof typeof outcomes;

const endpointAssumptions = new Set(operationList.flatMap(({ offeredBy = [] }) => offeredBy));

/** Applies only if the sandbox offers the endpoints of this assumption, which the contract does not show. */
export const needs = z.enum([...endpointAssumptions]).optional();

/** An outcome that a scenario requires. */
export const requiredOutcome = z.strictObject({ id: z.enum(Object.keys(outcomes) as OutcomeId[]), needs });

/** Whether an outcome or an expectation applies under these choices. */
export const isApplicable = (
  { needs }: DeepReadonly<{ needs?: EndpointAssumption | undefined }>,
  choices: Choices,
): boolean => needs === undefined || choices[needs] === 'assumed';
