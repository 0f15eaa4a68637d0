// The start page: addresses, logins, the reset, and the button that sends a sample order.
import { expect, test } from 'vitest';
import { fixtures, type TestSachet, testSachet } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';
import { allOf, consoleOf } from './console.ts';

const startOf = (options: Parameters<typeof testSachet>[0] = {}, sandbox?: string) =>
  consoleOf(testSachet(options), sandbox).see('start');
const inactiveUsers = fixtures.users.map((user) => ({ ...user, active: false }));

test('shows both base URLs of stage, and the one of another sandbox', async () => {
  const { text, html } = await startOf();
  expect(text).toContain('Base URL http://localhost:4010/sandboxes/stage Copy');
  expect(text).toContain('Short URL http://localhost:4010 Copy');
  expect(text).toContain('Environment stage');
  expect(html).toContain('href="../sandboxes/stage/_docs"');
  const other = await startOf({}, 'production');
  expect(other.text).toContain('Base URL http://localhost:4010/sandboxes/production Copy');
  expect(other.text).toContain('Environment production');
  expect(other.text).not.toContain('Short URL');
});

test('shows the public URL, and how a login creates a sandbox if it can', async () => {
  expect((await startOf()).text).toContain('creates the sandbox');
  const { text } = await startOf({ publicUrl: 'https://sachet.example.com', loginSandboxes: false });
  expect(text).toContain('Base URL https://sachet.example.com/sandboxes/stage');
  expect(text).not.toContain('creates the sandbox');
});

test('lists the logins with brand and permissions, those that cannot log in last', async () => {
  const { text } = await startOf();
  expect(text).toContain('demo sachet-demo Copy Daily Grove All');
  expect(text).toContain('no-permissions sachet-no-permissions Copy Daily Grove None: every call gets 403');
  expect(text).toContain('All but consumers:write , orders:write');
  expect(text).toContain('inactive-user sachet-inactive-user Copy Daily Grove ▲ Cannot log in: the user is not active');
  expect(text).toContain('▲ Cannot log in: the account is not active');
  expect(text.indexOf('sachet-inactive-user')).toBeGreaterThan(text.indexOf('sachet-inactive-pag'));
  const all = await startOf({ assumptions: { permissions: 'all' } });
  expect(all.text).toContain('no-permissions sachet-no-permissions Copy Daily Grove All');
});

test('the reset asks first, and restores the initial state', async () => {
  const { sachet, stage } = await testStage();
  const seen = consoleOf(sachet);
  const { html } = await seen.see('start');
  expect(html).toMatch(/hx-post="_do\/stage\/sandboxes.reset"[^>]*hx-confirm="Reset stage\?/);
  await stage.assumptions.set({ list_order: 'oldest_first' });
  expect((await seen.act('sandboxes.reset')).status).toBe(200);
  expect((await stage.assumptions.get()).list_order).toBe('newest_first');
});

const callsIn = async (sachet: TestSachet, name = 'stage') =>
  Array.from((await sachet.sandbox(name)).journal.newestFirst(), ({ operation, answer }) => [
    operation,
    answer?.status,
  ]);

test.each(['stage', 'production'])('the sample order logs in to %s and creates an order', async (name) => {
  const sachet = testSachet();
  const { status, html, text } = await consoleOf(sachet, name).order();
  expect(status).toBe(200);
  expect(text).toContain('The order was accepted ✓ 201 It is Pending: order');
  expect(await callsIn(sachet, name)).toEqual([
    ['orders.create', 201],
    ['authentication.token', 200],
  ]);
  const { state, journal } = await sachet.sandbox(name);
  const [id = ''] = allOf(html, new RegExp(`href="${name}/orders/([^"]+)"`, 'g'));
  expect(state.table('orders').get(id)?.status).toBe('Pending');
  const [newest] = journal.newestFirst();
  expect(html).toContain(`href="${name}/requests/${newest?.id}"`);
  expect(html).toContain(`href="${name}/requests"`);
});

test('the sample order reaches the server behind a public URL', async () => {
  const sachet = testSachet({ publicUrl: 'https://sachet.example.com/below', allowedHosts: ['localhost'] });
  expect((await consoleOf(sachet).order()).text).toContain('The order was accepted ✓ 201');
});

const onOrders = { match: { operation: 'orders.create' } } as const;

test.each([
  ['rejected', { rate_limit: { burst: 1, ...onOrders } }, 'The order was rejected ▲ 429 LIM-1', 0],
  ['failed', { server_error: { burst: 1, ...onOrders } }, 'The order failed ✕ 500 HTTP-3', 0],
  ['that needs changes', { inactive_pags: { all: true } }, 'was accepted ✓ 201 It is Needs Changes: order', 1],
  ['cut before', { connection: { drop: 'before_processing', burst: 1, ...onOrders } }, 'got no response ⌁ cut', 0],
  ['cut after', { connection: { drop: 'after_processing', burst: 1, ...onOrders } }, 'got no response ⌁ cut', 1],
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
  expect(text).toContain('The login was rejected ▲ 429 LIM-1');
  expect(html).not.toContain('stage/orders/');
  expect(await callsIn(sachet)).toEqual([['authentication.token', 429]]);
});

test('without a login or a product the page says so, and sends no order', async () => {
  const closed = testSachet({ fixtures: { ...fixtures, users: inactiveUsers } });
  const { text, html } = await consoleOf(closed).see('start');
  expect(text).toContain('No user of this sandbox can log in: each user or its account is inactive.');
  expect(html).not.toContain('_order/stage');
  expect((await consoleOf(closed).order()).text).toContain('No user of this sandbox can log in');
  expect(await callsIn(closed)).toEqual([]);
  const operator_products = fixtures.operator_products.map((product) => ({ ...product, discontinued: true }));
  const bare = testSachet({ fixtures: { ...fixtures, operator_products } });
  expect((await consoleOf(bare).see('start')).text).toContain('The brand of demo has no product to order');
  expect((await consoleOf(bare).order()).text).toContain('The brand of demo has no product to order');
  expect(await callsIn(bare)).toEqual([]);
});

test('sample orders count neither in the conduct report nor as touched assumptions', async () => {
  const { sachet, stage } = await testStage();
  const reports = async () => [await stage.report.get(), (await consoleOf(sachet).see('assumptions')).text];
  const before = await reports();
  for (let at = 0; at < 3; at += 1) expect((await consoleOf(sachet).order()).status).toBe(200);
  expect(await reports()).toEqual(before);
});
