// All request bodies that are being received share a memory budget of 256 MiB.
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { requestBodies } from '../../src/http/memory.ts';
import { validOrder } from '../cases/requests.ts';
import { type Answer, testSachet } from '../support/sachet.ts';
import { pieces } from '../support/wire.ts';

const kibibyte = 1024;
const half = new Uint8Array(512 * kibibyte).fill(32);
const orderText = JSON.stringify(validOrder);
/** So many bodies of half a mebibyte fit in what the test leaves of the budget. */
const most = 16;

test('beyond 256 MiB a long body is rejected with 500 (max_memory), and a short one is not', async () => {
  onTestFinished(requestBodies.hold(limits.heldBytes - most * half.length));
  const sachet = testSachet();
  const client = await sachet.login();
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const answers: Answer[] = [];
  const unfinished = Array.from({ length: most + 3 }, async () => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controllers.push(controller);
      controller.enqueue(half);
    };
    answers.push(await client.post('/v2/orders', undefined, { raw: new ReadableStream({ start }) }));
  });
  await expect.poll(() => answers.length).toBe(3);
  for (const { status, headers } of answers) expect([status, headers.get('sandbox-rule')]).toEqual([500, 'max_memory']);

  const long = { raw: orderText.padEnd(100 * kibibyte) };
  const sandbox = { raw: '{}'.padEnd(100 * kibibyte), headers: { authorization: `Bearer ${sachet.adminKey}` } };
  expect((await client.post('/v2/orders', undefined, long)).status).toBe(500);
  expect((await client.post('/v2/orders', undefined, { raw: pieces(orderText) })).status).toBe(201);
  expect((await sachet.call('POST', '/_admin/sandboxes', sandbox)).status).toBe(500);

  for (const controller of controllers) {
    try {
      controller.enqueue(new TextEncoder().encode(orderText));
      controller.close();
    } catch {
      // The server has cancelled the stream of a rejected body.
    }
  }
  await Promise.all(unfinished);
  // Each needs more memory for its last bytes: some are rejected so that the others fit.
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([500, 201]));
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(most / 3);
  expect((await client.post('/v2/orders', undefined, long)).status).toBe(201);
});
