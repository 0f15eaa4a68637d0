// Orders: the list of all brands' orders, newest first, page by page and by status.
import { describe, expect, test } from 'vitest';
import { consoleOf } from '../support/console.ts';
import { type Operated, operated, orderIn, type Status, statuses } from '../support/operator.ts';
import { lineOf, someAddress } from '../support/order-requests.ts';
import { idsIn, linkIn, readOn } from '../support/record-pages.ts';
import { fixtures, noon, testSachet } from '../support/sachet.ts';

const [someRecord] = fixtures.orders;
if (!someRecord) throw new Error('the shipped fixtures have an order');
const { id: _, ...unnamed } = { ...someRecord, status: 'Pending' as Status };

async function page(options: Parameters<typeof operated>[0] = {}) {
  const world = await operated(options);
  return { ...world, seen: consoleOf(world.sachet) };
}

/** Puts orders of the first one's kind behind all others. */
async function putOrders({ sachet }: Pick<Operated, 'sachet'>, count: number, status: Status): Promise<void> {
  const sandbox = await sachet.sandbox();
  await sandbox.write((draft) => {
    for (let n = 0; n < count; n += 1)
      draft
        .table('orders')
        .insert({ ...unnamed, status, id: `f1000000-0000-4000-8000-${String(n).padStart(12, '0')}` });
  });
}

const newestFirst = async ({ stage }: Pick<Operated, 'stage'>, status?: string): Promise<string[]> => {
  const { orders } = await stage.records.orders.list();
  return orders
    .filter((order) => status === undefined || order.status === status)
    .map(({ id }) => id)
    .toReversed();
};

describe('the list', () => {
  test('has the orders of all brands, newest first, with status, consumer, lines and when they were made', async () => {
    const world = await page();
    const { body } = await world.client.post('/v2/orders', {
      consumer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+12025550123' },
      shipping_address: someAddress,
      order_lines: [lineOf(), lineOf()],
    });
    const { html, text } = await world.seen.see('orders');
    expect(idsIn(html, 'order')).toEqual(await newestFirst(world));
    expect(idsIn(html, 'order')[0]).toBe(body.order.id);
    expect(new Set(fixtures.orders.map(({ brand_id }) => brand_id)).size).toBeGreaterThan(1);
    expect(text).toContain(`${body.order.id} … Pending Ada Lovelace 2 lines Nov 20, 2026, 12:00:00 UTC`);
    expect(text).toContain(`Orders ${fixtures.orders.length + 1} orders`);
    expect(linkIn(html, body.order.id)).toBe(`orders/${body.order.id}`);
    expect(html).not.toContain('class="pager"');
  });

  test('leads to all older ones page by page, each once, also while new ones come, and back to the newest', async () => {
    const world = await page();
    for (let n = 0; n < 120; n += 1) await world.stage.records.orders.create(unnamed);
    const there = await newestFirst(world);
    const pages = (await readOn(world.seen, 'orders', () => world.stage.records.orders.create(unnamed))).map((html) =>
      idsIn(html, 'order'),
    );
    expect(pages.flat()).toEqual(there);
    expect(pages.map((ids) => ids.length)).toEqual([50, 50, there.length - 100]);
    const first = await world.seen.see('orders');
    const second = await world.seen.see(linkIn(first.html, 'Older') ?? '');
    expect(linkIn(first.html, 'Newest')).toBeUndefined();
    const back = await world.seen.see(linkIn(second.html, 'Newest') ?? '');
    expect(idsIn(back.html, 'order')).toEqual((await newestFirst(world)).slice(0, 50));
    expect(first.text).toContain(`${there.length + 3} orders`);
  });

  test.each(['before=x', 'before=-1', 'before=1e0', 'before=', 'status=Nothing', 'status='])(
    'shows the first page for ?%s',
    async (query) => {
      const { seen } = await page();
      const { status, html } = await seen.see(`orders?${query}`);
      expect([status, idsIn(html, 'order')]).toEqual([200, idsIn((await seen.see('orders')).html, 'order')]);
    },
  );

  test('says where there is nothing older, and leads back', async () => {
    const { seen } = await page();
    const { html, text } = await seen.see('orders?before=0');
    expect(text).toContain('No older orders.');
    expect(linkIn(html, 'Show all orders')).toBe('orders');
  });

  test('says what brings orders where there are none', async () => {
    const { seen } = await page({ fixtures: { ...fixtures, orders: [], fulfillments: [] } });
    const { html, text } = await seen.see('orders');
    expect(text).toContain('Orders 0 orders');
    expect(text).toContain('This sandbox has no orders. Send a sample order , or let a client create one');
    expect(linkIn(html, 'Send a sample order')).toBe('start');
  });
});

describe('the filter by status', () => {
  test.each(statuses)('%s shows these alone, newest first, and stays chosen', async (status) => {
    const world = await page();
    const { html, text } = await world.seen.see(`orders?${new URLSearchParams({ status })}`);
    expect(idsIn(html, 'order')).toEqual(await newestFirst(world, status));
    expect(idsIn(html, 'order')).toContain(orderIn[status]);
    expect(html.match(/<option[^>]* selected[^>]*>[^<]*/g)?.map((one) => one.replace(/.*>/, ''))).toEqual([status]);
    expect(text).toContain(`Orders ${fixtures.orders.length} orders`);
  });

  test('is kept from page to page, each order once', async () => {
    const world = await page();
    await putOrders(world, 60, 'On Hold');
    await world.stage.records.orders.create(unnamed);
    const pages = (await readOn(world.seen, 'orders?status=On+Hold')).map((html) => idsIn(html, 'order'));
    expect(pages.map((ids) => ids.length)).toEqual([50, expect.any(Number)]);
    expect(pages.flat()).toEqual(await newestFirst(world, 'On Hold'));
    const second = await world.seen.see(linkIn((await world.seen.see('orders?status=On+Hold')).html, 'Older') ?? '');
    expect(linkIn(second.html, 'Newest')).toBe('orders?status=On+Hold');
  });

  test('says that none is like that', async () => {
    const world = await page({ fixtures: { ...fixtures, orders: [], fulfillments: [] } });
    await world.stage.records.orders.create(unnamed);
    const { html, text } = await world.seen.see('orders?status=Canceled');
    expect(text).toContain('No order here is Canceled. Show all orders');
    expect(html).not.toContain('class="pager"');
  });

  test('looks no further than its bound, says so, and looks further by a link', async () => {
    const world = await page();
    await putOrders(world, 2000, 'Accepted');
    const words = 'This page searched 2,000 orders. Older ones may match, too.';
    const first = await world.seen.see('orders?status=Canceled');
    expect(idsIn(first.html, 'order')).toEqual([]);
    expect(first.text).toContain(words);
    const further = await world.seen.see(linkIn(first.html, 'Search older') ?? '');
    expect(idsIn(further.html, 'order')).toEqual(await newestFirst(world, 'Canceled'));
    expect(further.text).not.toContain('This page searched');
    expect((await world.seen.see('orders?status=Accepted')).text).not.toContain('This page searched');
  });
});

test('another sandbox has orders of its own', async () => {
  const sachet = testSachet();
  const world = await sachet.control.sandbox('production').records.orders.create(unnamed);
  expect(idsIn((await consoleOf(sachet, 'production').see('orders')).html, 'order')[0]).toBe(world.id);
  expect(idsIn((await consoleOf(sachet).see('orders')).html, 'order')).not.toContain(world.id);
  expect(world.created_at < noon).toBe(true);
});
