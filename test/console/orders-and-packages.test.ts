// Orders and packages: their lists with filter and pages; one of them with its history and label, and the operator's actions on it.
import { describe, expect, test } from 'vitest';
import { statusOf } from '../../src/domain/fulfillments.ts';
import { mayShip, operatorActions, statusAfter } from '../../src/domain/orders.ts';
import { formatTime } from '../../src/http/markup.ts';
import { shortId } from '../../src/sandbox/records.ts';
import { labelled as shown } from '../support/labels.ts';
import {
  allowedActions,
  operatorStage,
  orderIn,
  packageActions,
  packageStatuses,
  type Status,
  statuses,
} from '../support/operator.ts';
import {
  orderLine,
  otherBrand,
  productId,
  products,
  someAddress,
  someOrder,
  unknownId,
} from '../support/order-requests.ts';
import { afterNoon, fixtures, hour } from '../support/sachet.ts';
import { onTimeline } from '../support/timeline.ts';
import { allOf, buttonsIn, consoleOf, idsIn, linkIn } from './console.ts';

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
  const open = (id: string) => seen.see(`orders/${id}`);
  const openPackage = (id: string) => seen.see(`fulfillments/${id}`);
  return { ...world, seen, addOrders, newestFirst, open, openPackage };
}

/** The text of an action's button, such as `Pick up`. */
const labelOf = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1).replace('_', ' ');

