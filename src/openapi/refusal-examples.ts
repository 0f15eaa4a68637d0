// The error responses of an operation. Each example is the real response: a valid request is changed so that it breaks
// one rule, and the operation's own schemas reject it. Examples of rules that no schema enforces are built from the
// facts in their messages.
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { limits } from '../contract/limits.ts';
import { commonRefusals, everywhereRefusals, refusalsOf, type Status, statusNames } from '../contract/operation.ts';
import type { OperationId, ServiceOperation } from '../contract/operations.ts';
import {
  answerTo,
  brokenRulesOf,
  type ErrorBody,
  errorBody,
  type FieldPath,
  Refusal,
  type RefusalAnswer,
} from '../contract/refusal.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import { type Facts, type Rule, type RuleId, rules } from '../contract/rules.ts';
import { isRecord } from '../contract/schema.ts';
import type { Samples } from './samples.ts';

/** How to break a rule: which part of a valid request to change, and how. */
interface Breach {
  readonly part: 'body' | 'query' | 'params';
  readonly change: (good: unknown) => unknown;
}
/** Of several breaches the first that this rule refuses is shown: some assumptions put another rule first. */
type Breaches = { readonly [Rule in RuleId]?: Breach | readonly Breach[] };

/** Replaces the value at a path; undefined removes it. */
function put(target: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(target)) return target.map((item, at) => (String(at) === key ? put(item, rest, value) : item));
  if (key === '') return value;
  const { [key]: former, ...others } = isRecord(target) ? target : {};
  const changed = rest.length === 0 ? value : put(former, rest, value);
  return changed === undefined ? others : { ...others, [key]: changed };
}

const at = (path: string, value?: unknown): Breach => ({
  part: 'body',
  change: (good) => put(good, path.split('.'), value),
});
const whole = (value: unknown): Breach => ({ part: 'body', change: () => value });
const inQuery = (query: Readonly<Record<string, string>>): Breach => ({ part: 'query', change: () => query });

const line = 'order_lines.0';
const pouch = `${line}.pouches.0`;
const product = `${pouch}.contents.0.client_product_id`;
const characters = (count: number): string => 'x'.repeat(count);

/** A new consumer as the body, or under a key of it. */
const consumerBreaches = (under: '' | 'consumer.', contacts: Breach): Breaches => ({
  'ORD-9': at(`${under}last_name`),
  'ORD-12': at(`${under}email`, 'ada'),
  'ORD-13': at(`${under}phone_number`, `+1${'2'.repeat(limits.phoneCharacters)}`),
  new_consumer_contact: contacts,
  phone_format: at(`${under}phone_number`, '0202555'),
});

const unreachable = { first_name: 'Ada', last_name: 'Lovelace' };

const orderBreaches: Breaches = {
  'ORD-1': at('consumer'),
  'ORD-2': at('shipping_address'),
  'ORD-3': at('order_lines'),
  'ORD-4': at('order_lines', []),
  'ORD-5': at(`${line}.pouches`),
  'ORD-6': at(`${pouch}.contents`),
  'ORD-7': at(product),
  'ORD-8': at(product, 'D3'),
  'ORD-10': at('consumer', { id: '7' }),
  'ORD-14': at('shipping_address.address1'),
  'ORD-15': at('shipping_address.address1', characters(limits.address1Characters)),
  'ORD-16': at('shipping_address.city', characters(limits.cityCharacters)),
  'ORD-26': at(`${pouch}.pack_id`, 'PACK-1'),
  'OPEN-1': at('consumer', { id: '40000000-0000-4000-8000-000000000001', first_name: 'Ada' }),
  'OPEN-2': at('consumer', {}),
  'OPEN-3': at('shipping_address.city', 5),
  'OPEN-4': at('shipping_address.country_name', ''),
  'OPEN-5': at(`${line}.duration`, 2 ** 53),
  'OPEN-6': whole([]),
  unknown_fields: at('gift', true),
  empty_arrays: at(`${line}.pouches`, []),
  empty_contents: at(`${pouch}.contents`, []),
  time_of_administration: at(`${pouch}.time_of_administration`, 'No such time'),
  ...consumerBreaches('consumer.', at('consumer', unreachable)),
};

