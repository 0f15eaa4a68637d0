// Sandboxes are created with their options, listed, read, ended and deleted over the control API.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createChaosStore } from '../../support/chaos-store.ts';
import {
  bearer,
  type Controlled,
  controlled,
  everything,
  failureOf,
  machineAt,
  namesOf,
  unseeded,
  untilSo,
} from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures, isReplicated, passwordOf, testSachet } from '../../support/sachet.ts';
import { storedDocument } from '../../support/test-state.ts';
import { badCredentials, expectNoSandbox, logIn, newUser, present, refresh } from '../../support/tokens.ts';

// Several servers take the time of the last use from their database, where no test can move it.
test.skipIf(isReplicated)('stage and production exist from the start', async () => {
  machineAt('2026-11-20T08:00:00Z');
  const builtIn = (name: string) => ({
    name,
    environment: name,
    base_url: `http://localhost:4010/sandboxes/${name}`,
    made_by_login: false,
    has_own_key: false,
    ttl_seconds: null,
    last_used_at: '2026-11-20T08:00:00.000Z',
  });
  const { body } = await controlled().admin('GET', '/sandboxes');
  expect(body).toEqual({ sandboxes: [builtIn('production'), builtIn('stage')] });
});

test('a new sandbox is returned with its logins, active users first, listed by name, and read', async () => {
  const { admin, sachet } = controlled();
  const { status, body } = await admin('POST', '/sandboxes', { name: 'team', ttl_seconds: 60 });
  const { logins, key, ...shown } = body;
  expect([status, key]).toEqual([201, null]);
  expect(shown).toMatchObject({ name: 'team', environment: 'stage', made_by_login: false, ttl_seconds: 60 });
  const inactive = ['inactive-user', 'inactive-account'].flatMap((user) => [user, `${user}+team`]);
  const isInactive = ({ username }: { username: string }) => inactive.includes(username);
  const users = [...fixtures.users.filter((user) => !isInactive(user)), ...fixtures.users.filter(isInactive)];
  expect(logins).toEqual(users.map(({ username, password }) => ({ username: `${username}+team`, password })));
  await admin('POST', '/sandboxes', { name: 'a' });
  expect(await namesOf({ sachet })).toEqual(['a', 'production', 'stage', 'team']);
  expect((await admin('GET', '/sandboxes/team')).body).toMatchObject({ ...shown, last_used_at: expect.any(String) });

  for (const login of logins)
    for (const base of [shown.base_url, '']) {
      const response = await logIn(sachet, login.username, login.password, base);
      expect(response.status, login.username).toBe(isInactive(login) ? 401 : 200);
    }
});

test('a sandbox without a name gets a free one', async () => {
  const { admin } = controlled();
  const all = await Promise.all(Array.from({ length: 5 }, () => admin('POST', '/sandboxes', {})));
  const names = all.map(({ body }) => body.name as string);
  expect(new Set(names).size).toBe(5);
  for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]{0,62}$/);
});

// Each of several servers shows its own time of the last use.
describe.skipIf(isReplicated)('a name that is taken', () => {
  test('is 409, and the existing sandbox stays', async () => {
    const server = controlled();
    await server.sachet.control.create({ name: 'team' });
    await server.sachet.login('demo+w1');
    const before = await everything(server);
    const builtIn = (name: string) => [name, `The sandbox "${name}" is built in; choose another name`];
    const own = (name: string) => [name, `A sandbox "${name}" already exists; delete it first, or choose another name`];
    for (const [name, message] of [builtIn('stage'), builtIn('production'), own('team'), own('w1')])
      expect(failureOf(await server.admin('POST', '/sandboxes', { name }))).toEqual([409, message]);
    expect(await everything(server)).toEqual(before);
  });

  test('by a login and a call at once belongs to one of them, and the login enters it', async () => {
    const { admin, sachet } = controlled();
    const [login, created] = await Promise.all([
      logIn(sachet, 'demo+team', passwordOf('demo')),
      admin('POST', '/sandboxes', { name: 'team' }),
    ]);
    const { made_by_login } = (await admin('GET', '/sandboxes/team')).body;
    expect([login.status, created.status]).toEqual([200, made_by_login ? 409 : 201]);
  });
});

