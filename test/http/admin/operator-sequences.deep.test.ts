// Random sequences of operator actions: every response is a good one, and the sandbox stays valid.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectImportable } from '../../support/control.ts';
import {
  addressIn,
  type OperatorStage,
  operatorStage,
  orderActions,
  orderIn,
  packageActions,
  statuses,
} from '../../support/operator.ts';
import { pagId, someOrder } from '../../support/order-requests.ts';
import type { Answer } from '../../support/sachet.ts';

/** How often each step is drawn. Packages must be moved as often as orders, or few are delivered. */
const weights = { order: 6, ship: 5, package: 8, clock: 3, create: 2, modify: 1, cancel: 1, pag: 1 };
const kind = fc.oneof(
  ...Object.entries(weights).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name as keyof typeof weights),
  })),
);
const step = fc.record({ kind, pick: fc.nat(), choice: fc.nat(), force: fc.boolean() });
const sequences = fc.array(step, { minLength: 20, maxLength: 60 });
type Sequence = typeof sequences extends fc.Arbitrary<infer Steps> ? Steps : never;

const pickFrom = <T>(list: readonly T[], n: number) => list[n % list.length] as T;

/** Takes the steps, each on one of the orders and packages that exist by then, and returns the responses. */
async function take(world: OperatorStage, sequence: Sequence, mayForce: boolean): Promise<Answer[]> {
  const { client, act, ship, move, admin } = world;
  const orders: string[] = statuses.map((status) => orderIn[status]);
  const packages: string[] = [];
  const steps: Record<keyof typeof weights, (step: Sequence[number]) => Promise<Answer | undefined>> = {
    order: async ({ pick, choice }) => act(pickFrom(orders, pick), pickFrom(orderActions, choice)),
    async ship({ pick, choice }) {
      const id = pickFrom(orders, pick);
      const { order_lines } = await world.order(id);
      const line = pickFrom(order_lines, Math.floor(choice / 2)).id;
      const response = await ship(id, choice % 2 ? { order_lines: [line] } : {});
      if (response.status === 201) packages.push(response.body.id);
      return response;
    },
    async package({ pick, choice, force }) {
      if (packages.length === 0) return undefined;
      return move(pickFrom(packages, pick), pickFrom(packageActions, choice), { force: mayForce && force });
    },
    clock: async ({ choice }) => void (await world.setTo(((choice % 1801) - 900) * 60_000)),
    async create({ choice }) {
      const durations = [30, 90, 60, 30].slice(0, 1 + (choice % 4));
      const order_lines = durations.map((duration) => ({ ...someOrder().order_lines[0], duration }));
      const response = await client.post('/v2/orders', someOrder({ order_lines }));
      orders.push(response.body.order.id);
      return response;
    },
    modify: async ({ pick }) => client.patch(`/v2/orders/${pickFrom(orders, pick)}`, addressIn('Switzerland')),
    cancel: async ({ pick }) => client.post(`/v2/orders/${pickFrom(orders, pick)}/cancel`),
    pag: async ({ choice }) =>
      admin('PATCH', `/sandboxes/stage/pags/${pagId(3)}`, { status: pickFrom(['Active', 'In Review'], choice) }),
  };
  const responses: Answer[] = [];
  for (const one of sequence) {
    const response = await steps[one.kind](one);
    if (response) responses.push(response);
  }
  return responses;
}

/** Dates are in order, and no line is shipped again unless its package was lost or returned. Force may leave out a pickup. */
async function expectValid({ stage }: OperatorStage, isForced: boolean): Promise<void> {
  const [{ orders }, { fulfillments }] = [await stage.records.orders.list(), await stage.records.fulfillments.list()];
  for (const { created_at, updated_at } of orders) expect(updated_at >= created_at).toBe(true);
  for (const { created_at, pickup_date, delivery_date, updated_at } of fulfillments) {
    const dates = [created_at, ...(isForced ? [] : [pickup_date, delivery_date]), updated_at].filter(Boolean);
    expect(dates.toSorted()).toEqual(dates);
  }
  const { tracking = [] } = await stage.state.get();
  const wentAstray = ({ id }: { readonly id: string }) =>
    tracking.find((one) => one.id === id)?.events.some(({ status_id }) => ['lost', 'returned'].includes(status_id));
  const shipped = fulfillments.filter(({ id }) => !id.startsWith('60000000'));
  for (const [index, one] of shipped.entries())
    for (const { id } of one.order_lines) {
      const before = shipped.slice(0, index).filter(({ order_lines }) => order_lines.some((line) => line.id === id));
      expect(before.filter((former) => !wentAstray(former))).toEqual([]);
    }
}

test.each(['documented_path', 'any'] as const)(
  'any sequence of actions, forced or not, leaves a state that is valid and can be imported elsewhere (order_transitions: %s)',
  async (order_transitions) => {
    const property = fc.asyncProperty(sequences, fc.boolean(), async (sequence, mayForce) => {
      const world = await operatorStage({ assumptions: { order_transitions } });
      for (const { status, text } of await take(world, sequence, mayForce))
        expect([200, 201, 422], text).toContain(status);
      await expectValid(world, mayForce);
      await expectImportable(world.sachet);
    });
    await fc.assert(property, { numRuns: 24 });
  },
);