/** Of a body of required texts, such as a login. */
const loginBreaches = (missing: string, empty: string, unknown: string): Breaches => ({
  'AUTH-1': at(missing),
  'AUTH-2': at(missing),
  'OPEN-3': at(missing, 5),
  'OPEN-4': at(empty, ''),
  'OPEN-6': whole([]),
  unknown_fields: at(unknown, 'password'),
});

const newConsumerBreaches: Breaches = {
  ...consumerBreaches('', whole(unreachable)),
  'OPEN-2': whole({}),
  'OPEN-3': at('first_name', 5),
  'OPEN-4': [at('email', ''), at('last_name', '')],
  'OPEN-6': whole([]),
  unknown_fields: at('age', 36),
};

const queryBreaches: Breaches = {
  malformed_parameter: inQuery({ limit: '0' }),
  over_max_limit: inQuery({ limit: String(Number.MAX_SAFE_INTEGER) }),
  unknown_fields: inQuery({ page: '2' }),
};

const pathBreaches: Breaches = {
  malformed_path_id: {
    part: 'params',
    change: (good) => Object.fromEntries(Object.keys(isRecord(good) ? good : {}).map((name) => [name, '42'])),
  },
};

const operationBreaches: { readonly [Id in OperationId]?: Breaches } = {
  'authentication.token': loginBreaches('password', 'username', 'grant_type'),
  'authentication.refresh': loginBreaches('refresh_token', 'refresh_token', 'scope'),
  'consumers.create': newConsumerBreaches,
  'orders.create': orderBreaches,
  'orders.update': { ...orderBreaches, 'OPEN-2': [at('consumer', {}), whole({})] },
};

/** How to break this rule by a request of this operation; undefined if no schema judges the rule. */
function breachesOf({ id, query }: ServiceOperation, rule: RuleId): readonly Breach[] | undefined {
  const found = operationBreaches[id]?.[rule] ?? (query ? queryBreaches[rule] : undefined) ?? pathBreaches[rule];
  return found && [found].flat();
}

/** What the messages name of rules that no schema judges. */
function exampleFacts(
  { inactiveProduct, discontinuedProduct, operator }: Samples,
  operationId: string,
): { readonly [Rule in RuleId]?: Facts & { readonly path?: FieldPath } } {
  const firstPouch: FieldPath = ['order_lines', 0, 'pouches', 0];
  const firstProduct: FieldPath = [...firstPouch, 'contents', 0, 'client_product_id'];
  return {
    'LIM-1': { retryAfterSeconds: limits.retryAfterSeconds },
    body_too_large: { value: limits.bodyBytes },
    'CAT-2': { what: operationId.startsWith('products') ? 'Product' : 'Consumer' },
    'FUL-1': { what: 'Fulfillment' },
    'FUL-2': { what: 'Order' },
    'ORD-11': { path: ['consumer', 'id'] },
    'ORD-17': { path: firstProduct },
    'ORD-18': { path: firstProduct },
    'ORD-19': { path: ['order_lines'], names: [inactiveProduct] },
    'ORD-20': { path: ['order_lines'], names: [discontinuedProduct], operator },
    'ORD-21': { path: ['order_lines', 0] },
    pack_id: { path: [...firstPouch, 'pack_id'] },
  };
}

/**
 * The operation's response for this broken rule; undefined if these assumptions make it impossible.
 * @param operation undefined for a rule that all operations share
 */
function refusalExample(
  operation: ServiceOperation | undefined,
  rule: RuleId,
  assumptions: Assumptions,
  samples: Samples,
): RefusalAnswer | undefined {
  const { when }: Rule = rules[rule];
  // An operation that is not offered is in no document.
  if (rule === operation?.offeredBy || (when && !when(assumptions))) return undefined;
  const refusal = sampleRefusal(operation, rule, assumptions, samples);
  return refusal && answerTo(refusal, assumptions);
}

/** A refusal of a sample request that breaks this rule; undefined if its schema allows it under these assumptions. */
export function sampleRefusal(
  operation: ServiceOperation | undefined,
  rule: RuleId,
  assumptions: Assumptions,
  samples: Samples,
): Refusal | undefined {
  const breaches = operation && breachesOf(operation, rule);
  if (!breaches) return new Refusal(rule, exampleFacts(samples, operation?.id ?? '')[rule]);
  return breaches
    .map((breach) => refusalBy(breach, operation, assumptions, samples))
    .find((each) => each?.broken[0].rule === rule);
}

