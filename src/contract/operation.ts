// What an operation is: a row of the contract's table of endpoints, with its request parts, responses and refusals.
// Also what all operations share: permissions, statuses, refusals, and the sandbox's response headers.
import type { z } from 'zod';
import type { AssumptionId, EndpointAssumption } from './assumptions.ts';
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

/** A schema that depends on the assumptions. `perAssumptions` builds it once, so calling it costs nothing. */
export type Schema<T extends z.ZodType = z.ZodType> = (assumptions: Assumptions) => T;

export interface Operation {
  /** `resource.verb`: the same word in code, faults, journal and docs; `x-operation` in the OpenAPI document. */
  readonly id: string;
  /** The name of its function in generated clients, such as `createOrder`. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The contract's template, relative to {base_url}. */
  readonly path: `/v2/${string}`;
  readonly summary: string;
  /** More for clients, in Markdown. */
  readonly description?: string;
  /** The permission that it needs (`permissions`); null for the two endpoints that need no token. */
  readonly permission: (typeof permissions)[number] | null;
  /** It exists only if this assumption is `assumed`. */
  readonly offeredBy?: EndpointAssumption;
  readonly params?: Schema<z.ZodObject>;
  readonly query?: Schema<z.ZodObject>;
  /** Without it, a body may be missing; one that is sent must be JSON, and its content is ignored. */
  readonly body?: Schema;
  /** The bodies of a success, by status. */
  readonly responses: Readonly<Record<number, Schema>>;
  /** Chooses between several responses. */
  readonly answersWith?: (assumptions: Assumptions) => 200 | 201;
  /** Headers of a success, each with its description. */
  readonly headers?: (assumptions: Assumptions) => Readonly<Record<string, string>>;
  /** Assumptions that its responses depend on, besides those that its schemas and refusals read. */
  readonly shapedBy?: readonly AssumptionId[];
  /** Every rule that can reject its requests, without `commonRefusals` and `everywhereRefusals`. */
  readonly refusals: readonly RuleId[];
}

/**
 * Declares an operation; keeps its literal types for the handler tables. Its id is its key in the table of operations.
 */
export function operation<const O extends Omit<Operation, 'id'>>(declared: O): O {
  return declared;
}

/** Whether a sandbox with these assumptions has the operation. */
export const isOffered = (
  { offeredBy }: Pick<Operation, 'offeredBy'>,
  assumptions: Pick<Assumptions, 'get'>,
): boolean => !offeredBy || assumptions.get(offeredBy) === 'assumed';

/** Refusals of a body before its schema, by every operation that is not a GET: also one that ignores its content. */
export const bodyRefusals = [
  'malformed_body',
  'unsupported_media_type',
  'malformed_compression',
  'body_too_large',
] as const satisfies readonly RuleId[];

/** Refusals of the id in a path, by every operation that has one. */
export const pathIdRefusals = ['malformed_path', 'malformed_path_id'] as const satisfies readonly RuleId[];

/** Refusals by every operation. */
export const everywhereRefusals = ['LIM-1', 'HTTP-3'] as const satisfies readonly RuleId[];

/** Refusals by every operation that needs a token. */
export const commonRefusals = [
  'missing_token_message',
  'unauthorized_message',
  'AUTH-3',
  'AUTH-4',
  'AUTH-5',
  'AUTH-6',
  'old_token_after_refresh',
] as const satisfies readonly RuleId[];

/** Every rule that can reject a request of the operation, without `everywhereRefusals`. */
export const refusalsOf = ({ refusals, permission }: Pick<Operation, 'refusals' | 'permission'>): readonly RuleId[] =>
  permission === null ? refusals : [...refusals, ...commonRefusals];

/** Whether a request of the operation can break the rule. */
export const canBreak = (operation: Pick<Operation, 'refusals' | 'permission'>, rule: RuleId): boolean =>
  refusalsOf(operation).includes(rule);

/** The only statuses of /v2 (HTTP-2), with their names in `error` (HTTP-3). */
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

/** The statuses of /v2, and those of a gateway in front of the service, which only faults answer with. */
export const answerStatusNames = {
  ...statusNames,
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const;
/** A status that a call to /v2 can get. */
export type AnswerStatus = keyof typeof answerStatusNames;

/** Response headers that the service does not have. They can be turned off. */
export const debugHeaderNames = {
  requestId: 'Sandbox-Request-Id',
  rule: 'Sandbox-Rule',
  reason: 'Sandbox-Reason',
  assumption: 'Sandbox-Assumption',
  fault: 'Sandbox-Fault',
} as const;

export const isDebugHeader = (name: string): boolean => name.startsWith('Sandbox-');
