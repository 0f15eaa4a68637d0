// Nothing is shared between two sandboxes (product.md, "Words"): what a client of one sees is to the byte what it would see alone,
// whatever happens in the others meanwhile.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { type BareSachet, bareSachet } from '../support/bare-sachet.ts';
import { fulfillmentId, orderId, products, someOrder } from '../support/order-requests.ts';
import { baseOf, journalOf, Scribe, stateOf } from '../support/transcript.ts';

interface Actor {
  readonly scribe: Scribe;
  readonly control: SandboxControl;
}

/** What a tester turns; whether it was possible is seen by what follows. */
const turn =
  (act: (control: SandboxControl) => Promise<unknown>) =>
  ({ control }: Actor) =>
    act(control).then(
      () => undefined,
      () => undefined,
    );
const switched = (patch: Parameters<SandboxControl['switches']['set']>[0]) =>
  turn((control) => control.switches.set(patch));

const deeds = {
  logIn: ({ scribe }) => scribe.logIn(),
  logInAsNobody: ({ scribe }) => scribe.logIn('nobody', 'nothing'),
  refresh: ({ scribe }) => scribe.refresh(),
  products: ({ scribe }) => scribe.get('/v2/products'),
  order: ({ scribe }) => scribe.order(someOrder()),
  orderRefused: ({ scribe }) => scribe.order(someOrder({ shipping_address: {} })),
  readOrder: ({ scribe }) => scribe.ofOrder('GET'),
  cancelOrder: ({ scribe }) => scribe.ofOrder('POST', '/cancel'),
  orders: ({ scribe }) => scribe.get('/v2/orders?limit=100'),
  page: ({ scribe }) => scribe.page(),
  label: ({ scribe }) => scribe.label(),
  expireTokens: switched({ token_expiry: { expire_issued: true } }),
  shortenTokens: switched({ token_expiry: { lifetime_seconds: 90 } }),
  expireLabels: switched({ label_expiry: { expire_issued: true, lifetime_seconds: 30 } }),
  limitRate: switched({ rate_limit: { limit: 2, window_seconds: 60 } }),
  limitBurst: switched({ rate_limit: { burst: 2, retry_after: 7 } }),
  noPags: switched({ inactive_pags: { all: true } }),
  noPermission: switched({ missing_permission: { permissions: ['orders:write', 'products:read'] } }),
  failOften: switched({ server_error: { probability: 0.5 } }),
  slow: switched({ latency: { min: 0, max: 2, probability: 0.5 } }),
  loseAnswers: switched({ connection: { drop: 'after_processing', probability: 0.5 } }),
  cutAnswers: switched({ connection: { drop: 'mid_body', burst: 1 } }),
  maintain: switched({ maintenance: { for_seconds: 60 } }),
  clearSwitches: turn((control) => control.switches.clear()),
  addFault: turn((control) => control.faults.create({ status: 404, probability: 0.3, after: 1 })),
  removeFault: turn((control) => control.faults.delete('fault-1')),
  applyScenario: turn((control) => control.scenarios.apply('discontinued-product')),
  takeBack: turn((control) => control.scenarios.take_back('discontinued-product')),
  read: turn((control) => control.assumptions.set({ next_cursor: 'meta', validation_report: 'first' })),
  readStrictly: turn((control) => control.assumptions.set({ profile: 'strict' })),
  automatic: turn((control) => control.assumptions.set({ fulfillment_timeline: 'automatic' })),
  accept: turn((control) => control.orders.accept(orderId(18))),
  ship: turn((control) => control.orders.ship(orderId(16))),
  deliver: turn((control) => control.fulfillments.deliver(fulfillmentId(26))),
  minute: turn((control) => control.clock.advance({ by: 'PT1M' })),
  day: turn((control) => control.clock.advance({ by: 'P1D' })),
  back: turn((control) => control.clock.set({ now: '2026-11-20T12:00:00Z' })),
  product: turn((control) => control.records.products.update(products.good, { product_name: 'Renamed' })),
  deleteOrder: turn((control) => control.records.orders.delete(orderId(18))),
  limitByReading: turn((control) => control.assumptions.set({ rate_limit: '100/60s' })),
  reimport: turn(async (control) => control.state.put(await control.state.get())),
  snapshot: turn((control) => control.snapshots.create({ name: 'base' })),
  restore: turn((control) => control.snapshots.restore('base')),
  reset: turn((control) => control.reset()),
  forget: turn((control) => control.requests.clear()),
} as const satisfies Record<string, (actor: Actor) => Promise<void>>;

type Deed = keyof typeof deeds;
interface Step {
  readonly who: number;
  readonly deed: Deed;
}

const nameOf = (who: number): string => `w${who}`;

async function actorIn(sachet: BareSachet, who: number): Promise<Actor> {
  await sachet.control.create({ name: nameOf(who) });
  return { scribe: new Scribe(sachet, baseOf(nameOf(who))), control: sachet.control.sandbox(nameOf(who)) };
}

async function does(actor: Actor, steps: readonly Step[]): Promise<void> {
  for (const { deed } of steps) await deeds[deed](actor);
}

const seen = async (sachet: BareSachet, { scribe }: Actor, who: number) => ({
  lines: scribe.lines,
  journal: await journalOf(sachet, nameOf(who)),
  state: await stateOf(sachet, nameOf(who)),
});

/** What each sees who does its own steps alone, in a Sachet of its own. */
async function alone(who: number, steps: readonly Step[]) {
  const sachet = bareSachet();
  const actor = await actorIn(sachet, who);
  await does(actor, steps);
  return seen(sachet, actor, who);
}

/** What they see who do their steps in one Sachet: in the order of the steps, or all at once. */
async function together(many: number, steps: readonly Step[], atOnce: boolean) {
  const sachet = bareSachet();
  const actors = await Promise.all(Array.from({ length: many }, (_, who) => actorIn(sachet, who)));
  const own = (who: number) => steps.filter((step) => step.who === who);
  if (atOnce) await Promise.all(actors.map((actor, who) => does(actor, own(who))));
  else
    for (const step of steps)
      for (const [who, actor] of actors.entries()) if (step.who === who) await does(actor, [step]);
  return Promise.all(actors.map((actor, who) => seen(sachet, actor, who)));
}

const calls = ['logIn', 'order', 'products', 'page', 'label', 'readOrder', 'orders'] as const satisfies readonly Deed[];
const deed = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Deed[]>(...calls) },
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(deeds) as Deed[])) },
);
const run = fc.integer({ min: 2, max: 5 }).chain((many) =>
  fc.record({
    many: fc.constant(many),
    steps: fc.array(fc.record({ who: fc.nat(many - 1), deed }), { minLength: 20, maxLength: 60 }),
    atOnce: fc.boolean(),
  }),
);

test('2 to 5 sandboxes each see what they would see alone, in their answers, journals and states', async () => {
  const property = fc.asyncProperty(run, async ({ many, steps, atOnce }) => {
    const all: readonly Step[] = [
      ...Array.from({ length: many }, (_, who) => ({ who, deed: 'logIn' as const })),
      ...steps,
    ];
    const found = await together(many, all, atOnce);
    for (const [who, one] of found.entries())
      expect(one).toEqual(
        await alone(
          who,
          all.filter((step) => step.who === who),
        ),
      );
  });
  await fc.assert(property, { numRuns: 40 });
});
