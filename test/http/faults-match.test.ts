// Which calls a fault affects: by operation, method, path and body; by count, time and probability.
import { expect, test } from 'vitest';
import { known, orderWith } from '../cases/requests.ts';
import { orderId } from '../support/order-requests.ts';
import type { CallInit } from '../support/sachet.ts';
import { type FaultSent, testStage, times } from '../support/stage.ts';

type Match = NonNullable<FaultSent['match']>;
type Calls = Readonly<Record<string, readonly [method: string, path: string, init?: CallInit]>>;

const order = `/v2/orders/${orderId(18)}`;
const named = '/sandboxes/stage';
const calls: Calls = {
  products: ['GET', '/v2/products'],
  productsNamed: ['GET', `${named}/v2/products`],
  product: ['GET', `/v2/products/${known.product}?x=1`],
  orders: ['GET', '/v2/orders?limit=1'],
  order: ['GET', order],
  change: ['PATCH', order, { body: { shipping_address: { address1: '1', city: 'Bern', country_name: 'CH' } } }],
  cancel: ['POST', `${named}${order}/cancel`],
  create: ['POST', '/v2/orders', { body: orderWith({}) }],
  createNamed: ['POST', `${named}/v2/orders`, { body: orderWith({ 'shipping_address.city': 'Bern' }) }],
  broken: ['POST', '/v2/orders', { raw: '{' }],
  login: ['POST', '/v2/authentication/token', { body: { username: 'demo', password: 'wrong' } }],
};

/** Each match with the names of the calls that it matches. All faults are active at once: delays do not end a call. */
async function expectMatched(expected: readonly (readonly [Match, string[]])[], sent: Calls) {
  const { sachet, stage, client } = await testStage();
  for (const [n, [match]] of expected.entries())
    await stage.faults.create({ id: `f${n}`, delay: { milliseconds: 0 }, match });
  const found = expected.map(([match]): [Match, string[]] => [match, []]);
  for (const [name, [method, path, init]] of Object.entries(sent)) {
    const answer = await sachet.call(method, path, { ...init, headers: { authorization: `Bearer ${client.token}` } });
    for (const id of answer.headers.get('sandbox-fault')?.split(', ') ?? []) found[Number(id.slice(1))]?.[1].push(name);
  }
  expect(found).toEqual(expected);
  expect((await stage.faults.list()).faults.map(({ hits }) => hits)).toEqual(expected.map(([, names]) => names.length));
}

test('a match is by operation, method, literal path and path template, at each base URL', async () => {
  const ofOrders = { path: '/v2/orders' };
  const expected: [Match, string[]][] = [
    [{}, Object.keys(calls)],
    [{ operation: 'products.list' }, ['products', 'productsNamed']],
    [{ operation: 'orders.create' }, ['create', 'createNamed', 'broken']],
    [{ operation: 'authentication.token' }, ['login']],
    [{ method: 'POST' }, ['cancel', 'create', 'createNamed', 'broken', 'login']],
    [{ method: 'DELETE' }, []],
    [{ path: '/v2/products' }, ['products', 'productsNamed']],
    [{ path: `/v2/products/${known.product}` }, ['product']],
    [{ path: '/v2/products/{productId}' }, ['product']],
    [{ path: '/v2/orders/{anything}' }, ['order', 'change']],
    [{ path: '/v2/orders/{orderId}/cancel' }, ['cancel']],
    [ofOrders, ['orders', 'create', 'createNamed', 'broken']],
    [{ ...ofOrders, method: 'POST' }, ['create', 'createNamed', 'broken']],
    [{ operation: 'orders.list', method: 'POST' }, []],
    [{ path: `/v2/orders/${orderId(17)}` }, []],
  ];
  await expectMatched(expected, calls);
});

