// What does not touch a step that is timed already, and what is not started by what happens beside it.
import { expect, test } from 'vitest';
import type { StateDocument } from '../../src/contract/control/state.ts';
import { scenariosOf } from '../support/layers.ts';
import { fulfillmentId, orderId } from '../support/order-requests.ts';
import { day, onTimeline } from '../support/timeline.ts';

const delays = (seconds: number) => ({ delay_seconds: seconds, spread_seconds: 0 });

test.each([
  ['longer', 30 * 86_400],
  ['shorter', 1],
  ['longer than time lasts', 1e15],
])('delays that are made %s leave the time of a step that waits, and time those after it', async (_, seconds) => {
  const world = await onTimeline();
  const id = await world.place();
  const { due_at } = await world.next(id);
  await world.stage.singles.timeline.update({ accepted: delays(seconds), in_production: delays(60) });
  expect(await world.next(id)).toMatchObject({ step: 'accepted', due_at });
  await world.goTo(Date.parse(due_at) - 1);
  expect(await world.seen(id)).toEqual(['Pending']);
  await world.goTo(due_at);
  expect(await world.seen(id)).toEqual(['Accepted']);
  expect(await world.next(id)).toMatchObject({ due_at: new Date(Date.parse(due_at) + 60_000).toISOString() });
});

test('a package of the fixtures that is changed moves, its order and the packages beside it do not', async () => {
  const world = await onTimeline();
  const [order, changed] = [orderId(13), fulfillmentId(24)];
  const before = await world.seen(order);
  await world.stage.records.fulfillments.update(changed, { weight: 7 });
  await world.elapse(30 * day);
  const after = await world.seen(order);
  expect(after).toHaveLength(before.length);
  const moved = after.flatMap((status, index) => (status === before[index] ? [] : [status]));
  expect(moved).toEqual(['delivered']);
});

test('a package whose order a scenario canceled goes on once that is taken back', async () => {
  const world = await onTimeline({ randomSeed: 'scenario' });
  const id = await world.place();
  await world.until(id, 'picked_up');
  const scenarios = scenariosOf({ cancels: { data: { orders: [{ id, status: 'Canceled' }] } } });
  const again = await onTimeline({ randomSeed: 'scenario', scenarios });
  expect(await again.place()).toBe(id);
  await again.until(id, 'picked_up');
  await again.stage.scenarios.apply('cancels');
  await again.elapse(14 * day);
  expect(await again.seen(id)).toEqual(['Canceled', 'label_created']);
  await again.stage.scenarios.take_back('cancels');
  await again.elapse(14 * day);
  expect(await again.seen(id)).toEqual(['In Production', 'delivered']);
});

test.each(['due_steps', 'tracking'] as const)(
  'an import with a row of %s twice, or of no record, is refused',
  async (name) => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'delivered');
    const { sequences: _, counters, ...document } = await world.stage.state.get();
    const [row] = document[name] ?? [];
    const put = (rows: readonly unknown[]) =>
      world.stage.state
        .put({ ...document, [name]: rows, counters: { ...counters, [name]: 9 } } as StateDocument)
        .then(() => 'taken', String);
    expect(await put([row])).toBe('taken');
    expect(await put([row, row])).toContain(`${name}[1].id`);
    expect(await put([row, { ...row, id: '99999999-9999-4999-8999-999999999999' }])).toContain(`${name}[1].id`);
  },
);
