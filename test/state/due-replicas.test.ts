// Two servers over one store: whichever of them meets the steps that are due, both have them, each once.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plain } from '../support/chaos-sandboxes.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { machineAt } from '../support/control.ts';
import { someOrder } from '../support/order-requests.ts';
import { noon, type TestSachet, testSachet } from '../support/sachet.ts';
import { day, hour } from '../support/timeline.ts';

interface Replica {
  readonly sachet: TestSachet;
  look(): Promise<unknown>;
}

/** Two replicas, and a client's orders that both know. */
async function replicas({ everyThird = true, clock = noon } = {}) {
  const store = createChaosStore({ everyThird, isShared: true });
  const options = { store, clock, assumptions: { fulfillment_timeline: 'automatic' } } as const;
  const first = replica(testSachet(options));
  const second = replica(testSachet(options));
  await first.sachet.control.sandbox('stage').switches.set({ token_expiry: { lifetime_seconds: 30 * 86_400 } });
  const client = await first.sachet.login();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await client.post('/v2/orders', someOrder())).body.order.id);
  return { store, first, second, ids, token: client.token };
}

const replica = (sachet: TestSachet): Replica => ({
  sachet,
  look: async () => (await sachet.control.sandbox('stage').records.fulfillments.list()).fulfillments.slice(29),
});

async function expectEqual(...all: readonly Replica[]): Promise<void> {
  const states = [];
  for (const { sachet } of all) {
    const sandbox = await sachet.sandbox();
    await sandbox.catchUp();
    states.push(plain(sandbox));
  }
  for (const state of states) expect(state).toEqual(states[0]);
}

test('what one replica has kept the other one sees, and takes no step again', async () => {
  const { first, second } = await replicas({ everyThird: false });
  await second.look();
  await first.sachet.advance(14 * day);
  const seen = await first.look();
  const { version } = await first.sachet.sandbox();
  expect(seen).toMatchObject([{ status_id: 'delivered' }, { status_id: 'delivered' }, { status_id: 'delivered' }]);
  expect(await second.look()).toEqual(seen);
  expect((await second.sachet.sandbox()).version).toBe(version);
  await expectEqual(first, second);
});

test('a token of one replica sees at the other one what is due there, before anybody has kept it', async () => {
  const { first, second, ids, token } = await replicas();
  await second.look();
  await first.sachet.advance(14 * day);
  const client = second.sachet.client(token);
  const { fulfillments } = (await client.get(`/v2/orders/${ids[0]}/fulfillments`)).body;
  expect(fulfillments).toMatchObject([{ status_id: 'delivered' }]);
  expect(await first.look()).toEqual(await second.look());
  await expectEqual(first, second);
});

test('both looking at the same time, by clocks that run, take every step once', async () => {
  const pass = machineAt(noon);
  const { first, second } = await replicas({ clock: `${noon}+` });
  for (let hours = 0; hours < 14 * 24; hours += 12) {
    pass(12 * hour);
    const [one, other] = await Promise.all([first.look(), second.look()]);
    expect(other).toEqual(one);
  }
  const { state } = await first.sachet.sandbox();
  expect([state.table('due_steps').size, state.table('tracking').size, state.table('fulfillments').size]).toEqual([
    0, 3, 32,
  ]);
  await expectEqual(first, second);
});

const act = fc.record({
  through: fc.nat(1),
  hours: fc.nat(48),
  kind: fc.constantFrom('look', 'advance', 'order', 'all'),
});
type Act = typeof act extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** One of two replicas does something; to `all` belongs that both look at the same time. */
async function perform({ hours, kind }: Act, one: Replica, other: Replica, token: string): Promise<void> {
  if (kind === 'look') await one.look();
  else if (kind === 'order') await one.sachet.client(token).post('/v2/orders', someOrder());
  else await one.sachet.advance(hours * hour);
  if (kind === 'all') await Promise.all([one.look(), other.look()]);
}

test('whatever is done through either of them, both end as one that did it alone', async () => {
  const property = fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
    const { first, second, token } = await replicas();
    const alone = await replicas({ everyThird: false });
    for (const one of acts) {
      await perform(one, ...(one.through ? ([second, first] as const) : ([first, second] as const)), token);
      await perform(one, alone.first, alone.first, alone.token);
    }
    const [state, expected] = [first, alone.first].map(({ sachet }) => sachet.control.sandbox('stage').state.get());
    expect(await state).toEqual(await expected);
    await second.look();
    await expectEqual(first, second);
  });
  await fc.assert(property, { numRuns: 12 });
});
