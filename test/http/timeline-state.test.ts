// The timeline as state: snapshots and resets bring it back, a document carries it, and what does not fit in it is mended.
import { describe, expect, test } from 'vitest';
import { ControlError } from '../../src/client/control-client.ts';
import type { DueStep, TimelineStep } from '../../src/contract/records.ts';
import { timelineSteps } from '../../src/contract/records.ts';
import { machineAt } from '../support/control.ts';
import { orderId, unknownId } from '../support/order-requests.ts';
import { noon } from '../support/sachet.ts';
import {
  day,
  expectOrdered,
  type Line,
  lineOf,
  ofBefore,
  onTimeline,
  recordsOf,
  rowLike,
  withDue,
} from '../support/timeline.ts';

/** A row that is due at noon. */
const dueAtNoon = (id: string, step: TimelineStep) => ({ id, step, due_at: noon });

describe('what was kept', () => {
  test('comes back with a snapshot, and goes on as it went', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'shipped');
    await world.stage.snapshots.create({ name: 'base' });
    const { exported_at: at, ...before } = await world.stage.state.get();
    await world.elapse(14 * day);
    const went = await world.packages(id);
    await world.stage.snapshots.restore('base');
    const { exported_at: then, ...after } = await world.stage.state.get();
    expect([after.due_steps, after]).toEqual([before.due_steps, before]);
    expect(then).toBe(at);
    await world.elapse(14 * day);
    expect(await world.packages(id)).toEqual(went);
  });

  test('comes back with a snapshot while time runs on: what is due by now is taken at its time', async () => {
    const pass = machineAt(noon);
    const world = await onTimeline({ clock: `${noon}+` });
    const id = await world.place();
    await world.stage.snapshots.create({ name: 'base' });
    await world.stage.orders.cancel(id);
    pass(14 * day);
    expect(await world.seen(id)).toEqual(['Canceled']);
    await world.stage.snapshots.restore('base');
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
    expect((await world.onlyPackage(id)).delivery_date?.slice(0, 8)).toBe('2026-11-');
  });

  test('is gone with a reset: no row, and nothing of it ever happens', async () => {
    const world = await onTimeline();
    await world.place();
    await world.elapse(day);
    await world.stage.reset();
    expect(await recordsOf(world.stage)).toMatchObject({ due_steps: [], tracking: [] });
    const before = await recordsOf(world.stage);
    await world.elapse(30 * day);
    expect(await recordsOf(world.stage)).toEqual(before);
  });
});

describe('an exported sandbox', () => {
  async function exported(): Promise<{ world: Line; id: string }> {
    const world = await onTimeline();
    const id = await world.place();
    await world.place();
    await world.until(id, 'shipped');
    return { world, id };
  }

  test('goes on where it is imported as it does where it was exported', async () => {
    const [{ world }, other] = [await exported(), await onTimeline()];
    await other.stage.state.put(await world.stage.state.get());
    expect(await recordsOf(other.stage)).toEqual(await recordsOf(world.stage));
    for (const { elapse } of [world, other]) await elapse(14 * day);
    expect(await other.stage.state.get()).toEqual(await world.stage.state.get());
  });

  test('goes on under another seed, with the delays and ids of that one', async () => {
    const [{ world, id }, other] = [await exported(), await onTimeline({ randomSeed: 'other' })];
    await other.stage.state.put(await world.stage.state.get());
    for (const { elapse } of [world, other]) await elapse(14 * day);
    const [one, same] = [await world.onlyPackage(id), await other.onlyPackage(id)];
    expect([one.status_id, same.status_id]).toEqual(['delivered', 'delivered']);
    expectOrdered(await other.stage.records.orders.get(id), [same]);
    expect(same.pickup_date).not.toBe(one.pickup_date);
    expect(same.id).not.toBe(one.id);
  });

  test('is imported with what is overdue: taken by the first look', async () => {
    const [{ world, id }, other] = [await exported(), await onTimeline()];
    await world.turn('manual');
    await world.elapse(14 * day);
    await other.stage.state.put({
      ...(await world.stage.state.get()),
      assumptions: { fulfillment_timeline: 'automatic' },
    });
    expect(await other.seen(id)).toEqual(['In Production', 'delivered']);
  });

  test('of before there was a timeline is imported, and its orders stay until somebody changes them', async () => {
    const { world, id } = await exported();
    const document = ofBefore(await world.stage.state.get());
    expect(Object.keys(document)).not.toContain('due_steps');
    await world.stage.state.put(document);
    expect(await recordsOf(world.stage)).toMatchObject({ due_steps: [], tracking: [] });
    await world.elapse(30 * day);
    expect(await world.seen(id)).toEqual(['In Production']);
    await world.stage.orders.ship(id, {});
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
  });

  test('with a row twice is refused, and nothing is changed', async () => {
    const { world } = await exported();
    const document = await world.stage.state.get();
    const [row] = document.due_steps ?? [];
    if (!row) throw new Error('there is a row');
    const refused = world.stage.state.put(withDue(document, [row, { ...row, step: 'delivered' }]));
    await expect(refused).rejects.toThrow(ControlError);
    await expect(refused).rejects.toThrow(/422.*due_steps\[1\]\.id/);
    expect(await world.stage.state.get()).toEqual(document);
  });

  test.each([
    ['of no record', { id: unknownId }],
    ['of no step', { step: 'unpacked' }],
    ['of no time', { due_at: 'soon' }],
    ['of no id', { id: 'mine' }],
    ['of a day without a time', { due_at: '2026-11-20' }],
  ])('with a row %s is refused', async (_, change) => {
    const { world } = await exported();
    const row = { ...(await rowLike(world, dueAtNoon(orderId(18), 'accepted'))), ...change } as DueStep;
    await expect(world.stage.state.put(withDue(await world.stage.state.get(), [row]))).rejects.toThrow(/422/);
  });
});