describe('deleting', () => {
  test('removes the sandbox, its tokens and its state; a new one of the name starts anew', async () => {
    const { admin, sachet } = controlled(unseeded);
    await admin('POST', '/sandboxes', { name: 'team' });
    const { token, refreshToken, post } = await sachet.login('demo', { base: '/sandboxes/team' });
    await post('/v2/orders', someOrder());
    expect((await admin('DELETE', '/sandboxes/team')).status).toBe(204);
    await expectNoSandbox(sachet, 'team');
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
    for (const method of ['GET', 'DELETE']) expect((await admin(method, '/sandboxes/team')).status).toBe(404);
    expect((await present(sachet, token, '/sandboxes/team')).status).toBe(404);
    const use = async (base?: string) =>
      [await present(sachet, token, base), await refresh(sachet, refreshToken, base)].map(({ status }) => status);
    expect(await use()).toEqual([401, 401]);
    await admin('POST', '/sandboxes', { name: 'team' });
    expect([...(await use()), ...(await use('/sandboxes/team'))]).toEqual([401, 401, 401, 401]);
    expect((await admin('GET', '/sandboxes/team/requests')).body.requests).toHaveLength(2);
    expect((await sachet.sandbox('team')).state.table('orders').size).toBe(fixtures.orders.length);
  });

  test('stage and production is rejected', async () => {
    const { admin, sachet } = controlled();
    const message = expect.stringContaining('cannot be deleted');
    for (const name of ['stage', 'production'])
      expect(failureOf(await admin('DELETE', `/sandboxes/${name}`))).toEqual([422, message]);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  });

  test('twice at once does not delete a new sandbox of the same name', async () => {
    const { control } = testSachet({ store: createChaosStore() });
    await control.create({ name: 'w1' });
    const both = [control.sandbox('w1').delete(), control.sandbox('w1').delete()];
    await Promise.race(both);
    const created = control.create({ name: 'w1' }).catch(() => undefined);
    await Promise.allSettled(both);
    if (!(await created)) await control.create({ name: 'w1' });
    await control.sandbox('w1').clock.set({ frozen: true });
    expect((await control.sandbox('w1').clock.get()).frozen).toBe(true);
  });
});

/** A server, and the response to a new sandbox `team` with these options. */
const create = async (body: object, options: Parameters<typeof controlled>[0] = {}) => {
  const server = controlled(options);
  return { ...server, created: await server.admin('POST', '/sandboxes', { name: 'team', ...body }) };
};

describe('the options of a new sandbox', () => {
  test('an invalid value is rejected, and nothing is created', async () => {
    const adminKey = 'an-admin-key-of-length';
    const server = controlled({ adminKey });
    const outside = ['1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59-12:00'];
    const invalid: Readonly<Record<string, readonly unknown[]>> = {
      name: ['', 'A', '-a', 'a/b', 'x'.repeat(64), 5, null],
      environment: ['', 'team', null],
      random_seed: ['', 'x'.repeat(1001), 0.5, 2 ** 53],
      ttl_seconds: [0, 1.5, '60', null, 315_360_001],
      clock: ['noon', '2026-01-01T00:00:00', '2026-01-01T00:00:00Z++', 5, ...outside],
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
      expect(created.body.logins).toEqual([{ username: 'ann+team', password: 'of ann' }]);
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
      const headers = bearer(key);
      const read = await input('GET', '/_admin/sandboxes/team', { headers });
      expect([read.status, read.text.includes(key)]).toEqual([200, false]);
      expect((await admin('GET', '/sandboxes')).text).not.toContain(key);
      expect((await input('GET', '/_admin/sandboxes/stage', { headers })).status).toBe(401);
      expect((await admin('POST', '/sandboxes', { own_key: true })).body.key).not.toBe(key);
      expect(JSON.stringify(storedDocument((await sachet.sandbox('team')).state))).not.toContain(key);
      expect((await logIn(sachet, 'demo+team', passwordOf('demo'))).status).toBe(200);
      expect((await logIn(sachet, 'demo+team', 'wrong')).body).toEqual(badCredentials);
    });

    test('may be given, with 16 to 200 characters', async () => {
      for (const key of ['!#$%&()*+,-./:;<', 'y'.repeat(200)]) {
        const { input, created } = await create({ own_key: key });
        const read = await input('GET', '/_admin/sandboxes/team', { headers: bearer(key) });
        expect([created.body.key, read.status]).toEqual([key, 200]);
      }
    });
  });
});

