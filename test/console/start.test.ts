// The start page: addresses, logins, the reset, and the button that sends a sample order.
import { expect, test } from 'vitest';
import { fixtures, type TestSachet, testSachet } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';
import { allOf, consoleOf } from './console.ts';

const startOf = (options: Parameters<typeof testSachet>[0] = {}, sandbox?: string) =>
  consoleOf(testSachet(options), sandbox).see('start');

test('shows the base URLs of the sandbox, also behind a public URL, and whether a login creates one', async () => {
  const { text, html } = await startOf();
  const shown = 'Base URL http://localhost:4010/sandboxes';
  for (const part of [`${shown}/stage Copy`, 'Short URL http://localhost:4010 Copy', 'Environment stage'])
    expect(text).toContain(part);
  expect(text).toContain('creates the sandbox');
  expect(html).toContain('href="../sandboxes/stage/_docs"');
  const other = await startOf({}, 'production');
  for (const part of [`${shown}/production Copy`, 'Environment production']) expect(other.text).toContain(part);
  expect(other.text).not.toContain('Short URL');
  const published = await startOf({ publicUrl: 'https://sachet.example.com', loginSandboxes: false });
  expect(published.text).toContain('Base URL https://sachet.example.com/sandboxes/stage');
  expect(published.text).not.toContain('creates the sandbox');
});

test('lists 20 logins with brand and permissions, those that cannot log in last', async () => {
  const { text } = await startOf();
  for (const login of [
    'demo sachet-demo Copy Daily Grove All',
    'no-permissions sachet-no-permissions Copy Daily Grove None',
    'Daily Grove All but consumers:write , orders:write',
    'inactive-user sachet-inactive-user Copy Daily Grove ▲ Cannot log in: the user',
    '▲ Cannot log in: the account',
  ])
    expect(text).toContain(login);
  expect(text.indexOf('sachet-inactive-user')).toBeGreaterThan(text.indexOf('sachet-inactive-pag'));
  const all = await startOf({ assumptions: { permissions: 'all' } });
  expect(all.text).toContain('no-permissions sachet-no-permissions Copy Daily Grove All');
  const users = Array.from({ length: 23 }, (_, n) => ({
    ...fixtures.users[0],
    id: `12000000-0000-4000-8000-0000000001${10 + n}`,
    username: `user-${n}`,
  })) as typeof fixtures.users;
  const many = await startOf({ fixtures: { ...fixtures, users } });
  expect([19, 20].map((n) => many.text.includes(`user-${n}`))).toEqual([true, false]);
  expect(many.text).toContain('3 more');
});

test('the reset asks first, and restores the initial state', async () => {
  const { sachet, stage } = await testStage();
  const seen = consoleOf(sachet);
  expect((await seen.see('start')).html).toMatch(/hx-post="_do\/stage\/sandboxes.reset"[^>]*hx-confirm="/);
  await stage.assumptions.set({ list_order: 'oldest_first' });
  expect((await seen.act('sandboxes.reset')).status).toBe(200);
  expect((await stage.assumptions.get()).list_order).toBe('newest_first');
});

test('an empty sandbox waits for its first request; empty pages show a call to paste, with URL and login', async () => {
  const sachet = testSachet({ fixtures: { ...fixtures, orders: [], fulfillments: [] } });
  const seen = consoleOf(sachet);
  expect((await seen.see('start')).text).toContain('Waiting for the first request');
  for (const [page, path] of Object.entries({
    requests: '',
    conduct: '',
    orders: '/v2/orders',
    fulfillments: '/v2/orders',
  })) {
    const { text } = await seen.see(page);
    const login = `curl -s 'http://localhost:4010/sandboxes/stage/v2/authentication/token'`;
    for (const part of [login, `-d '{"username":"demo","password":"sachet-demo"}'`, path])
      expect(text, page).toContain(part);
  }
  await sachet.login();
  expect((await seen.see('start')).text).toContain('POST /v2/authentication/token ✓ 200');
});

test('a button adds a demo brand, also on the page of a sandbox without orders', async () => {
  const { sachet, stage } = await testStage({ fixtures: { ...fixtures, orders: [], fulfillments: [] } });
  const seen = consoleOf(sachet);
  for (const [page, persona] of [
    ['orders', 'sports'],
    ['start', 'vitamins'],
  ] as const) {
    const { html } = await seen.see(page);
    const pressed = await seen.press(html, 'Add demo data', { persona });
    expect([pressed.status, pressed.text]).toEqual([200, expect.stringContaining('Added 200 orders')]);
  }
  expect((await stage.records.orders.list()).orders).toHaveLength(400);
  const { html, text } = await seen.see('start');
  expect(text).toContain('morning-co sachet-morning-co Copy Morning & Co All');
  const again = await seen.press(html, 'Add demo data', { persona: 'sports' });
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('reset the sandbox first')]);
});

