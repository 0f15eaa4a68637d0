// The button that sends a sample order: what it sends, and what it says of every way that may end.
import { expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { consoleOf } from '../support/console.ts';
import { fixtures, type TestSachet, testSachet } from '../support/sachet.ts';

/** Presses the button. */
const press = (sachet: TestSachet, sandbox?: string) => consoleOf(sachet, sandbox).order();

const callsIn = async (sachet: TestSachet, name = 'stage') =>
  Array.from((await sachet.sandbox(name)).journal.newestFirst(), ({ operation, answer }) => [
    operation,
    answer?.status,
  ]);

test.each(['stage', 'production'])(
  'it logs in and creates an order in %s, both as calls that the journal has',
  async (name) => {
    const sachet = testSachet();
    const { status, html, text } = await press(sachet, name);
    expect(status).toBe(200);
    expect(text).toContain('The order was accepted ✓ 201 It is Pending: order');
    expect(await callsIn(sachet, name)).toEqual([
      ['orders.create', 201],
      ['authentication.token', 200],
    ]);
    const { state, journal } = await sachet.sandbox(name);
    const id = html.match(new RegExp(`href="${name}/orders/([^"]+)"`))?.[1];
    expect(state.table('orders').get(String(id))?.status).toBe('Pending');
    const [newest] = journal.newestFirst();
    expect(html).toContain(`href="${name}/requests/${newest?.id}"`);
    expect(html).toContain(`href="${name}/requests"`);
  },
);

test('without the key it sends nothing', async () => {
  const sachet = testSachet();
  expect((await consoleOf(sachet, 'stage', '').order()).status).toBe(401);
  expect(await callsIn(sachet)).toEqual([]);
});

test('it goes to the server itself where a public URL stands before it', async () => {
  const sachet = testSachet({ publicUrl: 'https://sachet.example.com/below', allowedHosts: ['localhost'] });
  expect((await press(sachet)).text).toContain('The order was accepted ✓ 201');
});

test('without the headers that tell why, the reason is told all the same', async () => {
  const sachet = testSachet({ debugHeaders: false });
  await sachet.control
    .sandbox('stage')
    .switches.set({ rate_limit: { burst: 1, match: { operation: 'orders.create' } } });
  const { text } = await press(sachet);
  expect(text).toContain('The order was rejected ▲ 429 LIM-1');
  expect(text).toContain('Answered with 429 by the rate_limit switch.');
});

test('an order that needs changes is taken, and says so', async () => {
  const { sachet, stage } = await bent();
  await stage.switches.set({ inactive_pags: { all: true } });
  expect((await press(sachet)).text).toContain('The order was accepted ✓ 201 It is Needs Changes: order');
});

test('a login that is refused says by which rule, and no order is sent', async () => {
  const { sachet, stage } = await bent();
  await stage.requests.clear();
  await stage.switches.set({ rate_limit: { burst: 1 } });
  const { text, html } = await press(sachet);
  expect(text).toContain('The login was rejected ▲ 429 LIM-1');
  expect(html).not.toContain('stage/orders/');
  expect(await callsIn(sachet)).toEqual([['authentication.token', 429]]);
});

test('an order that the service fails on says so', async () => {
  const { sachet, stage } = await bent();
  await stage.switches.set({ server_error: { burst: 1, match: { operation: 'orders.create' } } });
  expect((await press(sachet)).text).toContain('The order failed ✕ 500 HTTP-3');
});

test.each(['before_processing', 'after_processing', 'mid_body'] as const)(
  'a connection that breaks %s is told',
  async (drop) => {
    const { sachet, stage, stored } = await bent();
    const before = await stored();
    await stage.switches.set({ connection: { drop, burst: 1, match: { operation: 'orders.create' } } });
    const { status, text } = await press(sachet);
    expect(status).toBe(200);
    expect(text).toContain('The order got no response ⌁ cut');
    expect(text).toContain('connection');
    expect((await stored()) - before).toBe(drop === 'before_processing' ? 0 : 1);
  },
);

test('a user who may not order is told the permission that is missing', async () => {
  const { sachet, stage } = await bent();
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'] } });
  expect((await press(sachet)).text).toContain('The order was rejected ▲ 403');
});

test('it goes by the records as they are now: the next product where the first is inactive', async () => {
  const { sachet, stage } = await bent();
  const { brand_id } = fixtures.users[0] ?? {};
  const own = fixtures.products.filter((product) => product.brand_id === brand_id && product.active);
  const [first, second] = own.map(({ id }) => id);
  await stage.records.products.update(String(first), { active: false });
  expect((await press(sachet)).text).toContain('The order was accepted ✓ 201');
  const [newest] = (await sachet.sandbox()).journal.newestFirst();
  expect(newest?.body).toContain(String(second));
});

test('where nobody may log in, or nothing can be ordered, that is said, and nothing is sent', async () => {
  const users = fixtures.users.map((user) => ({ ...user, active: false }));
  const closed = testSachet({ fixtures: { ...fixtures, users } });
  expect((await press(closed)).text).toContain('No user of this sandbox can log in');
  expect(await callsIn(closed)).toEqual([]);
  const operator_products = fixtures.operator_products.map((product) => ({ ...product, discontinued: true }));
  const bare = testSachet({ fixtures: { ...fixtures, operator_products } });
  expect((await press(bare)).text).toContain('The brand of demo has no product to order');
  expect(await callsIn(bare)).toEqual([]);
});

test('it is no client: however often it is sent, no rule of conduct judges it, and no assumption counts as touched', async () => {
  const { sachet, stage } = await bent();
  const told = async () => [await stage.report.get(), (await consoleOf(sachet).see('assumptions')).text];
  const before = await told();
  for (let at = 0; at < 3; at += 1) expect((await press(sachet)).status).toBe(200);
  expect(await told()).toEqual(before);
});