/** The refusal of a valid request after a change; undefined if the changed request is still valid. */
function refusalBy(
  { part, change }: Breach,
  operation: ServiceOperation,
  assumptions: Assumptions,
  { requests }: Samples,
) {
  const { [operation.id]: sample } = requests;
  const good = part === 'body' ? (sample.whole ?? sample.body) : sample[part];
  const result = operation[part]?.(assumptions).safeParse(change(good ?? {}), { reportInput: true });
  const judgedAs = part === 'query' ? 'malformed_parameter' : undefined;
  return result?.error && new Refusal(brokenRulesOf(result.error, assumptions), { judgedAs });
}

type Examples = Readonly<Record<string, ReturnType<typeof exampleOf>>>;

function exampleOf(rule: RuleId, body: ErrorBody) {
  return { summary: `${rule}: ${body.message}`, description: `${rules[rule].requires}.`, value: body };
}

/** The statuses whose responses all operations share in `components/responses`. */
const sharedStatuses: readonly Status[] = [401, 429, 500];
const responseName = (status: Status): string => statusNames[status].replaceAll(' ', '');

const sharedRules: readonly RuleId[] = [...commonRefusals, ...everywhereRefusals];

const retryAfter = {
  'Retry-After': {
    required: true,
    description: "Seconds to wait, on the sandbox's clock.",
    schema: { type: 'integer' },
    example: limits.retryAfterSeconds,
  },
} as const;

const challenge = {
  'WWW-Authenticate': {
    required: true,
    description: 'The authentication scheme, with an error if a token was sent (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
} as const;

type ResponseHeaders = NonNullable<ZodOpenApiResponseObject['headers']>;

/** The headers of the responses that operations share. */
function headersOf(status: Status, assumptions: Assumptions): ResponseHeaders | undefined {
  if (status === 429) return retryAfter;
  return status === 401 && assumptions.get('www_authenticate') === 'present' ? challenge : undefined;
}

function errorResponse(status: Status, examples: Examples, headers?: ResponseHeaders): ZodOpenApiResponseObject {
  return {
    description: statusNames[status],
    ...(headers ? { headers } : {}),
    content: { 'application/json': { schema: errorBody, examples } },
  };
}

/** The responses that all operations share, by name. */
export function sharedErrorResponses(
  assumptions: Assumptions,
  samples: Samples,
): Record<string, ZodOpenApiResponseObject> {
  const examples = examplesByStatus(undefined, sharedRules, assumptions, samples);
  return Object.fromEntries(
    sharedStatuses.map((status) => [
      responseName(status),
      errorResponse(status, examples.get(status) ?? {}, headersOf(status, assumptions)),
    ]),
  );
}

/** The error responses of an operation by status; shared ones by reference. */
export function refusalResponses(operation: ServiceOperation, assumptions: Assumptions, samples: Samples) {
  const needsToken = operation.permission !== null;
  const rules: readonly RuleId[] = [...refusalsOf(operation), ...everywhereRefusals];
  const responses: Record<string, ZodOpenApiResponseObject | { $ref: string }> = {};
  for (const [status, examples] of examplesByStatus(operation, rules, assumptions, samples)) {
    const isShared = sharedStatuses.includes(status) && (needsToken || status !== 401);
    responses[status] = isShared
      ? { $ref: `#/components/responses/${responseName(status)}` }
      : errorResponse(status, examples);
  }
  return responses;
}

function examplesByStatus(
  operation: ServiceOperation | undefined,
  rules: readonly RuleId[],
  assumptions: Assumptions,
  samples: Samples,
): ReadonlyMap<Status, Examples> {
  const byStatus = new Map<Status, Examples>();
  for (const rule of rules) {
    const answer = refusalExample(operation, rule, assumptions, samples);
    if (!answer) continue;
    const { body } = answer;
    // No rule of an operation has the status of a gateway.
    const status = answer.status as Status;
    byStatus.set(status, { ...byStatus.get(status), [rule]: exampleOf(rule, body) });
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}
