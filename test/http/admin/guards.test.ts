// Who may use the control API. Host, Origin and key are checked on every operation, before anything else of the request.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import type { ControlOperation } from '../../../src/contract/control/control-operation.ts';
import { type ControlId, controlOperationList, controlOperations } from '../../../src/contract/control/operations.ts';
import type { EngineOptions } from '../../../src/engine.ts';
import { bearer, controlled, everything, failureOf, namesOf } from '../../support/control.ts';
import { fulfillmentId, orderId } from '../../support/order-requests.ts';
import { wire } from '../../support/wire.ts';

const adminKey = 'the-admin-key-of-this-test-server';
/** Keys of the sandboxes `mine` and `other` alone. */
const mineKey = 'the-own-key-of-the-sandbox-mine';
const otherKey = 'the-own-key-of-the-sandbox-other';

const withKey = (headers: Readonly<Record<string, string>>) => ({ ...bearer(adminKey), ...headers });

const forbidden = [
  { what: 'two hosts', status: 400, headers: withKey({ host: 'localhost, localhost' }) },
  { what: 'a foreign host', status: 403, headers: withKey({ host: 'evil.example' }) },
  { what: 'a foreign origin', status: 403, headers: withKey({ origin: 'http://evil.example' }) },
  { what: 'no key', status: 401, headers: {} },
  { what: "another sandbox's own key", status: 401, headers: bearer(otherKey) },
] as const;

/** A server where every operation has something to do, in the sandbox `mine`. */
async function prepared() {
  const server = controlled({ adminKey });
  const { control, login } = server.sachet;
  await control.create({ name: 'other', own_key: otherKey });
  await control.create({ name: 'mine', own_key: mineKey });
  const mine = control.sandbox('mine');
  await login('demo', { base: '/sandboxes/mine' });
  await mine.snapshots.create({ name: 'kept' });
  await mine.faults.create({ id: 'lost', status: 500 });
  await mine.switches.set({ maintenance: { for_seconds: 1 } });
  await mine.scenarios.apply('server-errors');
  await mine.clock.advance({ seconds: 1 });
  const [first] = (await mine.requests.list()).requests;
  return { ...server, names: { sandbox: 'mine', request: first?.id ?? '' } };
}

/** The name in the path and the body with which an operation changes something. */
const inputs: { readonly [Id in ControlId]?: { readonly name?: string; readonly body?: object } } = {
  'sandboxes.create': { body: { name: 'new' } },
  'sandboxes.seed': { body: { orders: 1 } },
  'snapshots.create': { body: { name: 'new' } },
  'snapshots.get': { name: 'kept' },
  'snapshots.delete': { name: 'kept' },
  'snapshots.restore': { name: 'kept' },
  'clock.set': { body: { now: '2030-01-01T00:00:00Z' } },
  'clock.advance': { body: { seconds: 1 } },
  'switches.set': { body: { server_error: {} } },
  'faults.create': { body: { status: 500 } },
  'faults.get': { name: 'lost' },
  'faults.delete': { name: 'lost' },
  'scenarios.apply': { name: 'no-pag' },
  'scenarios.take_back': { name: 'server-errors' },
  'assumptions.set': { body: { next_cursor: 'meta' } },
  'observations.learn': { body: controlOperations['observations.learn'].examples.sample },
  'orders.accept': { name: orderId(18) },
  'orders.hold': { name: orderId(18) },
  'orders.release': { name: orderId(12) },
  'orders.start_production': { name: orderId(17) },
  'orders.cancel': { name: orderId(16) },
  'orders.approve_packaging': { name: orderId(10) },
  'orders.ship': { name: orderId(16) },
  'fulfillments.pick_up': { name: fulfillmentId(28) },
  'fulfillments.depart': { name: fulfillmentId(26) },
  'fulfillments.delay': { name: fulfillmentId(26) },
  'fulfillments.deliver': { name: fulfillmentId(26) },
  'fulfillments.lose': { name: fulfillmentId(26) },
  'fulfillments.return': { name: fulfillmentId(26) },
  'requests.verify': { body: { match: {} } },
  'requests.wait': { body: { match: {}, timeout_ms: 0 } },
};

