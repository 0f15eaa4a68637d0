// A signal ends the server with code 0 within a second, whatever is under way.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call, serving } from '../support/command.ts';
import { inMachineTime } from '../support/machine-time.ts';

type Server = Awaited<ReturnType<typeof serving>>;

/** A connection, and what came back over it so far. */
async function connection({ ready }: Server): Promise<{ socket: Socket; until: (text: string) => Promise<void> }> {
  const socket = connect(Number(new URL(ready.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const until = async (text: string): Promise<void> => {
    while (!received.includes(text)) {
      if (socket.destroyed) throw new Error(`the connection was closed after: ${received}`);
      await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => Promise.reject(new Error(received)))]);
    }
  };
  return { socket, until };
}

/** Ends the server by its own pid; its exit code, which must come within a second. */
async function stopped({ child, ended }: Server, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
  child.kill(signal);
  return ended(1000);
}

/** The head of a login, whose body is still to come once the server has asked for it. */
const head = (bytes: number): string =>
  [
    'POST /v2/authentication/token HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
    'Expect: 100-continue',
    '',
    '',
  ].join('\r\n');

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', inMachineTime, (signal) => {
  test('ends a server that has nothing to do, as soon as it has said that it is ready', async () => {
    const servers = await Promise.all(Array.from({ length: 4 }, async () => stopped(await serving(), signal)));
    expect(servers).toEqual([0, 0, 0, 0]);
  });

  test('ends a server with an idle keep-alive connection', async () => {
    const server = await serving();
    const { socket, until } = await connection(server);
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n');
    await until('"status":"ok"');
    expect(await stopped(server, signal)).toBe(0);
  });

  test('ends a server with a request whose body is half sent', async () => {
    const server = await serving();
    const { socket, until } = await connection(server);
    socket.write(head(100));
    await until('100 Continue');
    socket.write('{"username":');
    expect(await stopped(server, signal)).toBe(0);
  });
});

test('a connection on which nothing was ever sent does not keep the server', inMachineTime, async () => {
  const server = await serving();
  await connection(server);
  await call('GET', `${server.ready.url}/health`);
  expect(await stopped(server)).toBe(0);
});

test('a call that is under way is answered before the end; until then /health is 503', inMachineTime, async () => {
  const server = await serving();
  const { socket, until } = await connection(server);
  const { username, password } = server.ready;
  const body = JSON.stringify({ username, password });
  socket.write(head(body.length));
  await until('100 Continue');
  server.child.kill('SIGTERM');
  const health = () => call('GET', `${server.ready.url}/health`);
  await expect.poll(health, { interval: 10 }).toMatchObject({ status: 503, body: { status: 'draining' } });
  socket.write(body);
  await until('"expires_in":86400');
  expect(await server.ended(1000)).toBe(0);
});

test('what was half sent when the server ended is told as no failure', inMachineTime, async () => {
  const server = await serving(['--log', 'off']);
  const { socket, until } = await connection(server);
  socket.write(head(100));
  await until('100 Continue');
  expect(await stopped(server)).toBe(0);
  expect(server.stderr).toBe('');
});
