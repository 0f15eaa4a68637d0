// The page for a new order: its form and its JSON send real orders as the chosen user.
import { expect, test } from 'vitest';
import { otherBrand, products, unknownId } from '../support/order-requests.ts';
import { fixtures, testSachet } from '../support/sachet.ts';
import { allOf, consoleOf, linkIn, openPage } from './console.ts';

const address = { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' };
const inForm = (group: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${group}.${name}`, value]));

async function newOrder() {
  const world = await openPage('orders/new', 'form', { debugHeaders: false });
  const { html } = await world.see();
  const [consumer = ''] = allOf(html, /<option value="(4[^"]+)"/g);
  const typed = { 'consumer.id': consumer, ...inForm('shipping_address', address) };
  return {
    ...world,
    html,
    consumer,
    /** Fills in the form and presses a button of it. */
    send: (more: Record<string, string>, label = 'Send the order') =>
      world.seen.press(html, label, { ...typed, ...more }),
  };
}

test('the form offers the catalog of the user’s brand, with what cannot be ordered', async () => {
  const { html, seen, part } = await newOrder();
  const ofBrand = (brand: string) => fixtures.products.filter(({ brand_id }) => brand_id === brand).map(({ id }) => id);
  const offered = (page: string) => allOf(page, /name="serving_size\.([^"]*)"/g);
  const brand = fixtures.users[0]?.brand_id ?? '';
  expect(offered(html)).toEqual(ofBrand(brand));
  for (const state of ['Active', 'Inactive', 'Discontinued']) expect(html).toContain(`</span> ${state}`);
  const durations = fixtures.pags.flatMap(({ brand_id, duration }) => (brand_id === brand ? (duration ?? []) : []));
  for (const duration of durations) expect(html).toContain(`<option value="${duration}">${duration} (`);
  const other = fixtures.users.find(({ brand_id }) => brand_id === otherBrand)?.id ?? '';
  expect(await part('filter')).toContain(`<option value="${other}"`);
  expect(offered((await seen.see(`orders/new?user=${other}`)).html)).toEqual(ofBrand(otherBrand));
});

test('the form sends an order with a pouch for each time, and links to it', async () => {
  const { send, stage, consumer, sachet } = await newOrder();
  const [first = '', second = ''] = fixtures.products.map(({ id }) => id);
  const { text, html } = await send({
    ...{ duration: '30', [`serving_size.${first}`]: '2', [`time.${first}`]: 'Morning' },
    ...{ [`serving_size.${second}`]: '0.5', [`time.${second}`]: 'Evening' },
  });
  expect(text).toContain('The order was accepted ✓ 201 It is Pending');
  const [id = ''] = allOf(html, /href="stage\/orders\/([^"]+)"/g);
  const { order_lines, ...order } = await stage.records.orders.get(id);
  expect(order).toMatchObject({ consumer_id: consumer, shipping_address: address });
  expect(order_lines).toMatchObject([
    {
      duration: 30,
      pouches: [
        { time_of_administration: 'Morning', contents: [{ client_product_id: first, serving_size: 2 }] },
        { time_of_administration: 'Evening', contents: [{ client_product_id: second, serving_size: 0.5 }] },
      ],
    },
  ]);
  const [call] = (await sachet.sandbox()).journal.newestFirst();
  expect(linkIn(html, 'Live requests')).toBe('requests');
  expect(html).toContain(`href="stage/requests/${call?.id}"`);
});

test.each([
  ['an inactive product', { [`serving_size.${products.inactive}`]: '1' }, 'ORD-19'],
  ['no city', { [`serving_size.${products.good}`]: '1', 'shipping_address.city': '' }, 'ORD-14'],
] as const)('an order with %s is sent, and its rule is shown', async (_, fields, rule) => {
  const { send, stored } = await newOrder();
  const before = await stored();
  expect((await send(fields)).text).toContain(`The order was rejected ▲ 422 ${rule} Rejected by ${rule}: `);
  expect(await stored()).toBe(before);
});

test('the order can be edited as JSON, and is sent as it is', async () => {
  const { send, seen, sachet } = await newOrder();
  const { html } = await send({ as: 'json', [`serving_size.${products.good}`]: '1' }, 'Edit as JSON');
  const [json = ''] = allOf(html, /<textarea[^>]*>([^<]*)/g);
  expect((await seen.press(html, 'Send this JSON', { json })).text).toContain('accepted ✓ 201');
  const bare = JSON.stringify({ ...JSON.parse(json), order_lines: [] });
  expect((await seen.press(html, 'Send this JSON', { json: bare })).text).toContain('rejected ▲ 422 ORD-4');
  expect((await seen.press(html, 'Send this JSON', { json: '{ "consumer": ' })).text).toContain('rejected ▲ 400');
  const [call] = (await sachet.sandbox()).journal.newestFirst();
  expect(call?.body).toBe('{ "consumer": ');
});

test('the page says that a sandbox has no users; an unknown user is a 404', async () => {
  const seen = consoleOf(testSachet({ fixtures: { ...fixtures, users: [] } }));
  expect((await seen.see('orders/new')).text).toContain('This sandbox has no users.');
  expect((await seen.send('_new-order/stage', `user=${unknownId}`)).status).toBe(404);
});
