// A server that is shown as localhost answers on both loopback addresses: clients differ in which one they try.
import { once } from 'node:events';
import { type AddressInfo, createServer, Server } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../src/node/listen.ts';
import { hasV6 } from '../support/addresses.ts';
import { fixtures } from '../support/sachet.ts';
import { testEngine } from '../support/test-engine.ts';

async function listening(host: string, port = 0) {
  const { url, close } = await listen(testEngine({ fixtures }), { port, host });
  onTestFinished(close);
  return { url, close, port: Number(new URL(url).port) };
}

/** The status of /health at an address, or the code of the error. */
const health = (address: string, port: number): Promise<number | string> =>
  fetch(`http://${address}:${port}/health`, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    ({ cause }) => cause.code,
  );

describe.skipIf(!hasV6)('on a machine with IPv6', () => {
  test.each(['127.0.0.1', 'localhost', '0.0.0.0', '::'])('--host %s answers on both', async (host) => {
    const { port, url } = await listening(host);
    expect(url).toBe(`http://localhost:${port}`);
    expect([await health('127.0.0.1', port), await health('[::1]', port)]).toEqual([200, 200]);
  });

  test('another address is the only one', async () => {
    const { port } = await listening('::1');
    expect([await health('127.0.0.1', port), await health('[::1]', port)]).toEqual(['ECONNREFUSED', 200]);
  });

  test('a port that another program has on one of them is in use', async () => {
    const other = createServer();
    onTestFinished(() => void other.close());
    await once(other.listen(0, '::1'), 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(listening('127.0.0.1', port)).rejects.toThrow(`port ${port} on ::1 is in use`);
    expect(await health('127.0.0.1', port)).toBe('ECONNREFUSED');
  });

  test('after its end, both are free', async () => {
    const { port, close } = await listening('127.0.0.1');
    await fetch(`http://[::1]:${port}/health`);
    await close();
    expect([await health('127.0.0.1', port), await health('[::1]', port)]).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
  });
});

/** Fails to listen on ::1 with this code, so many times. */
function failOnV6(code: string, times = Number.POSITIVE_INFINITY) {
  const { listen: original } = Server.prototype;
  let failures = 0;
  const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
    const [{ host }] = args as [{ host: string }];
    if (host !== '::1' || failures >= times) return original.apply(this, args as never);
    failures += 1;
    process.nextTick(() => this.emit('error', Object.assign(new Error(code), { code })));
    return this;
  });
  onTestFinished(() => spy.mockRestore());
  return () => failures;
}

test.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])('without IPv6 (%s), it answers on 127.0.0.1', async (code) => {
  failOnV6(code);
  const { port } = await listening('127.0.0.1');
  expect(await health('127.0.0.1', port)).toBe(200);
});

test.skipIf(!hasV6)('port 0 picks one that is free on both', async () => {
  const failures = failOnV6('EADDRINUSE', 2);
  const { port } = await listening('127.0.0.1');
  expect(failures()).toBe(2);
  expect([await health('127.0.0.1', port), await health('[::1]', port)]).toEqual([200, 200]);
});
