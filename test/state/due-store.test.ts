// Steps that are due over stores that refuse, conflict, or forget to say that they kept: read all the same, and kept once.
import { describe, expect, test } from 'vitest';
import { type ChaosStore, createChaosStore } from '../support/chaos-store.ts';
import { someOrder } from '../support/order-requests.ts';
import { testSachet } from '../support/sachet.ts';
import { day, recordsOf } from '../support/timeline.ts';

const far = 1_000_000;

/** A stage over a store with an order whose steps are all due, and nobody has looked since. */
async function behind(store: ChaosStore, options: Parameters<typeof testSachet>[0] = {}) {
  const sachet = testSachet({ store, assumptions: { fulfillment_timeline: 'automatic' }, ...options });
  const stage = sachet.control.sandbox('stage');
  await stage.switches.set({ token_expiry: { lifetime_seconds: 30 * 86_400 } });
  const client = await sachet.login();
  const { id } = (await client.post('/v2/orders', someOrder())).body.order;
  await stage.switches.clear();
  await sachet.advance(14 * day);
  const read = async () => (await client.get(`/v2/orders/${id}/fulfillments`)).body.fulfillments;
  return { sachet, stage, client, id, read, sandbox: await sachet.sandbox() };
}

const withoutLabel = ({ label_url: _, ...rest }: Record<string, unknown>) => rest;

describe('a store that refuses every write', () => {
  test('keeps nobody from reading what is due, and keeps the same once it takes writes again', async () => {
    const store = createChaosStore({ everyThird: false });
    const { read, sandbox, stage, client, id } = await behind(store);
    store.failNext(far);
    const { version } = sandbox;
    const seen = await read();
    expect(seen).toMatchObject([{ status_id: 'delivered' }]);
    expect(sandbox.version).toBe(version);
    expect((await stage.records.fulfillments.get(seen[0].id)).delivery_date).toBe(seen[0].delivery_date);
    const records = await recordsOf(stage);
    expect((await client.post('/v2/orders', someOrder())).status).toBe(500);
    expect(await read()).toEqual(seen);
    store.failNext(0);
    expect(await read()).toEqual(seen);
    expect(sandbox.version).toBe(version + 1);
    expect(await recordsOf(stage)).toEqual(records);
    expect(sandbox.state.table('due_steps').get(id)).toBeUndefined();
  });

  test('refuses what the operator does, and then lets it be done', async () => {
    const store = createChaosStore({ everyThird: false });
    const { stage, read } = await behind(store);
    const [one] = await read();
    store.failNext(far);
    await expect(stage.fulfillments.return(one.id, {})).rejects.toThrow(/500/);
    expect(await read()).toMatchObject([{ status_id: 'delivered' }]);
    store.failNext(0);
    expect((await stage.fulfillments.return(one.id, {})).status_id).toBe('returned');
  });

  test('once is healed by the next call', async () => {
    const store = createChaosStore({ everyThird: false });
    const { read, sandbox } = await behind(store);
    const { version } = sandbox;
    store.failNext(1);
    for (const added of [0, 1]) {
      expect(await read()).toMatchObject([{ status_id: 'delivered' }]);
      expect(sandbox.version).toBe(version + added);
    }
  });
});

test('steps that a store kept and did not say so are not taken twice', async () => {
  const store = createChaosStore({ everyThird: false });
  const [failed, calm] = [await behind(store), await behind(createChaosStore({ everyThird: false }))];
  const { version } = failed.sandbox;
  store.failNext(1, true);
  expect((await failed.read()).map(withoutLabel)).toEqual((await calm.read()).map(withoutLabel));
  const state = await failed.stage.state.get();
  expect(failed.sandbox.version).toBe(version + 1);
  expect(state).toEqual(await calm.stage.state.get());
});

test('steps over a store that conflicts for nothing are the same as over a calm one', async () => {
  const [chaos, calm] = [await behind(createChaosStore()), await behind(createChaosStore({ everyThird: false }))];
  expect((await chaos.read()).map(withoutLabel)).toEqual((await calm.read()).map(withoutLabel));
  expect(await chaos.stage.state.get()).toEqual(await calm.stage.state.get());
});

test('many who look at the same time see the same, and it is kept once', async () => {
  const store = createChaosStore({ everyThird: false });
  const { read, sandbox, stage } = await behind(store);
  const { version } = sandbox;
  const [one, ...others] = await Promise.all(Array.from({ length: 20 }, read));
  for (const other of others) expect(other).toEqual(one);
  expect(one).toMatchObject([{ status_id: 'delivered' }]);
  expect(sandbox.version).toBe(version + 1);
  expect((await stage.state.get()).tracking).toHaveLength(1);
});

test('a write before which the store kept nothing is refused, and sent again builds upon all that was due', async () => {
  const store = createChaosStore({ everyThird: false });
  const { stage, read, id } = await behind(store);
  store.failNext(1);
  await expect(stage.orders.cancel(id)).rejects.toThrow(/500/);
  expect((await stage.orders.cancel(id)).status).toBe('Canceled');
  expect(await read()).toMatchObject([{ status_id: 'delivered' }]);
});

test('a write over a store that refuses it leaves nothing, and all that was due with its next try', async () => {
  const store = createChaosStore({ everyThird: false });
  const { stage, sandbox, client, id } = await behind(store);
  const { version } = sandbox;
  store.failNext(far);
  await expect(stage.singles.operator.update({ name: 'Other' })).rejects.toThrow(/500/);
  expect(sandbox.version).toBe(version);
  store.failNext(0);
  await stage.singles.operator.update({ name: 'Other' });
  expect((await client.get(`/v2/orders/${id}`)).body.order.status).toBe('In Production');
});
