// Broken connections over a real port of the built command: what a client of HTTP sees, and what is stored. Other connections go on.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { logIn, serving } from '../support/command.ts';
import { someOrder } from '../support/order-requests.ts';

const adminKey = 'the-key-of-the-broken-ones';
type Drop = 'before_processing' | 'after_processing' | 'mid_body';

/** A server whose next order meets a broken connection. */
async function dropping(drop: Drop) {
  const { ready, child } = await serving(['--admin-key', adminKey]);
  const stage = controlClient({ url: ready.url, adminKey }).sandbox('stage');
  const headers = { authorization: `Bearer ${await logIn(ready)}`, 'content-type': 'application/json' };
  await stage.switches.set({ connection: { drop, burst: 1, match: { operation: 'orders.create' } } });
  const stored = async () => (await stage.records.orders.list()).orders.length;
  const body = JSON.stringify(someOrder());
  return {
    stage,
    child,
    headers,
    url: `${ready.url}/v2/orders`,
    before: await stored(),
    stored,
    fetched: () => fetch(`${ready.url}/v2/orders`, { method: 'POST', headers, body }),
  };
}

/** What node's own client sees of an order: an error before the head, or the head and how the body ended. */
async function seen({ url, headers }: Awaited<ReturnType<typeof dropping>>) {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const sent = request(url, { method: 'POST', headers, agent }).end(JSON.stringify(someOrder()));
  let response: IncomingMessage;
  try {
    [response] = (await once(sent, 'response')) as [IncomingMessage];
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code };
  }
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  const error: unknown = await once(response, 'end').catch((thrown: unknown) => thrown);
  const { statusCode, headers: head } = response;
  return {
    status: statusCode,
    length: Number(head['content-length']),
    text: Buffer.concat(chunks).toString(),
    code: (error as NodeJS.ErrnoException).code,
  };
}

describe.each(['before_processing', 'after_processing'] as const)('%s', (drop) => {
  const kept = drop === 'after_processing' ? 1 : 0;

  test('fetch rejects with a TypeError, the order is stored or not, and the next is answered', async () => {
    const { fetched, before, stored, stage } = await dropping(drop);
    const error: unknown = await fetched().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toBe('fetch failed');
    expect(await stored()).toBe(before + kept);
    expect((await stage.switches.get()).connection).toMatchObject({ hits: 1, remaining: 0 });
    expect((await fetched()).status).toBe(201);
    expect(await stored()).toBe(before + kept + 1);
  });

  test("node's own client sees the connection reset before any head", async () => {
    const world = await dropping(drop);
    expect(await seen(world)).toEqual({ code: 'ECONNRESET' });
    expect(await world.stored()).toBe(world.before + kept);
    expect(await seen(world)).toMatchObject({ status: 201 });
  });
});

describe('mid_body', () => {
  test('fetch gets the head, and its body breaks; the order is stored once', async () => {
    const { fetched, before, stored } = await dropping('mid_body');
    const response = await fetched();
    expect([response.status, response.headers.get('sandbox-fault')]).toEqual([201, 'connection']);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(await stored()).toBe(before + 1);
    expect((await (await fetched()).text()).startsWith('{"order":{')).toBe(true);
  });

  test("node's own client gets half of the body under the length of the whole", async () => {
    const world = await dropping('mid_body');
    const { status, length = 0, text = '', code } = await seen(world);
    expect([status, code, text.length]).toEqual([201, 'ECONNRESET', Math.ceil(length / 2)]);
    expect(text).toMatch(/^\{"order":\{"id":"/);
  });
});

test('a call on another connection is answered, and the server goes on', async () => {
  const { fetched, headers, url, child, stage } = await dropping('before_processing');
  const [lost, ...others] = await Promise.allSettled([
    fetched(),
    ...Array.from({ length: 5 }, () => fetch(url, { headers })),
  ]);
  expect(lost?.status).toBe('rejected');
  const statuses = others.map((one) => (one.status === 'fulfilled' ? one.value.status : one.reason));
  expect([statuses, child.exitCode]).toEqual([[200, 200, 200, 200, 200], null]);
  await stage.switches.set({ connection: { drop: 'mid_body', probability: 1, match: { method: 'PUT' } } });
  expect((await fetched()).status).toBe(201);
});

test.each(['before_processing', 'after_processing', 'mid_body'] as const)(
  'calls that were sent before on the same connection are answered first (%s)',
  async (drop) => {
    const { stage, url, headers } = await dropping(drop);
    await stage.switches.set({ connection: { drop, burst: 1, match: { operation: 'orders.list' } } });
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const get = (path: string) =>
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${headers.authorization}\r\n\r\n`;
    socket.write(get('/v2/products') + get('/v2/products') + get('/v2/orders'));
    const received = await text(socket);
    expect(received.match(/"client_products"/g)).toHaveLength(2);
    expect(/^sandbox-fault: connection/im.test(received)).toBe(drop === 'mid_body');
  },
);
