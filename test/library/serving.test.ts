// Ports, state folders, connections and the end of a Sachet.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ConnectOptions } from '../../src/client/control-client.ts';
import { connect, type Sachet } from '../../src/client/sachet.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { type ServeOptions, serve } from '../../src/node/serve.ts';
import { folder } from '../support/command.ts';
import { served, thrownBy } from './starts.ts';

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
  test('uses a free or the given port until its close, after which calls name the URL', async () => {
    const first = await serve();
    const port = portOf(first);
    await expect(serve({ port })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use; stop the program that uses it, or choose another port`,
    );
    await first.close();
    await expect(first.sandboxes()).rejects.toThrow(`sandboxes.list: no server answers at ${first.baseUrl}`);
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