/** The operations and statuses of a sandbox's calls, the newest first. */
const callsIn = async (sachet: TestSachet, name = 'stage') =>
  Array.from((await sachet.sandbox(name)).journal.newestFirst(), (call) => `${call.operation} ${call.answer?.status}`);

test.each(['stage', 'production'])('the sample order logs in to %s and creates an order', async (name) => {
  const sachet = testSachet();
  const { status, html, text } = await consoleOf(sachet, name).order();
  expect([status, text]).toEqual([200, expect.stringContaining('accepted ✓ 201 It is Pending')]);
  expect(await callsIn(sachet, name)).toEqual(['orders.create 201', 'authentication.token 200']);
  const { state, journal } = await sachet.sandbox(name);
  const [id = ''] = allOf(html, new RegExp(`href="${name}/orders/([^"]+)"`, 'g'));
  expect(state.table('orders').get(id)?.status).toBe('Pending');
  const [newest] = journal.newestFirst();
  for (const link of [`${name}/requests/${newest?.id}`, `${name}/requests`]) expect(html).toContain(`href="${link}"`);
});

test('the sample order reaches the server behind a public URL', async () => {
  const sachet = testSachet({ publicUrl: 'https://sachet.example.com/below', allowedHosts: ['localhost'] });
  expect((await consoleOf(sachet).order()).text).toContain('accepted ✓ 201');
});

const onOrders = { match: { operation: 'orders.create' } } as const;

test.each([
  ['rejected', { rate_limit: { burst: 1, ...onOrders } }, 'rejected ▲ 429 LIM-1', 0],
  ['failed', { server_error: { burst: 1, ...onOrders } }, 'failed ✕ 500 HTTP-3', 0],
  ['that needs changes', { inactive_pags: { all: true } }, 'accepted ✓ 201 It is Needs Changes', 1],
  ['cut before', { connection: { drop: 'before_processing', burst: 1, ...onOrders } }, 'no response ⌁ cut', 0],
  ['cut after', { connection: { drop: 'after_processing', burst: 1, ...onOrders } }, 'no response ⌁ cut', 1],
] as const)('reports a sample order %s', async (_, switches, expected, created) => {
  const { sachet, stage, stored } = await testStage({ debugHeaders: false });
  const before = await stored();
  await stage.switches.set(switches);
  const { status, text } = await consoleOf(sachet).order();
  expect([status, text]).toEqual([200, expect.stringContaining(expected)]);
  if (!('inactive_pags' in switches)) expect(text).toContain(Object.keys(switches)[0]);
  expect((await stored()) - before).toBe(created);
});

test('a rejected login is reported, and no order is sent', async () => {
  const { sachet, stage } = await testStage();
  await stage.requests.clear();
  await stage.switches.set({ rate_limit: { burst: 1 } });
  const { text, html } = await consoleOf(sachet).order();
  expect(text).toContain('login was rejected ▲ 429 LIM-1');
  expect(html).not.toContain('stage/orders/');
  expect(await callsIn(sachet)).toEqual(['authentication.token 429']);
});

test.each([
  [
    'login',
    { users: fixtures.users.map((user) => ({ ...user, active: false })) },
    'This sandbox has no active user who can log in',
  ],
  [
    'product',
    { operator_products: fixtures.operator_products.map((one) => ({ ...one, discontinued: true })) },
    'no product',
  ],
])('without a %s the page says so, and sends no order', async (_, changes, expected) => {
  const sachet = testSachet({ fixtures: { ...fixtures, ...changes } });
  const { text, html } = await consoleOf(sachet).see('start');
  expect(text).toContain(expected);
  expect(html).not.toContain('_new-order/stage');
});

test('sample orders count neither in the conduct report nor as touched assumptions', async () => {
  const { sachet, stage } = await testStage();
  const reports = async () => [await stage.report.get(), (await consoleOf(sachet).see('assumptions')).text];
  const before = await reports();
  for (let at = 0; at < 3; at += 1) expect((await consoleOf(sachet).order()).status).toBe(200);
  expect(await reports()).toEqual(before);
});
