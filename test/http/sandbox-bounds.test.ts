// Limits of one sandbox: delayed calls, their bodies, and listeners.
import { expect, onTestFinished, test } from 'vitest';
import { bounds } from '../../src/contract/control/bounds.ts';
import { validOrder } from '../cases/requests.ts';
import { bareSachet, hour, send, testSachet } from '../support/sachet.ts';

test('calls beyond the limit of delayed calls, or of their bodies, fail; other sandboxes are not affected', async () => {
  const sachet = testSachet();
  const [slow, other] = [await sachet.login('demo+w1'), await sachet.login('demo+w2')];
  const w1 = sachet.control.sandbox('w1');
  await w1.switches.set({ latency: { milliseconds: hour } });
  const { delays } = await sachet.sandbox('w1');
  onTestFinished(() => delays.endAll());
  const wait = (bytes: number) => void delays.wait(hour, new AbortController().signal, bytes);

  for (let n = 1; n < bounds.delayedCalls; n += 1) wait(0);
  void slow.get('/v2/products');
  await expect.poll(() => delays.size).toBe(bounds.delayedCalls);
  const { status, headers, body } = await slow.get('/v2/products');
  expect([status, headers.get('sandbox-rule'), body.message]).toEqual([
    500,
    'max_delayed',
    'An internal server error occurred',
  ]);
  expect((await other.get('/v2/products')).status).toBe(200);
  delays.endAll();

  const raw = JSON.stringify(validOrder);
  const order = () => slow.post('/v2/orders', undefined, { raw, headers: { 'content-type': 'application/json' } });
  wait(bounds.delayedBytes - raw.length);
  void order();
  await expect.poll(() => delays.bytes).toBe(bounds.delayedBytes);
  const rejected = await order();
  expect([rejected.status, rejected.headers.get('sandbox-rule')]).toEqual([500, 'max_delayed']);
  await w1.reset();
  await expect.poll(() => delays.bytes).toBe(0);
  expect((await slow.get('/v2/products')).status).toBe(200);
});

test('a sandbox has a limit of listeners; one that leaves makes room', async () => {
  const sachet = bareSachet();
  const listen = () => send(sachet, 'GET', '/_admin/sandboxes/stage/events', { token: sachet.adminKey });
  const all = await Promise.all(Array.from({ length: bounds.listeners }, listen));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
  const watch = () => send(sachet, 'GET', '/_console/_live/stage', { token: sachet.adminKey });
  expect([(await listen()).status, (await watch()).status]).toEqual([422, 422]);
  await all[0]?.body?.cancel();
  expect((await watch()).status).toBe(200);
});
