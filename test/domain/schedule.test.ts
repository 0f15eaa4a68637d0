// Which step a package takes next, when an order's is due, and that catching up ends.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DueStep,
  fulfillmentStatuses,
  latestInstant,
  type OrderStatus,
  orderStatuses,
  type RecordOf,
  timelineSteps,
} from '../../src/contract/records.ts';
import { packagesOf } from '../../src/domain/fulfillments.ts';
import { scheduleOrder } from '../../src/domain/schedule.ts';
import type { World } from '../../src/domain/world.ts';
import { operatorWorld } from '../../src/sandbox/sandbox-world.ts';
import { advanceTimeline } from '../../src/sandbox/timeline.ts';
import type { State } from '../../src/state/state.ts';
import { orderId } from '../support/order-requests.ts';
import { fixtures } from '../support/sachet.ts';
import { TestState, writeContext } from '../support/test-state.ts';

/** The packages of an order: the status of each, and the lines that it holds. */
type Packed = readonly (readonly [status: string, ...lines: number[]])[];

interface Placing {
  readonly status: OrderStatus;
  readonly packed?: Packed;
  readonly id?: string;
}

const [firstOrder] = fixtures.orders;
const [firstPackage] = fixtures.fulfillments;
if (!firstOrder || !firstPackage) throw new Error('the fixtures have orders and packages');
const order_lines = [1, 2, 3].map((n) => ({ id: `5100ffff-0000-4000-8000-00000000000${n}`, pouches: [] }));

const packageId = (id: string, index: number): string => `6100ffff-0000-4000-8000-00${id.slice(-9)}${index}`;

/** Inserts an order of three lines with its packages. */
function put(world: World, { status, packed = [], id = orderId(900) }: Placing): RecordOf<'orders'> {
  const order = { ...firstOrder, id, status, order_lines } as RecordOf<'orders'>;
  world.table('orders').insert(order);
  const dates = { pickup_date: null, delivery_date: null, created_at: order.created_at, updated_at: order.created_at };
  for (const [index, [status_id, ...lines]] of packed.entries()) {
    const held = lines.map((line) => ({ id: order_lines[line]?.id ?? '', name: 'x' }));
    const own = { id: packageId(id, index), order_id: id, status_id, order_lines: held };
    world.table('fulfillments').insert({ ...firstPackage, ...dates, ...own } as RecordOf<'fulfillments'>);
  }
  return order;
}

/** Runs as a transaction on a fresh sandbox; `at` is the world that many milliseconds after noon. */
const inSandbox = <T>(run: (at: (milliseconds: number) => World, draft: State) => T): T =>
  new TestState().write((draft) =>
    run((milliseconds) => operatorWorld(draft, { ...writeContext, now: writeContext.now + milliseconds }), draft),
  );

/** The next step of a package with one line of an order in this status. */
const packageCases: readonly (readonly [OrderStatus, string, DueStep['step'] | undefined])[] = [
  ['In Production', 'label_created', 'picked_up'],
  ['In Production', 'picked_up', 'delivered'],
  ['In Production', 'in_transit', 'delivered'],
  ['In Production', 'delayed', 'delivered'],
  ['In Production', 'delivered', undefined],
  ['In Production', 'lost', undefined],
  ['In Production', 'returned', undefined],
  ['In Production', 'customs', undefined],
  ['In Production', 'toString', undefined],
  ['Canceled', 'label_created', undefined],
  ['On Hold', 'label_created', undefined],
  ['Canceled', 'picked_up', 'delivered'],
  ['On Hold', 'delayed', 'delivered'],
];

test('the next step of each package', () => {
  const ofPackages = packageCases.map(([status, packageStatus]) => {
    const step = inSandbox((at, draft) => {
      const order = put(at(0), { status, packed: [[packageStatus, 0]] });
      scheduleOrder(at(0), order);
      return draft.table('due_steps').get(packageId(order.id, 0))?.step;
    });
    return [status, packageStatus, step];
  });
  expect(ofPackages).toEqual(packageCases);
});

