// What all pages of the console share: a public frame without data of the sandbox, who may see and change a sandbox, the head with its state, and
// hostile texts in records, requests, scenarios and faults, which every page shows as text.
import { expect, test } from 'vitest';
import { pageIds, pages } from '../../src/console/page-addresses.ts';
import type { Answered } from '../../src/http/dependencies.ts';
import { labelled } from '../support/labels.ts';
import { orderIn } from '../support/operator.ts';
import { pagId, productId, products, someOrder } from '../support/order-requests.ts';
import { fixtures, testSachet } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';
import { allOf, consoleOf, partOf } from './console.ts';

const reader = consoleOf(testSachet(), 'stage', '');

test.each(pageIds)('the page %s is the same for everybody, and loads nothing from elsewhere', async (id) => {
  const { status, headers, html } = await reader.get(`stage/${id}`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(html).toContain(`<title>${pages[id].title} – stage – Sachet</title>`);
  expect(html).toContain(`href="stage/${id}" aria-current="page"`);
  expect(html).not.toMatch(/demo|2026/);
  const missing = await reader.get(`nowhere/${id}`);
  expect([missing.status, missing.html.replaceAll('nowhere', 'stage')]).toEqual([200, html]);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  );
  expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
  expect(html).not.toMatch(/<script(?![^>]* src="_assets\/)|<style|style="|https?:|\son[a-z]+=/);
});

test('the URLs in a page are relative to the console; its content is requested with its query', async () => {
  const parts = {
    'stage/orders': '<base href="../"/>',
    'stage/orders/1b2c': '<base href="../../"/>',
    'stage/requests?q="><b>&method=GET': 'hx-get="_content/stage/requests?q=%22%3E%3Cb%3E&amp;method=GET"',
    // Encoded, a record's id cannot lead out of the console.
    'stage/orders/x%5C..%5C..%5C_admin%5Csandboxes%3Fa=1':
      'hx-get="_content/stage/orders/x%5C..%5C..%5C_admin%5Csandboxes%3Fa%3D1"',
  };
  for (const [path, part] of Object.entries(parts)) expect((await reader.get(path)).html).toContain(part);
});

test('the links and buttons of a page are of its own sandbox', async () => {
  const sachet = testSachet();
  await sachet.login('demo', { base: '/sandboxes/production' });
  for (const page of pageIds.filter((id) => id !== 'sandboxes')) {
    const { html } = await consoleOf(sachet, 'production').see(page);
    const addresses = allOf(html, / (?:href|hx-get|hx-post)="((?!https?:|[/#])[^"]*)"/g);
    expect(addresses, page).not.toEqual([]);
    expect(
      addresses.filter((address) => !/^(?:_[a-z-]+\/|\.\.\/sandboxes\/)?production(?:\/|$)/.test(address)),
      page,
    ).toEqual([]);
  }
});

test('an address without a page redirects to the start page, never to another origin', async () => {
  const redirects = {
    '': [302, '_console/stage/start'],
    '/': [302, 'stage/start'],
    '/w7': [302, 'w7/start'],
    '/w7/': [302, 'start'],
    '/https:elsewhere.example': [404, null],
    '/%2F%2Felsewhere.example': [404, null],
    '/%5Celsewhere.example': [404, null],
  };
  for (const [path, expected] of Object.entries(redirects)) {
    const { status, headers } = await testSachet().call('GET', `/_console${path}`);
    expect([status, headers.get('location')], path).toEqual(expected);
  }
});

test('unknown pages and invalid names of sandboxes get 404, with the name as text', async () => {
  for (const page of ['nothing', 'orders/1/2', 'clock/1', 'orders/', 'constructor']) {
    const { status, text } = await reader.get(`stage/${page}`);
    expect([status, text]).toEqual([404, expect.stringContaining(`“${page}”`)]);
  }
  const { status, text, html } = await reader.get('%3Cscript%3E/orders');
  expect([status, text]).toEqual([404, expect.stringContaining('“<script>” is not a valid sandbox name')]);
  expect(html).not.toContain('<script>');
});

