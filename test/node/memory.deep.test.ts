// A heap that is full, and has room again: what adds to it is refused meanwhile.

import { connect } from 'node:net';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import type { EngineOptions } from '../../src/engine.ts';
import type { Answered } from '../../src/http/dependencies.ts';
import { MemoryBudget, responses } from '../../src/http/memory.ts';
import { createHeapCheck } from '../../src/node/platform.ts';
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
  const hasMemory = createHeapCheck((words) => told.push(words), between / 0.85);
  expect([hasMemory(), hasMemory()]).toEqual([false, false]);
  expect(ballast.kept?.length).toBe(400_000);
  delete ballast.kept;
  collect();
  expect(hasMemory()).toBe(true);
  expect(told).toEqual([
    expect.stringMatching(/^the heap is full \(\d+ bytes\): requests that need more memory get 500 until/),
  ]);
});

const adminKey = 'key-of-the-memory-test';
const key = `Authorization: Bearer ${adminKey}`;
const server = async (hasMemory: () => boolean, options: Partial<EngineOptions> = {}) => {
  const made = await wire({ hasMemory, adminKey, ...options });
  onTestFinished(made.close);
  return made;
};

test('a server without room answers 500 to what adds to it, and everything else as ever', async () => {
  let hasMemory = true;
  const { send, authorization } = await server(() => hasMemory);
  hasMemory = false;
  const body = JSON.stringify(validOrder);
  const order = () => send('POST /v2/orders', [authorization, `Content-Length: ${body.length}`], body);
  const refused = await order();
  expect([refused.status, refused.headers['sandbox-rule'], refused.body.message]).toEqual([
    500,
    'max_memory',
    'An internal server error occurred',
  ]);
  expect((await send('GET /v2/products', [authorization])).status).toBe(200);
  hasMemory = true;
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
    let hasMemory = true;
    const { send } = await server(() => hasMemory);
    const base = '{"name":"base"}';
    await send(
      'POST /_admin/sandboxes/stage/snapshots',
      [key, `Content-Length: ${base.length}`, 'Content-Type: application/json'],
      base,
    );
    hasMemory = false;
    const answer = await send(line, [key, ...headers]);
    expect(answer.status).toBe(status);
    if (status === 500) expect(answer.text).toContain('The server is out of memory; reset or delete sandboxes');
  },
);

const large = { ...validOrder, consumer: { ...validOrder.consumer, first_name: 'x'.repeat(1_000_000) } };

describe('an answer that there is no room for', () => {
  const body = JSON.stringify(large);
  const order = [`Content-Length: ${body.length}`];

  async function withOrders(hasMemory: () => boolean) {
    const lines: Answered[] = [];
    const made = await server(hasMemory, { log: (line) => lines.push(line) });
    const { send, authorization } = made;
    for (let orders = 0; orders < 2; orders += 1)
      expect((await send('POST /v2/orders', [authorization, ...order], body)).status).toBe(201);
    return { ...made, last: () => lines.at(-1)?.status };
  }

  test('is a 500 where the heap is full, for each in its own words, and so in the log', async () => {
    let hasMemory = true;
    const { send, authorization, last } = await withOrders(() => hasMemory);
    hasMemory = false;
    const { status, headers, body: told } = await send('GET /v2/orders', [authorization]);
    expect([status, headers['sandbox-rule'], told.message, last()]).toEqual([
      500,
      'max_memory',
      'An internal server error occurred',
      500,
    ]);
    const requests = await send('GET /_admin/sandboxes/stage/requests', [key]);
    expect([requests.status, requests.body.message, last()]).toEqual([500, expect.stringContaining('memory'), 500]);
    expect((await send('GET /_admin/sandboxes/stage/requests?limit=1', [key])).status).toBe(200);
    expect((await send('GET /v2/products', [authorization])).status).toBe(200);
  });

  test('is a 500 while others wait, from 64 KiB on; what was done is told', async () => {
    const { send, authorization } = await withOrders(() => true);
    const list = async () => (await send('GET /v2/orders', [authorization])).status;
    const release = responses.hold(limits.heldBytes - 1_000_000);
    try {
      expect(await list()).toBe(500);
      expect((await send('GET /v2/products', [authorization])).status).toBe(200);
      expect((await send('POST /v2/orders', [authorization, ...order], body)).status).toBe(201);
    } finally {
      release();
    }
    expect(await list()).toBe(200);
  });
});

test('what an answer over a port holds is counted until its connection is gone', async () => {
  const { port, authorization, send } = await server(() => true);
  const body = JSON.stringify(large);
  const headers = [authorization, `Content-Length: ${body.length}`];
  for (let orders = 0; orders < 5; orders += 1) await send('POST /v2/orders', headers, body);
  const isWaiting = () => !responses.hasMemory(limits.heldBytes - 5_000_000);
  expect(isWaiting()).toBe(false);
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(`GET /v2/orders HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`.repeat(10));
  await expect.poll(isWaiting).toBe(true);
  socket.resetAndDestroy();
  await expect.poll(isWaiting).toBe(false);
});

test('what is held together is 256 MiB at most, and let go of once', () => {
  const held = new MemoryBudget();
  const [first, second] = [held.hold(limits.heldBytes - 10), held.hold(4)];
  expect([held.hasMemory(), held.hasMemory(6), held.hasMemory(7)]).toEqual([true, true, false]);
  first();
  first();
  expect([
    held.hasMemory(limits.heldBytes - 4),
    held.hasMemory(limits.heldBytes - 3),
    held.hasMemory(limits.heldBytes),
  ]).toEqual([true, false, false]);
  second();
  expect(held.hasMemory(limits.heldBytes)).toBe(true);
});
