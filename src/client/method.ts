// How an operation of the control API is called: the path's names in their order, then the body or the query where there is one.
import type { ControlArguments, ControlResult } from '../contract/admin/control-operation.ts';
import type { ControlId, ControlOperations } from '../contract/admin.ts';

/** What comes back. */
export type Result<Id extends ControlId> = Promise<ControlResult<ControlOperations[Id]>>;

export type Method<Id extends ControlId> = (...sent: ControlArguments<ControlOperations[Id]>) => Result<Id>;

/** What is sent: of an operation whose path has no name, of one that has. */
export type Sent<Id extends ControlId> = Parameters<Method<Id>>[0];
export type SentBeside<Id extends ControlId> = Parameters<Method<Id>>[1];
