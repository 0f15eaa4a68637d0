// The control API: all its operations, by id (product.md, "Control API").
import { clockOperations } from './admin/clock.ts';
import type { ControlInput, ControlOperation, ControlReply } from './admin/control-operation.ts';
import { dataOperations } from './admin/data.ts';
import { overrideOperations } from './admin/levers.ts';
import { operatorOperations } from './admin/operator.ts';
import { reportOperations } from './admin/report.ts';
import { eventOperations, requestOperations } from './admin/requests.ts';
import { sandboxOperations, snapshotOperations } from './admin/sandboxes.ts';
import { stateOperations } from './admin/state.ts';

export const controlOperations = {
  ...sandboxOperations,
  ...snapshotOperations,
  ...clockOperations,
  ...overrideOperations,
  ...requestOperations,
  ...reportOperations,
  ...stateOperations,
  ...dataOperations,
  ...operatorOperations,
  ...eventOperations,
} as const;

export type ControlOperations = typeof controlOperations;
export type ControlId = keyof ControlOperations;
export const controlOperationList: readonly ControlOperation[] = Object.values(controlOperations);

/** The parsed parts of a request, as its operation declares them. */
export type ControlInputOf<Id extends ControlId> = ControlInput<ControlOperations[Id]>;
/** The answer of a success. */
export type ControlReplyOf<Id extends ControlId> = ControlReply<ControlOperations[Id]>;
