// Whatever the operator does in whatever order: each answer is a good one, and the sandbox stays whole.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Operated,
  operated,
  orderActions,
  orderIn,
  type PackageAction,
  packageActions,
  statuses,
} from '../../support/operator.ts';
import { someOrder } from '../../support/order-requests.ts';
import type { Answer } from '../../support/sachet.ts';

type Step =
  | { readonly kind: 'order'; readonly pick: number; readonly action: string }
  | { readonly kind: 'ship'; readonly pick: number; readonly lines: number | undefined }
  | { readonly kind: 'package'; readonly pick: number; readonly action: PackageAction; readonly force: boolean }
  | { readonly kind: 'clock'; readonly minutes: number }
  | { readonly kind: 'new'; readonly lines: number }
  | { readonly kind: 'cancel' | 'modify'; readonly pick: number }
  | { readonly kind: 'pag'; readonly status: string };

const pick = fc.nat();
/** As often as orders are moved must packages be, or none comes far. */
const stepsBy = (mayForce: boolean): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof<fc.WeightedArbitrary<Step>[]>(
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constant('order'), pick, action: fc.constantFrom(...orderActions) }),
      },
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('ship'),
          pick,
          lines: fc.option(fc.nat(3), { nil: undefined }),
        }),
      },
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant('package'),
          pick,
          action: fc.constantFrom(...packageActions),
          force: mayForce ? fc.boolean() : fc.constant(false),
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('clock'), minutes: fc.integer({ min: -900, max: 900 }) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('new'), lines: fc.integer({ min: 1, max: 4 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cancel', 'modify'), pick }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('pag'), status: fc.constantFrom('Active', 'In Review') }) },
    ) as fc.Arbitrary<Step>,
    { minLength: 20, maxLength: 60 },
  );

const pag90 = '30000000-0000-4000-8000-000000000003';
const shipping_address = { address1: '2 Side Street', city: 'Bern', country_name: 'Switzerland' };

/** Takes the steps, and gives each answer; orders and packages are picked among those that there are by then. */
async function take(world: Operated, steps: readonly Step[]): Promise<Answer[]> {
  const orders: string[] = statuses.map((status) => orderIn[status]);
  const packages: string[] = [];
  const picked = (of: readonly string[], n: number) => of[n % of.length] ?? '';
  const taken = async (step: Step): Promise<Answer | undefined> => {
    switch (step.kind) {
      case 'clock':
        return void (await world.setTo(step.minutes * 60_000));
      case 'new': {
        const durations = [30, 90, 60, 30].slice(0, step.lines);
        const order_lines = durations.map((duration) => ({ ...someOrder().order_lines[0], duration }));
        const answer = await world.client.post('/v2/orders', someOrder({ order_lines }));
        orders.push(answer.body.order.id);
        return answer;
      }
      case 'order':
        return world.act(picked(orders, step.pick), step.action);
      case 'cancel':
        return world.client.post(`/v2/orders/${picked(orders, step.pick)}/cancel`);
      case 'modify':
        return world.client.patch(`/v2/orders/${picked(orders, step.pick)}`, { shipping_address });
      case 'pag':
        return world.admin('PATCH', `/sandboxes/stage/pags/${pag90}`, { status: step.status });
      case 'ship': {
        const id = picked(orders, step.pick);
        const { order_lines } = await world.order(id);
        const line = step.lines === undefined ? undefined : order_lines[step.lines % order_lines.length];
        const answer = await world.ship(id, line ? { order_lines: [line.id] } : {});
        if (answer.status === 201) packages.push(answer.body.id);
        return answer;
      }
      case 'package':
        if (packages.length === 0) return undefined;
        return world.move(picked(packages, step.pick), step.action, { force: step.force });
    }
  };
  const answers: Answer[] = [];
  for (const step of steps) {
    const answer = await taken(step);
    if (answer) answers.push(answer);
  }
  return answers;
}

/** No order and package was updated before it was made, and no line was shipped again unless its package went astray; without force all dates are in order. */
async function expectSound({ stage }: Operated, isForced: boolean): Promise<void> {
  const [{ orders }, { fulfillments }] = [await stage.records.orders.list(), await stage.records.fulfillments.list()];
  for (const { created_at, updated_at } of orders) expect(updated_at >= created_at).toBe(true);
  for (const { created_at, pickup_date, delivery_date, updated_at } of fulfillments) {
    const dates = [created_at, ...(isForced ? [] : [pickup_date, delivery_date]), updated_at].filter(Boolean);
    expect(dates.toSorted()).toEqual(dates);
  }
  const { tracking = [] } = await stage.state.get();
  const wentAstray = ({ id }: { readonly id: string }) =>
    tracking.find((one) => one.id === id)?.events.some(({ status_id }) => ['lost', 'returned'].includes(status_id));
  const made = fulfillments.filter(({ id }) => !id.startsWith('60000000'));
  for (const [index, one] of made.entries())
    for (const { id } of one.order_lines) {
      const before = made.slice(0, index).filter(({ order_lines }) => order_lines.some((line) => line.id === id));
      expect(before.filter((former) => !wentAstray(former))).toEqual([]);
    }
}

describe.each(['documented_path', 'any'] as const)('any sequence of actions, order_transitions: %s', (choice) => {
  test.each([
    ['keeps dates in order', false],
    ['by force, too, answers well', true],
  ])('%s, and what it comes to is imported elsewhere', async (_, isForced) => {
    const property = fc.asyncProperty(stepsBy(isForced), async (steps) => {
      const world = await operated({ assumptions: { order_transitions: choice } });
      const answers = await take(world, steps);
      for (const { status, text } of answers) expect([200, 201, 422], text).toContain(status);
      await expectSound(world, isForced);
      const document = await world.stage.state.get();
      const other = await operated();
      await other.stage.state.put(document);
      expect(await other.stage.state.get()).toEqual(document);
    });
    await fc.assert(property, { numRuns: 12 });
  });
});

test('the same sequence comes to the same state, to the byte', async () => {
  const property = fc.asyncProperty(stepsBy(true), async (steps) => {
    const states: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const world = await operated({ assumptions: { order_transitions: 'any' } });
      await take(world, steps);
      // The machine's own time stands in the clock.
      const { clock, ...state } = await world.stage.state.get();
      states.push(JSON.stringify({ ...state, clock: { ...clock, at: 0 } }));
    }
    expect(states[1] === states[0]).toBe(true);
  });
  await fc.assert(property, { numRuns: 6 });
});
