// An operation of the service as an OpenAPI document shows it.
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { bearerScheme } from '../authentication.ts';
import { type Operation, type Status, statusNames } from '../operation.ts';
import type { ServiceOperation } from '../operations.ts';
import { Terms } from '../terms.ts';
import { askedReadings } from './assumption-extension.ts';
import { refusalResponses } from './refusal-responses.ts';
import type { Illustrated, SampleAnswer, SampleRequest } from './samples.ts';

/** `orders.create` → `Orders` */
export const tagOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1, id.indexOf('.'));

export function operationObject(
  operation: ServiceOperation,
  given: Terms,
  illustrated: Illustrated,
): ZodOpenApiOperationObject {
  const { id, summary, permission, offeredBy } = operation;
  // Terms of its own, so that what is asked for from here on is what shapes this operation.
  const terms = new Terms(given.readings, given.administrationTimes);
  const parts = requestOf(operation, terms, illustrated.samples.requests[id]);
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

function descriptionOf({ description, permission, offeredBy }: Operation, terms: Terms): string {
  const assumed = offeredBy && `The contract does not show this endpoint: it is assumed (\`${offeredBy}\`).`;
  return [description, assumed, neededFor(permission, terms)].filter((part) => part !== undefined).join('\n\n');
}

function neededFor(permission: Operation['permission'], terms: Terms): string | undefined {
  if (permission === null) return 'Needs no token.';
  return terms.get('permissions') === 'per_endpoint' ? `Needs the permission \`${permission}\`.` : undefined;
}

function requestOf({ params, query, body }: Operation, terms: Terms, sample: SampleRequest): RequestParts {
  const requestParams = {
    ...(params ? { path: withExamples(params(terms), sample.params) } : {}),
    ...(query ? { query: withExamples(query(terms), sample.query) } : {}),
  };
  if (!body) return { requestParams };
  const examples = { sample: { summary: 'A good request', value: sample.body } };
  return {
    requestParams,
    requestBody: { required: true, content: { 'application/json': { schema: body(terms), examples } } },
  };
}
type RequestParts = Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody'>;

/** The parameters, each with a value that is good in a new sandbox, where there is one. */
function withExamples(parameters: z.ZodObject, values: Readonly<Record<string, unknown>> = {}): z.ZodObject {
  const { shape } = parameters;
  const fields = Object.entries(values).map(([name, example]) => [
    name,
    (shape[name] as z.ZodType).meta({ param: { example } }),
  ]);
  return z.object({ ...shape, ...Object.fromEntries(fields) });
}

/** The success that the readings choose, with what a new sandbox answers. */
function successOf(operation: Operation, terms: Terms, answers: readonly SampleAnswer[] = []) {
  const [only = '200'] = Object.keys(operation.responses);
  const status = operation.answersWith?.(terms) ?? Number(only);
  const schema = operation.responses[status]?.(terms);
  const headers = Object.entries(operation.headers?.(terms) ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  const examples = answers
    .filter((answer) => answer.status === status)
    .map(({ name, summary, body }) => [name, { summary, value: body }]);
  return {
    [status]: {
      description: statusNames[status as Status],
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      content: {
        'application/json': { schema, ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}) },
      },
    },
  };
}
