// A heap that is full, and has room again: what adds to it is refused meanwhile.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { roomOf } from '../../src/node/memory.ts';
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

test('a server without room answers 500 to what adds to it, and everything else as ever', async () => {
  let hasRoom = true;
  const { send, authorization, close } = await wire({ hasRoom: () => hasRoom });
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
  expect((await send('POST /_admin/sandboxes/stage/reset')).status).toBe(401);
  hasRoom = true;
  expect((await order()).status).toBe(201);
  await close();
});
