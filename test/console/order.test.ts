// One order: everything of it by name, its way so far and next.

import { describe, expect, test } from 'vitest';
import { formatTime } from '../../src/http/markup.ts';
import { consoleOf } from '../support/console.ts';
import { brandOfDemo } from '../support/fulfillment-rows.ts';
import { hour, operated, orderIn } from '../support/operator.ts';
import {
  consumerId,
  lineOf,
  productId,
  products,
  someAddress,
  someOrder,
  unknownId,
} from '../support/order-requests.ts';
import { linkIn } from '../support/record-pages.ts';
import { onTimeline } from '../support/timeline.ts';

const script = '<script>alert(1)</script>';

async function page() {
  const world = await operated();
  const seen = consoleOf(world.sachet);
  return { ...world, seen, open: (id: string) => seen.see(`orders/${id}`) };
}

describe('one order', () => {
  test('has everything of it: consumer, address, brand, lines and pouches by name', async () => {
    const world = await page();
    const { body } = await world.client.post('/v2/orders', {
      consumer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+12025550123' },
      shipping_address: { ...someAddress, province_name: 'Illinois', postal_code: '62701' },
      order_lines: [
        lineOf(
          {
            time_of_administration: 'Morning',
            contents: [
              { client_product_id: products.good, serving_size: 1 },
              { client_product_id: productId(2), serving_size: 2 },
            ],
          },
          { time_of_administration: 'Evening', pack_id: 'PACK-MORNING-01' },
        ),
        { pouches: [{ contents: [{ client_product_id: productId(3) }] }] },
      ],
    });
    const { text } = await world.open(body.order.id);
    const { consumer_id } = await world.order(body.order.id);
    const [one, two] = (await world.order(body.order.id)).order_lines;
    expect(text).toContain(`Order ${body.order.id} … Pending`);
    expect(text).toContain(
      `Consumer Ada Lovelace ${consumer_id} Email ada@example.com Phone +12025550123 Ship to 1 Main Street, Springfield, Illinois, 62701, United States Brand Daily Grove`,
    );
    expect(text).toContain(
      `${one?.id} · duration 30 Morning: 1 × Sunrise Vitamin D3, 2 × Calm Magnesium Evening: pack Morning Essentials ${two?.id} Clear Omega-3`,
    );
    expect(text).toContain('No fulfillments yet.');
  });

  test('shows what is due next by the sandbox’s clock, and its packages on their way', async () => {
    const world = await onTimeline();
    const seen = consoleOf(world.sachet);
    const id = await world.place();
    const { due_at } = await world.next(id);
    expect((await seen.see(`orders/${id}`)).text).toContain(
      `History Nov 20, 2026, 12:00:00 UTC Created due ${formatTime(due_at)} Next: Accepted Automatic mode: each step happens when it is due on the sandbox’s clock. Fulfillment timeline fulfillment_timeline`,
    );
    const pickUp = await world.until(id, 'picked_up');
    const record = await world.onlyPackage(id);
    const { text, html } = await seen.see(`orders/${id}`);
    expect(text).toContain(`${formatTime(record.created_at)} ${record.shipment_order_number} : Label Created`);
    expect(text).toContain(`due ${formatTime(pickUp.due_at)} Next: ${record.shipment_order_number} : Picked up`);
    expect(text).toContain(`shipped in ${record.shipment_order_number}`);
    expect(linkIn(html, record.shipment_order_number)).toBe(`fulfillments/${record.id}`);
    await world.until(id, 'delivered');
    expect((await seen.see(`orders/${id}`)).text).toContain(`${record.shipment_order_number} : Picked Up`);
  });

  test('that needs changes says which packaging is not Active', async () => {
    const world = await page();
    const { pags } = await world.stage.records.pags.list();
    for (const { id } of pags) await world.stage.records.pags.update(id, { status: 'In Review' });
    const { body } = await world.client.post('/v2/orders', someOrder());
    expect((await world.open(body.order.id)).text).toMatch(/because its packaging is not Active: .+ is In Review\./);
  });

  test('that needs changes by a switch says that its packaging is Active by now', async () => {
    const world = await page();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    const { body } = await world.client.post('/v2/orders', someOrder());
    expect((await world.open(body.order.id)).text).toContain(
      'was not Active when the order was created. It is Active now.',
    );
  });

  test('says of the step that is next that an action takes it where the timeline stands still', async () => {
    const world = await page();
    const { body } = await world.client.post('/v2/orders', someOrder());
    const { text } = await world.open(body.order.id);
    expect(text).toMatch(
      /Next: Accepted Manual mode: the order moves only when you click\. Fulfillment timeline fulfillment_timeline/,
    );
  });

  test('tells when it was changed last, and what it is since', async () => {
    const world = await page();
    const { body } = await world.client.post('/v2/orders', someOrder());
    expect((await world.open(body.order.id)).text).not.toContain('Last change');
    await world.setTo(hour);
    await world.act(body.order.id, 'accept');
    expect((await world.open(body.order.id)).text).toContain(
      'History Nov 20, 2026, 12:00:00 UTC Created Nov 20, 2026, 13:00:00 UTC Last change: Accepted',
    );
  });

  test('of a consumer without a name tells the e-mail address, else the id', async () => {
    const { stage, open, seen } = await page();
    const id = orderIn.Pending;
    const { consumer_id } = await stage.records.orders.get(id);
    const update = { first_name: null, last_name: null, phone_number: null };
    await stage.records.consumers.update(consumer_id, { ...update, email: 'who@example.com' });
    expect((await open(id)).text).toContain(`Consumer who@example.com ${consumer_id} Email who@example.com Ship to`);
    expect((await seen.see('orders')).text).toContain('who@example.com');
    await stage.records.consumers.update(consumer_id, { email: null });
    expect((await open(id)).text).toContain(`Consumer ${consumer_id} ${consumer_id} Ship to`);
  });

  test('of packs has their names, or else their ids', async () => {
    const { stage, open } = await page();
    const [line] = (await stage.records.orders.get(orderIn.Pending)).order_lines;
    const pouches = [{ time_of_administration: 'Bedtime', pack_id: 'PACK-FOCUS-01' }, { pack_id: 7 }];
    await stage.records.orders.update(orderIn.Pending, { order_lines: [{ id: line?.id ?? '', pouches }] });
    expect((await open(orderIn.Pending)).text).toContain(`Lines ${line?.id} Bedtime: pack PACK-FOCUS-01 pack 7 `);
  });

  test('unknown is told in words with 404', async () => {
    const { open } = await page();
    const { status, text } = await open(unknownId);
    expect([status, text]).toEqual([404, expect.stringMatching(new RegExp(`^Not found .*${unknownId}`))]);
  });

  test('of an id that is none is told of as text', async () => {
    const { open } = await page();
    const { status, html } = await open(encodeURIComponent(script));
    expect(status).toBe(404);
    expect(html).not.toContain('<script');
  });
});

