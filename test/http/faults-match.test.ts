// Which calls a fault means: by operation, method, literal path, template and body, under either base URL.
import { describe, expect, test } from 'vitest';
import { known, orderWith } from '../cases/requests.ts';
import { bent, type FaultSent } from '../support/bent.ts';
import { orderId } from '../support/order-requests.ts';
import type { CallInit } from '../support/sachet.ts';

type Match = NonNullable<FaultSent['match']>;

const order = `/v2/orders/${orderId(18)}`;
const named = '/sandboxes/stage';

/** Calls by a name for each; in which sandbox and in which form they come makes no difference. */
const calls: Readonly<Record<string, readonly [method: string, path: string, init?: CallInit]>> = {
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

/** The names of the calls that the match means. */
async function meant(match: Match): Promise<string[]> {
  const { sachet, stage, client } = await bent();
  await stage.faults.create({ id: 'it', status: 500, match });
  const found = [];
  for (const [name, [method, path, init]] of Object.entries(calls)) {
    const headers = { authorization: `Bearer ${client.token}` };
    const answer = await sachet.call(method, path, { ...init, headers });
    if (answer.headers.get('sandbox-fault') === 'it') found.push(name);
  }
  expect((await stage.faults.get('it')).hits).toBe(found.length);
  return found;
}

const all = Object.keys(calls);
const ofOrders = { path: '/v2/orders' };

describe('a match', () => {
  test.each<[Match, readonly string[]]>([
    [{}, all],
    [{ operation: 'products.list' }, ['products', 'productsNamed']],
    [{ operation: 'orders.create' }, ['create', 'createNamed', 'broken']],
    [{ operation: 'authentication.token' }, ['login']],
    [{ method: 'POST' }, ['cancel', 'create', 'createNamed', 'broken', 'login']],
    [{ method: 'PATCH' }, ['change']],
    [{ method: 'DELETE' }, []],
    [{ path: '/v2/products' }, ['products', 'productsNamed']],
    [{ path: `/v2/products/${known.product}` }, ['product']],
    [{ path: '/v2/products/{productId}' }, ['product']],
    [{ path: order }, ['order', 'change']],
    [{ path: '/v2/orders/{anything}' }, ['order', 'change']],
    [{ path: '/v2/orders/{orderId}/cancel' }, ['cancel']],
    [ofOrders, ['orders', 'create', 'createNamed', 'broken']],
    [{ ...ofOrders, method: 'POST' }, ['create', 'createNamed', 'broken']],
    [{ operation: 'orders.list', method: 'POST' }, []],
    [{ path: `/v2/orders/${orderId(17)}` }, []],
  ])('%j means %j', async (match, expected) => {
    expect(await meant(match)).toEqual(expected);
  });
});

describe('a body', () => {
  const content = { client_product_id: known.product };
  const lineWith = (...contents: object[]) => ({ order_lines: [{ pouches: [{ contents }] }] });
  test.each<[body: unknown, readonly string[]]>([
    [{}, ['change', 'create', 'createNamed', 'login']],
    [{ username: 'demo' }, ['login']],
    [{ username: 'demo', password: 'other' }, []],
    [{ username: 'demo', remember: true }, []],
    [{ shipping_address: {} }, ['change', 'create', 'createNamed']],
    [{ shipping_address: { city: 'Bern' } }, ['change', 'createNamed']],
    [{ shipping_address: { city: 'bern' } }, []],
    [{ consumer: { email: 'ada@example.com' } }, ['create', 'createNamed']],
    [{ order_lines: [{ duration: 30 }] }, ['create', 'createNamed']],
    [{ order_lines: [{ duration: '30' }] }, []],
    [{ order_lines: [{ duration: 30 }, {}] }, []],
    [{ order_lines: [] }, []],
    [lineWith(content), ['create', 'createNamed']],
    [lineWith({ client_product_id: known.product2 }), []],
    [{ order_lines: { 0: {} } }, []],
    [{ consumer: null }, []],
    [{ toString: {} }, []],
    // An empty body is null.
    [null, ['cancel']],
    ['', []],
    [[], []],
  ])('%j is part of these: %j', async (body, expected) => {
    expect(await meant({ body })).toEqual(expected);
  });

  test('goes together with the rest of the match', async () => {
    const body = { shipping_address: { city: 'Bern' } };
    expect(await meant({ body, operation: 'orders.create' })).toEqual(['createNamed']);
    expect(await meant({ body, method: 'PATCH', path: '/v2/orders/{orderId}' })).toEqual(['change']);
  });

  test.each([
    [null, 'null'],
    [5, '5'],
    ['text', '"text"'],
    [[1, { a: 1 }], '[1,{"a":1,"b":2}]'],
    [false, 'false'],
  ])('of %j is met where the whole body is %s', async (body, raw) => {
    const { stage, client } = await bent();
    await stage.faults.create({ status: 404, match: { body } });
    expect((await client.post('/v2/orders', undefined, { raw })).status).toBe(404);
    expect((await client.post('/v2/orders', undefined, { raw: '"else"' })).status).toBe(422);
  });
});

test('a fault of one sandbox means no call of another', async () => {
  const { sachet, stage } = await bent();
  await stage.faults.create({ id: 'it', status: 500 });
  const others = [await sachet.login('demo+w7'), await sachet.login('demo', { base: '/sandboxes/production' })];
  for (const client of others) expect((await client.get('/v2/products')).status).toBe(200);
  expect((await stage.faults.get('it')).hits).toBe(0);
});
