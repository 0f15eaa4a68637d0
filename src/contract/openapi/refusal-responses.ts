// The refusals of an operation as responses by status, each with the exact texts as examples named by their rules.
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type ErrorBody, errorBody } from '../error-body.ts';
import { explanations } from '../explanations.ts';
import { limits } from '../limits.ts';
import { commonRefusals, everywhereRefusals, type Status, statusNames } from '../operation.ts';
import type { ServiceOperation } from '../operations.ts';
import type { RuleId } from '../rules.ts';
import type { Terms } from '../terms.ts';
import { refusalExample } from './refusal-example.ts';
import type { Samples } from './samples.ts';

type Examples = Readonly<Record<string, ReturnType<typeof exampleOf>>>;

/** What a reader chooses it by, and what was required. */
function exampleOf(rule: RuleId, body: ErrorBody) {
  return { summary: `${rule}: ${body.message}`, description: `Required: ${explanations[rule]}.`, value: body };
}

/** What every operation shares stands in `components/responses`, under these names. */
const nameOf = { 401: 'Unauthorized', 429: 'TooManyRequests', 500: 'InternalServerError' } as const;
type SharedStatus = keyof typeof nameOf;
const sharedStatuses = [401, 429, 500] as const satisfies readonly SharedStatus[];
const isSharedStatus = (status: Status): status is SharedStatus => status in nameOf;

const sharedRules: readonly RuleId[] = [...commonRefusals, ...everywhereRefusals];

/** What stands for every other status that the contract has: a fault that a tester sets answers with any. */
const otherResponse = 'Error';

const retryAfter = {
  'Retry-After': {
    required: true,
    description: 'Seconds to wait.',
    schema: { type: 'integer' },
    example: limits.retryAfterSeconds,
  },
} as const;

/** A response that refuses. */
function errorResponse(status: Status, examples: Examples): ZodOpenApiResponseObject {
  return {
    description: statusNames[status],
    ...(status === 429 ? { headers: retryAfter } : {}),
    content: { 'application/json': { schema: errorBody, examples } },
  };
}

/** The responses that all operations share, by name. */
export function sharedErrorResponses(terms: Terms, samples: Samples): Record<string, ZodOpenApiResponseObject> {
  const examples = examplesByStatus(undefined, sharedRules, terms, samples);
  const shared = sharedStatuses.map((status) => [nameOf[status], errorResponse(status, examples.get(status) ?? {})]);
  const other = {
    description: `Any other status, by a fault that a tester sets in the sandbox: ${errorStatuses.join(', ')}`,
    content: { 'application/json': { schema: errorBody, examples: { fault_404: faultExample } } },
  };
  return { ...Object.fromEntries(shared), [otherResponse]: other };
}

const faultExample = exampleOf('fault_404', { statusCode: 404, error: statusNames[404], message: statusNames[404] });

const errorStatuses = Object.keys(statusNames).filter((status) => Number(status) >= 400);

/** The operation's refusals by status; what all share by reference. What it asks of the terms is noted for those, too. */
export function refusalResponses(operation: ServiceOperation, terms: Terms, samples: Samples) {
  const needsToken = operation.permission !== null;
  const rules: readonly RuleId[] = [
    ...operation.refusals,
    ...(needsToken ? commonRefusals : []),
    ...everywhereRefusals,
  ];
  const responses: Record<string, ZodOpenApiResponseObject | { $ref: string }> = {};
  for (const [status, examples] of examplesByStatus(operation, rules, terms, samples)) {
    const isShared = isSharedStatus(status) && (needsToken || status !== 401);
    responses[status] = isShared ? referTo(nameOf[status]) : errorResponse(status, examples);
  }
  return { ...responses, default: referTo(otherResponse) };
}

const referTo = (name: string) => ({ $ref: `#/components/responses/${name}` });

function examplesByStatus(
  operation: ServiceOperation | undefined,
  rules: readonly RuleId[],
  terms: Terms,
  samples: Samples,
): ReadonlyMap<Status, Examples> {
  const byStatus = new Map<Status, Examples>();
  for (const rule of rules) {
    const answer = refusalExample(operation, rule, terms, samples);
    if (!answer) continue;
    const { status, body } = answer;
    byStatus.set(status, { ...byStatus.get(status), [rule]: exampleOf(rule, body) });
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}
