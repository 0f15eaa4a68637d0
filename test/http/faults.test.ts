// Faults over the control API: their statuses and rules, their ids, their hits, which calls they affect, and which are rejected.
import { describe, expect, test } from 'vitest';
import { refusalsOf } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { errorOf } from '../cases/assumptions/choices.ts';
import { known, orderWith } from '../cases/requests.ts';
import { controlled } from '../support/control.ts';
import { orderId } from '../support/order-requests.ts';
import type { CallInit } from '../support/sachet.ts';
import { type FaultSent, testStage, times } from '../support/stage.ts';

describe('a status', () => {
  test('has the error body of the contract (HTTP-3), its rule, and a challenge with 401', async () => {
    const { stage, client } = await testStage({ assumptions: { unauthorized_message: 'Invalid token' } });
    for (const [status, message, rule] of [
      [400, 'Bad Request', 'fault_400'],
      [401, 'Token expired', 'AUTH-3'],
      [403, 'Insufficient permissions', 'AUTH-5'],
      [404, 'Not Found', 'fault_404'],
      [422, 'Unprocessable Entity', 'fault_422'],
      [429, 'Too Many Requests', 'LIM-1'],
      [500, 'An internal server error occurred', 'HTTP-3'],
      [502, 'Bad Gateway', 'fault_502'],
      [503, 'Service Unavailable', 'fault_503'],
      [504, 'Gateway Timeout', 'fault_504'],
    ] as const) {
      await stage.faults.create({ id: 'it', status, times: 1 });
      const { headers, body } = await client.get('/v2/products');
      expect(body).toEqual(errorOf(status, message));
      expect([headers.get('sandbox-rule'), headers.get('sandbox-fault')], message).toEqual([rule, 'it']);
      expect(headers.get('retry-after'), message).toBe(status === 429 ? '60' : null);
      expect(headers.get('www-authenticate'), message).toBe(status === 401 ? 'Bearer error="invalid_token"' : null);
      await stage.faults.delete('it');
    }
  });

  test('429 has the given retry_after, or the seconds that are left', async () => {
    const retryAfter = async (fault: FaultSent, milliseconds = 0) => {
      const { stage, client, elapse } = await testStage();
      await stage.faults.create({ status: 429, ...fault });
      await elapse(milliseconds);
      return (await client.get('/v2/products')).headers.get('retry-after');
    };
    expect(await retryAfter({ retry_after: 0 })).toBe('0');
    expect(await retryAfter({ retry_after: 315_360_000 })).toBe('315360000');
    expect(await retryAfter({ for_seconds: 10 }, 7001)).toBe('3');
  });
});

describe('a rule', () => {
  test('answers as the rule would, only to operations that can break it', async () => {
    const { stage, status, order, stored } = await testStage();
    const before = await stored();
    await stage.faults.create({ id: 'no-pag', rule: 'ORD-21', times: 1 });
    expect(await status()).toBe(200);
    const { body, headers } = await order();
    const message = 'No Packaging Asset Group ID found for the order line';
    expect(body).toEqual(errorOf(422, message, [['order_lines.0', message]]));
    expect([headers.get('sandbox-rule'), headers.get('sandbox-fault')]).toEqual(['ORD-21', 'no-pag']);
    expect(await stored()).toBe(before);
    expect((await order()).status).toBe(201);
  });

  test('has the status and message of its rule, by the assumptions of the sandbox', async () => {
    const ofBusiness = { business_rule_status: 'per_kind', validation_placement: 'message' } as const;
    const pouch = 'order_lines.0.pouches.0.contents.0.client_product_id';
    for (const [rule, assumptions, status, message, field] of [
      ['ORD-12', {}, 422, /^"email" must be a valid email$/, 'consumer.email'],
      ['ORD-19', {}, 422, /^The following client products are inactive and cannot be ordered: \S/, 'order_lines'],
      ['AUTH-5', {}, 403, /^Insufficient permissions$/, undefined],
      ['ORD-18', ofBusiness, 403, /^Product does not belong to client$/, undefined],
      ['unknown_fields', { unknown_fields: 'ignore' }, 422, /^Unprocessable Entity$/, undefined],
      ['ORD-26', { pouch_both: 'documented' }, 422, /^"value" contains a conflict between exclusive peers/, undefined],
      ['ORD-8', { time_of_administration: 'closed' }, 422, /^"client_product_id" must be a valid GUID$/, pouch],
    ] as const) {
      const { stage, order } = await testStage({ assumptions });
      if (rule === 'ORD-8') await stage.singles.administration_times.update({ values: ['Dusk'] });
      await stage.faults.create({ rule, match: { operation: 'orders.create' } });
      const { body } = await order();
      expect([body.statusCode, body.message, body.details?.[0]?.field]).toEqual([
        status,
        expect.stringMatching(message),
        field,
      ]);
    }
  });

  test('has a response for each rule that an operation can break', async () => {
    const { stage, order } = await testStage();
    const wrong = [];
    for (const rule of refusalsOf(operations['orders.create'])) {
      await stage.faults.create({ id: 'each', rule });
      const { body, headers } = await order();
      const [found] = headers.get('sandbox-rule')?.split(', ') ?? [];
      if (found !== rule || typeof body.message !== 'string') wrong.push([rule, found, body.message]);
      await stage.faults.delete('each');
    }
    expect(wrong).toEqual([]);
  });
});

