// Which sandbox a request belongs to; sandboxes share nothing, and clients of one sandbox see nothing of each other.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { errorBodyOf } from '../cases/rejected.ts';
import { known, orderWith, unknownId, validOrder } from '../cases/requests.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { type Answer, type Client, fixtures, noon, type TestSachet, testSachet } from '../support/sachet.ts';
import {
  badCredentials,
  expectNoSandbox,
  logIn,
  newUser,
  present,
  refresh,
  sign,
  signingKeyOf,
} from '../support/tokens.ts';

const password = 'sachet-demo';

/** The shipped fixtures and further users of the brand of `demo`, by username and password. */
function withUsers(users: Readonly<Record<string, string>>) {
  const more = Object.entries(users).map(([username, password], number) => newUser(username, password, number));
  return { fixtures: { ...fixtures, users: [...fixtures.users, ...more] } };
}

/** The sandbox of each login; undefined for bad credentials. */
async function sandboxesOf(sachet: TestSachet, ...logins: readonly (readonly [username: string, password?: string])[]) {
  const found = [];
  for (const [username, secret = password] of logins) {
    const { status, body } = await logIn(sachet, username, secret);
    if (status !== 200) expect(body).toEqual(badCredentials);
    found.push(status === 200 ? decodeJwt(body.access_token).sandbox : undefined);
  }
  return found;
}

