// Due steps of the timeline over a store that fails or conflicts: everybody sees them, and they are stored once.
import { expect, test } from 'vitest';
import { createChaosStore } from '../support/chaos-store.ts';
import { someOrder } from '../support/order-requests.ts';
import { day, testSachet } from '../support/sachet.ts';
import { recordsOf } from '../support/timeline.ts';

const assumptions = { fulfillment_timeline: 'automatic' } as const;

/** A sandbox with an order whose steps are all due, but not taken. */
async function dueSteps(everyThird = false) {
  const store = createChaosStore({ everyThird });
  const sachet = testSachet({ store, assumptions });
  const stage = sachet.control.sandbox('stage');
  await stage.switches.set({ token_expiry: { lifetime_seconds: 30 * 86_400 } });
  const client = await sachet.login();
  const { id } = (await client.post('/v2/orders', someOrder())).body.order;
  await stage.switches.clear();
  await sachet.advance(14 * day);
  const read = async () => (await client.get(`/v2/orders/${id}/fulfillments`)).body.fulfillments;
  const sandbox = await sachet.sandbox();
  return { store, stage, client, id, read, sandbox, version: sandbox.version };
}

test('a store that fails every write: reads show due steps, writes get 500; once it works, the same steps are stored', async () => {
  const { store, stage, client, id, read, sandbox, version } = await dueSteps();
  store.failNext(1_000_000);
  const seen = await read();
  expect(seen).toMatchObject([{ status_id: 'delivered' }]);
  const records = await recordsOf(stage);
  expect((await client.post('/v2/orders', someOrder())).status).toBe(500);
  await expect(stage.fulfillments.return(seen[0].id, {})).rejects.toThrow(/500/);
  await expect(stage.singles.operator.update({ name: 'Other' })).rejects.toThrow(/500/);
  expect([await read(), sandbox.version]).toEqual([seen, version]);
  store.failNext(0);
  expect([await read(), sandbox.version]).toEqual([seen, version + 1]);
  expect(await recordsOf(stage)).toEqual(records);
  expect(sandbox.state.table('due_steps').get(id)).toBeUndefined();
  expect((await stage.fulfillments.return(seen[0].id, {})).status_id).toBe('returned');
});

test('a failed append that stored the steps, and needless conflicts, give the same state as a store that works', async () => {
  const [failing, conflicting, calm] = [await dueSteps(), await dueSteps(true), await dueSteps()];
  failing.store.failNext(1, true);
  const withoutLabel = ({ label_url: _, ...rest }: Record<string, unknown>) => rest;
  const expected = (await calm.read()).map(withoutLabel);
  for (const { read, stage } of [failing, conflicting]) {
    expect((await read()).map(withoutLabel)).toEqual(expected);
    expect(await stage.state.get()).toEqual(await calm.stage.state.get());
  }
  expect(failing.sandbox.version).toBe(failing.version + 1);
});
