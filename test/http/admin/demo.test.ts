// Demo data: a brand with orders in every status over the last days of the clock, the same for the same seed.
import { beforeAll, describe, expect, test } from 'vitest';
import { type PersonaName, personaNames } from '../../../src/contract/control/demo.ts';
import { fulfillmentStatuses, orderStatuses, type RecordOf } from '../../../src/contract/records.ts';
import { controlled, everything, failureOf } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { afterNoon, day, fixtures, noon, type TestSachet } from '../../support/sachet.ts';
import { testStage } from '../../support/stage.ts';

type Seeded = Parameters<Awaited<ReturnType<typeof testStage>>['stage']['seed']>[0];

async function demo(sent?: Seeded, options?: Parameters<typeof testStage>[0]) {
  const world = await testStage(options);
  const added = await world.stage.seed(sent);
  return { ...world, added, records: await recordsOf(world.sachet, added.brand.id) };
}

/** The orders and packages of a brand, in the order in which they were added. */
async function recordsOf({ control }: TestSachet, brand: string) {
  const { orders, fulfillments } = control.sandbox('stage').records;
  const isOwn = ({ brand_id }: { readonly brand_id: string }) => brand_id === brand;
  return {
    orders: (await orders.list()).orders.filter(isOwn),
    fulfillments: (await fulfillments.list()).fulfillments.filter(isOwn),
  };
}

