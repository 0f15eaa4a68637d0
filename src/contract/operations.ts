// All operations of the service, by id. The order of a path's registration is the order here.

import type { z } from 'zod';
import { authenticationOperations } from './authentication.ts';
import { consumerOperations } from './consumers.ts';
import { fulfillmentOperations } from './fulfillments.ts';
import type { Operation, Schema, Status } from './operation.ts';
import { orderOperations } from './orders.ts';
import { productOperations } from './products.ts';
import type { DeepReadonly } from './records.ts';

export const operations = {
  ...authenticationOperations,
  ...productOperations,
  ...consumerOperations,
  ...orderOperations,
  ...fulfillmentOperations,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
/** An operation of the service, whichever. */
export type ServiceOperation = Operation & { readonly id: OperationId };
export const operationList: readonly ServiceOperation[] = Object.values(operations);

type OutputOf<S> = S extends Schema<infer T> ? z.output<T> : undefined;
type PartOf<O, Part extends string> = O extends { readonly [P in Part]: infer S } ? OutputOf<S> : undefined;

/** The parsed parts of a request, as its operation declares them. */
export interface InputOf<Id extends OperationId> {
  readonly params: PartOf<Operations[Id], 'params'>;
  readonly query: PartOf<Operations[Id], 'query'>;
  readonly body: PartOf<Operations[Id], 'body'>;
}

/** The answers an operation declares: a status and the body that goes with it. */
export type ReplyOf<Id extends OperationId> = {
  [S in keyof Operations[Id]['responses'] & Status]: {
    readonly status: S;
    readonly body: DeepReadonly<OutputOf<Operations[Id]['responses'][S]>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Operations[Id]['responses'] & Status];
