// The answers of the control API's operations: a success, and the refusals that its method and its parts can meet.
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { ControlOperation } from '../admin/control-operation.ts';
import { type ControlStatus, controlStatusNames } from '../admin/refusals.ts';
import { errorBody } from '../error-body.ts';

/** In `components/responses`, by status. */
const refusals: Partial<Record<ControlStatus, string>> = {
  400: 'A body, a query or an Idempotency-Key of the wrong form, or no Host.',
  401: 'No key, or one that is not good here.',
  403: 'Another host, or a page of another origin.',
  404: 'There is none of this name or id.',
  409: 'There is one of this name already; what would decide was evicted; or the sandbox began anew meanwhile.',
  413: 'A body larger than is taken.',
  415: 'A body that is no JSON by its type.',
  422: 'Understood, and not possible. The message says what is.',
  500: 'A bug, a store that fails, or a memory that is full.',
};
const nameOf = (status: ControlStatus): string => controlStatusNames[status].replaceAll(' ', '');

export const sharedControlResponses: Record<string, ZodOpenApiResponseObject> = Object.fromEntries(
  Object.entries(refusals).map(([status, description]) => [
    nameOf(Number(status) as ControlStatus),
    { description, content: { 'application/json': { schema: errorBody } } },
  ]),
);

/** Which refusals an operation can meet. */
function statusesOf({ method, path, body, responses }: ControlOperation): ControlStatus[] {
  // Only so many follow a stream at a time.
  const changesOrFollows = method !== 'GET' || responses[200] === null;
  return [
    400,
    401,
    403,
    ...(path.includes('{') || body ? [404 as const, 409 as const] : []),
    ...(body ? [413 as const, 415 as const] : []),
    ...(changesOrFollows ? [422 as const] : []),
    500,
  ];
}

export function controlResponses(operation: ControlOperation) {
  const successes = Object.entries(operation.responses).map(([status, schema]) => [
    status,
    { description: controlStatusNames[Number(status) as ControlStatus], ...contentOf(Number(status), schema) },
  ]);
  const refused = statusesOf(operation).map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]);
  return Object.fromEntries([...successes, ...refused]);
}

/** What has no JSON body is a stream of events, or nothing. */
function contentOf(status: number, schema: ControlOperation['responses'][number]) {
  if (status === 204) return {};
  const eventStream = { 'text/event-stream': { schema: { type: 'string' } } };
  return { content: schema ? { 'application/json': { schema } } : eventStream };
}
