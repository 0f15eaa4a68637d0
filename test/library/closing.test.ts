// How a Sachet ends: nothing goes on waiting, the port is free, and a connection ends nothing but itself.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { connect, type Sachet } from '../../src/client/sachet.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { serve } from '../../src/node/serve.ts';
import { hasV6 } from '../support/addresses.ts';
import { served } from './starts.ts';

const portOf = ({ baseUrl }: Sachet): number => Number(new URL(baseUrl).port);
const longest = { milliseconds: 60_000 };

/** Listens there for a moment; rejects when the port is in use. */
async function listenOnce(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await once(server.close(), 'close');
}

/** A call that is delayed for a minute and a wait for as long, both under way. */
async function waiting(sachet: Sachet) {
  const sandbox = await sachet.createSandbox();
  const client = sandbox.client();
  await client.get('/v2/products');
  await sandbox.switches.set({ latency: longest });
  const wait = sandbox.requests.wait({ match: { operation: 'orders.create' }, timeout_ms: longest.milliseconds });
  const delayed = client.get('/v2/products');
  await expect
    .poll(async () => (await sandbox.requests.list()).requests.some(({ completed }) => !completed))
    .toBe(true);
  return { sandbox, wait, delayed };
}

describe.each([
  ['in process', async () => createSachet()],
  ['over serve', () => serve()],
] as const)('%s', (_, open) => {
  test('close ends a delayed call and a wait, each with its answer', async () => {
    const sachet = await open();
    const { wait, delayed } = await waiting(sachet);
    await sachet.close();
    expect((await delayed).status).toBe(200);
    expect((await wait).satisfied).toBe(false);
  });

  test('to dispose of it is to close it', async () => {
    const sachet = await open();
    const { delayed } = await waiting(sachet);
    await sachet[Symbol.asyncDispose]();
    expect((await delayed).status).toBe(200);
  });

  test('a second close, also side by side, does nothing more', async () => {
    const sachet = await open();
    await Promise.all([sachet.close(), sachet.close()]);
    await sachet.close();
  });
});

const hosts = ['127.0.0.1', '0.0.0.0', 'localhost', ...(hasV6 ? ['::1'] : [])];

describe('serve', () => {
  test('takes a free port, or the one it is told, and gives it back', async () => {
    const first = await serve();
    const port = portOf(first);
    await expect(listenOnce(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.sandboxes();
    await first.close();
    await listenOnce(port);
    const second = await served({ port });
    expect(portOf(second)).toBe(port);
    expect((await second.fetch('/health')).status).toBe(200);
  });

  test('after its close nothing answers, and the error says where', async () => {
    const server = await serve();
    await server.close();
    await expect(server.sandboxes()).rejects.toThrow(`sandboxes.list: no server answers at ${server.baseUrl}`);
    await expect(server.fetch('/health')).rejects.toThrow(TypeError);
  });

  test('an address that cannot be listened on is an error that names it', async () => {
    const port = portOf(await served());
    await expect(serve({ port })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use; stop the program that uses it, or choose another port`,
    );
    await expect(serve({ host: 'no-such-host.invalid' })).rejects.toThrow(
      '"no-such-host.invalid" to listen on; check the host',
    );
    await expect(serve({ host: '[::1]' })).rejects.toThrow(
      '"[::1]" to listen on; check the host (--host); IPv6 has no',
    );
  });

  test.each(hosts)('on %s, its base URL leads to it', async (host) => {
    expect((await (await served({ host })).fetch('/health')).status).toBe(200);
  });

  test.each(['', 'a b', 'fe80::1%no-such'])('the host %j, which is none, is told', async (host) => {
    await expect(serve({ host })).rejects.toThrow(/the host|listen on/);
  });

  test.each([-1, 65_536, Number.NaN])('%d is told to be no port', async (port) => {
    await expect(serve({ port })).rejects.toThrow(`${port} is not a port`);
  });
});

test('the close of a connection ends nothing', async () => {
  const server = await served();
  const { baseUrl: url, adminKey } = server;
  const { wait, delayed, sandbox } = await waiting(server);
  const connection = connect({ url, adminKey });
  await connection.close();
  await connection[Symbol.asyncDispose]();
  const pending = Symbol('pending');
  expect(await Promise.race([delayed, wait, sandbox.get().then(() => pending)])).toBe(pending);
  expect((await connection.fetch('/health')).status).toBe(200);
});
