// Sandboxes share nothing: what a client of one sees is, byte for byte, what it would see alone, whatever happens in the others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { fulfillmentId, orderId, products, someOrder } from '../support/order-requests.ts';
import { type BareSachet, bareSachet } from '../support/sachet.ts';
import { baseOf, journalOf, Scribe, stateOf } from './transcript.ts';

interface Actor {
  readonly scribe: Scribe;
  readonly control: SandboxControl;
}
type Action = (actor: Actor) => Promise<void>;

/** A call of the control API; whether it succeeded shows in what follows. */
const does =
  (act: (control: SandboxControl) => Promise<unknown>): Action =>
  async ({ control }) =>
    void (await act(control).catch(() => undefined));
const switched = (patch: Parameters<SandboxControl['switches']['set']>[0]) =>
  does((control) => control.switches.set(patch));

const actions = {
  logIn: ({ scribe }) => scribe.logIn(),
  logInAsNobody: ({ scribe }) => scribe.logIn('nobody', 'nothing'),
  refresh: ({ scribe }) => scribe.refresh(),
  products: ({ scribe }) => scribe.get('/v2/products'),
  order: ({ scribe }) => scribe.order(someOrder()),
  readOrder: ({ scribe }) => scribe.ofOrder('GET'),
  cancelOrder: ({ scribe }) => scribe.ofOrder('POST', '/cancel'),
  orders: ({ scribe }) => scribe.get('/v2/orders?limit=100'),
  page: ({ scribe }) => scribe.page(),
  label: ({ scribe }) => scribe.label(),
  expireTokens: switched({ token_expiry: { expire_issued: true } }),
  expireLabels: switched({ label_expiry: { expire_issued: true, lifetime_seconds: 30 } }),
  limitRate: switched({ rate_limit: { limit: 2, window_seconds: 60 } }),
  noPags: switched({ inactive_pags: { all: true } }),
  noPermission: switched({ missing_permission: { permissions: ['orders:write', 'products:read'] } }),
  failOften: switched({ server_error: { probability: 0.5 } }),
  slow: switched({ latency: { min: 0, max: 2, probability: 0.5 } }),
  loseResponses: switched({ connection: { drop: 'after_processing', probability: 0.5 } }),
  maintain: switched({ maintenance: { for_seconds: 60 } }),
  clearSwitches: does((control) => control.switches.clear()),
  addFault: does((control) => control.faults.create({ status: 404, probability: 0.3, after: 1 })),
  applyScenario: does((control) => control.scenarios.apply('discontinued-product')),
  assume: does((control) => control.assumptions.set({ next_cursor: 'meta', validation_report: 'first' })),
  automatic: does((control) => control.assumptions.set({ fulfillment_timeline: 'automatic' })),
  accept: does((control) => control.orders.accept(orderId(18))),
  deliver: does((control) => control.fulfillments.deliver(fulfillmentId(26))),
  day: does((control) => control.clock.advance({ by: 'P1D' })),
  product: does((control) => control.records.products.update(products.good, { product_name: 'Renamed' })),
  deleteOrder: does((control) => control.records.orders.delete(orderId(18))),
  importState: does(async (control) => control.state.put(await control.state.get())),
  snapshot: does((control) => control.snapshots.create({ name: 'base' })),
  restore: does((control) => control.snapshots.restore('base')),
  reset: does((control) => control.reset()),
  clearJournal: does((control) => control.requests.clear()),
} satisfies Record<string, Action>;
type ActionName = keyof typeof actions;
interface Step {
  readonly who: number;
  readonly action: ActionName;
}

/** What each client sees after these steps, one after another or each client's at the same time. */
async function played(clients: readonly number[], steps: readonly Step[], atOnce = false) {
  const sachet = bareSachet();
  const actors = new Map<number, Actor>();
  for (const who of clients) {
    await sachet.control.create({ name: `w${who}` });
    actors.set(who, { scribe: new Scribe(sachet, baseOf(`w${who}`)), control: sachet.control.sandbox(`w${who}`) });
  }
  const play = async (some: readonly Step[]) => {
    for (const { who, action } of some) await actions[action](actors.get(who) as Actor);
  };
  if (atOnce) await Promise.all(clients.map((who) => play(steps.filter((step) => step.who === who))));
  else await play(steps);
  return Promise.all(Array.from(actors, ([who, actor]) => seenBy(sachet, who, actor)));
}

const seenBy = async (sachet: BareSachet, who: number, { scribe }: Actor) => ({
  lines: scribe.lines,
  journal: await journalOf(sachet, `w${who}`),
  state: await stateOf(sachet, `w${who}`),
});

const calls: readonly ActionName[] = ['logIn', 'order', 'products', 'page', 'label', 'readOrder', 'orders'];
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...calls) },
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(actions) as ActionName[])) },
);
const game = fc.integer({ min: 2, max: 5 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    steps: fc.array(fc.record({ who: fc.nat(count - 1), action }), { minLength: 20, maxLength: 60 }),
    atOnce: fc.boolean(),
  }),
);

test('2 to 5 sandboxes each see what they would see alone, in their responses, journals and states', async () => {
  const property = fc.asyncProperty(game, async ({ count, steps, atOnce }) => {
    const clients = Array.from({ length: count }, (_, who) => who);
    const all: Step[] = [...clients.map((who) => ({ who, action: 'logIn' as const })), ...steps];
    const together = await played(clients, all, atOnce);
    for (const who of clients) {
      const [alone] = await played(
        [who],
        all.filter((step) => step.who === who),
      );
      expect(together[who]).toEqual(alone);
    }
  });
  await fc.assert(property, { numRuns: 25 });
});
