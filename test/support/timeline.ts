// Orders that move by the sandbox's clock: their statuses, and when their next step is due.
import { expect } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import type { DueStep, RecordOf, TimelineStep } from '../../src/contract/records.ts';
import { someOrder } from './order-requests.ts';
import { fixtures } from './sachet.ts';
import { type TestStage, testStage } from './stage.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

type Package = RecordOf<'fulfillments'>;

export interface TimelineStage extends TestStage {
  /** Makes an order; its id. */
  place(changes?: object): Promise<string>;
  /** The order's status, then those of its packages, the oldest first: as the tester sees them. */
  seen(id: string): Promise<string[]>;
  packages(id: string): Promise<Package[]>;
  /** The one package of an order. */
  onlyPackage(id: string): Promise<Package>;
  /** The first row of an order and its packages, once all that is due is taken. */
  due(id: string): Promise<DueStep | undefined>;
  /** The row of an order that has one. */
  next(id: string): Promise<DueStep>;
  /** Sets the clock to an instant. */
  goTo(instant: string | number): Promise<void>;
  /** Sets the clock to when the order's next step is due. */
  goToNext(id: string): Promise<DueStep>;
  /** Lets the order get to where this step is its next. */
  until(id: string, step: TimelineStep): Promise<DueStep>;
  setTimeline(choice: 'automatic' | 'manual'): Promise<void>;
}

type Options = NonNullable<Parameters<typeof testStage>[0]>;

/** A stage where orders move by themselves. */
export function onTimeline(options: Options = {}): Promise<TimelineStage> {
  const assumptions = { fulfillment_timeline: 'automatic', ...options.assumptions } as const;
  return timelineStage({ ...options, assumptions });
}

/** The same with an order that was just placed, and its id. */
export async function withOrder(changes?: object, options?: Options): Promise<TimelineStage & { readonly id: string }> {
  const world = await onTimeline(options);
  return { ...world, id: await world.place(changes) };
}

/** A stage where the operator takes each step. */
export async function timelineStage(options: Options = {}): Promise<TimelineStage> {
  const world = await testStage(options);
  return { ...world, ...timelineOf(world) };
}

function timelineOf({ sachet, stage }: TestStage): Omit<TimelineStage, keyof TestStage> {
  const due = async (id: string) => {
    await stage.clock.get();
    const { state } = await sachet.sandbox();
    const ids = [id, ...Array.from(state.table('fulfillments').walk('order', id), ([, one]) => one.id)];
    const rows = ids.flatMap((one) => state.table('due_steps').get(one) ?? []);
    return rows.toSorted((one, other) => (one.due_at < other.due_at ? -1 : 1))[0];
  };
  const packages = async (id: string) =>
    (await stage.records.fulfillments.list()).fulfillments.filter(({ order_id }) => order_id === id);
  const goTo = async (instant: string | number) =>
    void (await stage.clock.set({ now: new Date(instant).toISOString() }));
  const next = async (id: string) => {
    const row = await due(id);
    if (!row) throw new Error(`the order ${id} has no next step`);
    return row;
  };
  const goToNext = async (id: string) => {
    const row = await next(id);
    await goTo(row.due_at);
    return row;
  };
  return {
    async place(changes) {
      // A token lasts a day, orders take longer.
      const answer = await (await sachet.login()).post('/v2/orders', someOrder(changes));
      expect(answer.status, answer.text).toBe(201);
      return answer.body.order.id;
    },
    async seen(id) {
      const { status } = await stage.records.orders.get(id);
      return [status, ...(await packages(id)).map(({ status_id }) => status_id)];
    },
    packages,
    async onlyPackage(id) {
      const [one, ...others] = await packages(id);
      if (!one || others.length > 0) throw new Error(`the order ${id} has ${1 + others.length} packages or none`);
      return one;
    },
    due,
    next,
    goTo,
    goToNext,
    async until(id, step) {
      let row = await next(id);
      while (row.step !== step) {
        await goTo(row.due_at);
        row = await next(id);
      }
      return row;
    },
    async setTimeline(choice) {
      await stage.assumptions.set({ fulfillment_timeline: choice });
    },
  };
}

/** A timeline whose every step is as long and as spread as this one; the body of PATCH …/timeline. */
export function evenTimeline(delay_seconds: number, spread_seconds = 0): typeof fixtures.timeline {
  const steps = Object.keys(fixtures.timeline).map((step) => [step, { delay_seconds, spread_seconds }]);
  return Object.fromEntries(steps);
}

/** All records that the timeline changes. */
export async function recordsOf(stage: SandboxControl) {
  const { data, due_steps, tracking } = await stage.state.get();
  return { orders: data.orders, fulfillments: data.fulfillments, due_steps, tracking };
}
