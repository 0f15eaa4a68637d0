// A representative refusal of each stage, and how the journal explains it.

import type { OperationId } from '../../src/contract/operations.ts';
import { type RuleId, rules } from '../../src/contract/rules.ts';
import type { TestSachet } from '../support/sachet.ts';
import { dayInMilliseconds } from '../support/tokens.ts';
import type { Case } from './case.ts';
import { known, orderWith, unknownId } from './requests.ts';

interface Explained {
  readonly stage: string;
  readonly rule: RuleId;
  readonly field: string | null;
  readonly came: string | null;
  /** What it says; the rule's own words stand in it, too. */
  readonly sentence: string;
  readonly faults?: readonly string[];
}

const rejected = (rule: RuleId, problem = ''): string => `Rejected by ${rule}${problem}. ${rules[rule].requires}.`;
export const fullStreet = 'x'.repeat(100);
const burst = async (sachet: TestSachet) => {
  await sachet.control.sandbox('stage').switches.set({ rate_limit: { burst: 1 } });
};

export const explained: readonly (readonly [string, OperationId, Omit<Case, 'refused'>, Explained])[] = [
  [
    'an injected 429 (LIM-1)',
    'products.list',
    { meanwhile: burst },
    {
      stage: 'admission',
      rule: 'LIM-1',
      field: null,
      came: null,
      sentence: 'Answered with 429 by the rate_limit switch.',
      faults: ['rate_limit'],
    },
  ],
  [
    'an endpoint that is not offered',
    'orders.list',
    { assumptions: { order_endpoints: 'absent' } },
    { stage: 'route', rule: 'order_endpoints', field: null, came: null, sentence: rejected('order_endpoints') },
  ],
  [
    'a path that cannot be decoded',
    'products.get',
    { request: { path: '/v2/products/%zz' } },
    { stage: 'route', rule: 'malformed_path', field: null, came: null, sentence: rejected('malformed_path') },
  ],
  [
    'an injected 404',
    'products.list',
    {
      meanwhile: async (sachet) =>
        void (await sachet.control.sandbox('stage').faults.create({ id: 'gone', status: 404 })),
    },
    {
      stage: 'fault',
      rule: 'fault_404',
      field: null,
      came: null,
      sentence: 'Answered with 404 by the fault gone.',
      faults: ['gone'],
    },
  ],
  [
    'an expired token (AUTH-3)',
    'products.list',
    { advance: dayInMilliseconds },
    { stage: 'token', rule: 'AUTH-3', field: null, came: null, sentence: rejected('AUTH-3') },
  ],
  [
    'a body that is no JSON',
    'orders.create',
    { request: { raw: '{"consumer":' } },
    { stage: 'bodyFormat', rule: 'malformed_body', field: null, came: null, sentence: rejected('malformed_body') },
  ],
  [
    'a body that does not inflate',
    'orders.create',
    { request: { headers: { 'content-encoding': 'gzip' }, raw: '{}' } },
    {
      stage: 'bodyFormat',
      rule: 'malformed_compression',
      field: null,
      came: null,
      sentence: rejected('malformed_compression'),
    },
  ],
  [
    'a missing permission (AUTH-5)',
    'orders.create',
    { user: 'no-permissions' },
    { stage: 'permission', rule: 'AUTH-5', field: null, came: null, sentence: rejected('AUTH-5') },
  ],
  [
    'a path id that is none',
    'orders.get',
    { request: { path: '/v2/orders/42' } },
    {
      stage: 'path',
      rule: 'malformed_path_id',
      field: 'orderId',
      came: '"42"',
      sentence: rejected('malformed_path_id', ': orderId is "42"'),
    },
  ],
  [
    'a query value of the wrong form',
    'fulfillments.list',
    { request: { path: '/v2/fulfillments?limit=none' } },
    {
      stage: 'query',
      rule: 'malformed_parameter',
      field: 'limit',
      came: '"none"',
      sentence: rejected('malformed_parameter', ': limit is "none"'),
    },
  ],
  [
    'an unknown query parameter',
    'fulfillments.list',
    { request: { path: '/v2/fulfillments?zz=1' } },
    {
      stage: 'query',
      rule: 'unknown_fields',
      field: 'zz',
      came: '"1"',
      sentence: rejected('unknown_fields', ': zz is "1"'),
    },
  ],
  [
    'a street that is too long (ORD-15)',
    'orders.create',
    { request: { body: orderWith({ 'shipping_address.address1': fullStreet }) } },
    {
      stage: 'bodySchema',
      rule: 'ORD-15',
      field: 'shipping_address.address1',
      came: `"${'x'.repeat(78)}… (100 characters)`,
      sentence: rejected('ORD-15', ': address1 has 100 characters'),
    },
  ],
  [
    'a product that does not exist (ORD-17)',
    'orders.create',
    { request: { body: orderWith({ 'order_lines.0.pouches.0.contents.0.client_product_id': unknownId }) } },
    {
      stage: 'operation',
      rule: 'ORD-17',
      field: 'order_lines.0.pouches.0.contents.0.client_product_id',
      came: `"${unknownId}"`,
      sentence: rejected('ORD-17', `: order_lines.0.pouches.0.contents.0.client_product_id is "${unknownId}"`),
    },
  ],
  [
    'an order in production that is modified (ORD-22)',
    'orders.update',
    { request: { path: `/v2/orders/${known.inProductionOrder}` } },
    {
      stage: 'operation',
      rule: 'ORD-22',
      field: null,
      came: '"In Production"',
      sentence: rejected('ORD-22', ': the order is "In Production"'),
    },
  ],
];