/** A request that the operation accepts. */
function validRequestOf(operation: ControlOperation, names: Readonly<Record<string, string>>) {
  const input = inputs[operation.id as ControlId];
  const id = operation.id.startsWith('requests.') ? names.request : input?.name;
  const all: Readonly<Record<string, string | undefined>> = { ...names, id, name: input?.name };
  const path = filled(operation.path, (name) => all[name] ?? 'x');
  const body = operation.body ? { body: input?.body ?? {} } : {};
  return { method: operation.method, path, init: body };
}

/** The operations that have a valid request with these inputs. A stream has no end. */
const validOperations = controlOperationList.filter(
  ({ id, path, body }) =>
    id !== 'events.follow' &&
    (Object.hasOwn(inputs, id) || (!body && !/\{(?!sandbox)/.test(path)) || id === 'requests.get'),
);

let server: Awaited<ReturnType<typeof prepared>>;
beforeAll(async () => {
  server = await prepared();
});
const statusOf = async (headers: Readonly<Record<string, string>>, path = '/_admin/sandboxes', method = 'GET') =>
  (await server.input(method, path, { headers })).status;

/** The status of a request with the admin key and these headers, to a server with these options. */
const adminStatus = async (headers: Readonly<Record<string, string>>, options: Partial<EngineOptions> = {}) =>
  (await controlled(options).admin('GET', '/sandboxes/stage', undefined, { headers })).status;

const forbiddenFor = ({ isPublic }: ControlOperation) => forbidden.filter(({ status }) => !isPublic || status !== 401);

describe('every operation', () => {
  test('rejects each forbidden request, and changes nothing', async () => {
    const before = await everything(server);
    const wrong: string[] = [];
    for (const operation of controlOperationList) {
      const { method, path, init } = validRequestOf(operation, server.names);
      for (const { what, status, headers } of forbiddenFor(operation)) {
        const response = await server.input(method, path, { ...init, headers });
        const challenge = response.headers.get('www-authenticate');
        if (response.status !== status || challenge !== (status === 401 ? 'Bearer' : null))
          wrong.push(`${operation.id} with ${what}: ${response.status}, ${challenge}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await everything(server)).toEqual(before);
  });

  test('but a claim needs a key', () => {
    expect(controlOperationList.flatMap(({ id, isPublic }) => (isPublic ? [id] : []))).toEqual(['sandboxes.claim']);
  });

  test('accepts the same request with the admin key', async () => {
    const wrong: string[] = [];
    for (const operation of validOperations) {
      const { id } = operation;
      const isChange = operation.method !== 'GET' && !/^requests\.(?:verify|wait)$/.test(id);
      const used = isChange ? await prepared() : server;
      const before = isChange && (await everything(used));
      const { method, path, init } = validRequestOf(operation, used.names);
      const { status, text } = await used.input(method, path, { ...init, headers: bearer(adminKey) });
      if (status >= 300) wrong.push(`${id}: ${status} ${text}`);
      if (isChange) expect(await everything(used), id).not.toEqual(before);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the guards', () => {
  test.each([
    [
      { host: 'evil.example', origin: 'null', authorization: 'Bearer wrong' },
      403,
      /host "evil\.example".*--allowed-hosts/,
    ],
    [{ origin: 'null', authorization: 'Bearer wrong' }, 403, /another origin/],
    [{ authorization: 'Bearer wrong' }, 401, /^The key is not the admin key; use the key that the server printed/],
    [{}, 401, /Authorization: Bearer <key>/],
  ])('report the first problem of %j', async (headers: Record<string, string>, status, message) => {
    const response = await server.input('GET', '/_admin/sandboxes', { headers });
    expect(failureOf(response)).toEqual([status, expect.stringMatching(message)]);
  });

  test('come before all else that is wrong, and read no byte of a body', async () => {
    const pull = vi.fn();
    const raw = new ReadableStream({ pull }, { highWaterMark: 0 });
    const headers = { 'content-type': 'text/plain' };
    expect((await server.input('POST', '/_admin/sandboxes', { raw, headers })).status).toBe(401);
    expect(pull).not.toHaveBeenCalled();
    const paths = ['', '/nothing', '/sandboxes/unheard-of/clock', '/sandboxes/mine/requests?limit=none'];
    for (const path of paths) expect(await statusOf({}, `/_admin${path}`), path).toBe(401);
    for (const method of ['PUT', 'HEAD']) expect(await statusOf({}, '/_admin/sandboxes', method), method).toBe(401);
  });
});

describe('the Host header', () => {
  test('is a name or an address of this machine, one of --allowed-hosts, or the host of the public URL', async () => {
    const allowedHosts = ['demo.example', 'Other.Example', '10.0.0.7'];
    for (const [options, known, unknown] of [
      [
        {},
        ['localhost', 'LocalHost:65535', '127.0.0.1:4010', '[::1]', 'a.b.localhost:4010'],
        ['localhost.evil.com:4010', 'evillocalhost', 'localhost.', '127.0.0.2', '0.0.0.0', '[::]'],
      ],
      [
        { allowedHosts },
        ['DEMO.example:8080', 'other.example', '10.0.0.7:4010', 'localhost'],
        ['x.demo.example', 'demo.example.evil.com', 'demo.example.', '10.0.0.70'],
      ],
      [{ publicUrl: 'https://Demo.Example:8443/' }, ['demo.example:8443'], ['evil.example']],
      [{ publicUrl: 'http://[2001:db8::1]:80' }, ['[2001:db8::1]'], ['evil.example']],
    ] as const) {
      for (const host of known) expect(await adminStatus({ host }, options), host).toBe(200);
      for (const host of unknown) expect(await adminStatus({ host }, options), host).toBe(403);
    }
    for (const host of ['localhost, localhost', 'localhost@evil.example', 'localhost:4010:4010', '[::1'])
      expect(await adminStatus({ host }), host).toBe(400);
    expect(await adminStatus({ origin: 'http://demo.example' }, { allowedHosts })).toBe(403);
    // In process it is the host of the URL.
    expect(await statusOf(bearer(adminKey), 'http://[::1]:4010/_admin/sandboxes')).toBe(200);
    expect(await statusOf(bearer(adminKey), 'http://evil.example/_admin/sandboxes')).toBe(403);
  });

  test('comes exactly once over a connection', async () => {
    const { exchange, close } = await wire({ adminKey });
    const path = '/_admin/sandboxes';
    for (const [target, hosts, status] of [
      [path, ['Host: localhost'], 200],
      [path, ['Host: localhost', 'Host: evil.example'], 400],
      [path, ['Host: localhost', 'Host: localhost'], 400],
      [path, [], 400],
      [path, ['Host:'], 400],
      [path, ['Host: evil.example'], 403],
      [`http://localhost${path}`, ['Host: evil.example'], 403],
    ] as const) {
      const lines = [`GET ${target} HTTP/1.1`, ...hosts, `Authorization: Bearer ${adminKey}`, 'Connection: close'];
      const [answer, ...more] = await exchange(`${lines.join('\r\n')}\r\n\r\n`);
      expect([answer?.status, more], lines.join()).toEqual([status, []]);
    }
    await close();
  });
});

describe('the Origin header', () => {
  test('is the origin of the server or of the public URL, or absent', async () => {
    for (const host of ['localhost:4010', '127.0.0.1:4010', '[::1]:4010', 'w7.localhost:4010', 'localhost'])
      expect(await adminStatus({ origin: `http://${host}`, host }), host).toBe(200);
    expect(await adminStatus({ origin: 'http://LOCALHOST:4010' })).toBe(200);
    const foreign = ['null', '', '*', 'localhost:4010', 'http://localhost', 'http://localhost:4011'];
    const similar = ['http://127.0.0.1:4010', 'http://localhost:4010@evil.example', 'file://localhost:4010'];
    for (const origin of [...foreign, ...similar, 'http://localhost:4010, http://evil.example'])
      expect(await adminStatus({ origin }), origin).toBe(403);
    expect(await adminStatus({ origin: 'http://localhost:4010', host: '127.0.0.1:4010' })).toBe(403);
    for (const [publicUrl, origin, status] of [
      ['https://demo.example:8443/sachet/', 'https://demo.example:8443', 200],
      ['https://demo.example', 'https://demo.example:8443', 403],
      ['https://demo.example', 'https://x.demo.example', 403],
      ['https://demo.example', 'http://demo.example', 403],
    ] as const)
      expect(await adminStatus({ origin, host: 'localhost:4010' }, { publicUrl }), origin).toBe(status);
  });

  test('gets no preflight: OPTIONS needs the key and is not allowed', async () => {
    const headers = { origin: 'http://localhost:4010', 'access-control-request-method': 'PATCH' };
    expect(await statusOf(headers, '/_admin/sandboxes', 'OPTIONS')).toBe(401);
    const response = await server.admin('OPTIONS', '/sandboxes', undefined, { headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});

describe('the key', () => {
  const keyStatus = (authorization: string, path?: string) => statusOf({ authorization }, path);

  test('is a bearer token', async () => {
    for (const good of [`Bearer ${adminKey}`, `BEARER   ${adminKey}`, `bearer ${adminKey} `])
      expect(await keyStatus(good), good).toBe(200);
    const { identity } = await server.sachet.sandbox('mine');
    const keys = [adminKey.toUpperCase(), adminKey.slice(0, -1), `${adminKey}x`, `${adminKey}, x`, identity.ownKeyHash];
    const schemes = [`Basic ${btoa(`admin:${adminKey}`)}`, `Bearer:${adminKey}`, `Bearer "${adminKey}"`];
    const bad = ['', 'Bearer', 'Bearer undefined', adminKey, `XBearer ${adminKey}`, ...schemes];
    for (const authorization of [...bad, ...keys.map((key) => `Bearer ${key}`)])
      for (const path of ['/_admin/sandboxes', '/_admin/sandboxes/mine'])
        expect(await keyStatus(authorization, path), authorization).toBe(401);
  });

  test('is not a query parameter, nor the token of a partner', async () => {
    for (const name of ['key', 'access_token', 'admin_key'])
      expect(await statusOf({}, `/_admin/sandboxes?${name}=${adminKey}`)).toBe(401);
    const { token } = await server.sachet.login('demo', { base: '/sandboxes/other' });
    expect(await statusOf(bearer(token), '/_admin/sandboxes/other')).toBe(401);
  });

  test('of a sandbox is accepted on the routes of this sandbox alone', async () => {
    const own = await prepared();
    const ownStatus = async (method: string, path: string) =>
      (await own.input(method, `/_admin/sandboxes${path}`, { headers: bearer(mineKey) })).status;
    const statuses = [
      await ownStatus('GET', '/mine'),
      await ownStatus('POST', '/mine/snapshots/kept/restore'),
      await ownStatus('DELETE', '/mine/switches'),
      await ownStatus('GET', '/mine/nothing'),
    ];
    expect(statuses).toEqual([200, 200, 204, 404]);
    const before = await everything(own);
    const others = ['', '/other', '/stage', '/MINE', '//mine'];
    for (const path of [...others, '/mine%2f..%2fother', '/mine/../other', '/mine/%2e%2e/other/clock'])
      expect(await ownStatus('GET', path), path).toBe(401);
    for (const path of ['', '/other/reset']) expect(await ownStatus('POST', path), path).toBe(401);
    const { body } = await own.input('GET', '/_admin/sandboxes/other', { headers: bearer(mineKey) });
    expect(body.message).toBe('The key is neither the admin key nor the key of this sandbox');
    expect(await everything(own)).toEqual(before);
  });

  test('of a sandbox deletes it, and is rejected from then on', async () => {
    const own = await prepared();
    const remove = async (name: string) =>
      (await own.input('DELETE', `/_admin/sandboxes/${name}`, { headers: bearer(otherKey) })).status;
    expect([await remove('mine'), await remove('other')]).toEqual([401, 204]);
    expect(await namesOf(own)).toEqual(['mine', 'production', 'stage']);
    expect(await remove('other')).toBe(401);
    await own.sachet.control.create({ name: 'other' });
    expect(await remove('other')).toBe(401);
  });
});
