// Clients that go away at any byte: of a request nothing is done before its last byte, and the server is as it was.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { known, validOrder } from '../cases/requests.ts';
import { chunked } from '../support/chunks.ts';
import { type Wire, wire } from '../support/wire.ts';

const adminKey = 'the-key-of-those-who-go-away';
const text = JSON.stringify(validOrder);
let server: Wire;
beforeAll(async () => {
  server = await wire({ adminKey });
});
afterAll(() => server.close());

const orders = async () =>
  (await controlClient({ url: server.url, adminKey }).sandbox('stage').records.orders.list()).orders.length;
const request = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', server.authorization, ...headers, '', ''].join('\r\n');
const order = (...headers: readonly string[]): string =>
  request('POST /v2/orders', 'Content-Type: application/json', ...headers);

const leaving: Readonly<Record<string, (socket: Socket) => void>> = {
  'with a reset': (socket) => socket.resetAndDestroy(),
  'with a FIN': (socket) => socket.destroySoon(),
};

/** Sends bytes on a connection of their own, and leaves. */
async function leave(bytes: string, how: (socket: Socket) => void): Promise<void> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.write(bytes, resolve));
  how(socket);
  await closed;
}

describe.each(Object.entries(leaving))('%s', (_, how) => {
  test.each([
    ['by its length', () => order(`Content-Length: ${text.length}`) + text],
    ['in chunks', () => order('Transfer-Encoding: chunked') + chunked(...(text.match(/.{1,64}/g) ?? []))],
  ])('at any byte of an order, told %s', async (_, whole) => {
    const before = await orders();
    const bytes = whole();
    await Promise.all(Array.from(bytes, (_, end) => leave(bytes.slice(0, end), how)));
    // What stands behind them on the server's loop has been done when this is answered.
    expect(await orders()).toBe(before);
    expect((await server.send('GET /v2/products', [server.authorization])).status).toBe(200);
  });

  test('while the answer is on its way', async () => {
    const paths = ['/v2/products', `/v2/fulfillments/${known.fulfillment}`, '/v2/fulfillments?limit=100'];
    for (const path of [...paths, ...paths]) await leave(request(`GET ${path}`).repeat(20), how);
    expect((await server.send('GET /v2/products', [server.authorization])).status).toBe(200);
  });
});
