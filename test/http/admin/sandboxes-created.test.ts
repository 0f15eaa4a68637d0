// The options of a new sandbox.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { type Controlled, controlled, machineAt, namesOf, unseeded } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures, passwordOf } from '../../support/sachet.ts';
import { storedDocument } from '../../support/test-state.ts';
import { badCredentials, logIn, newUser, present } from '../../support/tokens.ts';

/** A server, and the response to a new sandbox `team` with these options. */
const create = async (body: object, options: Parameters<typeof controlled>[0] = {}) => {
  const server = controlled(options);
  return { ...server, created: await server.admin('POST', '/sandboxes', { name: 'team', ...body }) };
};

test('an invalid value is rejected, and nothing is created', async () => {
  const adminKey = 'an-admin-key-of-length';
  const server = controlled({ adminKey });
  const invalid: Readonly<Record<string, readonly unknown[]>> = {
    name: ['', 'A', '-a', 'a/b', 'x'.repeat(64), 5, null],
    environment: ['', 'team', null],
    random_seed: ['', 'x'.repeat(1001), 0.5, 2 ** 53],
    ttl_seconds: [0, 1.5, '60', null, 315_360_001],
    clock: [
      'noon',
      '2026-01-01T00:00:00',
      '2026-01-01T00:00:00Z++',
      5,
      '1969-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59-12:00',
    ],
    assumptions: ['strict', { nope: 'x' }, { next_cursor: 'x' }, { profile: null }],
    scenario: [5, null, ['no-pag']],
    fixtures: [5, [], null],
    own_key: [false, 'x'.repeat(15), 'x'.repeat(201), 'a key with blanks in it', null],
  };
  for (const [field, values] of Object.entries(invalid))
    for (const value of values) {
      const { status, body } = await server.admin('POST', '/sandboxes', { name: 'team', [field]: value });
      const [detail] = body.details;
      expect([status, detail.field.split('.')[0]], `${field} ${JSON.stringify(value)}`).toEqual([422, field]);
      expect(detail.message).toMatch(/^found .+, expected .+/s);
    }
  expect((await server.admin('POST', '/sandboxes', { own_key: adminKey })).status).toBe(422);
  expect(await namesOf(server)).toEqual(['production', 'stage']);
});

test.each([
  ['production', 401],
  ['stage', 200],
])('environment %s: its tokens at the plain base URL: %i', async (environment, status) => {
  const { sachet, created } = await create({ environment });
  expect(created.status).toBe(201);
  const { token } = await sachet.login('demo', { base: '/sandboxes/team' });
  expect(decodeJwt(token)).toMatchObject({ environment, sandbox: 'team' });
  expect((await present(sachet, token, '/sandboxes/team')).status).toBe(200);
  expect((await present(sachet, token)).status).toBe(status);
});

test('a random_seed gives the same ids under any name, as in stage under the seed of the server, and as a number', async () => {
  /** The first order and its consumer in a new sandbox. */
  async function idsIn(name: string, seed?: string | number, { admin, sachet }: Controlled = controlled(unseeded)) {
    const body = { name, ...(seed !== undefined && { random_seed: seed }) };
    if (name !== 'stage') expect((await admin('POST', '/sandboxes', body)).status).toBe(201);
    const client = await sachet.login('demo', { base: `/sandboxes/${name}` });
    const consumer = { first_name: 'Ada', last_name: 'Lovelace' };
    const { order } = (await client.post('/v2/orders', someOrder({ consumer }))).body;
    return [order.id, order.consumer.id];
  }
  const ids = await idsIn('one', '42');
  expect(await idsIn('two', 42)).toEqual(ids);
  expect(await idsIn('stage', undefined, controlled({ randomSeed: 42 }))).toEqual(ids);
});

test('the clock is frozen or runs from an instant, runs in real time, or is that of the server', async () => {
  const move = machineAt('2026-11-20T08:00:00Z');
  for (const [clock, start, frozen] of [
    ['2030-01-01T00:00:00.123+02:00', '2029-12-31T22:00:00.123Z', true],
    ['2030-01-01T00:00:00Z+', '2030-01-01T00:00:00.000Z', false],
    [null, undefined, false],
    [undefined, '2000-01-01T00:00:00.000Z', true],
  ] as const) {
    const now = start ?? new Date().toISOString();
    const { admin } = await create({ clock }, { ...unseeded, clock: '2000-01-01T00:00:00Z' });
    const read = async () => (await admin('GET', '/sandboxes/team/clock')).body;
    expect(await read()).toEqual({ now, frozen, rate: 1 });
    move(1500);
    expect((await read()).now).toBe(new Date(Date.parse(now) + (frozen ? 0 : 1500)).toISOString());
  }
});

test('assumptions change those of the server, and a reset restores them', async () => {
  const { admin } = await create(
    { assumptions: { next_cursor: 'meta' } },
    { assumptions: { list_order: 'oldest_first' } },
  );
  const read = async (name = 'team') => (await admin('GET', `/sandboxes/${name}/assumptions`)).body;
  const initial = { ...(await read('stage')), next_cursor: 'meta' };
  expect(await read()).toEqual(initial);
  await admin('PATCH', '/sandboxes/team/assumptions', { profile: 'strict' });
  await admin('POST', '/sandboxes/team/reset');
  expect(await read()).toEqual(initial);
  await admin('POST', '/sandboxes', { name: 'strict', assumptions: { profile: 'strict', next_cursor: 'meta' } });
  expect(await read('strict')).toMatchObject({ order_endpoints: 'absent', next_cursor: 'meta' });
});

