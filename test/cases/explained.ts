// One representative rejection of each stage, with its explanation in the journal.
import type { OperationId } from '../../src/contract/operations.ts';
import { type RuleId, rules } from '../../src/contract/rules.ts';
import type { TestSachet } from '../support/sachet.ts';
import type { Case } from './case.ts';
import { dayInMilliseconds } from './common.ts';
import { known, orderWith, unknownId } from './requests.ts';

interface Explained {
  readonly stage: string;
  readonly rule: RuleId;
  readonly field: string | null;
  readonly came: string | null;
  readonly sentence: string;
  readonly faults?: readonly string[];
}
type Row = readonly [title: string, operation: OperationId, given: Omit<Case, 'rejection'>, explained: Explained];

/** @param problem the part of the sentence about the value */
const rejected = (
  stage: string,
  rule: RuleId,
  problem = '',
  field: string | null = null,
  came: string | null = null,
) => ({ stage, rule, field, came, sentence: `Rejected by ${rule}${problem}. ${rules[rule].requires}.` });
const path = (value: string) => ({ request: { path: value } });
const order = (patches: Readonly<Record<string, unknown>>) => ({ request: { body: orderWith(patches) } });

const fullStreet = 'x'.repeat(100);
const product = 'order_lines.0.pouches.0.contents.0.client_product_id';
const burst: Explained = {
  ...rejected('admission', 'LIM-1'),
  sentence: 'Answered with 429 by the rate_limit switch.',
  faults: ['rate_limit'],
};
const fault: Explained = {
  ...rejected('fault', 'fault_404'),
  sentence: 'Answered with 404 by the fault gone.',
  faults: ['gone'],
};

const onStage = (change: (stage: ReturnType<TestSachet['control']['sandbox']>) => Promise<unknown>) => ({
  meanwhile: ({ control }: TestSachet) => change(control.sandbox('stage')),
});
const limited = onStage(({ switches }) => switches.set({ rate_limit: { burst: 1 } }));
const gone = onStage(({ faults }) => faults.create({ id: 'gone', status: 404 }));
const compressed = { request: { headers: { 'content-encoding': 'gzip' }, raw: '{}' } };
const absent = { assumptions: { order_endpoints: 'absent' } } as const;
const malformedId = rejected('path', 'malformed_path_id', ': orderId is "42"', 'orderId', '"42"');
const noLimit = rejected('query', 'malformed_parameter', ': limit is "none"', 'limit', '"none"');
const unknownParameter = rejected('query', 'unknown_fields', ': zz is "1"', 'zz', '"1"');
const shownStreet = `"${'x'.repeat(78)}… (100 characters)`;
const address = 'shipping_address.address1';
const longStreet = rejected('bodySchema', 'ORD-15', ': address1 has 100 characters', address, shownStreet);
const noProduct = rejected('operation', 'ORD-17', `: ${product} is "${unknownId}"`, product, `"${unknownId}"`);
const inProduction = rejected('operation', 'ORD-22', ': the order is "In Production"', null, '"In Production"');

export const explained: readonly Row[] = [
  ['an injected 429 (LIM-1)', 'products.list', limited, burst],
  ['an endpoint that is not offered', 'orders.list', absent, rejected('route', 'order_endpoints')],
  ['a malformed path', 'products.get', path('/v2/products/%zz'), rejected('route', 'malformed_path')],
  ['an injected 404', 'products.list', gone, fault],
  ['an expired token (AUTH-3)', 'products.list', { advance: dayInMilliseconds }, rejected('token', 'AUTH-3')],
  ['a cut body', 'orders.create', { request: { raw: '{"consumer":' } }, rejected('bodyFormat', 'malformed_body')],
  ['a compressed body', 'orders.create', compressed, rejected('bodyFormat', 'malformed_compression')],
  ['a missing permission (AUTH-5)', 'orders.create', { user: 'no-permissions' }, rejected('permission', 'AUTH-5')],
  ['a malformed id in a path', 'orders.get', path('/v2/orders/42'), malformedId],
  ['a malformed query value', 'fulfillments.list', path('/v2/fulfillments?limit=none'), noLimit],
  ['an unknown query parameter', 'fulfillments.list', path('/v2/fulfillments?zz=1'), unknownParameter],
  ['a street that is too long (ORD-15)', 'orders.create', order({ [address]: fullStreet }), longStreet],
  ['a product that does not exist (ORD-17)', 'orders.create', order({ [product]: unknownId }), noProduct],
  ['an order in production (ORD-22)', 'orders.update', path(`/v2/orders/${known.inProductionOrder}`), inProduction],
];
