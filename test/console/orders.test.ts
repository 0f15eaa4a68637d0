// Orders: the list with its filter and pages; one order, what the operator can do with it, and shipping.
import { describe, expect, test } from 'vitest';
import { mayShip, operatorActions, statusAfter } from '../../src/domain/orders.ts';
import { formatTime } from '../../src/http/markup.ts';
import { type OrderAction, operatorStage, orderIn, type Status, statuses } from '../support/operator.ts';
import { orderLine, otherBrand, productId, products, someAddress, someOrder } from '../support/order-requests.ts';
import { fixtures, hour } from '../support/sachet.ts';
import { onTimeline } from '../support/timeline.ts';
import { allOf, buttonsIn, consoleOf, idsIn, linkIn } from './console.ts';

const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+12025550123' };

async function page() {
  const world = await operatorStage();
  const seen = consoleOf(world.sachet);
  let count = 0;
  /** Adds orders; they are newer than all others. */
  async function addOrders(number: number, status: Status): Promise<void> {
    await (await world.sachet.sandbox()).write((draft) => {
      for (let n = 0; n < number; n += 1, count += 1) {
        const id = `f1000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
        draft.table('orders').insert({ ...fixtures.orders[0], status, id } as never);
      }
    });
  }
  async function newestFirst(status?: string): Promise<string[]> {
    const { orders } = await world.stage.records.orders.list();
    return orders.flatMap((order) => (status && order.status !== status ? [] : order.id)).toReversed();
  }
  return { ...world, seen, addOrders, newestFirst, open: (id: string) => seen.see(`orders/${id}`) };
}

describe('the list', () => {
  test('has the orders of all brands, newest first, with status, consumer, lines and time', async () => {
    const { client, seen, newestFirst, sachet } = await page();
    const order = { consumer, shipping_address: someAddress, order_lines: [orderLine(), orderLine()] };
    const { id } = (await client.post('/v2/orders', order)).body.order;
    const { html, text } = await seen.see('orders');
    expect(idsIn(html, 'order')).toEqual(await newestFirst());
    expect(new Set(fixtures.orders.map(({ brand_id }) => brand_id)).size).toBeGreaterThan(1);
    expect(text).toContain(`${id} … Pending Ada Lovelace 2 lines Nov 20, 2026, 12:00:00 UTC`);
    expect(text).toContain(`${fixtures.orders.length + 1} orders`);
    expect([id, 'Older', 'Newest'].map((link) => linkIn(html, link))).toEqual([`orders/${id}`, undefined, undefined]);
    expect(idsIn((await consoleOf(sachet, 'production').see('orders')).html, 'order')).not.toContain(id);
  });

  test('has pages of fifty, each order once, also while new ones arrive', async () => {
    const { seen, addOrders, newestFirst } = await page();
    await addOrders(120, 'Pending');
    const before = await newestFirst();
    const older = linkIn((await seen.see('orders')).html, 'Older') ?? '';
    await addOrders(1, 'Pending');
    const second = await seen.see(older);
    expect(idsIn(second.html, 'order')).toEqual(before.slice(50, 100));
    const third = await seen.see(linkIn(second.html, 'Older') ?? '');
    expect([idsIn(third.html, 'order'), linkIn(third.html, 'Older')]).toEqual([before.slice(100), undefined]);
    const first = (await newestFirst()).slice(0, 50);
    const queries = ['before=x', 'before=-1', 'before=', 'status=Nothing', 'status='];
    for (const path of [linkIn(second.html, 'Newest') ?? '', ...queries.map((query) => `orders?${query}`)]) {
      const { status, html } = await seen.see(path);
      expect([status, idsIn(html, 'order')], path).toEqual([200, first]);
    }
    const past = await seen.see('orders?before=0');
    expect(past.text).toContain('No older orders.');
    expect(linkIn(past.html, 'Show all orders')).toBe('orders');
  });

  test('is filtered by status, on all pages', async () => {
    const { seen, addOrders, newestFirst } = await page();
    for (const status of statuses) {
      const { html, text } = await seen.see(`orders?${new URLSearchParams({ status })}`);
      expect(idsIn(html, 'order'), status).toEqual(await newestFirst(status));
      expect(idsIn(html, 'order')).toContain(orderIn[status]);
      expect(allOf(html, /<option[^>]* selected[^>]*>([^<]*)/g)).toEqual([status]);
      expect(text).toContain(`${fixtures.orders.length} orders`);
    }
    await addOrders(60, 'On Hold');
    const second = await seen.see(linkIn((await seen.see('orders?status=On+Hold')).html, 'Older') ?? '');
    expect(idsIn(second.html, 'order')).toEqual((await newestFirst('On Hold')).slice(50));
    expect(linkIn(second.html, 'Newest')).toBe('orders?status=On+Hold');
  });

  test('searches 2,000 orders for a status, then links to the rest', async () => {
    const { seen, addOrders, newestFirst } = await page();
    await addOrders(2000, 'Accepted');
    const first = await seen.see('orders?status=Canceled');
    expect([idsIn(first.html, 'order'), first.text]).toEqual([[], expect.stringContaining('searched 2,000 orders')]);
    const rest = await seen.see(linkIn(first.html, 'Search older') ?? '');
    expect(idsIn(rest.html, 'order')).toEqual(await newestFirst('Canceled'));
    for (const { text } of [rest, await seen.see('orders?status=Accepted')]) expect(text).not.toContain('searched');
  });
});

describe('one order', () => {
  test('has consumer, address, brand, lines and pouches by name', async () => {
    const { client, open, order } = await page();
    const contents = [
      { client_product_id: products.good, serving_size: 1 },
      { client_product_id: productId(2), serving_size: 2 },
    ];
    const evening = { time_of_administration: 'Evening', pack_id: 'PACK-MORNING-01' };
    const { body } = await client.post('/v2/orders', {
      consumer,
      shipping_address: { ...someAddress, province_name: 'Illinois', postal_code: '62701' },
      order_lines: [
        orderLine({ time_of_administration: 'Morning', contents }, evening),
        { pouches: [{ contents: [{ client_product_id: productId(3) }] }] },
      ],
    });
    const { text } = await open(body.order.id);
    const { consumer_id, order_lines } = await order(body.order.id);
    const [one, two] = order_lines.map(({ id }) => id);
    for (const part of [
      `Order ${body.order.id} … Pending`,
      `Consumer Ada Lovelace ${consumer_id} Email ada@example.com Phone +12025550123`,
      'Ship to 1 Main Street, Springfield, Illinois, 62701, United States Brand Daily Grove',
      `${one} · duration 30 Morning: 1 × Sunrise Vitamin D3, 2 × Calm Magnesium Evening: pack Morning Essentials`,
      `${two} Clear Omega-3`,
      'No fulfillments yet.',
    ])
      expect(text).toContain(part);
  });

  test('shows the id of a pack that another brand has', async () => {
    const { client, stage, open } = await page();
    await stage.assumptions.set({ pack_id: 'any' });
    await stage.records.packs.create({ id: 'PACK-THEIRS', brand_id: otherBrand, name: 'Their pack' });
    const order_lines = [orderLine({ time_of_administration: 'Evening', pack_id: 'PACK-THEIRS' })];
    const { body } = await client.post('/v2/orders', { consumer, shipping_address: someAddress, order_lines });
    expect((await open(body.order.id)).text).toContain('Evening: pack PACK-THEIRS');
  });

  test('shows the history, the next step, and the packages', async () => {
    const world = await onTimeline();
    const seen = consoleOf(world.sachet);
    const id = await world.place();
    const text = async (order = id) => (await seen.see(`orders/${order}`)).text;
    const { due_at } = await world.next(id);
    expect(await text()).toContain(
      `History Nov 20, 2026, 12:00:00 UTC Created due ${formatTime(due_at)} Next: Accepted Automatic mode`,
    );
    const pickUp = await world.until(id, 'picked_up');
    const record = await world.onlyPackage(id);
    const number = record.shipment_order_number;
    for (const part of [
      `${formatTime(record.created_at)} ${number} : Label Created`,
      `due ${formatTime(pickUp.due_at)} Next: ${number} : Picked up`,
      `shipped in ${number}`,
    ])
      expect(await text()).toContain(part);
    expect(linkIn((await seen.see(`orders/${id}`)).html, number)).toBe(`fulfillments/${record.id}`);
    await world.until(id, 'delivered');
    expect(await text()).toContain(`${number} : Picked Up`);

    await world.setTimeline('manual');
    const other = await world.place();
    await world.elapse(hour);
    await world.stage.orders.accept(other);
    expect(await text(other)).toMatch(
      /Last change: Accepted.* Next: In production Manual mode: .* fulfillment_timeline/,
    );
  });

  test('that needs changes names the packaging', async () => {
    const { client, open, stage } = await page();
    const create = async () => (await client.post('/v2/orders', someOrder())).body.order.id;
    await stage.switches.set({ inactive_pags: { all: true } });
    expect((await open(await create())).text).toContain('It is Active now.');
    await stage.switches.clear();
    for (const { id } of (await stage.records.pags.list()).pags)
      await stage.records.pags.update(id, { status: 'In Review' });
    expect((await open(await create())).text).toMatch(/packaging is not Active: .+ is In Review/);
  });
});

const labels: Readonly<Record<OrderAction, string>> = {
  accept: 'Accept',
  hold: 'Hold',
  release: 'Release',
  approve_packaging: 'Approve packaging',
  start_production: 'Start production',
  cancel: 'Cancel',
};
const canShip = (html: string): boolean => html.includes('hx-post="_do/stage/orders.ship?');

// Which actions are possible: test/domain/statuses.test.ts.
test.each(statuses)('an order that is %s has a button for each possible action', async (status) => {
  const { seen, open, stage, order } = await page();
  const id = orderIn[status];
  for (const choice of ['documented_path', 'any'] as const) {
    await stage.assumptions.set({ order_transitions: choice });
    const { html, text } = await open(id);
    const possible = operatorActions(status, choice);
    expect(buttonsIn(html, 'the order')).toEqual(possible.map((action) => labels[action]));
    expect(canShip(html)).toBe(mayShip(status, choice));
    expect(text.includes('no action is left')).toBe(possible.length === 0);
    expect(allOf(html, /hx-confirm="([^"]*)"/g)).toHaveLength(possible.includes('cancel') ? 1 : 0);
    for (const action of possible) {
      expect((await seen.press(html, labels[action])).status, action).toBe(200);
      expect((await order(id)).status).toBe(statusAfter[action]);
      expect((await open(id)).text).toContain(` ${statusAfter[action]} `);
      await stage.records.orders.update(id, { status });
    }
  }
});

describe('shipping', () => {
  async function shipping() {
    const { inProduction, stage, order, open, seen } = await page();
    const id = await inProduction({ order_lines: [orderLine(), orderLine(), orderLine()] });
    const see = () => open(id);
    return {
      see,
      seen,
      lines: (await order(id)).order_lines.map((line) => line.id) as [string, string, string],
      packages: async () =>
        (await stage.records.fulfillments.list()).fulfillments.filter(({ order_id }) => order_id === id),
      press: async (typed?: Record<string, string>) => seen.press((await see()).html, 'Ship', typed),
    };
  }
  const linesToShip = (html: string): string[] => allOf(html, /name="order_lines:list" value="([^"]*)"/g);

  test('takes all lines if none is chosen', async () => {
    const { see, press, packages, lines, seen } = await shipping();
    const { html } = await see();
    expect(linesToShip(html)).toEqual(lines);
    expect((await press()).status).toBe(200);
    const [only, ...others] = await packages();
    expect([only?.order_lines.map(({ id }) => id), others]).toEqual([lines, []]);
    const after = await see();
    expect(canShip(after.html)).toBe(false);
    expect(after.text).toContain(`${only?.shipment_order_number} … Label Created`);
    const late = await seen.press(html, 'Ship', { 'order_lines:list': lines[0] });
    expect([late.status, late.text]).toEqual([422, expect.stringContaining(`${lines[0]} is already shipped`)]);
    expect(await packages()).toHaveLength(1);
  });

  test('takes chosen lines by a chosen carrier or none, then the rest', async () => {
    const { see, press, packages, lines } = await shipping();
    const [a, b, c] = lines;
    const carriers = allOf((await see()).html, /<option value="([^"]*)">/g);
    expect(carriers).toEqual(['', ...fixtures.carriers.map(({ id }) => JSON.stringify(id)), 'null']);
    await press({ 'order_lines:list': `${a} ${c}`, 'carrier:json': '"fedex"' });
    const { html, text } = await see();
    expect(linesToShip(html)).toEqual([b]);
    expect(text.match(new RegExp(`shipped in ${(await packages())[0]?.shipment_order_number}`, 'g'))).toHaveLength(2);
    await press({ 'carrier:json': 'null' });
    const shipped = (await packages()).map(({ order_lines, tracking_info }) => [
      order_lines.map(({ id }) => id),
      tracking_info?.shipping_carrier,
    ]);
    expect(shipped).toEqual([
      [[a, c], 'FedEx'],
      [[b], undefined],
    ]);
  });
});