describe('a login with user+tag', () => {
  test('belongs to the sandbox of the tag, a login without a tag to stage', async () => {
    const sachet = testSachet();
    await expectNoSandbox(sachet, 'w7');
    expect(await sandboxesOf(sachet, ['demo+w7'], ['demo'])).toEqual(['w7', 'stage']);
    const { identity, state } = await sachet.sandbox('w7');
    expect(identity).toMatchObject({ name: 'w7', environment: 'stage', madeByLogin: true });
    expect(new Date(state.value('clock').now).toISOString()).toBe(noon);
  });

  test('takes the names that a sandbox can have, and no others', async () => {
    const good = ['a', 'w.7_x-', '0'.repeat(63)];
    const bad = ['', 'W7', '-w', '.w', 'w 7', 'w/7', 'w+7', 'ü', '..', '0'.repeat(64)];
    const found = await sandboxesOf(testSachet(), ...[...good, ...bad].map((tag) => [`demo+${tag}`] as const));
    expect(found).toEqual([...good, ...bad.map(() => undefined)]);
  });

  test('makes no sandbox with bad credentials', async () => {
    const sachet = testSachet();
    const attempts = [
      ['demo+w7', 'wrong'],
      ['demo+w7', ' sachet-demo'],
      ['Demo+w7', password],
      ['nobody+w7', password],
      ['+w7', password],
      ['inactive-user+w7', 'sachet-inactive-user'],
      ['inactive-account+w7', 'sachet-inactive-account'],
    ] as const;
    const rejected = attempts.map(() => undefined);
    expect(await sandboxesOf(sachet, ...attempts)).toEqual(rejected);
    await expectNoSandbox(sachet, 'w7');
    await sachet.login('demo+w7');
    expect(await sandboxesOf(sachet, ...attempts)).toEqual(rejected);
  });

  test('means the exact username first, and the tag stands between the first + and any @', async () => {
    const users = { ann: 'A', 'ann+lab': 'L', 'bob@example.com': 'B', 'bob@x+y.com': 'Y' };
    const logins = [
      ['ann+lab', 'L', 'stage'],
      ['ann+lab', 'A', undefined],
      ['ann+other', 'A', 'other'],
      ['ann+lab+w7', 'L', undefined],
      ['bob+w7@example.com', 'B', 'w7'],
      ['bob@x+y.com', 'Y', 'stage'],
      ['bob@example.com+w7', 'B', undefined],
      ['bob+w7', 'B', undefined],
    ] as const;
    const sachet = testSachet(withUsers(users));
    const found = await sandboxesOf(sachet, ...logins.map(([username, secret]) => [username, secret] as const));
    expect(found).toEqual(logins.map(([, , sandbox]) => sandbox));
    await expectNoSandbox(sachet, 'lab');
  });

  test('reaches every sandbox of the environment stage, with the credentials of that sandbox', async () => {
    const sachet = testSachet(withUsers({ 'ann@example.com': 'A' }));
    const users = [...fixtures.users, newUser('bob', 'B', 1)];
    await sachet.control.create({ name: 'team', own_key: true, fixtures: { users } });
    await sachet.control.create({ name: 'live', environment: 'production' });
    const good = [['demo+team'], ['bob+team', 'B'], ['demo+stage'], ['ann+stage@example.com', 'A']] as const;
    expect(await sandboxesOf(sachet, ...good)).toEqual(['team', 'team', 'stage', 'stage']);
    const bad = [['demo+team', 'x'], ['ann+team@example.com', 'A'], ['bob+stage', 'B'], ['demo+live']] as const;
    expect(await sandboxesOf(sachet, ...bad, ['demo+production'])).toEqual([...bad, 1].map(() => undefined));
    const tagged = await sachet.login('demo+team');
    const { id } = (await tagged.post('/v2/orders', validOrder)).body.order;
    const literal = await sachet.login('demo', { base: '/sandboxes/team' });
    expect((await literal.get(`/v2/orders/${id}`)).status).toBe(200);
  });

  test('is in the logins that a sandbox hands out, unless they would then mean another user', async () => {
    const names = ['ann', 'bob@example.com', 'ann+lab', 'cy', 'cy+w7'];
    const sachet = testSachet();
    const users = names.map((name, number) => newUser(name, `of ${name}`, number));
    const { logins, base_url } = await sachet.control.create({ name: 'w7', fixtures: { users } });
    const given = ['ann+w7', 'bob+w7@example.com', 'ann+lab', 'cy', 'cy+w7'];
    expect(logins).toEqual(given.map((username, n) => ({ username, password: `of ${names[n]}` })));
    for (const { username, password } of logins)
      expect((await logIn(sachet, username, password, base_url)).status, username).toBe(200);
    const live = await sachet.control.create({ name: 'live', environment: 'production', fixtures: { users } });
    expect(live.logins.map(({ username }) => username)).toEqual(names);
  });

  test('makes one sandbox for twenty first logins at the same time, whose orders no other one shows', async () => {
    const sachet = testSachet();
    const clients = await Promise.all(Array.from({ length: 20 }, () => sachet.login('demo+w7')));
    const answers = await Promise.all(clients.map((client) => client.post('/v2/orders', validOrder)));
    const made = new Set(answers.map(({ body }) => body.order.id));
    expect([made.size, new Set(clients.map(({ token }) => token)).size]).toEqual([20, 20]);
    const { orders } = (await clients[0]?.get('/v2/orders?limit=20'))?.body ?? {};
    expect(new Set(orders.map(({ id }: { id: string }) => id))).toEqual(made);
    for (const other of [await sachet.login('demo+w8'), await sachet.login()])
      expect((await other.get(`/v2/orders/${orders[0].id}`)).status).toBe(404);
  });
});

test('without login sandboxes a + is part of the username, and only existing sandboxes are reached', async () => {
  const sachet = testSachet({ ...withUsers({ 'ann+lab': 'L' }), loginSandboxes: false });
  expect(await sandboxesOf(sachet, ['demo+w7'], ['demo'], ['ann+lab', 'L'])).toEqual([undefined, 'stage', 'stage']);
  await expectNoSandbox(sachet, 'w7');
  const store = createChaosStore();
  await testSachet({ store }).login('demo+w7');
  expect(await sandboxesOf(testSachet({ store, loginSandboxes: false }), ['demo+w7'])).toEqual(['w7']);
});

