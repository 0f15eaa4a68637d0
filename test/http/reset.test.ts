// Reset is as new: whatever was done to a sandbox, it is then what a fresh one is, collection by collection.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportState } from '../../src/sandbox/state-document.ts';
import type { State } from '../../src/state/state.ts';
import { orderId, someOrder } from '../support/order-requests.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';

/** All that a reset brings back. */
const shown = ({ state }: { readonly state: State }): object => exportState(state, 0);

/** What a tester and a client may do in between. */
const deeds = {
  order: async (sachet: TestSachet) => {
    await (await sachet.login()).post('/v2/orders', someOrder());
  },
  cancel: async (sachet: TestSachet) => {
    await (await sachet.login()).post(`/v2/orders/${orderId(18)}/cancel`);
  },
  expire: async (sachet: TestSachet) => {
    await sachet.control.sandbox('stage').switches.set({ token_expiry: { expire_issued: true } });
  },
  limit: async (sachet: TestSachet) => {
    await sachet.control
      .sandbox('stage')
      .switches.set({ rate_limit: { burst: 1, match: { operation: 'products.list' } } });
    await sachet.call('GET', '/v2/products');
  },
  fault: async (sachet: TestSachet) => {
    await sachet.control.sandbox('stage').faults.create({ status: 500, probability: 0.5, match: { method: 'PATCH' } });
  },
  read: async (sachet: TestSachet) => {
    await sachet.control.sandbox('stage').assumptions.set({ next_cursor: 'meta' });
  },
  apply: async (sachet: TestSachet) => {
    await sachet.control.sandbox('stage').scenarios.apply('discontinued-product');
  },
  clock: async (sachet: TestSachet) => {
    await sachet.control.sandbox('stage').clock.set({ now: '2030-01-01T00:00:00Z', frozen: false, rate: 60 });
  },
  snapshot: async (sachet: TestSachet) => {
    await sachet.control
      .sandbox('stage')
      .snapshots.create({ name: 'base' })
      .catch(() => undefined);
  },
};

const names = fc.array(fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])), { maxLength: 10 });

test('after a reset every collection and value is that of a fresh sandbox', async () => {
  const fresh = shown(await testSachet().sandbox());
  const property = fc.asyncProperty(names, async (drawn) => {
    const sachet = testSachet();
    for (const name of drawn) await deeds[name](sachet);
    await sachet.control.sandbox('stage').reset();
    expect(shown(await sachet.sandbox())).toEqual(fresh);
  });
  await fc.assert(property, { numRuns: 30 });
});

test('snapshots are kept over a reset, and the journal is emptied', async () => {
  const sachet = testSachet();
  const stage = sachet.control.sandbox('stage');
  await sachet.login();
  await stage.snapshots.create({ name: 'base' });
  expect((await stage.requests.list()).requests).toHaveLength(1);
  await stage.reset();
  expect((await stage.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['base']);
  expect(await stage.requests.list()).toEqual({ requests: [], dropped: 0, oldest: null });
});

test('a clock that ran on from an instant starts there again', async () => {
  const sachet = testSachet({ clock: '2026-01-01T00:00:00Z+' });
  const stage = sachet.control.sandbox('stage');
  await stage.clock.advance({ by: 'P7D' });
  expect((await stage.clock.get()).now).toMatch(/^2026-01-08T/);
  await stage.reset();
  expect((await stage.clock.get()).now).toMatch(/^2026-01-01T00:0/);
});

test('windows that a scenario with a clock of its own began are after a reset what they are in a fresh sandbox', async () => {
  const later = {
    name: 'later',
    intent: 'x',
    right_client: 'x',
    switches: { maintenance: { for_seconds: 60 } },
    clock: { now: Date.parse('2030-01-01T00:00:00Z') },
  };
  const sachet = testSachet({ scenarios: [later], scenario: ['later'] });
  const fresh = shown(await sachet.sandbox());
  await sachet.advance(30_000);
  await sachet.control.sandbox('stage').reset();
  expect(shown(await sachet.sandbox())).toEqual(fresh);
});
