// A heap that is full, and has room again: what adds to it is refused meanwhile.

import { connect } from 'node:net';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { roomOf } from '../../src/node/memory.ts';
import { mayWait, waits } from '../../src/node/waiting.ts';
import { validOrder } from '../cases/requests.ts';
import { wire } from '../support/wire.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const inUse = (): number => {
  collect();
  return getHeapStatistics().used_heap_size;
};

test('there is room until most of the limit is in use, and again when less is; that is told once', () => {
  const told: string[] = [];
  const before = inUse();
  const ballast: { kept?: readonly object[] } = {
    kept: Array.from({ length: 400_000 }, (_, n) => ({ n, text: `${n}` })),
  };
  const between = (before + inUse()) / 2;
  const hasRoom = roomOf((words) => told.push(words), between / 0.85);
  expect([hasRoom(), hasRoom()]).toEqual([false, false]);
  expect(ballast.kept?.length).toBe(400_000);
  delete ballast.kept;
  collect();
  expect(hasRoom()).toBe(true);
  expect(told).toEqual([expect.stringMatching(/^the heap is full \(\d+ bytes\): what adds to it is refused with 500/)]);
});

const adminKey = 'key-of-the-memory-test';
const key = `Authorization: Bearer ${adminKey}`;
const server = async (hasRoom: (bytes?: number) => boolean) => {
  const made = await wire({ hasRoom, adminKey });
  onTestFinished(made.close);
  return made;
};

test('a server without room answers 500 to what adds to it, and everything else as ever', async () => {
  let hasRoom = true;
  const { send, authorization } = await server(() => hasRoom);
  hasRoom = false;
  const body = JSON.stringify(validOrder);
  const order = () => send('POST /v2/orders', [authorization, `Content-Length: ${body.length}`], body);
  const refused = await order();
  expect([refused.status, refused.headers['sandbox-rule'], refused.body.message]).toEqual([
    500,
    'max_memory',
    'An internal server error occurred',
  ]);
  expect((await send('GET /v2/products', [authorization])).status).toBe(200);
  hasRoom = true;
  expect((await order()).status).toBe(201);
});

const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0'];
const doing: readonly [status: number, line: string, ...headers: string[]][] = [
  [500, 'POST /_admin/sandboxes', 'Content-Length: 0'],
  [500, 'PATCH /_admin/sandboxes/stage/assumptions', 'Content-Length: 0'],
  [500, 'POST /_admin/sandboxes/stage/snapshots', 'Content-Length: 0'],
  [500, 'POST /_console/_do/stage/snapshots.create', ...form],
  [200, 'POST /_admin/sandboxes/stage/snapshots/base/restore'],
  [204, 'DELETE /_admin/sandboxes/stage/snapshots/base'],
  [200, 'POST /_admin/sandboxes/stage/reset'],
  [200, 'POST /_console/_do/stage/sandboxes.reset', ...form],
  [200, 'POST /_console/_do/stage/requests.clear', ...form],
  [200, 'GET /_admin/sandboxes'],
];

test.each(doing)(
  'the control API and the console of a server without room answer %i to %s',
  async (status, line, ...headers) => {
    let hasRoom = true;
    const { send } = await server(() => hasRoom);
    const base = '{"name":"base"}';
    await send(
      'POST /_admin/sandboxes/stage/snapshots',
      [key, `Content-Length: ${base.length}`, 'Content-Type: application/json'],
      base,
    );
    hasRoom = false;
    const answer = await send(line, [key, ...headers]);
    expect(answer.status).toBe(status);
    if (status === 500) expect(answer.text).toContain('The memory of the server is full; reset or delete sandboxes');
  },
);

const large = { ...validOrder, consumer: { ...validOrder.consumer, first_name: 'x'.repeat(1_000_000) } };

describe('an answer that there is no room for', () => {
  const body = JSON.stringify(large);

  test('is a 500, where something was looked at; what was done is told', async () => {
    const asked: number[] = [];
    const { send, authorization } = await server((bytes = 0) => {
      if (bytes > 0) asked.push(bytes);
      return bytes === 0;
    });
    const order = () => send('POST /v2/orders', [authorization, `Content-Length: ${body.length}`], body);
    expect([(await order()).status, (await order()).status]).toEqual([201, 201]);
    expect(asked).toEqual([]);
    const { status, headers, body: told } = await send('GET /v2/orders', [authorization]);
    expect([status, headers['sandbox-rule'], told.message]).toEqual([
      500,
      'max_memory',
      'An internal server error occurred',
    ]);
    expect(asked).toEqual([expect.any(Number)]);
    expect(asked[0]).toBeGreaterThan(2_000_000);
    const requests = await send('GET /_admin/sandboxes/stage/requests', [key]);
    expect(requests.status).toBe(500);
    expect((await send('GET /_admin/sandboxes/stage/requests?limit=1', [key])).status).toBe(200);
    expect((await send('GET /v2/products', [authorization])).status).toBe(200);
  });
});

test('what an answer over a port holds is counted until its connection is gone', async () => {
  const { port, authorization, send } = await server(() => true);
  const body = JSON.stringify(large);
  const headers = [authorization, `Content-Length: ${body.length}`];
  for (let orders = 0; orders < 5; orders += 1) await send('POST /v2/orders', headers, body);
  const isWaiting = () => !mayWait(limits.heldBytes - 5_000_000);
  expect(isWaiting()).toBe(false);
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(`GET /v2/orders HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`.repeat(10));
  await expect.poll(isWaiting).toBe(true);
  socket.resetAndDestroy();
  await expect.poll(isWaiting).toBe(false);
});

test('answers wait for their readers as long as they hold 256 MiB together, one alone whatever it holds', () => {
  const most = limits.heldBytes;
  expect(mayWait(2 * most)).toBe(true);
  const [first, second] = [waits(most - 10), waits(4)];
  expect([mayWait(0), mayWait(6), mayWait(7)]).toEqual([true, true, false]);
  first();
  expect(mayWait(7)).toBe(true);
  second();
});