describe('tokens of a sandbox that a login made', () => {
  test('are good at the plain base URL and at that of the sandbox (AUTH-4)', async () => {
    const sachet = testSachet();
    const { token, refreshToken } = await sachet.login('demo+w1');
    await sachet.login('demo+w2');
    for (const base of ['', '/sandboxes/w1', '/sandboxes/w2', '/sandboxes/stage', '/sandboxes/production']) {
      const answers = [await present(sachet, token, base), await refresh(sachet, refreshToken, base)];
      const status = base === '' || base === '/sandboxes/w1' ? 200 : 401;
      expect(
        answers.map((answer) => answer.status),
        base,
      ).toEqual([status, status]);
    }
  });

  test('belong to stage if another key signed them, or if their sandbox is gone', async () => {
    const visited: (string | undefined)[] = [];
    const sachet = testSachet({ log: ({ sandbox }) => visited.push(sandbox) });
    const { token, refreshToken } = await sachet.login('demo+w1');
    await sachet.login('demo+w2');
    for (const key of [await signingKeyOf(sachet, 'stage'), await signingKeyOf(sachet, 'w2'), '0'.repeat(64)]) {
      visited.length = 0;
      expect((await present(sachet, await sign(decodeJwt(token), key))).status).toBe(401);
      expect((await refresh(sachet, await sign(decodeJwt(refreshToken), key))).status).toBe(401);
      await present(sachet, token);
      expect(visited).toEqual(['stage', 'stage', 'w1']);
    }
  });
});

describe('under /sandboxes/{name}', () => {
  test('an unknown sandbox is not found, whatever the route', async () => {
    for (const name of ['nothing', '..%2fstage', 'constructor']) {
      const { headers, body } = await logIn(testSachet(), 'demo', password, `/sandboxes/${name}`);
      const message = `There is no sandbox ${JSON.stringify(decodeURIComponent(name))}`;
      expect([body, headers.get('sandbox-rule')]).toEqual([errorBodyOf({ status: 404, message }), 'unknown_sandbox']);
    }
    const error = errorBodyOf({ status: 404, message: 'There is no sandbox "../w9"' });
    for (const path of ['v2/products', 'v2/nothing', 'orders']) {
      const { body, headers } = await testSachet().call('GET', `/sandboxes/..%2fw9/${path}`);
      expect([body, headers.get('sandbox-reason')], path).toEqual([error, 'there is no sandbox "../w9"']);
    }
  });

  test('a username is exact, or has the name of that sandbox as its tag', async () => {
    const sachet = testSachet(withUsers({ 'ann+lab': 'L', 'ann+w1': 'W' }));
    await sachet.control.create({ name: 'w1' });
    for (const name of ['stage', 'production', 'w1']) {
      const base = `/sandboxes/${name}`;
      for (const username of ['demo+w2', 'demo+W1', `nobody+${name}`, `demo+${name}+${name}`])
        expect((await logIn(sachet, username, password, base)).body, username).toEqual(badCredentials);
      for (const [username, secret] of [
        ['ann+lab', 'L'],
        ['ann+w1', 'W'],
        [`demo+${name}`, password],
      ] as const)
        expect(decodeJwt((await logIn(sachet, username, secret, base)).body.access_token).sandbox, username).toBe(name);
    }
    await expectNoSandbox(sachet, 'w2');
    await (await sachet.sandbox('production')).write((draft) => draft.table('users').insert(newUser('live', 'X', 9)));
    expect((await logIn(sachet, 'live', 'X', '/sandboxes/production')).status).toBe(200);
    expect((await logIn(sachet, 'live', 'X', '/sandboxes/stage')).body).toEqual(badCredentials);
    expect(await sandboxesOf(sachet, ['live', 'X'], ['live+production', 'X'])).toEqual([undefined, undefined]);
  });
});

test.each(['demo', 'other-brand', 'no-pag'])(
  'the client of %s lists and reads its own records only (CAT-1, CAT-2)',
  async (username) => {
    const brand = fixtures.users.find((user) => user.username === username)?.brand_id;
    const client = await testSachet().login(username);
    const own = fixtures.products.filter(({ brand_id }) => brand_id === brand);
    const { status, body } = await client.get('/v2/products');
    expect([status, Object.keys(body), body.client_products.length > 0]).toEqual([200, ['client_products'], true]);
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect(body.client_products.toSorted(byId)).toEqual(
      own.map(({ id, product_name, active, serving_size }) => ({ id, product_name, active, serving_size })).sort(byId),
    );
    const wrong: unknown[] = [];
    for (const [path, rows, field] of [
      ['/v2/products', fixtures.products, 'client_product'],
      ['/v2/consumers', fixtures.consumers, 'consumer'],
    ] as const)
      for (const { id, brand_id } of rows) {
        const answer = await client.get(`${path}/${id}`);
        const isFound = answer.status === 200 && answer.body[field].id === id;
        if (brand_id === brand ? !isFound : answer.status !== 404) wrong.push([path, id, answer.status]);
      }
    expect(wrong).toEqual([]);
  },
);