const isSorted = (times: readonly string[]): boolean => times.every((time, n) => time >= (times[n - 1] ?? ''));
function countedBy(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
const datesOf = ({ created_at, pickup_date, delivery_date, updated_at }: RecordOf<'fulfillments'>) =>
  [created_at, pickup_date, delivery_date, updated_at].filter((date) => date !== null);

describe.each(personaNames)('the persona %s', (persona) => {
  let seeded: Awaited<ReturnType<typeof demo>>;
  beforeAll(async () => {
    seeded = await demo({ persona });
  });

  test('has 200 orders and their packages in every status, over the last 90 days', async () => {
    const { added, records, stage } = seeded;
    const { orders, fulfillments } = records;
    expect(orders).toHaveLength(200);
    expect(countedBy(orders.map(({ status }) => status))).toEqual(added.orders);
    expect(countedBy(fulfillments.map(({ status_id }) => status_id))).toEqual(added.fulfillments);
    expect(Object.keys(added.orders).sort()).toEqual([...orderStatuses].sort());
    expect(Object.keys(added.fulfillments).sort()).toEqual([...fulfillmentStatuses].sort());
    expect([...Object.values(added.orders), ...Object.values(added.fulfillments)]).not.toContain(0);
    const created = orders.map(({ created_at }) => created_at);
    expect(isSorted([afterNoon(-90 * day), ...created, noon])).toBe(true);
    expect(isSorted([created[0] ?? '', afterNoon(-75 * day)])).toBe(true);
    expect(orders.filter(({ created_at, updated_at }) => !isSorted([created_at, updated_at, noon]))).toEqual([]);
    expect(isSorted(fulfillments.map(({ created_at }) => created_at))).toBe(true);
    expect(fulfillments.filter((one) => !isSorted([...datesOf(one), noon]))).toEqual([]);
    expect((await stage.clock.get()).now).toBe(noon);
  });

  test('has split orders, packages that were late, and several consumers from abroad', async () => {
    const { records, stage } = seeded;
    const perOrder = Object.values(countedBy(records.fulfillments.map(({ order_id }) => order_id)));
    expect(perOrder.filter((packages) => packages === 2).length).toBeGreaterThan(5);
    const { tracking = [] } = await stage.state.get();
    const histories = tracking.map(({ events }) => events.map(({ status_id }) => status_id).join(' '));
    for (const history of [/delayed .*delivered$/, /delivered returned$/, /delayed returned$/, /lost$/])
      expect(histories.filter((one) => history.test(one)).length, String(history)).toBeGreaterThan(1);
    const countries = new Set(records.orders.map(({ shipping_address }) => shipping_address.country_name));
    expect(countries.size).toBeGreaterThan(8);
    expect(new Set(records.orders.map(({ consumer_id }) => consumer_id)).size).toBeGreaterThan(40);
  });

  test('has a login that reads all of it', async () => {
    const { added, records, sachet } = seeded;
    const { username, password } = added.login;
    const client = await sachet.login(username, { password });
    for (const list of ['orders', 'fulfillments'] as const) {
      const ids: string[] = [];
      for (let cursor = ''; ids.length < 400; ) {
        const { body } = await client.get(`/v2/${list}?limit=100${cursor}`);
        ids.push(...body[list].map(({ id }: { readonly id: string }) => id));
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      expect(ids, list).toEqual(records[list].map(({ id }) => id).toReversed());
    }
    const { products } = await sachet.control.sandbox('stage').records.products.list();
    const client_product_id = products.find(({ brand_id, active }) => active && brand_id === added.brand.id)?.id;
    const consumer = { email: 'new@example.com' };
    const order_lines = [{ pouches: [{ contents: [{ client_product_id }] }] }];
    expect((await client.post('/v2/orders', someOrder({ consumer, order_lines }))).body.order.status).toBe('Pending');
  });
});

test('the same seed gives the same records in any sandbox, and other ids stay the same', async () => {
  const one = await demo({ seed: 7, orders: 60 });
  const { sachet, stage, client, order } = await testStage({ randomSeed: 'another' });
  await order();
  const added = await stage.seed({ seed: '7', orders: 60 });
  expect(added).toEqual(one.added);
  expect(await recordsOf(sachet, added.brand.id)).toEqual(one.records);
  const again = await demo({ seed: 7, orders: 60 });
  expect(JSON.stringify(await again.stage.state.get())).toBe(JSON.stringify(await one.stage.state.get()));
  const other = await demo({ seed: 8, orders: 60 });
  expect(other.records.orders.map(({ id }) => id)).not.toContain(one.records.orders[0]?.id);
  expect((await one.order()).body.order.id).toBe((await (await testStage()).order()).body.order.id);
  expect((await client.get('/v2/orders?limit=1')).status).toBe(200);
});

test('no step is overdue, and the timeline moves the orders on', async () => {
  const { stage, added } = await demo({ orders: 60 }, { assumptions: { fulfillment_timeline: 'automatic' } });
  const { due_steps = [] } = await stage.state.get();
  expect(due_steps.length).toBeGreaterThan(10);
  expect(due_steps.filter(({ due_at }) => due_at <= noon)).toEqual([]);
  await stage.clock.advance({ by: 'P30D' });
  const { orders } = await stage.records.orders.list();
  const own = countedBy(orders.filter(({ brand_id }) => brand_id === added.brand.id).map(({ status }) => status));
  expect(own).toMatchObject({ 'On Hold': added.orders['On Hold'], Canceled: added.orders.Canceled });
  expect([own.Pending, own.Accepted]).toEqual([undefined, undefined]);
});

test('its state can be exported and imported', async () => {
  const { stage } = await demo({ orders: 40, days: 20 });
  const exported = await stage.state.get();
  const other = (await testStage()).stage;
  await other.state.put(exported);
  expect((await other.state.get()).data).toEqual(exported.data);
});

describe('is refused', () => {
  test('if the sandbox has the brand already; a reset or another persona helps', async () => {
    const server = controlled();
    const seed = (body: object) => server.admin('POST', '/sandboxes/stage/seed', body);
    expect((await seed({})).status).toBe(201);
    const { versions } = await everything(server);
    const message = expect.stringMatching(
      /already has the brand Morning & Co, .* vitamins; choose another persona, or reset/,
    );
    expect(failureOf(await seed({ seed: 2 }))).toEqual([409, message]);
    expect((await everything(server)).versions).toEqual(versions);
    const { users } = (await server.admin('GET', '/sandboxes/stage/users')).body;
    const { id } = users.find(({ username }: RecordOf<'users'>) => username === 'morning-co');
    await server.admin('DELETE', `/sandboxes/stage/users/${id}`);
    expect(failureOf(await seed({}))).toEqual([409, expect.stringContaining('already has the brand Morning & Co')]);
    expect((await seed({ persona: 'clinic' })).status).toBe(201);
    await server.admin('POST', '/sandboxes/stage/reset');
    await server.admin('PATCH', `/sandboxes/stage/users/${fixtures.users[0]?.id}`, { username: 'summit-lane' });
    const taken = 'already has the user summit-lane, the login of the persona sports';
    expect(failureOf(await seed({ persona: 'sports' }))).toEqual([409, expect.stringContaining(taken)]);
    expect((await seed({ seed: 2 })).status).toBe(201);
  });

  test.each([
    [{ persona: 'pets' as PersonaName }, 'persona', /vitamins.*sports.*clinic/],
    [{ orders: 2001 }, 'orders', /2000/],
    [{ orders: 0 }, 'orders', /1/],
    [{ days: 366 }, 'days', /365/],
    [{ seed: '' }, 'seed', /at least 1 character/],
    [{ brand: 'x' }, '', /one of persona, seed, orders, days/],
  ])('with %j', async (body, field, allowed) => {
    const { status, body: rejected } = await controlled().admin('POST', '/sandboxes/stage/seed', body);
    expect([status, rejected.details]).toEqual([422, [{ field, message: expect.stringMatching(allowed) }]]);
  });

  test('if it exceeds --max-records, and then adds nothing', async () => {
    const server = controlled({ maxRecords: fixtures.orders.length + 199 });
    const before = await everything(server);
    const refused = await server.admin('POST', '/sandboxes/stage/seed', {});
    expect(failureOf(refused)).toEqual([422, expect.stringContaining('room for another record')]);
    expect((await everything(server)).versions).toEqual(before.versions);
  });
});

test('the password is one of its own if logins create no sandboxes', async () => {
  const { added, sachet } = await demo({ orders: 1, days: 1 }, { loginSandboxes: false });
  const { username, password } = added.login;
  expect(password).toMatch(/^[0-9a-f]{32}$/);
  const answers = ['sachet-morning-co', password].map((one) =>
    sachet.call('POST', '/v2/authentication/token', { body: { username, password: one } }),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 200]);
});
