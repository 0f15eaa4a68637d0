// What the reader of a failed test is told: the calls of its sandbox, the last twenty, and why each was refused.
import { beforeEach, expect, test, vi } from 'vitest';
import type { MadeSandbox } from '../../src/client/sandbox.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { printCalls } from '../../src/vitest/tell-calls.ts';

let sandbox: MadeSandbox;
beforeEach(async () => {
  sandbox = await createSachet().createSandbox({ name: 'w7' });
});

/** The lines that it prints. */
async function told(): Promise<string[]> {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    await printCalls(sandbox);
    return print.mock.calls.flatMap(([text]) => String(text).split('\n'));
  } finally {
    print.mockRestore();
  }
}

test('a line for each call, in order, and for a refusal why', async () => {
  const client = sandbox.client();
  await client.post('/v2/orders', sampleOrder());
  await client.post('/v2/orders', sampleOrder({ order_lines: [] }));
  const [head, login, created, refused, ...more] = await told();
  expect(head).toBe('The sandbox w7 received 3 calls:');
  expect(login).toMatch(/^ {2}\S+Z POST \/v2\/authentication\/token 200 - [\d.]+ ms$/);
  expect(created).toMatch(/^ {2}\S+Z POST \/v2\/orders 201 /);
  expect(refused).toMatch(/^ {2}\S+Z POST \/v2\/orders 422 ORD-\S+ [\d.]+ ms .*order_lines/);
  expect(more).toEqual([]);
});

test('of many calls the last twenty, and how many there were', async () => {
  const client = sandbox.client();
  for (let n = 0; n < 24; n++) await client.get(`/v2/orders?limit=${n + 1}`);
  const [head, ...lines] = await told();
  expect(head).toBe('The sandbox w7 received 25 calls; the last 20:');
  expect(lines).toHaveLength(20);
});

test('a call that was never answered is told, too', async () => {
  await sandbox.switches.set({ connection: { drop: 'before_processing', burst: 1 } });
  await sandbox.fetch('/v2/products').catch(() => undefined);
  expect((await told())[1]).toMatch(/GET \/v2\/products - /);
});

test('one call is told as one', async () => {
  await sandbox.fetch('/v2/products');
  expect((await told())[0]).toBe('The sandbox w7 received 1 call:');
});

test('what a client sent cannot pass for a line of its own', async () => {
  await sandbox.fetch('/v2/products%0A\u001b[31m/fake');
  expect(await told()).toHaveLength(2);
  expect((await told()).join('')).not.toContain('\u001b');
});

test('a sandbox that is gone has nothing to tell', async () => {
  await sandbox.delete();
  expect(await told()).toEqual([]);
});