test('scripts and styles load nothing else, and are cached', async () => {
  for (const name of ['htmx.js', 'key.js', 'live.js', 'page.js', 'console.css']) {
    const { status, headers, html } = await reader.get(`_assets/${name}`);
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/css';
    expect([status, headers.get('content-type')], name).toEqual([200, `${type}; charset=utf-8`]);
    expect(html.length).toBeGreaterThan(500);
    expect(html).not.toMatch(/sourceMappingURL|url\(["']?https?:|@import/);
    const again = await reader.get(`_assets/${name}`, { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status, name).toBe(304);
  }
  for (const name of ['nothing.js', '..%2fkey.js', 'toString'])
    expect((await reader.get(`_assets/${name}`)).status, name).toBe(404);
});

test('the head shows the time, names one override, and counts several', async () => {
  const { sachet, stage, client } = await testStage();
  const head = async () => (await consoleOf(sachet).get('_top/stage')).text;
  expect(await head()).toMatch(/Nov 20, 2026, 12:00:00 UTC frozen No overrides$/);
  await stage.switches.set({ rate_limit: { burst: 1 } });
  expect(await head()).toMatch(/ rate_limit$/);
  await stage.assumptions.set({ next_cursor: 'meta' });
  expect(await head()).toMatch(/2 overrides active$/);
  // A switch that is used up is no override.
  expect((await client.get('/v2/products')).status).toBe(429);
  expect(await head()).toMatch(/: meta next_cursor$/);
  await stage.assumptions.set({ next_cursor: null });
  await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 } });
  expect(await head()).toMatch(/Fault slow$/);
  await stage.faults.delete('slow');
  await stage.scenarios.apply('rate-limit-burst');
  expect(await head()).toMatch(/Scenario: Rate limit burst rate-limit-burst$/);
  const missing = await consoleOf(sachet, 'nowhere').get('_top/nowhere');
  expect([missing.status, missing.html]).toEqual([204, '']);
});

const adminKey = 'key-of-this-test';

test.each<[string, number, Record<string, string>, query?: string]>([
  ['without a key', 401, {}],
  ['with a wrong key', 401, { authorization: 'Bearer wrong' }],
  ['with the key in the query', 401, {}, `?key=${adminKey}`],
  ['from a page of another site', 403, { authorization: `Bearer ${adminKey}`, origin: 'https://elsewhere.example' }],
])('%s, the console shows and does nothing: %d', async (_, expected, headers, query = '') => {
  const sachet = testSachet({ adminKey });
  const { version } = await sachet.sandbox();
  const reads = ['_top/stage', '_content/stage/requests', '_content/stage/start', '_live/stage'];
  const writes = ['_do/stage/switches.clear', '_do/stage/sandboxes.reset', '_new-order/stage'];
  for (const path of [...reads, ...writes]) {
    const method = writes.includes(path) ? 'POST' : 'GET';
    const response = await sachet.call(method, `/_console/${path}${query}`, { headers });
    expect(response.status, path).toBe(expected);
    expect(response.headers.get('www-authenticate'), path).toBe(expected === 401 ? 'Bearer' : null);
    expect(response.text, path).not.toContain('demo');
  }
  expect((await sachet.sandbox()).version).toBe(version);
});

test('the admin key lists 200 sandboxes, the own key of one opens and lists it alone; a missing one is reported', async () => {
  const sachet = testSachet();
  const { key } = await sachet.control.create({ name: 'acme', own_key: true });
  const own = await consoleOf(sachet, 'acme', key ?? '').get('_top/acme');
  expect([own.status, own.html.match(/<option/g)]).toEqual([200, ['<option']]);
  expect((await consoleOf(sachet, 'acme').get('_top/acme')).html.match(/<option/g)).toHaveLength(3);
  for (let n = 0; n < 205; n += 1) await sachet.control.create({ name: `w${n}` });
  // The 200 used last.
  expect((await consoleOf(sachet).get('_top/stage')).html.match(/<option/g)).toHaveLength(200);
  expect((await consoleOf(sachet, 'stage', key ?? '').see('requests')).status).toBe(401);
  const missing = await consoleOf(sachet, 'nowhere').see('requests');
  expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('"nowhere"')]);
});

test('the log has actions and rejections, not reads', async () => {
  const lines: Answered[] = [];
  const seen = consoleOf(testSachet({ log: (line) => lines.push(line) }));
  await seen.see('requests');
  await seen.get('_top/stage');
  await seen.act('switches.clear');
  await seen.see('nothing');
  expect(lines.map(({ method, path, status, sandbox }) => [method, path, status, sandbox])).toEqual([
    ['POST', '/_console/_do/stage/switches.clear', 200, 'stage'],
    ['GET', '/_console/_content/stage/nothing', 404, 'stage'],
  ]);
});

const hostile = (what: string): string => `${what} "'><script>`;

test('every page shows hostile texts as text', async () => {
  const texts = { intent: hostile('intent'), right_client: hostile('client') };
  const sachet = testSachet({ scenarios: [{ name: 'hostile', ...texts, switches: { server_error: {} } }] });
  const stage = sachet.control.sandbox('stage');
  const { records, singles } = stage;
  const { id: fulfillment, order_id: id, order_lines } = labelled;
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
  await records.pags.update(pagId(1), { name: hostile('pag') });
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

  const shown: Readonly<Record<string, readonly string[]>> = {
    start: ['username', 'password', 'brand'],
    requests: ['username'],
    [`requests/${request?.id}`]: ['header'],
    switches: [],
    scenarios: ['intent', 'client'],
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
  for (const [page, expected] of Object.entries(shown)) {
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