describe('ids', () => {
  test('are counted, skip those that are taken, and are per sandbox', async () => {
    const { sachet, stage } = await testStage();
    const create = async (id?: string) => (await stage.faults.create({ status: 500, ...(id && { id }) })).id;
    expect([await create(), await create('fault-2'), await create()]).toEqual(['fault-1', 'fault-2', 'fault-3']);
    await stage.faults.delete('fault-3');
    expect(await create()).toBe('fault-4');
    await sachet.control.sandbox('production').faults.create({ id: 'fault-2', status: 500 });
  });

  test('that are taken are rejected with 409, and their fault stays as it is', async () => {
    const { stage, status } = await testStage();
    await stage.faults.create({ id: 'mine', status: 404, times: 3 });
    await status();
    const before = await stage.faults.list();
    const rejected = { status: 409, message: expect.stringContaining('"mine"') };
    await expect(stage.faults.create({ id: 'mine', status: 500 })).rejects.toMatchObject(rejected);
    expect(await stage.faults.list()).toEqual(before);
    await stage.faults.delete('mine');
    expect(await stage.faults.create({ id: 'mine', status: 500 })).toMatchObject({ status: 500, hits: 0 });
  });

  test('that are unknown are 404, with those that are available; switches are not among them', async () => {
    const { stage } = await testStage();
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 0 } });
    await stage.switches.set({ server_error: {} });
    for (const id of ['fast', 'server_error']) {
      const rejected = { status: 404, message: expect.stringContaining(`There is no fault "${id}"; available: slow`) };
      await expect(stage.faults.get(id)).rejects.toMatchObject(rejected);
      await expect(stage.faults.delete(id)).rejects.toMatchObject(rejected);
    }
  });
});

test('a fault is listed as it was created, with its hits and what remains, until it is deleted or reset', async () => {
  const { stage, client, status, statuses } = await testStage();
  const some = { id: 'some', status: 500, times: 5, for_seconds: 60, match: { path: '/v2/products' } } as const;
  const never = { id: 'never', status: 500, match: { method: 'PUT' } } as const;
  expect(await stage.faults.create(some)).toMatchObject({ ...some, hits: 0, remaining: 5 });
  await stage.faults.create(never);
  for (const path of ['/v2/products', '/v2/orders', '/v2/products']) await client.get(path);
  const stored = { ...some, hits: 2, remaining: 3, ends_at: '2026-11-20T12:01:00.000Z' };
  expect((await stage.faults.list()).faults).toEqual([stored, { ...never, hits: 0 }]);
  expect(await stage.faults.get('some')).toEqual(stored);
  await stage.faults.delete('some');
  expect(await statuses(2)).toEqual([200, 200]);
  await stage.faults.create({ status: 404 });
  expect(await status()).toBe(404);
  await stage.reset();
  expect([await stage.faults.list(), await status()]).toEqual([{ faults: [] }, 200]);
});

