// What an operation is: one row of the contract's endpoint table, with its request parts, its answers and its refusals; and what
// all operations share: permissions and statuses.
import type { z } from 'zod';
import type { AssumptionId } from './assumptions.ts';
import type { Assumptions } from './resolved-assumptions.ts';
import type { RuleId } from './rules.ts';

export const permissions = [
  'products:read',
  'consumers:read',
  'consumers:write',
  'orders:read',
  'orders:write',
  'fulfillments:read',
] as const;
type Permission = (typeof permissions)[number];

/** A schema that follows the readings; made by `perAssumptions`, so asking for it costs nothing. */
export type Schema<T extends z.ZodType = z.ZodType> = (assumptions: Assumptions) => T;

export interface Operation {
  /** `resource.verb`: the same word in code, faults, journal, OpenAPI and docs. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The contract's template, relative to {base_url}. */
  readonly path: `/v2/${string}`;
  readonly summary: string;
  /** What a client should know of it beside its summary, in Markdown. */
  readonly description?: string;
  /** The permission it needs (reading.md, `permissions`); null for the two endpoints that need no token. */
  readonly permission: Permission | null;
  /** Offered only under the reading `assumed` of this assumption. */
  readonly offeredBy?: AssumptionId & ('order_endpoints' | 'consumer_endpoints');
  readonly params?: Schema<z.ZodObject>;
  readonly query?: Schema<z.ZodObject>;
  readonly body?: Schema;
  /** The answers of a success, by status. */
  readonly responses: Readonly<Record<number, Schema>>;
  /** Which of several responses the readings choose. */
  readonly answersWith?: (assumptions: Assumptions) => 200 | 201;
  /** Headers of a success, each with what it holds. */
  readonly headers?: (assumptions: Assumptions) => Readonly<Record<string, string>>;
  /** Assumptions that its answers follow beside those that its schemas and refusals ask for. */
  readonly shapedBy?: readonly AssumptionId[];
  /** Every rule by which it may refuse, but for those that any operation has (see `commonRefusals`). */
  readonly refusals: readonly RuleId[];
}

/** Declares an operation; keeps its literal types for the handler tables and the case table of the tests. */
export function operation<const O extends Operation>(declared: O): O {
  return declared;
}

/** By which a body is refused before its schema sees it: of each operation that takes one. */
export const bodyRefusals = [
  'malformed_body',
  'unsupported_media_type',
  'malformed_compression',
  'body_too_large',
] as const satisfies readonly RuleId[];

/** By which the id in a path is refused: of each operation that has one. */
export const pathIdRefusals = ['malformed_path', 'malformed_path_id'] as const satisfies readonly RuleId[];

/** Whether a sandbox of these readings has the operation. */
export const isOffered = (
  { offeredBy }: Pick<Operation, 'offeredBy'>,
  assumptions: Pick<Assumptions, 'get'>,
): boolean => !offeredBy || assumptions.get(offeredBy) === 'assumed';

/** Rules by which any operation may refuse. */
export const everywhereRefusals = ['LIM-1', 'HTTP-3'] as const satisfies readonly RuleId[];

/** Rules by which any operation that needs a token may refuse. */
export const commonRefusals = [
  'unauthorized_message',
  'AUTH-3',
  'AUTH-4',
  'AUTH-5',
  'AUTH-6',
] as const satisfies readonly RuleId[];

/** The only statuses that ever come from /v2 (HTTP-2), with the names that stand in `error` (HTTP-3). */
export const statusNames = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
} as const;
export type Status = keyof typeof statusNames;

// The headers that answers carry beside the service's own (product.md, "Start and use"). They can be turned off.

const prefix = 'Sandbox-';

export const debugHeaderNames = {
  requestId: `${prefix}Request-Id`,
  rule: `${prefix}Rule`,
  assumption: `${prefix}Assumption`,
  fault: `${prefix}Fault`,
} as const;

export const isDebugHeader = (name: string): boolean => name.startsWith(prefix);
