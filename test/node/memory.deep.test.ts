// The limits of memory: with a full heap, or with too many responses in flight, the server rejects what would add to it.
import { connect } from 'node:net';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { limits } from '../../src/contract/limits.ts';
import type { EngineOptions } from '../../src/engine.ts';
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

test('the heap is full above 85 % of its limit, and that is logged once', () => {
  const notes: string[] = [];
  const before = inUse();
  const ballast = Array.from({ length: 400_000 }, (_, n) => ({ n, text: `${n}` }));
  const between = (before + inUse()) / 2;
  const hasMemory = createHeapCheck((line) => notes.push(line), between / 0.85);
  expect([hasMemory(), hasMemory()]).toEqual([false, false]);
  expect(ballast.length).toBe(400_000);
  ballast.length = 0;
  collect();
  expect(hasMemory()).toBe(true);
  const note = /^the heap is full \(\d+ bytes\): requests that need more memory get 500 until/;
  expect(notes).toEqual([expect.stringMatching(note)]);
});

const adminKey = 'key-of-the-memory-test';
const key = `Authorization: Bearer ${adminKey}`;
const consumer = { ...validOrder.consumer, first_name: 'x'.repeat(1_000_000) };
const large = JSON.stringify({ ...validOrder, consumer });

/** A server whose heap the test fills, with large orders. */
async function served(orders = 0, options: Partial<EngineOptions> = {}) {
  const heap = { isFull: false };
  const server = await wire({ hasMemory: () => !heap.isFull, adminKey, ...options });
  onTestFinished(server.close);
  const { send, authorization } = server;
  const order = (body = large) => send('POST /v2/orders', [authorization, `Content-Length: ${body.length}`], body);
  const get = (path: string, header = authorization) => send(`GET ${path}`, [header]);
  for (let made = 0; made < orders; made += 1) expect((await order()).status).toBe(201);
  return { ...server, heap, order, get };
}

const outOfMemory = { statusCode: 500, error: 'Internal Server Error', message: 'An internal server error occurred' };

test('with a full heap, an order and a large list get 500, and smaller responses succeed', async () => {
  const statuses: number[] = [];
  const { heap, order, get } = await served(2, { log: ({ status }) => void statuses.push(status) });
  heap.isFull = true;
  for (const response of [await order(JSON.stringify(validOrder)), await get('/v2/orders')]) {
    expect([response.headers['sandbox-rule'], response.body]).toEqual(['max_memory', outOfMemory]);
    expect(statuses.at(-1)).toBe(500);
  }
  const requests = await get('/_admin/sandboxes/stage/requests', key);
  expect([requests.status, requests.body.message]).toEqual([500, expect.stringContaining('memory')]);
  expect((await get('/_admin/sandboxes/stage/requests?limit=1', key)).status).toBe(200);
  expect((await get('/v2/products')).status).toBe(200);
  heap.isFull = false;
  expect((await order(JSON.stringify(validOrder))).status).toBe(201);
});

test('with a full heap, the control API and the console reject what adds to it, and allow what frees memory', async () => {
  const { heap, send, url } = await served();
  await controlClient({ url, adminKey }).sandbox('stage').snapshots.create({ name: 'base' });
  heap.isFull = true;
  const empty = ['Content-Length: 0'];
  const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0'];
  for (const [line, expected, headers] of [
    ['POST /_admin/sandboxes', 500, empty],
    ['PATCH /_admin/sandboxes/stage/assumptions', 500, empty],
    ['POST /_admin/sandboxes/stage/snapshots', 500, empty],
    ['POST /_console/_do/stage/snapshots.create', 500, form],
    ['POST /_admin/sandboxes/stage/snapshots/base/restore', 200, []],
    ['DELETE /_admin/sandboxes/stage/snapshots/base', 204, []],
    ['POST /_admin/sandboxes/stage/reset', 200, []],
    ['POST /_console/_do/stage/sandboxes.reset', 200, form],
    ['POST /_console/_do/stage/requests.clear', 200, form],
    ['GET /_admin/sandboxes', 200, []],
  ] as const) {
    const { status, text } = await send(line, [key, ...headers]);
    expect(status, line).toBe(expected);
    if (status === 500) expect(text).toContain('The server is out of memory; reset or delete sandboxes');
  }
});

test('while responses of 256 MiB are in flight, others above 64 KiB get 500, but an order is stored', async () => {
  const { order, get } = await served(2);
  const release = responses.hold(limits.heldBytes - 1_000_000);
  try {
    expect((await get('/v2/orders')).status).toBe(500);
    expect((await get('/v2/products')).status).toBe(200);
    expect((await order()).status).toBe(201);
  } finally {
    release();
  }
  expect((await get('/v2/orders')).status).toBe(200);
});

test('the bytes of a response count until its connection is gone', async () => {
  const { port, authorization } = await served(5);
  const isCounted = () => !responses.hasMemory(limits.heldBytes - 5_000_000);
  expect(isCounted()).toBe(false);
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(`GET /v2/orders HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`.repeat(10));
  await expect.poll(isCounted).toBe(true);
  socket.resetAndDestroy();
  await expect.poll(isCounted).toBe(false);
});

test('a budget has 256 MiB, and each part is released once', () => {
  const budget = new MemoryBudget();
  const [first, second] = [budget.hold(limits.heldBytes - 10), budget.hold(4)];
  expect([budget.hasMemory(), budget.hasMemory(6), budget.hasMemory(7)]).toEqual([true, true, false]);
  first();
  first();
  const { heldBytes } = limits;
  const sizes = [heldBytes - 4, heldBytes - 3, heldBytes];
  expect(sizes.map((size) => budget.hasMemory(size))).toEqual([true, false, false]);
  second();
  expect(budget.hasMemory(heldBytes)).toBe(true);
});
