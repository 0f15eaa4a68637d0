// A reset restores the initial state: whatever was done to a sandbox, it equals a fresh one.
import { expect, test } from 'vitest';
import { exportState } from '../../src/sandbox/state-document.ts';
import { orderId, someOrder } from '../support/order-requests.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';

const stateOf = async (sachet: TestSachet): Promise<object> => exportState((await sachet.sandbox()).state, 0);

test('after a reset every collection and value is that of a fresh sandbox; snapshots stay, the journal is empty', async () => {
  const sachet = testSachet();
  const stage = sachet.control.sandbox('stage');
  const client = await sachet.login();
  await client.post('/v2/orders', someOrder());
  await client.post(`/v2/orders/${orderId(18)}/cancel`);
  await stage.switches.set({
    token_expiry: { expire_issued: true },
    rate_limit: { burst: 1, match: { operation: 'products.list' } },
  });
  await sachet.call('GET', '/v2/products');
  await stage.faults.create({ status: 500, probability: 0.5, match: { method: 'PATCH' } });
  await stage.assumptions.set({ next_cursor: 'meta', fulfillment_timeline: 'automatic' });
  await client.post('/v2/orders', someOrder());
  await stage.scenarios.apply('discontinued-product');
  await stage.singles.operator.update({ name: 'Another' });
  await stage.clock.set({ now: '2030-01-01T00:00:00Z', frozen: false, rate: 60 });
  await stage.snapshots.create({ name: 'base' });
  const fresh = await stateOf(testSachet());
  expect(await stateOf(sachet)).not.toEqual(fresh);
  expect((await stage.requests.list()).requests).toHaveLength(5);
  await stage.reset();
  expect(await stateOf(sachet)).toEqual(fresh);
  expect((await stage.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['base']);
  expect(await stage.requests.list()).toEqual({ requests: [], dropped: 0, oldest: null });
});
