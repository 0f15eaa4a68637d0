// Hostile texts in records, requests, scenarios and faults: every page shows them as text.
import { expect, test } from 'vitest';
import type { RecordOf } from '../../src/contract/records.ts';
import { labelled } from '../support/labels.ts';
import { orderIn } from '../support/operator.ts';
import { productId, products, someOrder } from '../support/order-requests.ts';
import { fixtures, testSachet } from '../support/sachet.ts';
import { consoleOf, partOf } from './console.ts';

const hostile = (what: string): string => `${what} "'><script>`;

test('every page shows hostile texts as text', async () => {
  const texts = { intent: hostile('intent'), right_client: hostile('client') };
  const sachet = testSachet({ scenarios: [{ name: 'hostile', ...texts, switches: { server_error: {} } }] });
  const stage = sachet.control.sandbox('stage');
  const { records, singles } = stage;
  const { id: fulfillment, order_id: id, order_lines } = labelled as RecordOf<'fulfillments'>;
  const [user] = fixtures.users;
  const [username, password] = [hostile('username'), hostile('password')];
  await records.users.update(user?.id ?? '', { username, password });
  const client = await sachet.login(username, { password });
  await client.post('/v2/orders', someOrder());
  await client.get(`/v2/orders?${encodeURIComponent(hostile('query'))}=1`);
  await client.get(`/v2/${encodeURIComponent(hostile('path'))}`, { headers: { 'x-hostile': hostile('header') } });
  const [request] = (await sachet.sandbox()).journal.newestFirst();

  await singles.operator.update({ name: hostile('operator') });
  await records.brands.update(user?.brand_id ?? '', { name: hostile('brand') });
  await records.products.update(products.good, { product_name: hostile('product') });
  await records.operator_products.update(productId(2).replace(/^20/, '21'), { name: hostile('ingredient') });
  await records.pags.update(productId(1).replace(/^20/, '30'), { name: hostile('pag') });
  await records.packs.update('PACK-MORNING-01', { name: hostile('pack') });
  const order = await records.orders.get(id);
  await records.consumers.update(order.consumer_id, { first_name: hostile('consumer'), last_name: null });
  await records.carriers.update('ups', { name: hostile('ups') });
  await records.fulfillment_statuses.update('delivered', { name: hostile('status') });
  await records.orders.update(id, {
    shipping_address: { city: hostile('city'), country_name: hostile('country') },
    order_lines: order.order_lines.map((line) => ({ id: line.id, pouches: [{ pack_id: 'PACK-MORNING-01' }] })),
  });
  await records.fulfillments.update(fulfillment, {
    shipment_order_number: hostile('number'),
    shipment_order_id: hostile('shipment'),
    order_lines: [{ id: order_lines[0]?.id ?? '', name: hostile('line') }],
    tracking_info: {
      shipping_carrier: hostile('carrier'),
      shipping_method: hostile('method'),
      tracking_number: hostile('tracking'),
      tracking_url: `https://example.com/?${hostile('url')}`,
    },
  });
  await stage.faults.create({ status: 422, match: { body: { name: '<script>fault' } } });

  const pages: Readonly<Record<string, readonly string[]>> = {
    start: ['username', 'password', 'brand'],
    requests: ['username'],
    [`requests/${request?.id}`]: ['header'],
    switches: ['intent', 'client'],
    assumptions: [],
    conduct: [],
    clock: ['username'],
    catalog: ['operator', 'brand', 'product', 'ingredient', 'pag', 'pack'],
    orders: ['consumer'],
    [`orders/${id}`]: ['pack', 'brand', 'status', 'city', 'country', 'number', 'consumer'],
    [`orders/${orderIn['In Production']}`]: ['ups'],
    fulfillments: ['status', 'carrier', 'tracking'],
    [`fulfillments/${fulfillment}`]: 'consumer status number shipment line carrier method tracking'.split(' '),
  };
  const wrong: string[] = [];
  const seen = consoleOf(sachet);
  for (const [page, expected] of Object.entries(pages)) {
    const { html, text } = await seen.see(page);
    if (/<script/.test(html)) wrong.push(`${page} has a script`);
    for (const what of expected) if (!text.includes(hostile(what))) wrong.push(`${page} does not show the ${what}`);
  }
  expect(wrong).toEqual([]);
  expect((await seen.see('switches')).text).toContain('<script>fault');
  expect((await seen.see('conduct')).text).toContain('not in the contract: "query ');
  const row = partOf((await seen.see('catalog')).html, 'tr', `product-${products.good}`);
  const { html, text } = await seen.press(row, 'Deactivate');
  expect([html.includes('<script'), text]).toEqual([false, `${hostile('product')} is inactive.`]);
});
