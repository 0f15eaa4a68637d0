// One step of the clock equals a hundred: whatever orders there are, and whoever looks when, they come to the very same state.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import type { StateDocument } from '../../src/contract/control/state.ts';
import { timelineSteps } from '../../src/contract/records.ts';
import { orderLine, someOrder } from '../support/order-requests.ts';
import { day, testSachet } from '../support/sachet.ts';

/** What is done by hand; what is impossible is rejected. */
const deeds = ['cancel', 'hold', 'accept', 'start_production', 'ship', 'pick_up', 'delay', 'lose', 'delete'] as const;
const delays = fc.constantFrom(0, 0, 1, 3600, 100_000);
const timeline = timelineSteps.map((step) => [step, fc.record({ delay_seconds: delays, spread_seconds: delays })]);

const calls: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  orders: ({ client }) => client.get('/v2/orders'),
  control: ({ stage }) => stage.records.fulfillments.list(),
  label: async ({ sachet, client }) => {
    const { fulfillments } = (await client.get('/v2/fulfillments?limit=1')).body;
    expect((await sachet.call('GET', fulfillments[0].label_url)).status).toBe(200);
  },
  rejected: async ({ client }) => expect((await client.post('/v2/orders', {})).status).toBe(422),
};
const stop = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  call: fc.constantFrom(...Object.keys(calls)),
});
const course = fc.record({
  timeline: fc.option(fc.record(Object.fromEntries(timeline))),
  transitions: fc.constantFrom('documented_path', 'any'),
  orders: fc.array(
    fc.record({
      /** A demo order of 90 days needs changes. */
      durations: fc.array(fc.constantFrom(30, 90, 7), { minLength: 1, maxLength: 3 }),
      deeds: fc.array(fc.constantFrom(...deeds), { maxLength: 6 }),
      hours: fc.nat(30),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  /** Times that pass in one step or in many, and what is done by hand after each. */
  parts: fc.array(
    fc.record({
      milliseconds: fc.oneof(fc.integer({ min: 0, max: 14 * day }), fc.constantFrom(day, 14 * day)),
      stops: fc.array(stop, { minLength: 2, maxLength: 100, size: 'max' }),
      deed: fc.constantFrom(...deeds),
      order: fc.nat(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
type Course = typeof course extends fc.Arbitrary<infer Value> ? Value : never;

async function begin({ orders, timeline, transitions }: Course) {
  const sachet = testSachet({ assumptions: { fulfillment_timeline: 'automatic', order_transitions: transitions } });
  const stage = sachet.control.sandbox('stage');
  await stage.switches.set({ token_expiry: { lifetime_seconds: 60 * 86_400 } });
  if (timeline) await stage.singles.timeline.update({ ...timeline });
  const client = await sachet.login();
  const ids: string[] = [];
  for (const { durations, deeds: first, hours } of orders) {
    const order_lines = durations.map((duration) => ({ ...orderLine(), duration }));
    const placed = await client.post('/v2/orders', someOrder({ order_lines }));
    expect(placed.status, placed.text).toBe(201);
    ids.push(placed.body.order.id);
    for (const deed of first) await act(stage, placed.body.order.id, deed);
    await stage.clock.advance({ seconds: hours * 3600 });
  }
  return { sachet, stage, ids, client };
}
type World = Awaited<ReturnType<typeof begin>>;

async function act(stage: SandboxControl, id: string, deed: (typeof deeds)[number]): Promise<void> {
  const run = async (): Promise<unknown> => {
    if (deed === 'delete') return stage.records.orders.delete(id);
    if (deed === 'ship') {
      const [line] = (await stage.records.orders.get(id)).order_lines;
      return stage.orders.ship(id, { order_lines: line ? [line.id] : [] });
    }
    if (deed !== 'pick_up' && deed !== 'delay' && deed !== 'lose') return stage.orders[deed](id);
    const { fulfillments } = await stage.records.fulfillments.list();
    const own = fulfillments.find(({ order_id }) => order_id === id);
    return own && stage.fulfillments[deed](own.id, {});
  };
  await run().catch((error: unknown) => expect(String(error)).toMatch(/failed with (404|422)/));
}

/** Three ways to let time pass: the control API advances the clock once, the machine's clock runs, many small advances with calls between. */
const paces: readonly ((world: World, part: Course['parts'][number]) => Promise<unknown>)[] = [
  ({ stage }, { milliseconds }) => stage.clock.advance({ seconds: milliseconds / 1000 }),
  ({ sachet }, { milliseconds }) => sachet.advance(milliseconds),
  async (world, { milliseconds, stops }) => {
    let gone = 0;
    for (const { at, call } of [...stops.toSorted((one, other) => one.at - other.at), { at: 1, call: '' }]) {
      const to = Math.round(at * milliseconds);
      await world.stage.clock.advance({ seconds: (to - gone) / 1000 });
      gone = to;
      await calls[call]?.(world);
    }
  },
];

/** In random courses every package may be at rest; in this one a package moves. */
const shipped: Course = {
  orders: [{ durations: [30], deeds: ['accept', 'start_production', 'ship', 'pick_up'], hours: 1 }],
  timeline: null,
  transitions: 'documented_path',
  parts: [{ milliseconds: 2 * day, stops: [{ at: 0.5, call: 'orders' }], deed: 'delay', order: 0 }],
};

test('a hundred steps with calls between them come to the same state as one step, and as one look at the end', async () => {
  let packages = 0;
  const property = fc.asyncProperty(course, async (drawn) => {
    const states: StateDocument[] = [];
    for (const pace of paces) {
      const world = await begin(drawn);
      for (const part of drawn.parts) {
        await pace(world, part);
        await act(world.stage, world.ids[part.order % world.ids.length] ?? '', part.deed);
      }
      states.push(await world.stage.state.get());
    }
    const [one, ...others] = states;
    expect(others).toEqual([one, one]);
    packages += one?.tracking?.length ?? 0;
  });
  await fc.assert(property, { numRuns: 8, examples: [[shipped]] });
  expect(packages).toBeGreaterThan(0);
});