test('a row is replaced if its step or its time changes, and removed if it would be due after the last instant', () => {
  inSandbox((at, draft) => {
    const order = put(at(0), { status: 'Pending' });
    /** The row once the order was changed and is scheduled so late; `isWritten` says whether it is a new one. */
    const scheduled = (milliseconds: number, updatedAt: number, status: OrderStatus = 'Pending') => {
      const before = draft.table('due_steps').get(order.id);
      const updated_at = new Date(writeContext.now + updatedAt).toISOString();
      scheduleOrder(at(milliseconds), { ...order, status, updated_at });
      const row = draft.table('due_steps').get(order.id);
      return { step: row?.step, dueAt: Date.parse(row?.due_at ?? '') - writeContext.now, isWritten: row !== before };
    };
    const first = scheduled(0, 0);
    const { dueAt } = first;
    expect([scheduled(0, 0), scheduled(dueAt, 0)]).toEqual(Array(2).fill({ ...first, isWritten: false }));
    expect(scheduled(0, 5)).toEqual({ ...first, dueAt: dueAt + 5 });
    // A step that is overdue stays at its time.
    expect(scheduled(dueAt + 9, 0)).toEqual({ ...first, dueAt: dueAt + 5, isWritten: false });
    expect(scheduled(0, 5, 'Accepted')).toMatchObject({ step: 'in_production', isWritten: true });
    const last = latestInstant - writeContext.now;
    expect(scheduled(last, last, 'Accepted')).toEqual({ step: undefined, dueAt: Number.NaN, isWritten: true });
  });
});

const seconds = fc.constantFrom(0, 0, 1, 86_400, 1e300);
const drawnOrder = fc.record({
  status: fc.constantFrom(...orderStatuses),
  packed: fc.array(fc.tuple(fc.constantFrom(...fulfillmentStatuses, 'customs'), fc.nat(2)), { maxLength: 3 }),
  row: fc.option(fc.record({ step: fc.constantFrom(...timelineSteps), hours: fc.integer({ min: -50, max: 50 }) })),
  /** Whether the row is of the order's first package. */
  ofPackage: fc.boolean(),
  isThere: fc.boolean(),
});
const drawn = fc.record({
  orders: fc.array(drawnOrder, { minLength: 1, maxLength: 4 }),
  order_transitions: fc.constantFrom('documented_path', 'any'),
  delays: fc.array(fc.record({ delay_seconds: seconds, spread_seconds: seconds }), { minLength: 5, maxLength: 5 }),
  /** Statuses that the sandbox does not have. */
  without: fc.subarray([...fulfillmentStatuses]),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

/** Rows as an import may have them: of missing orders, of steps that do not fit, of any time. */
function putAll(
  at: (milliseconds: number) => World,
  draft: State,
  { orders, order_transitions, delays, without }: Drawn,
) {
  const choices = draft.value('readings');
  draft.setValue('readings', { ...choices, fulfillment_timeline: 'automatic', order_transitions });
  const steps = timelineSteps.map((step, index) => [step, delays[index]]);
  draft.setValue('timeline', Object.fromEntries(steps));
  for (const status of without) draft.table('fulfillment_statuses').remove(status);
  return orders.map(({ status, packed, row, ofPackage, isThere }, index) => {
    const id = orderId(900 + index);
    const due_at = new Date(writeContext.now + (row?.hours ?? 0) * 3_600_000).toISOString();
    if (row) draft.table('due_steps').insert({ id: ofPackage ? packageId(id, 0) : id, step: row.step, due_at });
    const packages = packed.map(([one, line]) => [one, line] as const);
    return isThere ? put(at(0), { status, packed: packages, id }) : undefined;
  });
}

test('catching up ends with any rows: no row that is due is left, and nothing is shipped twice', () => {
  const property = fc.property(drawn, (all) =>
    inSandbox((at, draft) => {
      const before = putAll(at, draft, all).flatMap((order) => order ?? []);
      const lines = before.map(({ id }) => packagesOf(at(0), id).flatMap((one) => one.order_lines));
      const now = writeContext.now + 366 * 86_400_000;
      draft.setValue('clock', { now, at: 0, rate: 1, frozen: true });
      // More steps than can be due.
      advanceTimeline(draft, writeContext.hashes, 0, 10_000);
      for (const [, { due_at }] of draft.table('due_steps').entries()) expect(Date.parse(due_at)).toBeGreaterThan(now);
      for (const [index, order] of before.entries()) {
        const { status } = draft.table('orders').get(order.id) ?? {};
        if (['On Hold', 'Needs Changes', 'Canceled'].includes(order.status)) expect(status).toBe(order.status);
        const held = packagesOf(at(0), order.id).flatMap((one) => one.order_lines.map(({ id }) => id));
        const added = held.slice(lines[index]?.length ?? 0);
        expect(new Set(added).size).toBe(added.length);
        expect(held.slice(0, lines[index]?.length).filter((id) => added.includes(id))).toEqual([]);
      }
    }),
  );
  fc.assert(property, { numRuns: 300 });
});
