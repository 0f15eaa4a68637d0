// What one sandbox may hold of the server: of calls that wait, and of those who listen. Records, snapshots and the journal have tests of their own.
import { expect, onTestFinished, test } from 'vitest';
import { bounds } from '../../src/contract/control/bounds.ts';
import { validOrder } from '../cases/requests.ts';
import { bareSachet, send } from '../support/bare-sachet.ts';
import { testSachet } from '../support/sachet.ts';

const hour = 3_600_000;

/** A server whose sandbox `w1` delays every call until the test ends. */
async function delaying() {
  const sachet = testSachet();
  const [slow, other] = [await sachet.login('demo+w1'), await sachet.login('demo+w2')];
  await sachet.control.sandbox('w1').switches.set({ latency: { milliseconds: hour } });
  onTestFinished(async () => void (await sachet.control.sandbox('w1').reset()));
  return { sachet, slow, other };
}

test(`more than ${bounds.delayedCalls} delayed calls are not delayed, and fail; other sandboxes do not notice`, async () => {
  const { sachet, slow, other } = await delaying();
  const waiting = Array.from({ length: bounds.delayedCalls }, () => slow.get('/v2/products'));
  void Promise.allSettled(waiting);
  const { delays } = await sachet.sandbox('w1');
  await expect.poll(() => delays.size).toBe(bounds.delayedCalls);
  const { status, headers, body } = await slow.get('/v2/products');
  expect([status, headers.get('sandbox-rule'), body.message]).toEqual([
    500,
    'max_delayed',
    'An internal server error occurred',
  ]);
  expect((await other.get('/v2/products')).status).toBe(200);
  await sachet.control.sandbox('w1').switches.set({ latency: null });
  expect((await slow.get('/v2/products')).status).toBe(200);
});

test('delayed calls hold so many bytes of bodies and no more', async () => {
  const { sachet, slow } = await delaying();
  const raw = JSON.stringify(validOrder).padEnd(1_048_576);
  const most = bounds.delayedBytes / raw.length;
  const order = () => slow.post('/v2/orders', undefined, { raw, headers: { 'content-type': 'application/json' } });
  void Promise.allSettled(Array.from({ length: most }, order));
  const { delays } = await sachet.sandbox('w1');
  await expect.poll(() => delays.bytes).toBe(bounds.delayedBytes);
  const { status, headers } = await order();
  expect([status, headers.get('sandbox-rule')]).toEqual([500, 'max_delayed']);
  await sachet.control.sandbox('w1').reset();
  await expect.poll(() => delays.bytes).toBe(0);
});

test(`a sandbox has at most ${bounds.listeners} listeners; who has gone makes room`, async () => {
  const sachet = bareSachet();
  const listen = () => send(sachet, 'GET', '/_admin/sandboxes/stage/events', { token: sachet.adminKey });
  const all = await Promise.all(Array.from({ length: bounds.listeners }, listen));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
  const look = () => send(sachet, 'GET', '/_console/_live/stage', { token: sachet.adminKey });
  expect([(await listen()).status, (await look()).status]).toEqual([422, 422]);
  await all[0]?.body?.cancel();
  expect((await look()).status).toBe(200);
});