test('what others wrote is shown as text, in the list and in one', async () => {
  const world = await page();
  const id = await world.inProduction({
    order_lines: [lineOf(), lineOf({ pack_id: 'PACK-MORNING-01' })],
  });
  const { records } = world.stage;
  await records.consumers.update(consumerId(1), {
    first_name: script,
    last_name: null,
    email: "o'hara&co@example.com",
  });
  await records.products.update(products.good, { product_name: script });
  await records.packs.update('PACK-MORNING-01', { name: `pack ${script}` });
  await records.brands.update(brandOfDemo, { name: `brand ${script}` });
  await records.carriers.update('ups', { name: `carrier ${script}` });
  await records.fulfillment_statuses.update('label_created', { name: `status ${script}` });
  await records.orders.update(id, { shipping_address: { city: `city ${script}`, country_name: `"><img src=x>` } });
  const { body } = await world.ship(id, { order_lines: [(await world.order(id)).order_lines[0]?.id] });
  await records.fulfillments.update(body.id, { shipment_order_number: `number ${script}` });
  const [list, one] = [await world.seen.see('orders'), await world.open(id)];
  for (const { html } of [list, one]) expect(html).not.toMatch(/<(?:script|img)/);
  expect(list.text).toContain(script);
  for (const what of ['pack', 'brand', 'carrier', 'status', 'city', 'number'])
    expect(one.text).toContain(`${what} ${script}`);
});
