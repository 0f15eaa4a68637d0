// Orders that move by the sandbox's clock: their statuses, and when their next step is due.
import { expect } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import type { DueStep, TimelineStep } from '../../src/contract/records.ts';
import { someOrder } from './order-requests.ts';
import { fixtures } from './sachet.ts';
import { testStage } from './stage.ts';

type Options = NonNullable<Parameters<typeof testStage>[0]>;

/** A stage where orders move by themselves. */
export function onTimeline(options: Options = {}): Promise<TimelineStage> {
  const assumptions = { fulfillment_timeline: 'automatic', ...options.assumptions } as const;
  return timelineStage({ ...options, assumptions });
}

/** The same with an order that was just placed, and its id. */
export async function withOrder(changes?: object, options?: Options) {
  const world = await onTimeline(options);
  return { ...world, id: await world.place(changes) };
}

export type TimelineStage = Awaited<ReturnType<typeof timelineStage>>;

/** A stage where the operator takes each step. */
export async function timelineStage(options: Options = {}) {
  const world = await testStage(options);
  const { sachet, stage } = world;
  /** The first row of an order and its packages, once all that is due is taken. */
  const due = async (id: string): Promise<DueStep | undefined> => {
    await stage.clock.get();
    const { state } = await sachet.sandbox();
    const ids = [id, ...Array.from(state.table('fulfillments').walk('order', id), ([, one]) => one.id)];
    const rows = ids.flatMap((one) => state.table('due_steps').get(one) ?? []);
    return rows.toSorted((one, other) => (one.due_at < other.due_at ? -1 : 1))[0];
  };
  /** The row of an order that has one. */
  const next = async (id: string): Promise<DueStep> => {
    const row = await due(id);
    if (!row) throw new Error(`the order ${id} has no next step`);
    return row;
  };
  const goTo = async (instant: string | number): Promise<void> => {
    await stage.clock.set({ now: new Date(instant).toISOString() });
  };
  const packages = async (id: string) =>
    (await stage.records.fulfillments.list()).fulfillments.filter(({ order_id }) => order_id === id);
  return {
    ...world,
    due,
    next,
    goTo,
    packages,
    /** Places an order; returns its id. */
    async place(changes?: object): Promise<string> {
      // A token lasts a day, orders take longer.
      const answer = await (await sachet.login()).post('/v2/orders', someOrder(changes));
      expect(answer.status, answer.text).toBe(201);
      return answer.body.order.id;
    },
    /** The status of the order, then those of its packages, the oldest first. */
    async seen(id: string): Promise<string[]> {
      const { status } = await stage.records.orders.get(id);
      return [status, ...(await packages(id)).map(({ status_id }) => status_id)];
    },
    /** The one package of an order. */
    async onlyPackage(id: string) {
      const [one, ...others] = await packages(id);
      if (!one || others.length > 0) throw new Error(`the order ${id} has ${1 + others.length} packages or none`);
      return one;
    },
    /** Sets the clock to times when steps of the order are due, until this one is its next. */
    async until(id: string, step: TimelineStep): Promise<DueStep> {
      let row = await next(id);
      while (row.step !== step) {
        await goTo(row.due_at);
        row = await next(id);
      }
      return row;
    },
    setTimeline: (choice: 'automatic' | 'manual') => stage.assumptions.set({ fulfillment_timeline: choice }),
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