test('a match by body is by the part of the JSON that it names', async () => {
  const raw = (text: string) => ['POST', '/v2/orders', { raw: text }] as const;
  const whole: Calls = {
    null: raw('null'),
    number: raw('5'),
    text: raw('"text"'),
    array: raw('[1,{"a":1,"b":2}]'),
    false: raw('false'),
  };
  const lineWith = (...contents: object[]) => ({ order_lines: [{ pouches: [{ contents }] }] });
  const created = ['create', 'createNamed'];
  const expected: [Match, string[]][] = [
    [{ body: {} }, ['change', ...created, 'login']],
    [{ body: { username: 'demo' } }, ['login']],
    [{ body: { username: 'demo', password: 'other' } }, []],
    [{ body: { username: 'demo', remember: true } }, []],
    [{ body: { shipping_address: {} } }, ['change', ...created]],
    [{ body: { shipping_address: { city: 'Bern' } } }, ['change', 'createNamed']],
    [{ body: { shipping_address: { city: 'bern' } } }, []],
    [{ body: { order_lines: [{ duration: 30 }] } }, created],
    [{ body: { order_lines: [{ duration: '30' }] } }, []],
    [{ body: { order_lines: [{ duration: 30 }, {}] } }, []],
    [{ body: { order_lines: [] } }, []],
    [{ body: lineWith({ client_product_id: known.product }) }, created],
    [{ body: lineWith({ client_product_id: known.product2 }) }, []],
    [{ body: { order_lines: { 0: {} } } }, []],
    [{ body: { consumer: null } }, []],
    [{ body: { toString: {} } }, []],
    // An empty body is null.
    [{ body: null }, ['cancel', 'null']],
    [{ body: '' }, []],
    [{ body: [] }, []],
    [{ body: 5 }, ['number']],
    [{ body: 'text' }, ['text']],
    [{ body: [1, { a: 1 }] }, ['array']],
    [{ body: false }, ['false']],
    [{ body: { shipping_address: { city: 'Bern' } }, operation: 'orders.create' }, ['createNamed']],
    [{ body: { shipping_address: { city: 'Bern' } }, method: 'PATCH', path: '/v2/orders/{orderId}' }, ['change']],
  ];
  await expectMatched(expected, { ...calls, ...whole });
});

/** A stage with one fault of status 500. */
async function faulty(fault: Partial<FaultSent>) {
  const world = await testStage();
  await world.stage.faults.create({ id: 'it', status: 500, ...fault });
  return { ...world, stored: () => world.stage.faults.get('it') };
}

test('times is how many calls are affected, after how many pass before', async () => {
  const later = await faulty({ after: 1 });
  expect(await later.statuses(4)).toEqual([200, 500, 500, 500]);
  expect((await later.stored()).hits).toBe(3);
  const both = await faulty({ after: 2, times: 3 });
  expect(await both.statuses(8)).toEqual([200, 200, 500, 500, 500, 200, 200, 200]);
  expect(await both.stored()).toMatchObject({ hits: 3, remaining: 0 });
});

test('only calls that match are counted, also at the same time', async () => {
  const { status } = await faulty({ after: 1, times: 1, match: { path: '/v2/products' } });
  const seen = [];
  for (const path of ['/v2/orders', '/v2/products', '/v2/orders', '/v2/products', '/v2/products'])
    seen.push(await status(path));
  expect(seen).toEqual([200, 200, 200, 500, 200]);
  const { client, stored } = await faulty({ after: 3, times: 4 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.get('/v2/products')));
  expect(answers.map((answer) => answer.status).sort()).toEqual([...times(8, 200), ...times(4, 500)]);
  expect(await stored()).toMatchObject({ hits: 4, remaining: 0 });
});

test('for_seconds begins when the fault is created, and ends it to the millisecond', async () => {
  const { statuses, elapse, stored } = await faulty({ times: 3, for_seconds: 10 });
  expect(await statuses(1)).toEqual([500]);
  await elapse(9_999);
  expect(await statuses(1)).toEqual([500]);
  await elapse(1);
  expect(await statuses(1)).toEqual([200]);
  expect(await stored()).toMatchObject({ hits: 2, remaining: 1, ends_at: '2026-11-20T12:00:10.000Z' });
});

test('a probability depends on the id of the fault, and is drawn only for calls that count', async () => {
  const seen = async (fault: Partial<FaultSent>) => (await faulty(fault)).statuses(30);
  const plain = await seen({ probability: 0.5 });
  expect(await seen({ probability: 0.5 })).toEqual(plain);
  expect(await seen({ probability: 0.5, id: 'other' })).not.toEqual(plain);
  const later = await seen({ probability: 0.5, after: 7, times: 5 });
  expect(later.slice(0, 7)).toEqual(times(7, 200));
  const until = later.lastIndexOf(500) + 1;
  expect(later.slice(7, until)).toEqual(plain.slice(0, until - 7));
  expect(later.filter((status) => status === 500)).toHaveLength(5);
  expect(await seen({ probability: 0 })).toEqual(times(30, 200));
  expect(await seen({ probability: 1 })).toEqual(times(30, 500));
  // Each fault draws on its own.
  const { stage, statuses } = await faulty({ probability: 0.5 });
  await stage.faults.create({ id: 'second', delay: { milliseconds: 0 }, probability: 0.5 });
  expect(await statuses(30)).toEqual(plain);
});