/** The response as it goes over the wire, without its request id. */
function bytesOf({ status, headers, text }: Answer): string {
  const lines = [...headers].filter(([name]) => name !== 'sandbox-request-id').map((pair) => pair.join(': '));
  return [status, ...lines, '', text].join('\r\n');
}

const { foreignProduct, foreignConsumer, foreignOrder, foreignFulfillment } = known;
const get = (path: string) => (client: Client, id: string) => client.get(path.replace('ID', id));

test.each<[string, foreign: string, call: (client: Client, id: string) => Promise<Answer>]>([
  ['GET product', foreignProduct, get('/v2/products/ID')],
  ['GET consumer', foreignConsumer, get('/v2/consumers/ID')],
  ['GET order', foreignOrder, get('/v2/orders/ID')],
  ['GET fulfillments of an order', foreignOrder, get('/v2/orders/ID/fulfillments')],
  ['GET fulfillment', foreignFulfillment, get('/v2/fulfillments/ID')],
  ['list by order', foreignOrder, get('/v2/fulfillments?order_id=ID')],
  ['PATCH order', foreignOrder, (client, id) => client.patch(`/v2/orders/${id}`, { consumer: validOrder.consumer })],
  ['cancel order', foreignOrder, (client, id) => client.post(`/v2/orders/${id}/cancel`)],
  ['order for a consumer', foreignConsumer, (client, id) => client.post('/v2/orders', orderWith({ consumer: { id } }))],
])("%s: another client's record is answered as an unknown one", async (_, foreign, call) => {
  const client = await testSachet().login();
  const answer = await call(client, foreign);
  // The reason of a refused consumer repeats the id.
  const unknown = bytesOf(await call(client, unknownId)).replaceAll(unknownId, foreign);
  expect(bytesOf(answer)).toBe(unknown);
  expect(answer.text).not.toContain(foreign);
});

test('the key of one sandbox gets the same 401 for another sandbox and for an unknown one', async () => {
  const sachet = testSachet();
  const { key } = await sachet.control.create({ name: 'mine', own_key: true });
  await sachet.control.create({ name: 'others', own_key: true });
  const headers = { authorization: `Bearer ${key}` };
  const control = ['', '/clock', '/state', '/snapshots/base', '/orders', '/no-such-thing'];
  const paths = control.map((path) => `/_admin/sandboxes/NAME${path}`);
  for (const path of [...paths, '/_console/_content/NAME/requests', '/_console/_top/NAME', '/_console/_live/NAME']) {
    const answer = await sachet.call('GET', path.replace('NAME', 'others'), { headers });
    expect(answer.status, path).toBe(401);
    const unknown = await sachet.call('GET', path.replace('NAME', 'nobodys'), { headers });
    expect(bytesOf(answer).replaceAll('others', 'nobodys'), path).toBe(bytesOf(unknown));
  }
});

test('a login to a sandbox with its own key is answered as one to an unknown sandbox', async () => {
  const sachet = testSachet({ loginSandboxes: false });
  await sachet.control.create({ name: 'others', own_key: true });
  const logIn = (username: string) =>
    sachet.call('POST', '/v2/authentication/token', { body: { username, password: 'x' } });
  const [others, nobodys] = [await logIn('demo+others'), await logIn('demo+nobodys')];
  expect([others.status, bytesOf(others)]).toEqual([401, bytesOf(nobodys)]);
  const reason = others.headers.get('sandbox-reason');
  expect(reason).toContain('The text after + is the name of a sandbox: it must exist');
  expect(nobodys.headers.get('sandbox-reason')).toBe(reason);
});
