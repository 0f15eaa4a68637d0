// Fulfillments: the list page by page, and one package with its way, its tracking page and its label.

import { describe, expect, test } from 'vitest';
import type { RecordOf } from '../../src/contract/records.ts';
import { formatTime } from '../../src/http/markup.ts';
import { consoleOf } from '../support/console.ts';
import { fulfillmentRow, insertFulfillments } from '../support/fulfillment-rows.ts';
import { labelled } from '../support/labels.ts';
import { hour, operated } from '../support/operator.ts';
import { unknownId } from '../support/order-requests.ts';
import { idsIn, linkIn, readOn } from '../support/record-pages.ts';
import { fixtures } from '../support/sachet.ts';
import { onTimeline } from '../support/timeline.ts';
import { readXml } from '../support/xml.ts';

const script = '<script>alert(1)</script>';
const shown = labelled as RecordOf<'fulfillments'>;

async function page(options: Parameters<typeof operated>[0] = {}) {
  const world = await operated(options);
  const seen = consoleOf(world.sachet);
  const open = (id: string) => seen.see(`fulfillments/${id}`);
  return { ...world, seen, open };
}

/** Where the link with these words leads, outside the console. */
const urlIn = (html: string, words: string): string =>
  (new RegExp(`<a href="([^"]*)"[^>]*>\\s*${words}\\s*</a>`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

describe('the list', () => {
  test('has the packages of all brands, newest first, with status, order, carrier and when they were made', async () => {
    const world = await page();
    const id = await world.packageIn('picked_up');
    const { html, text } = await world.seen.see('fulfillments');
    const { fulfillments } = await world.stage.records.fulfillments.list();
    expect(idsIn(html, 'fulfillment')).toEqual(fulfillments.map((one) => one.id).toReversed());
    const { order_id, tracking_info } = await world.package(id);
    expect(text).toContain(`Fulfillments ${fixtures.fulfillments.length + 1} packages`);
    expect(text).toMatch(
      new RegExp(
        `${id} ▸ Picked Up (Order )?${order_id.slice(0, 8)}…${order_id.slice(-4)} ${tracking_info?.shipping_carrier} ${tracking_info?.tracking_number} Nov 20, 2026, 12:00:00 UTC`,
      ),
    );
    expect(linkIn(html, id)).toBe(`fulfillments/${id}`);
    expect(html).toContain(`href="stage/orders/${order_id}"`);
  });

  test('leads to all older ones page by page, each once, also while new ones come, and back to the newest', async () => {
    const { sachet, seen } = await page();
    const sandbox = await sachet.sandbox();
    const row = (n: number) => fulfillmentRow(n, { shipment_order_number: `S-${n}`, tracking_info: null });
    await insertFulfillments(
      sandbox,
      Array.from({ length: 120 }, (_, n) => row(n)),
    );
    const there = Array.from(sandbox.state.table('fulfillments').newestFirst(), ([, { id }]) => id);
    let next = 120;
    const pages = await readOn(seen, 'fulfillments', () => insertFulfillments(sandbox, [row(next++)]));
    expect(pages.flatMap((html) => idsIn(html, 'fulfillment'))).toEqual(there);
    expect(pages.map((html) => idsIn(html, 'fulfillment').length)).toEqual([50, 50, there.length - 100]);
    const newest = await seen.see(linkIn(pages[1] ?? '', 'Newest') ?? '');
    expect(idsIn(newest.html, 'fulfillment')[0]).toBe(row(next - 1).id);
  });

  test('says of one without a carrier that none is assigned', async () => {
    const { seen, stage } = await page();
    await stage.records.fulfillments.update(fixtures.fulfillments.at(-1)?.id ?? '', { tracking_info: null });
    expect((await seen.see('fulfillments')).text).toContain('none assigned');
  });

  test('says where there is nothing older, and what brings packages where there are none', async () => {
    const older = await (await page()).seen.see('fulfillments?before=0');
    expect(older.text).toContain('No older packages. Show the newest');
    const { seen } = await page({ fixtures: { ...fixtures, fulfillments: [] } });
    const { html, text } = await seen.see('fulfillments');
    expect(text).toContain(
      'Fulfillments 0 packages This sandbox has no fulfillments. Ship an order in production: its packages appear here.',
    );
    expect(linkIn(html, 'order')).toBe('orders');
  });
});

describe('one package', () => {
  test('has its facts, with its order, carrier and dates', async () => {
    const { open } = await page();
    const { text, html } = await open(shown.id);
    const { tracking_info: tracking } = shown;
    expect(text).toContain(`Fulfillment ${shown.id} ✓ Delivered`);
    expect(text).toContain(
      `Contents ${shown.order_lines.map(({ name }) => name).join(', ')} Shipment ${shown.shipment_order_number} (${shown.shipment_order_id}) Carrier ${tracking?.shipping_carrier}, ${tracking?.shipping_method} Tracking ${tracking?.tracking_number} Tracking page Weight ${shown.weight} g Shipping charge ${shown.shipping_net_charge}`,
    );
    const dates = [shown.created_at, shown.pickup_date, shown.delivery_date, shown.updated_at].map(
      (at) => at && formatTime(at),
    );
    expect(text).toContain(`Created ${dates[0]} Picked up ${dates[1]} Delivered ${dates[2]} Last change ${dates[3]}`);
    expect(linkIn(html, shown.order_id)).toBe(`orders/${shown.order_id}`);
  });

  test('without a carrier says so and has no tracking page', async () => {
    const world = await page();
    const { body } = await world.ship(await world.inProduction(), { carrier: null });
    const { text, html } = await world.open(body.id);
    expect(text).toContain('Carrier none assigned yet Weight');
    expect(text).toContain('Picked up not yet Delivered not yet');
    expect(html).not.toContain('Tracking page');
    expect(html).toContain('aria-label="Shipping label: carrier not assigned;');
  });

  test('leads to its tracking page, which is there', async () => {
    const { open, sachet } = await page();
    const { html } = await open(shown.id);
    const url = urlIn(html, 'Tracking page');
    expect(url).toBe(`http://localhost:4010/sandboxes/stage/_tracking/${shown.tracking_info?.tracking_number}`);
    const answer = await sachet.call('GET', url);
    expect([answer.status, answer.text.includes(shown.tracking_info?.tracking_number ?? 'none')]).toEqual([200, true]);
    expect(html).toContain('target="_blank" rel="noopener noreferrer"');
  });

  test('tells what became of it, moment by moment', async () => {
    const world = await page();
    const id = await world.packageIn('label_created');
    for (const [at, action] of ['pick_up', 'depart', 'delay', 'deliver', 'return'].entries()) {
      await world.setTo((at + 1) * hour);
      await world.move(id, action);
    }
    const { text } = await world.open(id);
    expect(text).toContain(
      'History Nov 20, 2026, 12:00:00 UTC Label Created Nov 20, 2026, 13:00:00 UTC Picked Up Nov 20, 2026, 14:00:00 UTC In Transit Nov 20, 2026, 15:00:00 UTC Delayed Nov 20, 2026, 16:00:00 UTC Delivered Nov 20, 2026, 17:00:00 UTC Returned Label',
    );
  });

  test('of the fixtures’ own tells what its record tells', async () => {
    const { open } = await page();
    const [made, picked, delivered] = [shown.created_at, shown.pickup_date, shown.delivery_date].map(
      (at) => at && formatTime(at),
    );
    expect((await open(shown.id)).text).toContain(
      `History ${made} Label Created ${picked} Picked Up ${delivered} Delivered Label`,
    );
  });

  test('tells what is due next, by the sandbox’s clock or by hand', async () => {
    const world = await onTimeline();
    const seen = consoleOf(world.sachet);
    const order = await world.place();
    const { due_at } = await world.until(order, 'picked_up');
    const { id, created_at } = await world.onlyPackage(order);
    const way = (due: string) => `History ${formatTime(created_at)} Label Created ${due}Next: Picked up`;
    const text = async () => (await seen.see(`fulfillments/${id}`)).text;
    expect(await text()).toContain(
      `${way(`due ${formatTime(due_at)} `)} Automatic mode: each step happens when it is due on the sandbox’s clock`,
    );
    await world.turn('manual');
    expect(await text()).toContain(`${way('')} Manual mode`);
  });

  test('unknown is told in words with 404', async () => {
    const { open } = await page();
    const { status, text } = await open(unknownId);
    expect([status, text]).toEqual([404, expect.stringMatching(new RegExp(`^Not found .*${unknownId}`))]);
  });

  test('what others wrote is shown as text, in the list, in one, and on its label', async () => {
    const world = await page();
    const { records, singles } = world.stage;
    await records.consumers.update(shown.consumer_id, { first_name: script, last_name: null });
    await records.brands.update(shown.brand_id, { name: `brand ${script}` });
    await singles.operator.update({ name: `operator ${script}` });
    await records.fulfillment_statuses.update('delivered', { name: `status ${script}` });
    await records.orders.update(shown.order_id, { shipping_address: { city: `"><img src=x>` } });
    await records.fulfillments.update(shown.id, {
      shipment_order_number: `number ${script}`,
      shipment_order_id: `shipment ${script}`,
      order_lines: [{ id: shown.order_lines[0]?.id ?? '', name: `line ${script}` }],
      tracking_info: {
        shipping_carrier: `carrier ${script}`,
        shipping_method: `method ${script}`,
        tracking_number: `tracking ${script}`,
        tracking_url: 'https://example.com/?"><script>alert(1)</script>',
      },
    });
    const [list, one] = [await world.seen.see('fulfillments'), await world.open(shown.id)];
    for (const { html } of [list, one]) expect(html).not.toMatch(/<(?:script|img)/);
    for (const what of ['status', 'carrier', 'tracking']) expect(list.text).toContain(`${what} ${script}`);
    for (const what of ['status', 'number', 'shipment', 'line', 'carrier', 'method', 'tracking'])
      expect(one.text).toContain(`${what} ${script}`);
    expect(one.text).toContain(`Consumer ${script}`);
  });
});

describe('the label', () => {
  test('is an image that tells who sends what to whom, without a style of its own', async () => {
    const { open } = await page();
    const { html } = await open(shown.id);
    const [markup = ''] = /<svg[\s\S]*<\/svg>/.exec(html) ?? [];
    const image = readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${markup.replaceAll('&#39;', '&apos;')}`);
    const order = fixtures.orders.find(({ id }) => id === shown.order_id);
    const texts = image.children.map(({ text }) => text.replaceAll(' ', ''));
    expect(image.attributes.role).toBe('img');
    expect(image.attributes['aria-label']).toContain(`${order?.shipping_address.address1}, `);
    for (const text of [order?.shipping_address.address1, shown.tracking_info?.tracking_number])
      expect(texts).toContain(text?.replaceAll(' ', ''));
    expect(html).not.toContain('style=');
  });

  test.each([
    ['whole seconds', 0, {}, 900_000, 900_000],
    ['between two seconds', 1, {}, 899_999, 899_999],
    ['the lifetime of the switch', 0, { label_expiry: { lifetime_seconds: 60 } }, 60_000, 60_000],
  ])('downloads by its URL until the time that is told: %s', async (_, now, switches, least, most) => {
    const world = await page();
    await world.stage.switches.set(switches);
    await world.setTo(now);
    const { html } = await world.open(shown.id);
    const url = urlIn(html, 'Label URL for clients');
    const [, until = ''] = /valid until\s*<time datetime="([^"]*)"/.exec(html) ?? [];
    const { now: asked } = await world.stage.clock.get();
    const life = Date.parse(until) - Date.parse(asked);
    expect([life >= least, life <= most]).toEqual([true, true]);
    await world.stage.clock.set({ now: new Date(Date.parse(until) - 1).toISOString() });
    const last = await world.sachet.call('GET', url);
    expect([last.status, last.headers.get('content-type'), last.text.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    await world.stage.clock.set({ now: until });
    expect((await world.sachet.call('GET', url)).status).toBe(403);
  });

  test.each([undefined, 'https://demo.example/partners/sachet'])(
    'and the tracking page have the URLs that a client is given: %s',
    async (publicUrl) => {
      const { open, client } = await page(publicUrl === undefined ? {} : { publicUrl });
      const { html } = await open(shown.id);
      const { fulfillment } = (await client.get(`/v2/fulfillments/${shown.id}`)).body;
      expect(fulfillment.label_url.startsWith(publicUrl ?? 'http://localhost:4010/')).toBe(true);
      expect(urlIn(html, 'Label URL for clients')).toBe(fulfillment.label_url);
      expect(urlIn(html, 'Tracking page')).toBe(fulfillment.tracking_info.tracking_url);
    },
  );
});