const slow = { latency: { milliseconds: 3_600_000, match: { operation: 'orders.create' } } } as const;
const error500 = { statusCode: 500, error: 'Internal Server Error', message: 'An internal server error occurred' };

/** A sandbox where an order is delayed by an hour, and its response. */
async function delayed() {
  const server = controlled();
  const { sachet, admin } = server;
  await admin('POST', '/sandboxes', { name: 'team' });
  await admin('POST', '/sandboxes/team/snapshots', { name: 'kept' });
  const team = sachet.control.sandbox('team');
  const client = await sachet.login('demo', { base: '/sandboxes/team' });
  await team.switches.set(slow);
  const response = client.post('/v2/orders', someOrder());
  await untilSo(async () => (await team.switches.get()).latency?.hits === 1);
  return { ...server, team, client, response };
}

describe.each(['reset', 'snapshots/kept/restore'])('%s', (path) => {
  test('answers a delayed call with 500 at once, and stores no order', async () => {
    const { admin, sachet, team, client, response } = await delayed();
    await admin('POST', `/sandboxes/team/${path}`);
    expect((await response).body).toEqual(error500);
    if (path !== 'reset') {
      const { requests } = await team.requests.list();
      expect(requests).toMatchObject([
        { operation: 'authentication.token' },
        { operation: 'orders.create', status: 500 },
      ]);
    }
    expect((await sachet.sandbox('team')).state.table('orders').size).toBe(fixtures.orders.length);
    const next = await client.post('/v2/orders', someOrder());
    expect(next.status).toBe(201);
    await admin('POST', `/sandboxes/team/${path}`);
    expect((await client.post('/v2/orders', someOrder())).text).toBe(next.text);
  });

  test.each([-1, 0, 1, 2, 3])(
    'ends a call that came any number of ticks before it, the store busy at tick %i',
    async (busyAt) => {
      for (let ticks = 0; ticks < 8; ticks += 1) {
        const { admin, sachet } = controlled({ store: createChaosStore() });
        const client = await sachet.login();
        const { snapshots, switches } = sachet.control.sandbox('stage');
        await snapshots.create({ name: 'kept' });
        await switches.set(slow);
        const stage = await sachet.sandbox();
        let isSettled = false;
        const settle = () => {
          isSettled = true;
        };
        client.post('/v2/orders', someOrder()).then(settle, settle);
        const writes: unknown[] = [];
        for (let n = 0; n < ticks; n += 1) {
          if (n === busyAt) writes.push(stage.write((draft) => draft.count('what keeps the store busy')));
          await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all([admin('POST', `/sandboxes/stage/${path}`), ...writes]);
        await expect.poll(() => isSettled, { interval: 1, message: `${ticks} ticks` }).toBe(true);
      }
    },
  );
});

test('a deletion answers a delayed call with 500 at once, and nothing of it is left', async () => {
  const { admin, response } = await delayed();
  expect((await admin('DELETE', '/sandboxes/team')).status).toBe(204);
  expect((await response).body).toEqual(error500);
  await admin('POST', '/sandboxes', { name: 'team' });
  expect((await admin('GET', '/sandboxes/team/requests')).body.requests).toEqual([]);
});
