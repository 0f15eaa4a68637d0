// All operations of the service, by id, in the order of their routes.
import type { z } from 'zod';
import { authenticationOperations } from './authentication.ts';
import { consumerOperations } from './consumers.ts';
import { fulfillmentOperations } from './fulfillments.ts';
import type { Operation, Schema, Status } from './operation.ts';
import { orderOperations } from './orders.ts';
import { productOperations } from './products.ts';
import type { DeepReadonly } from './records.ts';

const operationsById = {
  ...authenticationOperations,
  ...productOperations,
  ...consumerOperations,
  ...orderOperations,
  ...fulfillmentOperations,
} as const;

export type OperationId = keyof typeof operationsById;
export type Operations = { readonly [Id in OperationId]: (typeof operationsById)[Id] & { readonly id: Id } };
/** Any operation of the service. */
export type ServiceOperation = Operation & { readonly id: OperationId };
export const operations = Object.fromEntries(
  Object.entries(operationsById).map(([id, operation]) => [id, { id, ...operation }]),
) as unknown as Operations;
export const operationList: readonly ServiceOperation[] = Object.values(operations);

type Resource = OperationId extends `${infer Name}.${string}` ? Name : never;
/** What the operations of each resource are about. */
export const resources: Readonly<Record<Resource, string>> = {
  authentication: 'OAuth 2.0 bearer tokens for a username and password.',
  products: "The client's own products.",
  consumers: 'The people that orders are placed for.',
  orders: 'Packs made of pouches, shipped to an address.',
  fulfillments: 'Shipments of orders, with their tracking.',
};

type OutputOf<S> = S extends Schema<infer T> ? z.output<T> : undefined;
type PartOf<O, Part extends string> = O extends { readonly [P in Part]: infer S } ? OutputOf<S> : undefined;

/** The validated parts of a request. */
export interface InputOf<Id extends OperationId> {
  readonly params: PartOf<Operations[Id], 'params'>;
  readonly query: PartOf<Operations[Id], 'query'>;
  readonly body: PartOf<Operations[Id], 'body'>;
}

/** The responses of a success: a status and the body that belongs to it. */
export type ReplyOf<Id extends OperationId> = {
  [S in keyof Operations[Id]['responses'] & Status]: {
    readonly status: S;
    readonly body: DeepReadonly<OutputOf<Operations[Id]['responses'][S]>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Operations[Id]['responses'] & Status];
