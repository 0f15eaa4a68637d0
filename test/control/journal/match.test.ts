import { describe, expect, test } from 'vitest';
import { match as schema } from '../../../src/contract/control/match.ts';
import { type CallFacts, matches } from '../../../src/journal/match.ts';

const facts: CallFacts = {
  operation: 'orders.create',
  method: 'POST',
  path: '/v2/orders',
  body: { consumer: { id: 'a', extra: null }, order_lines: [{ duration: 30 }, { duration: 7 }] },
  status: 422,
  rules: ['ORD-15', 'ORD-16'],
};
const isMeant = (wanted: object, given: Partial<CallFacts> = {}) =>
  matches(schema.parse(wanted), { ...facts, ...given });

describe('a match', () => {
  test.each([
    [{}],
    [{ operation: 'orders.create' }],
    [{ method: 'POST' }],
    [{ path: '/v2/orders' }],
    [{ status: 422 }],
    [{ rule: 'ORD-16' }],
    [{ operation: 'orders.create', method: 'POST', path: '/v2/orders', status: 422, rule: 'ORD-15', body: {} }],
  ])('%j means the call', (wanted) => {
    expect(isMeant(wanted)).toBe(true);
  });

  test.each([
    [{ operation: 'orders.update' }],
    [{ method: 'GET' }],
    [{ path: '/v2/order' }],
    [{ path: '/v2/orders/' }],
    [{ path: '/v2' }],
    [{ status: 201 }],
    [{ rule: 'ORD-1' }],
    [{ rule: 'ORD-15', status: 201 }],
    [{ operation: 'orders.create', method: 'GET' }],
  ])('%j does not', (wanted) => {
    expect(isMeant(wanted)).toBe(false);
  });

  test('of a status, a rule or a body means nothing that has none', () => {
    const { status: _, rules: __, ...came } = facts;
    expect(matches({ status: 422 }, came)).toBe(false);
    expect(matches({ status: 422 }, { ...came, status: null })).toBe(false);
    expect(matches({ rule: 'ORD-15' }, came)).toBe(false);
    expect(isMeant({ body: {} }, { body: undefined })).toBe(false);
    expect(isMeant({ operation: 'orders.create' }, { operation: null })).toBe(false);
  });

  test('that names no body does not ask for it', () => {
    const unasked = {
      ...facts,
      get body(): unknown {
        throw new Error('it was asked for');
      },
    };
    expect(matches({ method: 'POST', status: 422 }, unasked)).toBe(true);
  });
});

test.each([
  ['/v2/orders/{orderId}', '/v2/orders/42', true],
  ['/v2/orders/{orderId}', '/v2/orders/%2F', true],
  ['/v2/orders/{orderId}', '/v2/orders/{orderId}', true],
  ['/v2/orders/{orderId}', '/v2/orders/', false],
  ['/v2/orders/{orderId}', '/v2/orders', false],
  ['/v2/orders/{orderId}', '/v2/orders/42/', false],
  ['/v2/orders/{orderId}', '/v2/orders/42/cancel', false],
  ['/v2/orders/{orderId}', '/v2/products/42', false],
  ['/v2/orders/{orderId}/cancel', '/v2/orders/42/cancel', true],
  ['/v2/orders/{orderId}/cancel', '/v2/orders/a/b/cancel', false],
  ['/{a}/{b}', '/v2/orders', true],
  ['/v2/or.ers/{id}', '/v2/orders/42', false],
  ['/v2/(x)/{id}', '/v2/(x)/42', true],
  ['/v2/orders', '/v2/orders', true],
  ['/v2/.*', '/v2/orders', false],
])('the path %s and %s: %s', (path, came, expected) => {
  expect(isMeant({ path }, { path: came })).toBe(expected);
  expect(isMeant({ path }, { path: came })).toBe(expected);
});

describe('a body has at most 1,000 values, including nested ones', () => {
  const nulls = (length: number) => Array.from({ length }, () => null);
  const keys = (length: number) => Object.fromEntries(nulls(length).map((value, n) => [`k${n}`, value]));
  test.each([
    ['a list', nulls],
    ['an object', keys],
    ['lists in an object', (count: number) => ({ a: nulls(500), b: nulls(count - 502) })],
    ['a list far down', (count: number) => ({ a: [{ b: [nulls(count - 4)] }] })],
  ])('%s', (_, bodyOf) => {
    expect(schema.safeParse({ body: bodyOf(999) }).success).toBe(true);
    const { error } = schema.safeParse({ body: bodyOf(1000) });
    const message = 'at most 1000 values, including nested ones';
    expect(error?.issues).toMatchObject([{ path: ['body'], message }]);
  });
});

test('more templates than are kept are still told apart', () => {
  for (let index = 0; index < 2500; index += 1) {
    expect(isMeant({ path: `/v2/{id}/${index}` }, { path: `/v2/x/${index}` })).toBe(true);
    expect(isMeant({ path: `/v2/{id}/${index}` }, { path: `/v2/x/${index + 1}` })).toBe(false);
  }
});

test.each([
  [{ consumer: { id: 'a' } }, true],
  [{ consumer: {} }, true],
  [{ consumer: { extra: null } }, true],
  [{ consumer: { id: 'b' } }, false],
  [{ consumer: { absent: null } }, false],
  [{ consumer: null }, false],
  [{ consumer: [] }, false],
  [{ order_lines: [{ duration: 30 }, {}] }, true],
  [{ order_lines: [{ duration: 30 }] }, false],
  [{ order_lines: [{ duration: 7 }, { duration: 30 }] }, false],
  [{ order_lines: [{ duration: '30' }, {}] }, false],
  [{ order_lines: { 0: { duration: 30 } } }, false],
  [{ toString: {} }, false],
  [[], false],
  ['a', false],
  [null, false],
])('a body that must hold %j: %s', (body, expected) => {
  expect(isMeant({ body })).toBe(expected);
});

test('a body does not hold what every object inherits', () => {
  const body = JSON.parse('{"__proto__":{}}');
  expect(matches({ body }, { ...facts, body: {} })).toBe(false);
  expect(matches({ body }, { ...facts, body: JSON.parse('{"__proto__":{"a":1}}') })).toBe(true);
});

test.each([
  [null, null],
  ['a', 'a'],
  [5, 5],
  [
    [1, { a: 1 }],
    [1, { a: 1, b: 2 }],
  ],
])('a body that must hold %j and is %j', (body, came) => {
  expect(isMeant({ body }, { body: came })).toBe(true);
});