describe('a row that does not fit', () => {
  /** The sandbox after an import with these rows, once they are due. */
  async function imported(...rows: ReturnType<typeof dueAtNoon>[]): Promise<Line> {
    const world = await onTimeline();
    const document = await world.stage.state.get();
    const whole = [];
    for (const row of rows) whole.push(await rowLike(world, row));
    await world.stage.state.put(withDue(document, whole));
    return world;
  }

  test.each(timelineSteps.slice(1))('its Pending order (%s) gives way to the step that does', async (step) => {
    const world = await imported(dueAtNoon(orderId(18), step));
    await world.elapse(14 * day);
    expect(await world.seen(orderId(18))).toEqual(['In Production', 'delivered']);
  });

  test.each(timelineSteps.flatMap((step) => [5, 10, 12].map((n) => [step, n] as const)))(
    '(%s) its order that waits or is canceled (%i) is dropped',
    async (step, n) => {
      const before = await (await lineOf()).seen(orderId(n));
      const world = await imported(dueAtNoon(orderId(n), step));
      expect([await world.seen(orderId(n)), await world.due(orderId(n))]).toEqual([before, undefined]);
    },
  );

  test('its package is no reason to pick it up again', async () => {
    const document = await (await lineOf()).stage.state.get();
    const one = document.data.fulfillments.find(({ status_id }) => status_id === 'picked_up');
    if (!one) throw new Error('there is a package on its way');
    const world = await imported(dueAtNoon(one.id, 'picked_up'));
    await world.elapse(14 * day);
    const events = (await recordsOf(world.stage)).tracking?.flatMap((history) => history.events);
    expect(events?.map(({ status_id }) => status_id)).toEqual(['delivered']);
  });

  test('because the record was changed past the timeline has the step that fits', async () => {
    const world = await onTimeline();
    const id = await world.place();
    const { orders } = world.stage.records;
    const seen: unknown[] = [];
    for (const status of ['In Production', 'On Hold', 'Accepted', 'Canceled', 'Pending']) {
      await orders.update(id, { status });
      seen.push([status, (await world.due(id))?.step]);
    }
    expect(seen).toEqual([
      ['In Production', 'shipped'],
      ['On Hold', undefined],
      ['Accepted', 'in_production'],
      ['Canceled', undefined],
      ['Pending', 'accepted'],
    ]);
  });

  test('because a package was changed or removed past the timeline has the step that fits', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'delivered');
    const one = await world.onlyPackage(id);
    const { fulfillments } = world.stage.records;
    await fulfillments.update(one.id, { status_id: 'lost' });
    expect(await world.due(id)).toBeUndefined();
    await fulfillments.update(one.id, { status_id: 'label_created' });
    expect((await world.next(id)).step).toBe('picked_up');
    await world.turn('manual');
    await fulfillments.delete(one.id);
    expect([(await world.next(id)).step, (await recordsOf(world.stage)).tracking]).toEqual(['shipped', []]);
    await world.turn('automatic');
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
  });

  test('by times of long ago is taken, with dates in order', async () => {
    const world = await imported({ ...dueAtNoon(orderId(18), 'accepted'), due_at: '0001-01-01T00:00:00.000Z' });
    expect(await world.seen(orderId(18))).toEqual(['In Production', 'delivered']);
    expectOrdered(await world.stage.records.orders.get(orderId(18)), await world.packages(orderId(18)));
  });
});
