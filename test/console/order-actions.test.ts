// What the operator can do to an order: for each status exactly the buttons of what is possible, and each of them does it.
import { describe, expect, test } from 'vitest';
import { consoleOf } from '../support/console.ts';
import { type OrderAction, operated, orderActions, orderIn, type Status, statuses } from '../support/operator.ts';
import { press } from '../support/pressed.ts';

async function page(options: Parameters<typeof operated>[0] = {}) {
  const world = await operated(options);
  const seen = consoleOf(world.sachet);
  return { ...world, seen, open: (id: string) => seen.see(`orders/${id}`) };
}

/** What the operator can do in each status, as the documented path has it. */
const possible: Readonly<Record<Status, readonly OrderAction[]>> = {
  Pending: ['accept', 'hold', 'cancel'],
  'On Hold': ['release', 'cancel'],
  'Needs Changes': ['approve_packaging', 'cancel'],
  Accepted: ['start_production', 'cancel'],
  'In Production': ['cancel'],
  Canceled: [],
};
const becomes: Readonly<Record<OrderAction, Status>> = {
  accept: 'Accepted',
  hold: 'On Hold',
  release: 'Pending',
  approve_packaging: 'Pending',
  start_production: 'In Production',
  cancel: 'Canceled',
};
const labels: Readonly<Record<OrderAction, string>> = {
  accept: 'Accept',
  hold: 'Hold',
  release: 'Release',
  approve_packaging: 'Approve packaging',
  start_production: 'Start production',
  cancel: 'Cancel',
};
const said: Readonly<Record<OrderAction, string>> = {
  accept: 'Order accepted.',
  hold: 'Order on hold.',
  release: 'Order released.',
  approve_packaging: 'Packaging approved.',
  start_production: 'Order in production.',
  cancel: 'Order canceled.',
};
const buttonsIn = (html: string): string[] =>
  Array.from(html.matchAll(/<button[^>]*aria-label="([^"]*) the order"/g), ([, label = '']) => label);

describe.each(statuses)('of an order that is %s', (status) => {
  const id = orderIn[status];

  test('exactly what the operator can do is a button', async () => {
    const { open } = await page();
    const { html, text } = await open(id);
    expect(buttonsIn(html)).toEqual(possible[status].map((action) => labels[action]));
    expect(html.includes('hx-post="_do/stage/orders.ship?')).toBe(status === 'In Production');
    expect(text.includes('no action is left')).toBe(status === 'Canceled');
  });

  test.each([...possible[status]])('pressing %s does it', async (action) => {
    const world = await page();
    const done = await press(world.seen, (await world.open(id)).html, labels[action]);
    expect([done.status, done.text]).toEqual([200, said[action]]);
    expect((await world.order(id)).status).toBe(becomes[action]);
    expect((await world.open(id)).text).toContain(` ${becomes[action]} `);
  });

  test.each(orderActions.filter((action) => !possible[status].includes(action)))(
    '%s is refused in words',
    async (action) => {
      const world = await page();
      const refused = await world.seen.act(`orders.${action}`, {}, { id });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain(`${action} is impossible: the order is ${status}`);
      expect((await world.order(id)).status).toBe(status);
    },
  );

  test('by the reading order_transitions=any all that leads elsewhere is a button, and it can be shipped', async () => {
    const { open } = await page({ assumptions: { order_transitions: 'any' } });
    const { html } = await open(id);
    const others = orderActions.filter((action) => becomes[action] !== status).map((action) => labels[action]);
    expect(buttonsIn(html).toSorted()).toEqual(others.toSorted());
    expect(html).toContain('hx-post="_do/stage/orders.ship?');
  });
});

test('canceling asks first', async () => {
  const { open } = await page();
  const { html } = await open(orderIn.Pending);
  expect(html.match(/hx-confirm="[^"]*"/g)).toEqual(['hx-confirm="Cancel this order?"']);
});
