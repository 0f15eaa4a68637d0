// The handle of a Sachet and of its sandboxes: addresses, fetch, logins, counts of calls, ports, connections, and its end.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ConnectOptions, Fetch } from '../../src/client/control-client.ts';
import { connect, type Sachet } from '../../src/client/sachet.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { type ServeOptions, serve } from '../../src/node/serve.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { folder } from '../support/command.ts';
import { served, starts, thrownBy } from './starts.ts';

const statusOf = async (response: Promise<Response>) => (await response).status;
const json = (body: object) => ({
  ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
});

describe.each(starts)('%s', (_, open) => {
  test('fetch takes a path, a URL as text, a URL and a Request, with query, headers and body', async () => {
    const { fetch, baseUrl, adminKey, createSandbox } = await open({ adminKey: 'a-key-of-the-tests' });
    expect([baseUrl, adminKey]).toEqual([expect.stringMatching(/^http:\/\/[^/]+$/), 'a-key-of-the-tests']);
    const health = `${baseUrl}/health`;
    for (const input of ['/health', health, new URL(health), new Request(health)]) {
      const { status, url } = await fetch(input);
      expect({ status, url }, String(input)).toEqual({ status: 200, url: health });
    }
    expect(await statusOf(fetch(new Request(health), { method: 'POST' }))).toBe(404);
    const sandbox = await createSandbox();
    const { access_token } = await (await sandbox.fetch('/v2/authentication/token', json(sandbox.login))).json();
    const headers = { authorization: `Bearer ${access_token}` };
    const page = await (await sandbox.fetch('/v2/fulfillments?limit=2', { headers })).json();
    expect(page.fulfillments).toHaveLength(2);
  });

  test('a sandbox has its own base URL; the list of sandboxes has all, also one of a login', async () => {
    const sachet = await open();
    const sandbox = await sachet.createSandbox({ name: 'w7' });
    expect(sandbox.baseUrl).toBe(`${sachet.baseUrl}/sandboxes/w7`);
    await sandbox.fetch('/v2/products');
    await sachet.fetch(`${sandbox.baseUrl}/v2/orders`);
    expect((await sandbox.requests.list()).requests.map(({ path }) => path)).toEqual(['/v2/products', '/v2/orders']);
    const login = json({ username: 'demo+w8', password: 'sachet-demo' });
    expect(await statusOf(sachet.fetch('/v2/authentication/token', login))).toBe(200);
    const names = ['production', 'stage', 'w7', 'w8'];
    expect(await sachet.sandboxes()).toMatchObject(
      names.map((name) => ({ name, base_url: sachet.sandbox(name).baseUrl, made_by_login: name === 'w8' })),
    );
  });

  test('an aborted fetch rejects: before it begins, while it waits, or while it sends its body', async () => {
    const sandbox = await (await open()).createSandbox();
    const abortError = { name: 'AbortError' };
    await expect(sandbox.fetch('/v2/products', { signal: AbortSignal.abort() })).rejects.toMatchObject(abortError);
    expect((await sandbox.requests.list()).requests).toEqual([]);
    const sending = new AbortController();
    const body = new ReadableStream({ pull: () => new Promise(() => undefined) });
    const init = { method: 'POST', body, duplex: 'half', signal: sending.signal } as RequestInit;
    const sent = sandbox.fetch('/v2/orders', init);
    sending.abort();
    await expect(sent).rejects.toMatchObject(abortError);
    await sandbox.switches.set({ latency: { milliseconds: 60_000 } });
    const waiting = new AbortController();
    const late = sandbox.fetch('/v2/products', { signal: waiting.signal });
    const inFlight = async () => (await sandbox.requests.list({ operation: 'products.list' })).requests.length;
    await expect.poll(inFlight).toBe(1);
    waiting.abort(new DOMException('too late', 'TimeoutError'));
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('an abort after the headers rejects the read of the body', async () => {
    const sandbox = await (await open()).createSandbox();
    for (const path of ['/v2/products', '/_docs/swagger-ui-bundle.js']) {
      const reading = new AbortController();
      const response = await sandbox.fetch(path, { signal: reading.signal });
      reading.abort();
      await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
    }
    const { signal } = new AbortController();
    expect((await sandbox.fetch('/v2/products', { method: 'HEAD', signal })).body).toBeNull();
  });

  test('a new sandbox has its options and logins, or a new name and the default login', async () => {
    const sachet = await open();
    await using sandbox = await sachet.createSandbox({
      ...{ name: 'w7', environment: 'production', random_seed: 'seed', clock: '2026-01-01T00:00:00Z', ttl_seconds: 60 },
      ...{ assumptions: { next_cursor: 'meta' }, scenario: 'token-expiry', fixtures: { pags: [] } },
    });
    expect(await sandbox.get()).toMatchObject({ name: 'w7', environment: 'production', ttl_seconds: 60 });
    expect((await sandbox.clock.get()).now).toBe('2026-01-01T00:00:00.000Z');
    expect((await sandbox.assumptions.get()).next_cursor).toBe('meta');
    expect(await sandbox.switches.get()).toMatchObject({ token_expiry: { scenario: 'token-expiry' } });
    expect((await sandbox.records.pags.list()).pags).toEqual([]);
    const [one, two] = await Promise.all([sachet.createSandbox(), sachet.createSandbox({})]);
    expect(one.name).not.toBe(two.name);
    expect(one.login).toEqual({ username: `demo+${one.name}`, password: 'sachet-demo' });
    expect(sandbox.login.username).toBe('demo'); // of the environment production
    expect(one.login).toBe(one.logins[0]);
    const other = one.logins[1];
    for (const client of [one.client(), one.client(other)])
      expect(await statusOf(client.get('/v2/products'))).toBe(200);
    const empty = await sachet.createSandbox({ fixtures: { users: [] } });
    expect([empty.logins, empty.login]).toEqual([[], { username: '', password: '' }]);
    await expect(empty.client().get('/v2/products')).rejects.toThrow(/^the login of "" failed with 4/);
  });

  test('disposing of a sandbox deletes it, once; another error is thrown', async () => {
    const sachet = await open();
    const [one, two] = [await sachet.createSandbox({ name: 'one' }), await sachet.createSandbox({ name: 'two' })];
    for (const _ of [1, 2]) await one[Symbol.asyncDispose]();
    await two.delete();
    await two[Symbol.asyncDispose]();
    expect((await sachet.sandboxes()).map(({ name }) => name)).toEqual(['production', 'stage']);
    const fetch: Fetch = async (input, init) =>
      init?.method === 'DELETE' ? Response.json({ message: 'Not now' }, { status: 500 }) : sachet.fetch(input, init);
    const made = await connect({ url: sachet.baseUrl, adminKey: sachet.adminKey, fetch }).createSandbox();
    await expect(made[Symbol.asyncDispose]()).rejects.toMatchObject({ status: 500 });
  });

  test('received() counts the calls of one sandbox that match, since the last clear', async () => {
    const sachet = await open();
    const [sandbox, other] = [await sachet.createSandbox(), await sachet.createSandbox()];
    const client = sandbox.client();
    for (const order of [sampleOrder(), sampleOrder(), sampleOrder({ order_lines: [] })])
      await client.post('/v2/orders', order);
    await other.fetch('/v2/products');
    const match = { operation: 'orders.create' } as const;
    const login = { method: 'POST', path: '/v2/authentication/token' } as const;
    const matches = [{}, match, { ...match, status: 201 }, { ...match, status: 422 }, login];
    const counts = [...matches, { operation: 'products.list' } as const].map((one) => sandbox.received(one));
    expect(await Promise.all(counts)).toEqual([4, 3, 2, 1, 1, 0]);
    await sandbox.requests.clear();
    expect([await sandbox.received({}), await other.received({})]).toEqual([0, 1]);
  });

  test('two Sachets share no sandbox, key, clock, switch or token', async () => {
    const [one, two] = [await open(), await open()];
    const [first, second] = [await one.createSandbox({ name: 'w7' }), await two.createSandbox({ name: 'w7' })];
    expect(one.adminKey).not.toBe(two.adminKey);
    const { access_token } = await (await first.fetch('/v2/authentication/token', json(first.login))).json();
    const headers = { authorization: `Bearer ${access_token}` };
    const statuses = [first, second].map(({ fetch }) => statusOf(fetch('/v2/products', { headers })));
    expect(await Promise.all(statuses)).toEqual([200, 401]);
    await first.clock.advance({ by: 'P10D' });
    await first.switches.set({ rate_limit: { burst: 100 } });
    expect((await second.clock.get()).now < (await first.clock.get()).now).toBe(true);
    expect(await statusOf(second.client().post('/v2/orders', sampleOrder()))).toBe(201);
    await one.close();
    expect(await statusOf(second.client().get('/v2/products'))).toBe(200);
  });
});

test('received() is an error if the journal has dropped calls', async () => {
  const sandbox = await createSachet().createSandbox({ name: 'w7' });
  for (let n = 0; n < 1001; n++) await sandbox.fetch('/v2/products');
  await expect(sandbox.received({})).rejects.toThrow(
    /"w7" is incomplete: it has dropped its oldest calls \(1\).*requests\.clear\(\)/,
  );
  await sandbox.requests.clear();
  await sandbox.fetch('/v2/products');
  expect(await sandbox.received({})).toBe(1);
});

const portOf = ({ baseUrl }: Sachet): number => Number(new URL(baseUrl).port);

/** A delayed call and a wait, both in progress. */
async function waiting(sachet: Sachet) {
  const sandbox = await sachet.createSandbox();
  const client = sandbox.client();
  await client.get('/v2/products');
  await sandbox.switches.set({ latency: { milliseconds: 60_000 } });
  const wait = sandbox.requests.wait({ match: { operation: 'orders.create' }, timeout_ms: 60_000 });
  const delayed = client.get('/v2/products');
  const isInFlight = async () => (await sandbox.requests.list()).requests.some(({ completed }) => !completed);
  await expect.poll(isInFlight).toBe(true);
  return { sandbox, wait, delayed };
}

describe.each([
  ['createSachet', async () => createSachet()],
  ['serve', () => serve()],
] as const)('the end of %s', (_, open) => {
  test.each([
    ['close', async (sachet: Sachet) => void (await Promise.all([sachet.close(), sachet.close()]))],
    ['a disposal', async (sachet: Sachet) => sachet[Symbol.asyncDispose]()],
  ])('by %s answers a delayed call and a wait', async (_, end) => {
    const sachet = await open();
    const { wait, delayed } = await waiting(sachet);
    await end(sachet);
    expect([(await delayed).status, (await wait).satisfied]).toEqual([200, false]);
  });
});

test('closing a connection ends nothing', async () => {
  const { baseUrl: url, adminKey, ...server } = await served();
  const { wait, delayed, sandbox } = await waiting({ baseUrl: url, adminKey, ...server });
  const connection = connect({ url, adminKey });
  await connection.close();
  await connection[Symbol.asyncDispose]();
  const pending = Symbol('pending');
  expect(await Promise.race([delayed, wait, sandbox.get().then(() => pending)])).toBe(pending);
  expect((await connection.fetch('/health')).status).toBe(200);
});

describe('serve', () => {
  test('leaves the global Request and Response unchanged', async () => {
    const before = { Request, Response };
    const { baseUrl } = await served();
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    expect(Request).toBe(before.Request);
    expect(Response).toBe(before.Response);
  });

  test('uses a free or the given port until its close, after which calls name the URL', async () => {
    const first = await serve();
    const port = portOf(first);
    await expect(serve({ port })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use; stop the program that uses it, or choose another port`,
    );
    await first.close();
    await expect(first.sandboxes()).rejects.toThrow(`no server answers at ${first.baseUrl} (ECONNREFUSED)`);
    await expect(first.fetch('/health')).rejects.toThrow(TypeError);
    const second = await served({ port });
    expect([portOf(second), (await second.fetch('/health')).status]).toEqual([port, 200]);
  });

  test.each<readonly [ServeOptions, string | RegExp]>([
    [{ host: 'no-such-host.invalid' }, '"no-such-host.invalid" to listen on; check the host'],
    [{ host: '[::1]' }, '"[::1]" to listen on; check the host (--host); IPv6 has no'],
    [{ port: -1 }, '-1 is not a port'],
    [{ port: Number.NaN }, 'NaN is not a port'],
    [{ state: '' }, 'the path of the state folder is empty'],
    [{ sync: 'interval' }, 'sync "interval"'],
    [{ state: '/nowhere', sync: 'never' } as unknown as ServeOptions, 'unknown sync "never"; use always or interval'],
  ])('rejects %j', async (options, message) => {
    await expect(served(options)).rejects.toThrow(message);
  });
});

describe('serve with a state folder', () => {
  test('rejects a second server, and is free after an end or a failed start', async () => {
    const state = folder();
    const first = await served({ state });
    const error = await thrownBy(() => serve({ state }));
    expect(error.name).toBe('FolderHeld');
    expect(error.message).toContain(`${state} is in use by process ${process.pid} on `);
    expect((await first.fetch('/health')).status).toBe(200);
    await first.close();
    const port = portOf(await served());
    await expect(serve({ state, port })).rejects.toThrow(`port ${port} on 127.0.0.1 is in use`);
    await expect(serve({ state, scenario: 'nope' })).rejects.toThrow('nope');
    expect(existsSync(join(state, 'lock'))).toBe(false);
    expect((await (await served({ state })).fetch('/health')).status).toBe(200);
  });
});

describe('connect', () => {
  const adminKey = 'a-key-of-the-tests';

  test.each<readonly [ConnectOptions, RegExp]>([
    [{ url: 'localhost:4010', adminKey }, /localhost:4010/],
    [{ url: 'ftp://localhost', adminKey }, /ftp:/],
    [{ url: 'http://localhost:4010', adminKey: '' }, /adminKey/],
    [{ url: 'http://localhost:4010', adminKey: 'a\nb' }, /adminKey/],
  ])('throws a TypeError for %j', async (options, message) => {
    const error = await thrownBy(() => connect(options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('controlClient');
  });

  test('takes a URL with slashes at its end, and one under a path', async () => {
    const server = await served();
    const sachet = connect({ url: `${server.baseUrl}//`, adminKey: server.adminKey });
    expect(sachet.baseUrl).toBe(server.baseUrl);
    await using sandbox = await sachet.createSandbox();
    expect((await sandbox.client().get('/v2/products')).status).toBe(200);
    const requested: string[] = [];
    const fetch: ConnectOptions['fetch'] = async (input) => {
      requested.push(String(input));
      return Response.json({ sandboxes: [] });
    };
    const proxied = connect({ url: 'https://demo.test/sachet/', adminKey, fetch });
    await proxied.sandboxes();
    await proxied.fetch('/health');
    await proxied.sandbox('w7').fetch('/v2/products');
    expect(requested).toEqual([
      'https://demo.test/sachet/_admin/sandboxes',
      'https://demo.test/sachet/health',
      'https://demo.test/sachet/sandboxes/w7/v2/products',
    ]);
  });

  test('rejects names that would lead elsewhere', () => {
    const sachet = connect({ url: 'http://localhost:4010', adminKey });
    for (const name of ['..', '../stage', '', 'stage#', 'stage?'])
      expect(() => sachet.sandbox(name)).toThrow(`"${name}" is not a sandbox name`);
  });
});
