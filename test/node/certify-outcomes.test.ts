// The outcomes of a certification, judged by calls: what counts as read, and what does not.
import { describe, expect, test } from 'vitest';
import type { RequestJson } from '../../src/contract/control/requests.ts';
import { isReached } from '../../src/node/certify/outcomes.ts';

type CallOf = Pick<RequestJson, 'operation' | 'method' | 'path'> & Partial<RequestJson>;

const call = ({ body, ...given }: CallOf & { readonly body?: unknown }): RequestJson =>
  ({ query: '', status: 200, caller: 'demo', ...given, response: { body } }) as RequestJson;

const brandOfUser = new Map([
  ['demo', 'brand 1'],
  ['other', 'brand 2'],
]);
const existing = [{ id: 'f1', brand_id: 'brand 1' }];
const placed = call({
  operation: 'orders.create',
  method: 'POST',
  path: '/v2/orders',
  status: 201,
  body: { order: { id: 'o1' } },
});

describe('an order is followed', () => {
  const isFollowed = (...after: readonly RequestJson[]) =>
    isReached.order_followed({ calls: [placed, ...after], existing, brandOfUser });

  test.each([
    ['orders.get', '/v2/orders/o1', ''],
    ['orders.fulfillments', '/v2/orders/o1/fulfillments', ''],
    ['fulfillments.list', '/v2/fulfillments', '?order_id=o1'],
  ] as const)('by %s', (operation, path, query) => {
    const read = call({ operation, method: 'GET', path, query });
    expect(isFollowed(read)).toBe(true);
    expect(isFollowed({ ...read, status: 404 })).toBe(false);
  });

  test.each([
    ['products.list', 'GET', '/v2/products', '?x=o1'],
    ['orders.cancel', 'POST', '/v2/orders/o1/cancel', ''],
    ['orders.list', 'GET', '/v2/orders', ''],
  ] as const)('not by %s', (operation, method, path, query) => {
    expect(isFollowed(call({ operation, method, path, query }))).toBe(false);
  });
});

describe('all fulfillments are read', () => {
  const list = (caller: string, ...ids: readonly string[]) =>
    call({
      operation: 'fulfillments.list',
      method: 'GET',
      path: '/v2/fulfillments',
      caller,
      body: { fulfillments: ids.map((id) => ({ id })) },
    });
  const areRead = (...calls: readonly RequestJson[]) =>
    isReached.all_fulfillments_read({ calls, existing, brandOfUser });

  test('if the lists have those of the brand', () => {
    expect([areRead(list('demo')), areRead(list('demo', 'f1'))]).toEqual([false, true]);
  });

  test('not by a user of a brand that has none', () => {
    expect(areRead(list('other'))).toBe(false);
  });

  test('by a list without any, if there are none', () => {
    expect(isReached.all_fulfillments_read({ calls: [list('demo')], existing: [], brandOfUser })).toBe(true);
  });
});
