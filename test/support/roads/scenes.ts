// What takes more than bytes and an answer, on either road: clients that are slow, half gone or gone. Each tells what came of it.
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import { known, validOrder } from '../../cases/requests.ts';
import { chunk } from '../chunks.ts';
import { alike, speak } from './exchange.ts';
import { bytesOf, last, posted, request } from './requests.ts';

/** A server, and how requests come to it. */
export interface Place {
  readonly port: number;
  readonly stage: SandboxControl;
  /** The bytes of a request, on the road that is looked at. */
  readonly on: (text: string) => Buffer;
}

export type Scene = (place: Place) => Promise<unknown>;

export const list = request('GET /v2/orders?limit=1');
const order = posted('POST /v2/orders', validOrder);
export const calls = { 'a read': list, 'a write': order } as const;

export const stored = async ({ stage }: Place): Promise<number> => (await stage.records.orders.list()).orders.length;

/** What the journal says, without ids and durations. */
export async function told({ stage }: Pick<Place, 'stage'>): Promise<unknown[]> {
  const { requests } = await stage.requests.list();
  return requests.map(({ id: _, duration_ms: _d, ...entry }) => JSON.parse(JSON.stringify(entry), withoutId));
}

const withoutId = (key: string, value: unknown): unknown =>
  key.toLowerCase() === 'sandbox-request-id' ? undefined : typeof value === 'string' ? alike(value) : value;

/** Waits until the journal has so many calls, all of them answered or not. */
const journal = (place: Place, count: number, completed: boolean): Promise<void> =>
  expect
    .poll(async () => (await place.stage.requests.list()).requests.map((entry) => entry.completed), { interval: 10 })
    .toEqual(Array.from({ length: count }, () => completed));

/** The client of a call that waits goes away: the call ends at once, and the journal says so. */
const leavesTheDelayed =
  (text: string, count: number): Scene =>
  async (place) => {
    await place.stage.faults.create({ delay: { milliseconds: 50_000 } });
    const { socket, ended } = await speak(place.port);
    socket.write(place.on(text.repeat(count)));
    await journal(place, count, false);
    socket.resetAndDestroy();
    await ended;
    // Only the first has its turn on the connection; of the others nobody is told that it is gone.
    await expect.poll(async () => (await place.stage.requests.list()).requests[0]?.completed).toBe(true);
    return [await told(place), await stored(place)];
  };

const [head = '', body = ''] = order.split(/(?<=\r\n\r\n)/);

/** A call whose client ends its side behind it. */
const halfClosed =
  (text: string): Scene =>
  async ({ port, on }) => {
    const { socket, ended } = await speak(port);
    socket.end(on(text));
    return ended;
  };

const wishing = (...headers: readonly string[]): string => request('GET /v2/orders?limit=1', { headers });

const byteByByte =
  (text: string): Scene =>
  async ({ port, on }) => {
    const { socket, ended } = await speak(port);
    socket.setNoDelay(true);
    for (const byte of on(text + last)) {
      socket.write(Buffer.of(byte));
      await turn();
    }
    return ended;
  };

const expecting =
  (text: string): Scene =>
  async ({ port, on }) => {
    const { socket, heard, ended } = await speak(port);
    const [first = '', rest = ''] = text.split(/(?<=\r\n\r\n)/);
    socket.write(on(first.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')));
    await expect.poll(heard).toContain('100 Continue');
    socket.write(on(rest + last));
    return ended;
  };

/** Leaves in the middle of a body; the journal has what became of it. */
const leavesInBody =
  (bytes: string, how: 'destroySoon' | 'resetAndDestroy'): Scene =>
  async (place) => {
    const { socket, ended } = await speak(place.port);
    await new Promise((resolve) => socket.write(place.on(bytes), resolve));
    socket[how]();
    await ended;
    await expect.poll(async () => (await place.stage.requests.list()).requests.length).toBe(1);
    await journal(place, 1, true);
    return [await told(place), await stored(place)];
  };

/** A client that tells a body where none is read, and sends only some of it. */
const staysInBody =
  (line: string, parts: Parameters<typeof request>[1] = {}): Scene =>
  async ({ port, on }) => {
    const { socket, heard, ended } = await speak(port);
    socket.write(on(request(line, { ...parts, headers: ['Content-Length: 100'] }) + 'x'.repeat(50)));
    await expect.poll(heard).toContain('HTTP/1.1 ');
    socket.write(on('x'.repeat(50) + last));
    return ended;
  };

export const scenes: Readonly<Record<string, Scene>> = {
  'the client of a delayed read goes': leavesTheDelayed(list, 1),
  'the client of a delayed write goes': leavesTheDelayed(order, 1),
  'the client of three delayed goes': leavesTheDelayed(list, 3),
  'a websocket': halfClosed(wishing('Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: x')),
  'a websocket of a page': halfClosed(
    wishing('Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: x', 'Origin: http://elsewhere.example'),
  ),
  'HTTP/2': halfClosed(wishing('Upgrade: h2c', 'HTTP2-Settings: x', 'Connection: Upgrade, HTTP2-Settings')),
  'a read, half closed': halfClosed(list),
  'a write, half closed': halfClosed(order),
  'several, half closed': halfClosed(list + order + list),
  'half a body, half closed': halfClosed(head + body.slice(0, 100)),
  'half a head, half closed': halfClosed(list.slice(0, 60)),
  'a read byte by byte': byteByByte(list),
  'a write byte by byte': byteByByte(order),
  'characters byte by byte': byteByByte(posted('POST /v2/orders', bytesOf('{"ä😀":1}'))),
  'a write that waits for 100': expecting(order),
  'a body that waits for 100 where none is read': expecting(
    posted(`POST /v2/orders/${known.pendingOrder}/cancel`, 'x'.repeat(100)),
  ),
  'a write of which half comes, then a reset': leavesInBody(head + body.slice(0, 100), 'resetAndDestroy'),
  'a write of which half comes, then the end': leavesInBody(head + body.slice(0, 100), 'destroySoon'),
  'a head of which no body comes': leavesInBody(head, 'resetAndDestroy'),
  'a write without a token of which half comes': leavesInBody(
    (head + body.slice(0, 100)).replace(/Authorization.*\r\n/, ''),
    'resetAndDestroy',
  ),
  'a chunk of which half comes': leavesInBody(
    `${head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')}${chunk(body).toString('latin1').slice(0, 100)}`,
    'resetAndDestroy',
  ),
  'a body that nobody reads, in two halves': staysInBody(`POST /v2/orders/${known.pendingOrder}/cancel`),
  'a body that nobody reads, in two halves, without a token': staysInBody(
    `POST /v2/orders/${known.pendingOrder}/cancel`,
    { token: '' },
  ),
  'a body behind a host that is refused, in two halves': staysInBody('POST /v2/orders', { host: 'elsewhere.example' }),
};
