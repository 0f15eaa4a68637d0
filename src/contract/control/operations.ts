// All operations of the control API, by id.
import { clockOperations } from './clock.ts';
import { reportOperations } from './conduct.ts';
import type { ControlInput, ControlOperation, ControlReply } from './control-operation.ts';
import { dataOperations } from './data.ts';
import { demoOperations } from './demo.ts';
import { observationOperations } from './observations.ts';
import { operatorOperations } from './operator.ts';
import { overrideOperations } from './overrides.ts';
import { eventOperations, requestOperations } from './requests.ts';
import { sandboxOperations, snapshotOperations } from './sandboxes.ts';
import { stateOperations } from './state.ts';

const operationsById = {
  ...sandboxOperations,
  ...snapshotOperations,
  ...demoOperations,
  ...clockOperations,
  ...overrideOperations,
  ...observationOperations,
  ...requestOperations,
  ...reportOperations,
  ...stateOperations,
  ...dataOperations,
  ...operatorOperations,
  ...eventOperations,
} as const;

export type ControlOperations = {
  readonly [Id in keyof typeof operationsById]: (typeof operationsById)[Id] & { readonly id: Id };
};
export const controlOperations = Object.fromEntries(
  Object.entries(operationsById).map(([id, operation]) => [id, { id, ...operation }]),
) as unknown as ControlOperations;
export type ControlId = keyof ControlOperations;
export const controlOperationList: readonly ControlOperation[] = Object.values(controlOperations);

/** The parsed parts of a request, as its operation declares them. */
export type ControlInputOf<Id extends ControlId> = ControlInput<ControlOperations[Id]>;
/** The answer of a success. */
export type ControlReplyOf<Id extends ControlId> = ControlReply<ControlOperations[Id]>;