/** The start of the message, if it says more than the schema of the field. */
type Rejected = readonly [sent: object, field: string, message?: string];
const rejected: readonly Rejected[] = [
  [{}, ''],
  [{ match: {} }, ''],
  [{ id: 'x', status: 500, drop: 'mid_body' }, ''],
  [{ status: '500' }, 'status'],
  [{ status: 200 }, 'status'],
  [{ status: 501 }, 'status', 'found 501, expected one of 400, 401, 403, 404, 422, 429, 500, 502, 503, 504'],
  [{ rule: 'unknown_host' }, 'rule'],
  [
    { rule: 'LIM-1' },
    'rule',
    'found "LIM-1", expected a rule that a request can break; .*for a 429 or a 500, set "status"$',
  ],
  [{ rule: 'ORD-99' }, 'rule', 'found "ORD-99", expected a rule that a request can break; .*Did you mean "ORD-9"\\?$'],
  [{ rule: 'ORD-21', status: 422 }, ''],
  [{ rule: 'ORD-21', drop: 'mid_body' }, ''],
  [
    { rule: 'ORD-21', match: { operation: 'fulfillments.list' } },
    'rule',
    'found "ORD-21", expected a rule that fulfillments.list can break: .*AUTH-3',
  ],
  [
    { rule: 'ORD-9', match: { path: '/v2/orders', method: 'GET' } },
    'rule',
    'found "ORD-9", expected a rule that orders.list can break: ',
  ],
  [
    { rule: 'ORD-9', match: { path: '/v2/orders', method: 'PUT' } },
    'rule',
    'found "ORD-9", expected no rule, because "match" selects no operation',
  ],
  [{ status: 429, retry_after: -1 }, 'retry_after'],
  [{ status: 500, retry_after: 5 }, 'retry_after', 'found 5, expected no retry_after unless status is 429$'],
  [{ delay: {} }, 'delay'],
  [{ delay: { min: 2, max: 1 } }, 'delay', 'found 1, expected a max that is not less than min$'],
  [{ delay: { min: 1, max: 2, milliseconds: 3 } }, 'delay'],
  [{ delay: { median: 5 } }, 'delay'],
  [{ delay: { median: 5, sigma: 6 } }, 'delay'],
  [{ delay: { milliseconds: 3_600_001 } }, 'delay'],
  [{ status: 500, times: 0 }, 'times'],
  [{ drop: 'mid_body', times: 1.5 }, 'times', 'found 1.5, expected a whole number$'],
  [{ status: 500, after: 0 }, 'after'],
  [{ status: 500, after: 'success' }, 'after'],
  [{ drop: 'before_processing', after: 'success' }, 'after'],
  [{ drop: 'mid_body', after: 'success', delay: { milliseconds: 1 } }, 'after'],
  [{ drop: 'mid_body', after: 'failure' }, 'after'],
  [{ status: 500, for_seconds: 0.5 }, 'for_seconds'],
  [{ status: 500, probability: 2 }, 'probability'],
  [{ status: 500, match: { operation: 'orders.remove' } }, 'match.operation'],
  [{ status: 500, match: { path: 'x' } }, 'match.path', 'found "x", expected a path of the contract such as'],
  [
    { status: 500, match: { path: '/_storage/labels/x' } },
    'match.path',
    'found "/_storage/labels/x", expected .*; of the switches and faults only label_expiry affects downloads of labels',
  ],
  [{ status: 500, id: 'Mine' }, 'id'],
  [{ status: 500, id: 'latency' }, 'id'],
  [{ status: 500, hits: 3 }, ''],
];

test('a fault that is not valid is rejected by its field, with the value and what is allowed', async () => {
  const { sachet, admin } = controlled();
  const { version } = await sachet.sandbox();
  for (const [sent, field, message = ''] of rejected) {
    const { status, body } = await admin('POST', '/sandboxes/stage/faults', sent);
    const found = [status, body.details?.[0]?.field, body.details?.[0]?.message];
    const at = expect.stringMatching(field === '' ? '^$' : `^${field}(?:\\.|$)`);
    expect(found, JSON.stringify(sent)).toEqual([422, at, expect.stringMatching(`^${message}`)]);
  }
  expect((await sachet.sandbox()).version).toBe(version);
});

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
