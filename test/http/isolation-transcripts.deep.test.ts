// Sandboxes share nothing: what a client of one sees is, byte for byte, what it would see alone, whatever happens in the others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { fulfillmentId, orderId, products, someOrder } from '../support/order-requests.ts';
import { bareSachet } from '../support/sachet.ts';
import { journalOf, type Scribe, scribeOf, stateOf } from './transcript.ts';

interface Actor {
  readonly scribe: Scribe;
  readonly control: SandboxControl;
}
type Action = (actor: Actor) => Promise<void>;

/** A call of the control API; whether it succeeded shows in what follows. */
const control =
  (call: (sandbox: SandboxControl) => Promise<unknown>): Action =>
  async (actor) =>
    void (await call(actor.control).catch(() => undefined));
const setSwitches = (patch: Parameters<SandboxControl['switches']['set']>[0]) =>
  control(({ switches }) => switches.set(patch));

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
  expireTokens: setSwitches({ token_expiry: { expire_issued: true } }),
  expireLabels: setSwitches({ label_expiry: { expire_issued: true, lifetime_seconds: 30 } }),
  limitRate: setSwitches({ rate_limit: { limit: 2, window_seconds: 60 } }),
  noPags: setSwitches({ inactive_pags: { all: true } }),
  noPermission: setSwitches({ missing_permission: { permissions: ['orders:write', 'products:read'] } }),
  failOften: setSwitches({ server_error: { probability: 0.5 } }),
  slow: setSwitches({ latency: { min: 0, max: 2, probability: 0.5 } }),
  loseResponses: setSwitches({ connection: { drop: 'after_processing', probability: 0.5 } }),
  maintain: setSwitches({ maintenance: { for_seconds: 60 } }),
  clearSwitches: control((sandbox) => sandbox.switches.clear()),
  addFault: control((sandbox) => sandbox.faults.create({ status: 404, probability: 0.3, after: 1 })),
  applyScenario: control((sandbox) => sandbox.scenarios.apply('discontinued-product')),
  assume: control((sandbox) => sandbox.assumptions.set({ next_cursor: 'meta', validation_report: 'first' })),
  automatic: control((sandbox) => sandbox.assumptions.set({ fulfillment_timeline: 'automatic' })),
  accept: control((sandbox) => sandbox.orders.accept(orderId(18))),
  deliver: control((sandbox) => sandbox.fulfillments.deliver(fulfillmentId(26))),
  day: control((sandbox) => sandbox.clock.advance({ by: 'P1D' })),
  product: control((sandbox) => sandbox.records.products.update(products.good, { product_name: 'Renamed' })),
  deleteOrder: control((sandbox) => sandbox.records.orders.delete(orderId(18))),
  importState: control(async ({ state }) => state.put(await state.get())),
  snapshot: control((sandbox) => sandbox.snapshots.create({ name: 'base' })),
  restore: control((sandbox) => sandbox.snapshots.restore('base')),
  reset: control((sandbox) => sandbox.reset()),
  clearJournal: control((sandbox) => sandbox.requests.clear()),
} satisfies Record<string, Action>;
type ActionName = keyof typeof actions;
interface Step {
  readonly client: number;
  readonly action: ActionName;
}

/** What each client sees after these steps, one after another or each client's at the same time. */
async function play(clients: readonly number[], steps: readonly Step[], atOnce = false) {
  const sachet = bareSachet();
  const actors = new Map<number, Actor>();
  for (const client of clients) {
    const name = `w${client}`;
    await sachet.control.create({ name });
    actors.set(client, { scribe: scribeOf(sachet, name), control: sachet.control.sandbox(name) });
  }
  const take = async (some: readonly Step[]) => {
    for (const { client, action } of some) await actions[action](actors.get(client) as Actor);
  };
  if (atOnce) await Promise.all(clients.map((one) => take(steps.filter(({ client }) => client === one))));
  else await take(steps);
  return Promise.all(
    Array.from(actors, async ([client, { scribe }]) => ({
      lines: scribe.lines,
      journal: await journalOf(sachet, `w${client}`),
      state: await stateOf(sachet, `w${client}`),
    })),
  );
}

const calls: readonly ActionName[] = ['logIn', 'order', 'products', 'page', 'label', 'readOrder', 'orders'];
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...calls) },
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(actions) as ActionName[])) },
);
const plan = fc.integer({ min: 2, max: 5 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    steps: fc.array(fc.record({ client: fc.nat(count - 1), action }), { minLength: 20, maxLength: 60 }),
    atOnce: fc.boolean(),
  }),
);

test('2 to 5 sandboxes each see what they would see alone, in their responses, journals and states', async () => {
  const property = fc.asyncProperty(plan, async ({ count, steps, atOnce }) => {
    const clients = Array.from({ length: count }, (_, client) => client);
    const all: Step[] = [...clients.map((client) => ({ client, action: 'logIn' as const })), ...steps];
    const together = await play(clients, all, atOnce);
    for (const one of clients) {
      const own = all.filter(({ client }) => client === one);
      expect([together[one]]).toEqual(await play([one], own));
    }
  });
  await fc.assert(property, { numRuns: 25 });
});