describe('the list of orders', () => {
  test('has the orders of all brands, newest first, with status, consumer, lines and time', async () => {
    const { client, seen, newestFirst, sachet } = await page();
    const order = { consumer, shipping_address: someAddress, order_lines: [orderLine(), orderLine()] };
    const { id } = (await client.post('/v2/orders', order)).body.order;
    const { html, text } = await seen.see('orders');
    expect(idsIn(html, 'order')).toEqual(await newestFirst());
    expect(new Set(fixtures.orders.map(({ brand_id }) => brand_id)).size).toBeGreaterThan(1);
    const number = shortId(id);
    expect(text).toContain(
      `${number} … Pending Ada Lovelace Sunrise Vitamin D3 2 lines, duration 30 Nov 20, 2026, 12:00:00 UTC`,
    );
    expect(text).toContain(`${fixtures.orders.length + 1} orders`);
    expect([number, 'Older', 'Newest'].map((link) => linkIn(html, link))).toEqual([
      `orders/${id}`,
      undefined,
      undefined,
    ]);
    expect(html).toContain(`title="${id}"`);
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

  test('is searched by number, id, consumer, email and product, also within a status', async () => {
    const { seen, stage, addOrders } = await page();
    const { fulfillments } = await stage.records.fulfillments.list();
    const { shipment_order_number: number, order_id: id = '' } = fulfillments[0] ?? {};
    const found = async (q: string, more = {}) => {
      const { html } = await seen.see(`orders?${new URLSearchParams({ q, ...more })}`);
      return idsIn(html, 'order');
    };
    const numbers = fulfillments.filter((one) => one.order_id === id).map((one) => one.shipment_order_number);
    expect(linkIn((await seen.see('orders')).html, numbers.join(', '))).toBe(`orders/${id}`);
    for (const q of [number ?? '', id.toUpperCase()]) expect(await found(q)).toEqual([id]);
    const consumers = new Map(fixtures.consumers.map((one) => [one.id, one]));
    const newest = fixtures.orders.toReversed();
    const byEmail = newest.filter((one) => consumers.get(one.consumer_id)?.email === 'amelia.hartwell@example.com');
    expect(byEmail.length).toBeGreaterThan(1);
    for (const q of ['amelia.HARTWELL@', ' Amelia Hartwell '])
      expect(await found(q)).toEqual(byEmail.map((one) => one.id));
    const using = newest.filter(({ order_lines }) => JSON.stringify(order_lines).includes(products.good));
    expect(await found('sunrise vitamin')).toEqual(using.map((one) => one.id));
    const held = using.filter(({ status }) => status === 'In Production').map((one) => one.id);
    expect(await found('sunrise vitamin', { status: 'In Production' })).toEqual(held);
    expect((await seen.see('orders?q=nothing+like+it')).text).toContain('No order matches the search.');
    await addOrders(60, 'On Hold');
    const first = await seen.see('orders?q=f1000000&status=On+Hold');
    expect(linkIn(first.html, 'Older')).toMatch(/^orders\?q=f1000000&status=On\+Hold&before=\d+$/);
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
      `Order ${body.order.id} Copy … Pending`,
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
      `Created by POST /v2/orders ✓ 201 as demo due ${formatTime(due_at)} Next: Accepted Automatic mode`,
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
    const steps = ['Accepted', 'In Production', `${number} : Label Created`, `${number} : Picked Up`];
    expect(await text()).toMatch(new RegExp(steps.map((step) => `UTC ${step}`).join('.* ')));

    await world.setTimeline('manual');
    const other = await world.place();
    await world.elapse(hour);
    await world.stage.orders.accept(other);
    expect(await text(other)).toMatch(/UTC Accepted Next: In production Manual mode: .* fulfillment_timeline/);
  });

  test('shows the calls that created and changed it, until they are cleared', async () => {
    const { client, open, stage, setTo } = await page();
    const { id } = (await client.post('/v2/orders', someOrder())).body.order;
    await setTo(hour);
    await client.patch(`/v2/orders/${id}`, { shipping_address: someAddress });
    await client.patch(`/v2/orders/${id}`, {});
    await setTo(2 * hour);
    await client.post(`/v2/orders/${id}/cancel`);
    await client.post('/v2/orders', someOrder());
    const { text } = await open(id);
    const at = (hours: number) => `Nov 20, 2026, ${12 + hours}:00:00 UTC`;
    expect(text).toContain(
      `History ${at(0)} Created by POST /v2/orders ✓ 201 as demo ${at(1)} Modified by PATCH /v2/orders/${id} ✓ 200 as demo ` +
        `${at(2)} Canceled by POST /v2/orders/${id}/cancel ✓ 200 as demo Fulfillments`,
    );
    await stage.requests.clear();
    expect((await open(id)).text).toContain(`History ${at(0)} Created ${at(2)} Canceled Fulfillments`);
    await stage.records.orders.update(id, { shipping_address: someAddress, updated_at: afterNoon(3 * hour) });
    expect((await open(id)).text).toContain(`Canceled ${at(3)} Last change: Canceled Fulfillments`);
  });

  test('and its packages have their records as JSON', async () => {
    const { open, openPackage, stage } = await page();
    const raw = (html: string) => JSON.parse(allOf(html, /<pre id="raw-record"[^>]*>([^<]*)/g)[0] ?? '');
    expect(raw((await open(shown.order_id)).html)).toEqual(await stage.records.orders.get(shown.order_id));
    expect(raw((await openPackage(shown.id)).html)).toEqual(await stage.records.fulfillments.get(shown.id));
  });

  test('has the next step as its primary button, until its package has arrived', async () => {
    const world = await onTimeline();
    const seen = consoleOf(world.sachet);
    const id = await world.place();
    const html = async () => (await seen.see(`orders/${id}`)).html;
    const press = async () => {
      const before = await html();
      const [label = ''] = primaryIn(before);
      expect(before).toContain('<h2>Next step</h2>');
      expect((await seen.press(before, label)).status).toBe(200);
      return label;
    };
    const due = String.raw`\(due in \d+ [\w ]+\)$`;
    expect(await press()).toMatch(new RegExp(`^Accept ${due}`));
    expect(await press()).toMatch(new RegExp(`^Start production ${due}`));
    expect(await press()).toMatch(new RegExp(`^Ship ${due}`));
    const { shipment_order_number: number } = await world.onlyPackage(id);
    await world.setTimeline('manual');
    expect([await press(), await press()]).toEqual([`Pick up ${number}`, `Deliver ${number}`]);
    expect(await html()).not.toContain('Next step');
  });

  test('that needs changes names the packaging', async () => {
    const { client, open, stage } = await page();
    const create = async () => (await client.post('/v2/orders', someOrder())).body.order.id;
    await stage.switches.set({ inactive_pags: { all: true } });
    const switched = await create();
    expect((await open(switched)).text).toContain('Daily Grove 30-Day Box is switched to Inactive');
    await stage.switches.clear();
    expect((await open(switched)).text).toContain('It is Active now.');
    for (const { id } of (await stage.records.pags.list()).pags)
      await stage.records.pags.update(id, { status: 'In Review' });
    expect((await open(await create())).text).toMatch(/packaging is not Active: .+ is In Review/);
  });
});

const canShip = (html: string): boolean => html.includes('hx-post="_do/stage/orders.ship?');

/** The labels of the primary buttons. */
const primaryIn = (html: string): string[] =>
  allOf(html, /<button type="submit"(?! class="quiet")[^>]*>\s*([^<]*?)\s*</g);
/** The button of the next step of an order without packages. */
const nextLabel: Readonly<Record<Status, string | readonly string[]>> = {
  Pending: 'Accept',
  'On Hold': 'Release',
  'Needs Changes': 'Approve packaging',
  Accepted: 'Start production',
  'In Production': 'Ship',
  Canceled: [],
};

// Which actions are possible: test/domain/statuses.test.ts.
test.each(statuses)('an order that is %s has a button for each possible action', async (status) => {
  const { seen, open, stage, order } = await page();
  const id = orderIn[status];
  for (const choice of ['documented_path', 'any'] as const) {
    await stage.assumptions.set({ order_transitions: choice });
    const { html, text } = await open(id);
    const possible = operatorActions(status, choice);
    expect(buttonsIn(html, 'the order').sort()).toEqual(possible.map(labelOf).sort());
    expect(primaryIn(html)).toEqual([nextLabel[status]].flat());
    expect(canShip(html)).toBe(mayShip(status, choice));
    expect(text.includes('no action is left')).toBe(possible.length === 0);
    expect(allOf(html, /hx-confirm="([^"]*)"/g)).toHaveLength(possible.includes('cancel') ? 1 : 0);
    for (const action of possible) {
      expect((await seen.press(html, labelOf(action))).status, action).toBe(200);
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

/** The target of the link with this text, outside the console. */
const urlIn = (html: string, text: string): string =>
  allOf(html, new RegExp(`<a href="([^"]*)"[^>]*>\\s*${text}\\s*</a>`, 'g'))[0] ?? '';

test('the list has the packages of all brands, newest first, with status, order, carrier and time', async () => {
  const { seen, stage, packageIn } = await page();
  const id = await packageIn('picked_up');
  const { html, text } = await seen.see('fulfillments');
  const { fulfillments } = await stage.records.fulfillments.list();
  expect(idsIn(html, 'fulfillment')).toEqual(fulfillments.map((one) => one.id).toReversed());
  const record = await stage.records.fulfillments.get(id);
  const { order_id, tracking_info: tracking, shipment_order_number: number } = record;
  expect(text).toContain(`${fixtures.fulfillments.length + 1} packages`);
  for (const part of [
    `${number} ▸ Picked Up `,
    `${shortId(order_id)} ${tracking?.shipping_carrier} ${tracking?.tracking_number} Nov 20, 2026, 12:00:00 UTC`,
  ])
    expect(text).toContain(part);
  expect(linkIn(html, number)).toBe(`fulfillments/${id}`);
  expect(html).toContain(`href="stage/orders/${order_id}"`);
  await stage.records.fulfillments.update(id, { tracking_info: null });
  expect((await seen.see('fulfillments')).text).toContain('none assigned');
});

test('packages are searched by number, tracking number, order, consumer and status', async () => {
  const { seen } = await page();
  const newest = fixtures.fulfillments.toReversed();
  const found = async (query: object) =>
    idsIn((await seen.see(`fulfillments?${new URLSearchParams({ ...query })}`)).html, 'fulfillment');
  const wanted = (isWanted: (one: (typeof newest)[number]) => boolean) => newest.filter(isWanted).map(({ id }) => id);
  for (const q of [shown.shipment_order_number, shown.tracking_info?.tracking_number, shown.id])
    expect(await found({ q })).toEqual([shown.id]);
  expect(await found({ q: shown.order_id })).toEqual(wanted((one) => one.order_id === shown.order_id));
  const lost = wanted((one) => one.status_id === 'lost');
  expect([await found({ status: 'lost' }), lost.length > 0]).toEqual([lost, true]);
  expect(await found({ q: 'amelia', status: 'lost' })).not.toEqual(lost);
});

test('a package has contents, shipment, carrier, dates and history', async () => {
  const { openPackage } = await page();
  const { text, html } = await openPackage(shown.id);
  const { tracking_info: tracking } = shown;
  const dates = [shown.created_at, shown.pickup_date, shown.delivery_date, shown.updated_at];
  const [created, picked, delivered, updated] = dates.map((at) => formatTime(at ?? ''));
  for (const part of [
    `Fulfillment ${shown.shipment_order_number} ${shown.id} Copy ✓ Delivered`,
    `Contents ${shown.order_lines.map(({ name }) => name).join(', ')} Shipment`,
    `${shown.shipment_order_number} (${shown.shipment_order_id}) Carrier ${tracking?.shipping_carrier}, ${tracking?.shipping_method}`,
    `Tracking ${tracking?.tracking_number} Tracking page Weight ${shown.weight} g Shipping charge ${shown.shipping_net_charge}`,
    `Created ${created} Picked up ${picked} Delivered ${delivered} Last change ${updated}`,
    `History ${created} Label Created ${picked} Picked Up ${delivered} Delivered Label`,
  ])
    expect(text).toContain(part);
  expect(linkIn(html, shown.order_id)).toBe(`orders/${shown.order_id}`);
});

test('a package without a carrier has no tracking page; a missing one is a 404', async () => {
  const { openPackage, ship, inProduction } = await page();
  const { body } = await ship(await inProduction(), { carrier: null });
  const { text, html } = await openPackage(body.id);
  for (const part of ['Carrier none assigned yet', 'Picked up not yet', 'Delivered not yet'])
    expect(text).toContain(part);
  expect(html).not.toContain('Tracking page');
  expect(html).toContain('aria-label="Shipping label: carrier not assigned;');
  const missing = await openPackage(unknownId);
  expect([missing.status, missing.text]).toEqual([404, expect.stringContaining(unknownId)]);
});

test('a package shows each step with its time', async () => {
  const { openPackage, packageIn, setTo, move } = await page();
  const id = await packageIn('label_created');
  for (const [at, action] of ['pick_up', 'depart', 'delay', 'deliver', 'return'].entries()) {
    await setTo((at + 1) * hour);
    await move(id, action);
  }
  const names = ['Label Created', 'Picked Up', 'In Transit', 'Delayed', 'Delivered', 'Returned'];
  const history = names.map((name, at) => `Nov 20, 2026, ${12 + at}:00:00 UTC ${name}`);
  expect((await openPackage(id)).text).toContain(`History ${history.join(' ')} Label`);
});

test.each([undefined, 'https://demo.example/partners/sachet'])(
  'label and tracking page have the URLs that a client gets, also with the public URL %s',
  async (publicUrl) => {
    const { openPackage, client, sachet } = await page(publicUrl === undefined ? {} : { publicUrl });
    const { html } = await openPackage(shown.id);
    const { fulfillment } = (await client.get(`/v2/fulfillments/${shown.id}`)).body;
    const tracking = urlIn(html, 'Tracking page');
    expect(fulfillment.label_url.startsWith(publicUrl ?? 'http://localhost:4010/')).toBe(true);
    expect(urlIn(html, 'Label URL for clients')).toBe(fulfillment.label_url);
    expect(tracking).toBe(fulfillment.tracking_info.tracking_url);
    expect(html).toContain('target="_blank" rel="noopener noreferrer"');
    if (publicUrl === undefined) expect((await sachet.call('GET', tracking)).status).toBe(200);
  },
);

test('the label URL is valid until the time that the page shows', async () => {
  const { openPackage, stage, setTo, sachet } = await page();
  await setTo(1);
  const { html } = await openPackage(shown.id);
  const url = urlIn(html, 'Label URL for clients');
  const [until = ''] = allOf(html, /valid until\s*<time datetime="([^"]*)"/g);
  expect(Date.parse(until) - Date.parse((await stage.clock.get()).now)).toBe(899_999);
  await stage.clock.set({ now: new Date(Date.parse(until) - 1).toISOString() });
  expect((await sachet.call('GET', url)).status).toBe(200);
  await stage.clock.set({ now: until });
  expect((await sachet.call('GET', url)).status).toBe(403);
});

test.each(packageStatuses)(
  'a package that is %s has a button for each action, some skip the checks',
  async (status) => {
    const { seen, openPackage, stage, packageIn } = await page();
    const others = packageActions.filter((action) => !allowedActions[status].includes(action));
    const id = await packageIn(status);
    const { html, text } = await openPackage(id);
    expect(buttonsIn(html, 'the package').sort()).toEqual(allowedActions[status].map(labelOf).sort());
    expect(buttonsIn(html, 'the package, skipping the checks').sort()).toEqual(others.map(labelOf).sort());
    expect(text.includes('no action is left')).toBe(allowedActions[status].length === 0);
    const [before = '', forced = ''] = html.split('<details id="forced">');
    expect(before).not.toContain('name="force:json"');
    expect(forced.match(/name="force:json"/g)).toHaveLength(others.length);
    for (const action of packageActions) {
      expect((await seen.press(html, labelOf(action))).status, action).toBe(200);
      expect((await stage.records.fulfillments.get(id)).status_id).toBe(statusOf[action]);
      await stage.records.fulfillments.update(id, { status_id: status });
    }
  },
);
