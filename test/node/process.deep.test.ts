// The process of the server: it ends soon after a signal, whatever is in progress.
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { call, inMachineTime, logIn, type Ready, serving } from '../support/command.ts';

const adminKey = 'the-key-of-the-process';

/** A connection, and a wait for text that it receives. */
async function connection({ ready }: { readonly ready: Ready }) {
  const socket = connect(Number(new URL(ready.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const received: string[] = [];
  socket.on('data', (data) => received.push(data.toString())).on('error', () => undefined);
  await once(socket, 'connect');
  const until = (text: string) => expect.poll(() => received.join(''), { interval: 5 }).toContain(text);
  return { socket, until };
}

/** The head of a login; the server asks for its body. */
const head = (bytes: number): string =>
  `POST /v2/authentication/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\nExpect: 100-continue\r\n\r\n`;

// Real time: the process has to end within a second.
describe('after a signal', inMachineTime, () => {
  test('SIGTERM ends a server that has just started, and SIGINT one with any connections, without a message', async () => {
    const fresh = await serving();
    fresh.child.kill('SIGTERM');
    const server = await serving(['--log', 'off']);
    const [idle, half] = [await connection(server), await connection(server)];
    await connection(server);
    idle.socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n');
    await idle.until('"status":"ok"');
    half.socket.write(head(100));
    await half.until('100 Continue');
    half.socket.write('{"username":');
    server.child.kill('SIGINT');
    expect([await server.ended(1000), server.stderr]).toEqual([0, '']);
    expect(await fresh.ended(1000)).toBe(0);
  });

  test('a call in progress gets its response, and /health is 503 until then', async () => {
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

  test('an event stream and a delayed call end at once', async () => {
    const server = await serving(['--admin-key', adminKey]);
    const { url } = server.ready;
    const token = await logIn(server.ready);
    const stage = controlClient({ url, adminKey }).sandbox('stage');
    await stage.switches.set({ latency: { milliseconds: 3_600_000 } });
    const headers = { authorization: `Bearer ${adminKey}` };
    const events = await fetch(`${url}/_admin/sandboxes/stage/events`, { headers });
    const delayed = call('GET', `${url}/v2/products`, { token });
    await expect.poll(async () => (await stage.requests.list({ operation: 'products.list' })).requests.length).toBe(1);
    server.child.kill('SIGTERM');
    expect((await delayed).status).toBe(200);
    expect(await events.text()).toContain('event: state');
    expect(await server.ended()).toBe(0);
  });
});
