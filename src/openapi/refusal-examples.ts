// The refusals of an operation as responses by status, each with the exact texts as examples named by their rules.

import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { limits } from '../contract/limits.ts';
import { commonRefusals, everywhereRefusals, type Status, statusNames } from '../contract/operation.ts';
import type { OperationId, ServiceOperation } from '../contract/operations.ts';
import {
  answerTo,
  type ErrorBody,
  errorBody,
  type FieldPath,
  faultsOf,
  Refusal,
  type RefusalAnswer,
} from '../contract/refusal.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import { type Facts, type Rule, type RuleId, rules } from '../contract/rules.ts';
import { isRecord } from '../contract/schema.ts';
import type { Samples } from './samples.ts';

// How a good request is changed so that it breaks one rule: what the examples of refusals are made by.

/** The part of a request that is changed, and the changed value of a good one. */
interface Breach {
  readonly part: 'body' | 'query' | 'params';
  readonly change: (good: unknown) => unknown;
}
/** The first that a schema refuses by the rule is shown: by some readings another rule comes before. */
type Breaches = { readonly [Rule in RuleId]?: Breach | readonly Breach[] };

/** The value with another at this dotted path; undefined removes. */
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
  time_of_administration: at(`${pouch}.time_of_administration`, 'No such time'),
  ...consumerBreaches('consumer.', at('consumer', unreachable)),
};

/** A body of texts that are all required, such as a login: one that is left out, one that is empty, one of another grant. */
const textsBreaches = (missing: string, empty: string, unknown: string): Breaches => ({
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
  'OPEN-4': at('email', ''),
  'OPEN-6': whole([]),
  unknown_fields: at('age', 36),
};

const ofQueries: Breaches = {
  malformed_parameter: inQuery({ limit: '0' }),
  over_max_limit: inQuery({ limit: String(Number.MAX_SAFE_INTEGER) }),
  unknown_fields: inQuery({ page: '2' }),
};

const ofPaths: Breaches = {
  malformed_path_id: {
    part: 'params',
    change: (good) => Object.fromEntries(Object.keys(isRecord(good) ? good : {}).map((name) => [name, '42'])),
  },
};

const ofOperations: { readonly [Id in OperationId]?: Breaches } = {
  'authentication.token': textsBreaches('password', 'username', 'grant_type'),
  'authentication.refresh': textsBreaches('refresh_token', 'refresh_token', 'scope'),
  'consumers.create': newConsumerBreaches,
  'orders.create': orderBreaches,
  'orders.update': { ...orderBreaches, 'OPEN-2': [at('consumer', {}), whole({})] },
};

/**
 * How a request of this operation is made to break this rule.
 * @throws Error where nobody said
 */
function breachesOf({ id, query }: ServiceOperation, rule: RuleId): readonly Breach[] {
  const found = ofOperations[id]?.[rule] ?? (query ? ofQueries[rule] : undefined) ?? ofPaths[rule];
  if (!found) throw new Error(`there is no way here to break ${rule} by a request of ${id}`);
  return [found].flat();
}

// Rules whose refusals no schema gives: what a document shows of them is made of what only the service knows.

type About = Facts & { readonly path?: FieldPath };

/** `never`: no document shows it. */
type Shown = 'never' | ((samples: Samples, operation: string) => About);

const bare = (): About => ({});
const firstLine: FieldPath = ['order_lines', 0];
const firstPouch: FieldPath = [...firstLine, 'pouches', 0];
const productField = (): About => ({ path: [...firstPouch, 'contents', 0, 'client_product_id'] });

/** Of the sandbox, not of the service; of the object storage; of operations that are not offered and so stand in no document. */
const apart = {
  'HTTP-1': 'never',
  unknown_sandbox: 'never',
  unknown_host: 'never',
  malformed_host: 'never',
  cross_site: 'never',
  no_room: 'never',
  max_records: 'never',
  max_memory: 'never',
  max_delayed: 'never',
  fault_400: 'never',
  fault_404: 'never',
  fault_422: 'never',
  'FUL-4': 'never',
  order_endpoints: 'never',
  consumer_endpoints: 'never',
} as const;

const byFacts = {
  'HTTP-3': bare,
  'LIM-1': () => ({ retryAfterSeconds: limits.retryAfterSeconds }),
  'AUTH-3': bare,
  'AUTH-4': bare,
  'AUTH-5': bare,
  'AUTH-6': bare,
  unauthorized_message: bare,
  bad_credentials: bare,
  bad_refresh_token: bare,
  expired_refresh_token: bare,
  malformed_body: bare,
  unsupported_media_type: bare,
  malformed_compression: bare,
  malformed_path: bare,
  body_too_large: () => ({ value: limits.bodyBytes }),
  'CAT-2': (_, operation) => ({ what: operation.startsWith('products') ? 'Product' : 'Consumer' }),
  'FUL-1': () => ({ what: 'Fulfillment' }),
  'FUL-2': () => ({ what: 'Order' }),
  foreign_resource: bare,
  'ORD-11': () => ({ path: ['consumer', 'id'] }),
  'ORD-17': productField,
  'ORD-18': productField,
  'ORD-19': ({ inactiveProduct }) => ({ path: ['order_lines'], names: [inactiveProduct] }),
  'ORD-20': ({ discontinuedProduct, operator }) => ({ path: ['order_lines'], names: [discontinuedProduct], operator }),
  'ORD-21': () => ({ path: firstLine }),
  'ORD-22': bare,
  'ORD-23': bare,
  pack_id: () => ({ path: [...firstPouch, 'pack_id'] }),
} as const satisfies { readonly [Rule in RuleId]?: Shown };

/** All others are judged by schemas, as `breaches.ts` breaks good requests. */
const shownRefusals: { readonly [Rule in RuleId]?: Shown } = { ...apart, ...byFacts };

// A refusal as a document shows it: the very answer, made by the operation's own schemas where a part of the request breaks the rule.

/**
 * The answer by which the operation refuses by this rule, or any operation where none is given; undefined where it cannot, by the readings.
 * @throws Error for a rule that a schema judges, and that nobody said how to break
 */
function refusalExample(
  operation: ServiceOperation | undefined,
  rule: RuleId,
  assumptions: Assumptions,
  samples: Samples,
): RefusalAnswer | undefined {
  const { when }: Rule = rules[rule];
  const shown = shownRefusals[rule];
  if (shown === 'never' || (when && !when(assumptions))) return undefined;
  if (shown) return answerTo(new Refusal(rule, shown(samples, operation?.id ?? '')), assumptions);
  const refusal = operation && broken(operation, rule, assumptions, samples);
  return refusal && answerTo(refusal, assumptions);
}

/** Refused by a schema, and by this rule first. */
function broken(
  operation: ServiceOperation,
  rule: RuleId,
  assumptions: Assumptions,
  samples: Samples,
): Refusal | undefined {
  const refusals = breachesOf(operation, rule).map((breach) => refusalBy(breach, operation, assumptions, samples));
  return refusals.find((refusal) => refusal?.faults[0].rule === rule);
}

/** The refusal of a good request that was changed; undefined where it is taken. */
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
  return result?.error && new Refusal(faultsOf(result.error), { judgedAs });
}