test('without login sandboxes each sandbox has its own passwords, returned once and kept by a reset', async () => {
  const { admin, sachet } = controlled({ ...unseeded, loginSandboxes: false });
  const [a, b] = [await admin('POST', '/sandboxes', { name: 'a' }), await admin('POST', '/sandboxes', { name: 'b' })];
  const logins: { username: string; password: string }[] = [...a.body.logins, ...b.body.logins];
  expect(new Set(logins.map(({ password }) => password)).size).toBe(2 * fixtures.users.length);
  const [{ username, password }] = a.body.logins;
  for (let round = 0; round < 2; round += 1) {
    expect((await logIn(sachet, username, password, '/sandboxes/a')).status).toBe(200);
    expect((await logIn(sachet, 'demo', passwordOf('demo'), '/sandboxes/a')).body).toEqual(badCredentials);
    await admin('POST', '/sandboxes/a/reset');
  }
  expect((await logIn(sachet, username, password, '/sandboxes/b')).body).toEqual(badCredentials);
});

describe('fixtures', () => {
  test('replace whole collections of this sandbox, and a reset restores them', async () => {
    const own = { users: [newUser('ann', 'of ann')], orders: [], fulfillments: [], operator: { name: 'Somebody' } };
    const { admin, sachet, created } = await create({ fixtures: own });
    expect(created.body.logins).toEqual([{ username: 'ann', password: 'of ann' }]);
    expect((await logIn(sachet, 'demo', passwordOf('demo'), '/sandboxes/team')).body).toEqual(badCredentials);
    expect((await logIn(sachet, 'ann', 'of ann')).body).toEqual(badCredentials);
    const ann = await sachet.login('ann', { password: 'of ann', base: '/sandboxes/team' });
    expect((await ann.post('/v2/orders', someOrder())).status).toBe(201);
    await admin('POST', '/sandboxes/team/reset');
    expect((await ann.get('/v2/orders')).body.orders).toEqual([]);
    const { state } = await sachet.sandbox('team');
    expect([state.table('products').size, state.value('operator')]).toEqual([fixtures.products.length, own.operator]);
    expect((await sachet.sandbox()).state.value('operator')).toEqual(fixtures.operator);
  });

  test('may be empty', async () => {
    const rows = Object.entries(fixtures).map(([name, one]) => [name, Array.isArray(one) ? [] : one]);
    const { status, body } = (await create({ fixtures: Object.fromEntries(rows) })).created;
    expect([status, body.logins]).toEqual([201, []]);
  });

  test('that are invalid, or that a scenario does not fit, are rejected with the place', async () => {
    const server = controlled();
    for (const [own, field, message] of [
      [{ nope: [] }, 'fixtures', /unknown key "nope"/],
      [{ users: [{}] }, 'fixtures.users[0].id', /found nothing/],
      [{ users: [newUser('a', 'x', 1), newUser('a', 'y', 2)] }, 'fixtures.users[1].username', /"a"/],
      [
        { products: [] },
        expect.stringMatching(/^fixtures\.\w+\[\d+\]\./),
        /, expected the id of a record in products$/,
      ],
    ] as const) {
      const { status, body } = await server.admin('POST', '/sandboxes', { name: 'team', fixtures: own });
      expect([status, body.details[0]]).toEqual([422, { field, message: expect.stringMatching(message) }]);
    }
    const few = { fulfillments: [], orders: [], pags: [], products: [], operator_products: [] };
    const options = { fixtures: few, scenario: 'discontinued-product' };
    const { status, body } = await server.admin('POST', '/sandboxes', options);
    expect([status, body.details[0].field]).toEqual([422, 'data.operator_products[0].id']);
    expect(await namesOf(server)).toEqual(['production', 'stage']);
  });
});

describe('own_key', () => {
  test('true creates a key, which is returned this once', async () => {
    const { admin, input, created, sachet } = await create({ own_key: true });
    const { key, has_own_key } = created.body;
    expect([has_own_key, key.length >= 16]).toEqual([true, true]);
    const headers = { authorization: `Bearer ${key}` };
    const read = await input('GET', '/_admin/sandboxes/team', { headers });
    expect([read.status, read.text.includes(key)]).toEqual([200, false]);
    expect((await admin('GET', '/sandboxes')).text).not.toContain(key);
    expect((await input('GET', '/_admin/sandboxes/stage', { headers })).status).toBe(401);
    expect((await admin('POST', '/sandboxes', { own_key: true })).body.key).not.toBe(key);
    expect(JSON.stringify(storedDocument((await sachet.sandbox('team')).state))).not.toContain(key);
    expect((await logIn(sachet, 'demo+team', passwordOf('demo'))).body).toEqual(badCredentials);
  });

  test('may be given, with 16 to 200 characters', async () => {
    for (const key of ['!#$%&()*+,-./:;<', 'y'.repeat(200)]) {
      const { input, created } = await create({ own_key: key });
      const read = await input('GET', '/_admin/sandboxes/team', { headers: { authorization: `Bearer ${key}` } });
      expect([created.body.key, read.status]).toEqual([key, 200]);
    }
  });
});
