// Orders: the list with its filter and pages, and one order with its consumer, lines, packages and history.
import { describe, expect, test } from 'vitest';
import { formatTime } from '../../src/http/markup.ts';
import { operatorStage, orderIn, type Status, statuses } from '../support/operator.ts';
import { orderLine, productId, products, someAddress, someOrder } from '../support/order-requests.ts';
import { fixtures } from '../support/sachet.ts';
import { hour, onTimeline } from '../support/timeline.ts';
import { allOf, consoleOf, idsByPage, idsIn, linkIn } from './console.ts';

const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+12025550123' };

async function page(options: Parameters<typeof operatorStage>[0] = {}) {
  const world = await operatorStage(options);
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
    expect(idsIn(html, 'order')[0]).toBe(id);
    expect(new Set(fixtures.orders.map(({ brand_id }) => brand_id)).size).toBeGreaterThan(1);
    expect(text).toContain(`${id} … Pending Ada Lovelace 2 lines Nov 20, 2026, 12:00:00 UTC`);
    expect(text).toContain(`Orders ${fixtures.orders.length + 1} orders`);
    expect(linkIn(html, id)).toBe(`orders/${id}`);
    expect(html).not.toContain('class="pager"');
    expect(idsIn((await consoleOf(sachet, 'production').see('orders')).html, 'order')).not.toContain(id);
  });

  test('has pages of fifty, each order once, also while new ones arrive', async () => {
    const { seen, addOrders, newestFirst } = await page();
    await addOrders(120, 'Pending');
    const before = await newestFirst();
    const pages = await idsByPage(seen, 'orders', 'order', () => addOrders(1, 'Pending'));
    expect(pages.flat()).toEqual(before);
    expect(pages.map((ids) => ids.length)).toEqual([50, 50, before.length - 100]);
    const first = await seen.see('orders');
    expect(first.text).toContain(`${before.length + 3} orders`);
    expect(linkIn(first.html, 'Newest')).toBeUndefined();
    const second = await seen.see(linkIn(first.html, 'Older') ?? '');
    const back = await seen.see(linkIn(second.html, 'Newest') ?? '');
    expect(idsIn(back.html, 'order')).toEqual((await newestFirst()).slice(0, 50));
    for (const query of ['before=x', 'before=-1', 'before=', 'status=Nothing', 'status=']) {
      const odd = await seen.see(`orders?${query}`);
      expect([odd.status, idsIn(odd.html, 'order')], query).toEqual([200, idsIn(back.html, 'order')]);
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
      expect(text).toContain(`Orders ${fixtures.orders.length} orders`);
    }
    await addOrders(60, 'On Hold');
    await addOrders(1, 'Pending');
    const pages = await idsByPage(seen, 'orders?status=On+Hold', 'order');
    expect(pages.map((ids) => ids.length)).toEqual([50, expect.any(Number)]);
    expect(pages.flat()).toEqual(await newestFirst('On Hold'));
    const second = await seen.see(linkIn((await seen.see('orders?status=On+Hold')).html, 'Older') ?? '');
    expect(linkIn(second.html, 'Newest')).toBe('orders?status=On+Hold');
  });

  test('searches 2,000 orders for a status, then links to the rest', async () => {
    const { seen, addOrders, newestFirst } = await page();
    await addOrders(2000, 'Accepted');
    const first = await seen.see('orders?status=Canceled');
    expect(idsIn(first.html, 'order')).toEqual([]);
    expect(first.text).toContain('This page searched 2,000 orders.');
    const rest = await seen.see(linkIn(first.html, 'Search older') ?? '');
    expect(idsIn(rest.html, 'order')).toEqual(await newestFirst('Canceled'));
    for (const { text } of [rest, await seen.see('orders?status=Accepted')])
      expect(text).not.toContain('This page searched');
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
    expect(text).toContain(`Order ${body.order.id} … Pending`);
    expect(text).toContain(
      `Consumer Ada Lovelace ${consumer_id} Email ada@example.com Phone +12025550123 Ship to 1 Main Street, Springfield, Illinois, 62701, United States Brand Daily Grove`,
    );
    expect(text).toContain(
      `${one} · duration 30 Morning: 1 × Sunrise Vitamin D3, 2 × Calm Magnesium Evening: pack Morning Essentials ${two} Clear Omega-3`,
    );
    expect(text).toContain('No fulfillments yet.');
  });

  test('shows the history, the next step, and the packages', async () => {
    const world = await onTimeline();
    const see = (path: string) => consoleOf(world.sachet).see(path);
    const id = await world.place();
    const { due_at } = await world.next(id);
    const created = 'History Nov 20, 2026, 12:00:00 UTC Created';
    expect((await see(`orders/${id}`)).text).toContain(
      `${created} due ${formatTime(due_at)} Next: Accepted Automatic mode`,
    );
    const pickUp = await world.until(id, 'picked_up');
    const record = await world.onlyPackage(id);
    const number = record.shipment_order_number;
    const { text, html } = await see(`orders/${id}`);
    expect(text).toContain(`${formatTime(record.created_at)} ${number} : Label Created`);
    expect(text).toContain(`due ${formatTime(pickUp.due_at)} Next: ${number} : Picked up`);
    expect(text).toContain(`shipped in ${number}`);
    expect(linkIn(html, number)).toBe(`fulfillments/${record.id}`);
    await world.until(id, 'delivered');
    expect((await see(`orders/${id}`)).text).toContain(`${number} : Picked Up`);

    await world.setTimeline('manual');
    const other = await world.place();
    await world.elapse(hour);
    await world.stage.orders.accept(other);
    expect((await see(`orders/${other}`)).text).toMatch(
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
    expect((await open(await create())).text).toMatch(/because its packaging is not Active: .+ is In Review\./);
  });
});
