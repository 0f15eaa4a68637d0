// An operation of the service as an OpenAPI document shows it.
import type { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { type Operation, type Status, statusNames } from '../operation.ts';
import { Terms } from '../terms.ts';
import { askedReadings } from './assumption-extension.ts';
import { refusalResponses } from './refusal-responses.ts';
import type { Illustrated, SampleAnswer, SampleRequest, Samples } from './samples.ts';

/** The name of the service's security scheme. */
export const bearerScheme = 'bearerAuth';

/** `orders.create` → `Orders` */
export const tagOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1, id.indexOf('.'));

export function operationObject(
  operation: Operation,
  given: Terms,
  illustrated: Illustrated,
): ZodOpenApiOperationObject {
  const { id, summary, permission, offeredBy } = operation;
  // Terms of its own, so that what is asked for from here on is what shapes this operation.
  const terms = new Terms(given.readings, given.administrationTimes);
  const parts = requestOf(operation, terms, illustrated.samples.requests[id as keyof Samples['requests']]);
  const responses = {
    ...successOf(operation, terms, illustrated.answers[id]),
    ...refusalResponses(operation, terms, illustrated.samples),
  };
  const beside = ['rate_limit', ...(operation.shapedBy ?? []), ...(offeredBy ? [offeredBy] : [])] as const;
  for (const asked of beside) terms.get(asked);
  return {
    operationId: id,
    tags: [tagOf(id)],
    summary,
    description: descriptionOf(operation, terms),
    ...parts,
    responses,
    security: permission === null ? [] : [{ [bearerScheme]: [] }],
    ...(permission === null ? {} : { 'x-permission': permission }),
    'x-assumptions': askedReadings(terms),
  };
}

function descriptionOf({ permission, offeredBy }: Operation, terms: Terms): string {
  const assumed = offeredBy ? [`The contract does not show this endpoint: it is assumed (\`${offeredBy}\`).`] : [];
  const isNeeded = permission !== null && terms.get('permissions') === 'per_endpoint';
  return [...assumed, isNeeded ? `Needs the permission \`${permission}\`.` : 'Needs no permission.'].join(' ');
}

function requestOf({ params, query, body }: Operation, terms: Terms, sample: SampleRequest): ZodOpenApiOperationObject {
  const requestParams = {
    ...(params ? { path: params(terms) as z.ZodObject } : {}),
    ...(query ? { query: query(terms) as z.ZodObject } : {}),
  };
  const content = body && {
    'application/json': {
      schema: body(terms),
      examples: { sample: { summary: 'A good request', value: sample.body } },
    },
  };
  return { requestParams, ...(content ? { requestBody: { required: true, content } } : {}) } as never;
}

/** The success that the readings choose, with what a new sandbox answers. */
function successOf(operation: Operation, terms: Terms, answer: SampleAnswer | undefined) {
  const [only = '200'] = Object.keys(operation.responses);
  const status = operation.answersWith?.(terms) ?? Number(only);
  const schema = operation.responses[status]?.(terms);
  const headers = Object.entries(operation.headers?.(terms) ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  const examples =
    answer?.status === status ? { sample: { summary: 'Of a new sandbox', value: answer.body } } : undefined;
  return {
    [status]: {
      description: statusNames[status as Status],
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      content: { 'application/json': { schema, ...(examples ? { examples } : {}) } },
    },
  };
}
