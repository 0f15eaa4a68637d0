// The rules about orders: when an order may be stored, what counts as looking for it, and which order is the same again.
import { expect, test } from 'vitest';
import { orderId, orderLine, pouchOf, products, someOrder } from '../../support/order-requests.ts';
import { dayInMilliseconds } from '../../support/tokens.ts';
import { type Judged, judged } from './judged.ts';

const lostOrder = (world: Judged) => world.order().catch(() => undefined);
const deactivatePags = ({ stage }: Judged) => stage.switches.set({ inactive_pags: { all: true } });

test('a lost order may be sent again once the client has seen that it is not stored', async () => {
  for (const [disturb, looks, expected] of [
    [({ cut }: Judged) => cut('before_processing'), true, 'pass'],
    [({ cut }: Judged) => cut('after_processing'), true, 'fail'],
    [({ cut }: Judged) => cut('mid_body'), true, 'fail'],
    [({ stage }: Judged) => stage.switches.set({ server_error: { burst: 1 } }), true, 'pass'],
    [({ stage }: Judged) => stage.switches.set({ server_error: { burst: 1 } }), false, 'fail'],
  ] as const) {
    const world = await judged();
    await disturb(world);
    await lostOrder(world);
    if (looks) await world.client.get('/v2/orders');
    await world.order();
    expect(await world.outcome('no_double_submit'), `${disturb} ${looks}`).toBe(expected);
  }
});

test('only a list with the newest orders, by the same user, shows whether an order is stored', async () => {
  const looks: Record<string, (world: Judged, cursor: string) => Promise<unknown>> = {
    'another order': ({ client }) => client.get(`/v2/orders/${orderId(18)}`),
    'a later page': ({ client }, cursor) => client.get(`/v2/orders?limit=1&cursor=${cursor}`),
    'a list of another user': async ({ sachet }) => (await sachet.login('other-brand')).get('/v2/orders'),
  };
  for (const [what, look] of Object.entries(looks)) {
    const world = await judged();
    const { next_cursor } = (await world.client.get('/v2/orders?limit=1')).body;
    await world.cut();
    await lostOrder(world);
    await look(world, next_cursor);
    await world.order();
    expect(await world.outcome('no_double_submit'), what).toBe('fail');
  }
});

/** The same order with its keys in another order, spaces, and 30.0 for 30. */
function respelled(): string {
  const order = Object.fromEntries(Object.entries(someOrder()).reverse());
  return JSON.stringify(order, undefined, 2).replace('"duration": 30', '"duration": 30.0');
}

test('an order is the same with other spaces, another order of keys, and 30.0 for 30', async () => {
  const sendAgain = async ({ client }: Judged) =>
    (await client.post('/v2/orders', undefined, { raw: respelled() })).status;
  const lost = await judged();
  await lost.cut();
  await lostOrder(lost);
  expect([await sendAgain(lost), await lost.outcome('no_double_submit')]).toEqual([201, 'fail']);

  const rejected = await judged();
  await rejected.stage.scenarios.apply('no-pag');
  await rejected.order();
  expect([await sendAgain(rejected), await rejected.outcome('no_refused_repeat')]).toEqual([422, 'fail']);

  const changed = await judged();
  await deactivatePags(changed);
  await changed.order();
  expect([await sendAgain(changed), await changed.outcome('needs_changes')]).toEqual([201, 'fail']);
});

test('a lost order is not doubled by another order, nor if it is gone again', async () => {
  const other = await judged();
  await other.cut();
  await lostOrder(other);
  await other.order({ order_lines: [orderLine(pouchOf(), pouchOf())] });
  expect(await other.outcome('no_double_submit')).toBe('pass');

  const gone = await judged();
  await gone.stage.snapshots.create({ name: 'base' });
  await gone.cut();
  await lostOrder(gone);
  await gone.stage.snapshots.restore('base');
  await gone.client.get('/v2/orders');
  await gone.order();
  expect(await gone.outcome('no_double_submit')).toBe('pass');
});

test('an order that needs changes may be placed again a week later, or together with the first', async () => {
  for (const [milliseconds, expected] of [
    [7 * dayInMilliseconds - 1, 'fail'],
    [7 * dayInMilliseconds, 'pass'],
  ] as const) {
    const world = await judged();
    await deactivatePags(world);
    await world.order();
    await world.elapse(milliseconds);
    await (await world.sachet.login()).post('/v2/orders', someOrder());
    expect(await world.outcome('needs_changes'), String(milliseconds)).toBe(expected);
  }
  const together = await judged();
  await deactivatePags(together);
  await Promise.all([together.order(), together.order()]);
  expect(await together.outcome('needs_changes')).toBe('pass');
});

test('a 403 and a rejected modification must not be repeated, a 401 and a 429 may', async () => {
  const missing = await judged();
  await missing.stage.switches.set({ missing_permission: { permissions: ['orders:write'] } });
  for (let n = 0; n < 2; n += 1) await missing.order();
  expect(await missing.outcome('no_refused_repeat')).toBe('fail');

  const modifying = await judged();
  for (let n = 0; n < 2; n += 1) await modifying.client.patch(`/v2/orders/${orderId(1)}`, { order_lines: [] });
  expect(await modifying.outcome('no_refused_repeat')).toBe('fail');

  const others = await judged();
  await others.stage.switches.set({ rate_limit: { burst: 1 } });
  await others.order();
  await others.expireTokens();
  for (let n = 0; n < 2; n += 1) await others.order();
  expect(await others.outcome('no_refused_repeat')).toBe('not_exercised');
});

test('unknown fields of a body, a query and a cancel are reported, whatever the assumptions about them', async () => {
  for (const assumptions of [
    {},
    { unknown_fields: 'ignore' },
    { validation_report: 'first' },
    { validation_placement: 'message' },
  ] as const) {
    const world = await judged({ assumptions });
    const line = { ...orderLine(pouchOf(products.good)), colour: 'red' };
    await world.order({ consumer: { first_name: '' }, order_lines: [line], gift: true });
    const { outcome, advice } = await world.ruled('documented_fields');
    const expected =
      /^The client called orders\.create with fields that are not in the contract: .*"gift".*\. Send only/;
    expect([outcome, advice], JSON.stringify(assumptions)).toEqual(['fail', expect.stringMatching(expected)]);
  }
  const calls: Record<string, (world: Judged) => Promise<{ readonly status: number }>> = {
    page: ({ client }) => client.get('/v2/fulfillments?page=2'),
    active: ({ client }) => client.get('/v2/products?active=true'),
    reason: async ({ client, order }) =>
      client.post(`/v2/orders/${(await order()).body.order.id}/cancel`, { reason: 'none' }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const world = await judged();
    await call(world);
    expect((await world.ruled('documented_fields')).advice).toContain(`not in the contract: "${name}"`);
  }
});