type Examples = Readonly<Record<string, ReturnType<typeof exampleOf>>>;

/** What a reader chooses it by, and what was required. */
function exampleOf(rule: RuleId, body: ErrorBody) {
  return { summary: `${rule}: ${body.message}`, description: `Required: ${rules[rule].requires}.`, value: body };
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
export function sharedErrorResponses(
  assumptions: Assumptions,
  samples: Samples,
): Record<string, ZodOpenApiResponseObject> {
  const examples = examplesByStatus(undefined, sharedRules, assumptions, samples);
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
export function refusalResponses(operation: ServiceOperation, assumptions: Assumptions, samples: Samples) {
  const needsToken = operation.permission !== null;
  const rules: readonly RuleId[] = [
    ...operation.refusals,
    ...(needsToken ? commonRefusals : []),
    ...everywhereRefusals,
  ];
  const responses: Record<string, ZodOpenApiResponseObject | { $ref: string }> = {};
  for (const [status, examples] of examplesByStatus(operation, rules, assumptions, samples)) {
    const isShared = isSharedStatus(status) && (needsToken || status !== 401);
    responses[status] = isShared ? referTo(nameOf[status]) : errorResponse(status, examples);
  }
  return { ...responses, default: referTo(otherResponse) };
}

const referTo = (name: string) => ({ $ref: `#/components/responses/${name}` });

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
    const { status, body } = answer;
    byStatus.set(status, { ...byStatus.get(status), [rule]: exampleOf(rule, body) });
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}
