// What the operator can do with an order: a button for each possible action, and shipping.
import { expect, test } from 'vitest';
import { type OrderAction, operatorStage, orderActions, orderIn, type Status, statuses } from '../support/operator.ts';
import { orderLine } from '../support/order-requests.ts';
import { fixtures } from '../support/sachet.ts';
import { allOf, consoleOf } from './console.ts';

const possible: Readonly<Record<Status, readonly OrderAction[]>> = {
  Pending: ['accept', 'hold', 'cancel'],
  'On Hold': ['release', 'cancel'],
  'Needs Changes': ['approve_packaging', 'cancel'],
  Accepted: ['start_production', 'cancel'],
  'In Production': ['cancel'],
  Canceled: [],
};
const actions: Readonly<Record<OrderAction, readonly [label: string, message: string, becomes: Status]>> = {
  accept: ['Accept', 'Order accepted.', 'Accepted'],
  hold: ['Hold', 'Order on hold.', 'On Hold'],
  release: ['Release', 'Order released.', 'Pending'],
  approve_packaging: ['Approve packaging', 'Packaging approved.', 'Pending'],
  start_production: ['Start production', 'Order in production.', 'In Production'],
  cancel: ['Cancel', 'Order canceled.', 'Canceled'],
};

async function page(options: Parameters<typeof operatorStage>[0] = {}) {
  const world = await operatorStage(options);
  const seen = consoleOf(world.sachet);
  return { ...world, seen, see: async (id: string) => seen.see(`orders/${id}`) };
}

const buttonsIn = (html: string): string[] => allOf(html, /<button[^>]*aria-label="([^"]*) the order"/g);
const canShip = (html: string): boolean => html.includes('hx-post="_do/stage/orders.ship?');

test.each(statuses)('an order that is %s has a button for each possible action', async (status) => {
  const { seen, see, stage, order } = await page();
  const id = orderIn[status];
  const { html, text } = await see(id);
  expect(buttonsIn(html)).toEqual(possible[status].map((action) => actions[action][0]));
  expect(canShip(html)).toBe(status === 'In Production');
  expect(text.includes('no action is left')).toBe(status === 'Canceled');
  expect(allOf(html, /hx-confirm="([^"]*)"/g)).toEqual(status === 'Canceled' ? [] : ['Cancel this order?']);
  for (const action of orderActions) {
    const [label, message, becomes] = actions[action];
    if (possible[status].includes(action)) {
      const done = await seen.press(html, label);
      expect([done.status, done.text, (await order(id)).status]).toEqual([200, message, becomes]);
      expect((await see(id)).text).toContain(` ${becomes} `);
      await stage.records.orders.update(id, { status });
    } else {
      const rejected = await seen.act(`orders.${action}`, {}, { id });
      expect(rejected.status, action).toBe(422);
      expect(rejected.text).toContain(`${action} is impossible: the order is ${status}`);
      expect((await order(id)).status).toBe(status);
    }
  }
  await stage.assumptions.set({ order_transitions: 'any' });
  const any = (await see(id)).html;
  const labels = orderActions.flatMap((action) => (actions[action][2] === status ? [] : actions[action][0]));
  expect(buttonsIn(any).sort()).toEqual(labels.sort());
  expect(canShip(any)).toBe(true);
});

async function shipping() {
  const world = await page();
  const id = await world.inProduction({ order_lines: [orderLine(), orderLine(), orderLine()] });
  const packages = async () =>
    (await world.stage.records.fulfillments.list()).fulfillments.filter(({ order_id }) => order_id === id);
  return {
    ...world,
    lines: (await world.order(id)).order_lines.map((line) => line.id) as [string, string, string],
    see: () => world.see(id),
    packages,
    /** The lines of each package. */
    shipped: async () => (await packages()).map(({ order_lines }) => order_lines.map((line) => line.id)),
    press: async (typed?: Record<string, string>) => world.seen.press((await world.see(id)).html, 'Ship', typed),
  };
}
const linesToShip = (html: string): string[] => allOf(html, /name="order_lines:list" value="([^"]*)"/g);

test('ships all lines if none is chosen', async () => {
  const { see, press, shipped, packages, lines, seen } = await shipping();
  const { html } = await see();
  expect(linesToShip(html)).toEqual(lines);
  const done = await press();
  expect([done.status, done.text]).toEqual([200, 'Package created.']);
  expect(await shipped()).toEqual([lines]);
  const after = await see();
  expect(canShip(after.html)).toBe(false);
  expect(after.text).toContain(`${(await packages())[0]?.shipment_order_number} … Label Created`);
  const late = await seen.press(html, 'Ship', { 'order_lines:list': lines[0] });
  expect([late.status, late.text]).toEqual([422, expect.stringContaining(`${lines[0]} is already shipped`)]);
  expect(await packages()).toHaveLength(1);
});

test('ships chosen lines by a chosen carrier or none, then the rest', async () => {
  const { see, press, shipped, packages, lines } = await shipping();
  const [a, b, c] = lines;
  const carriers = allOf((await see()).html, /<option value="([^"]*)">/g);
  expect(carriers).toEqual(['', ...fixtures.carriers.map(({ id }) => JSON.stringify(id)), 'null']);
  await press({ 'order_lines:list': `${a} ${c}`, 'carrier:json': '"fedex"' });
  const { html, text } = await see();
  expect(linesToShip(html)).toEqual([b]);
  const number = (await packages())[0]?.shipment_order_number;
  expect(text.match(new RegExp(`shipped in ${number}`, 'g'))).toHaveLength(2);
  await press({ 'carrier:json': 'null' });
  expect(await shipped()).toEqual([[a, c], [b]]);
  expect((await packages()).map((one) => one.tracking_info?.shipping_carrier)).toEqual(['FedEx', undefined]);
});
