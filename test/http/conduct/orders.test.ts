// The rules about orders: what makes an order doubtful, what looking is, and which order is the same again.
import { expect, test } from 'vitest';
import type { ConductRuleId } from '../../../src/contract/control/conduct.ts';
import { type Judged, judged } from '../../support/conduct/judged.ts';
import { lineOf, orderId, pouchOf, products, someOrder } from '../../support/order-requests.ts';
import { dayInMilliseconds } from '../../support/tokens.ts';

const outcome = async (world: Judged, id: ConductRuleId) => (await world.ruled(id)).outcome;
type Drop = 'before_processing' | 'after_processing' | 'mid_body';
const lose = ({ stage }: Judged, drop: Drop) => stage.switches.set({ connection: { drop, burst: 1 } });
const tried = (call: Promise<unknown>) => call.catch(() => undefined);

test('an order whose answer was lost may come again once the client has seen that it is not stored', async () => {
  for (const [drop, expected] of [
    ['before_processing', 'pass'],
    ['after_processing', 'fail'],
    ['mid_body', 'fail'],
  ] as const) {
    const world = await judged();
    await lose(world, drop);
    await tried(world.order());
    await world.client.get('/v2/orders');
    await world.order();
    expect(await outcome(world, 'no_double_submit'), drop).toBe(expected);
  }
});

test('an order that failed with 500 comes again once the client has looked', async () => {
  for (const [looks, expected] of [
    [true, 'pass'],
    [false, 'fail'],
  ] as const) {
    const world = await judged();
    await world.stage.switches.set({ server_error: { burst: 1 } });
    await world.order();
    if (looks) await world.client.get('/v2/orders');
    await world.order();
    expect(await outcome(world, 'no_double_submit')).toBe(expected);
  }
});

test('only a list with the page of the newest orders shows whether an order is stored', async () => {
  const looks: Record<string, (world: Judged & { readonly cursor: unknown }) => Promise<unknown>> = {
    'another order': ({ client }) => client.get(`/v2/orders/${orderId(18)}`),
    'a later page': ({ client, cursor }) => client.get(`/v2/orders?limit=1&cursor=${cursor}`),
    'a list of another user': async ({ sachet }) => (await sachet.login('other-brand')).get('/v2/orders'),
  };
  for (const [what, look] of Object.entries(looks)) {
    for (const sent of [
      { connection: { drop: 'after_processing', burst: 1 } },
      { server_error: { burst: 1 } },
    ] as const) {
      const world = await judged();
      const { next_cursor } = (await world.client.get('/v2/orders?limit=1')).body;
      await world.stage.switches.set(sent);
      await tried(world.order());
      await look({ ...world, cursor: next_cursor });
      await world.order();
      expect(await outcome(world, 'no_double_submit'), what).toBe('fail');
    }
  }
});

/** The same order: with spaces, its keys in another order, and `30.0` for `30`. */
const respelled = (): string => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, part]) => [key, reversed(part)]),
    );
  };
  const text = JSON.stringify(reversed(someOrder()), undefined, 2);
  expect(text).toMatch(/"duration": \d+/);
  return text.replace(/("duration": \d+)/, '$1.0');
};

test('an order is the same again with other spaces, another order of keys, and 30.0 for 30', async () => {
  const sendAgain = ({ client }: Judged) => client.post('/v2/orders', undefined, { raw: respelled() });
  const lost = await judged();
  await lose(lost, 'after_processing');
  await tried(lost.order());
  expect((await sendAgain(lost)).status).toBe(201);
  expect(await outcome(lost, 'no_double_submit')).toBe('fail');

  const refused = await judged();
  await refused.stage.scenarios.apply('no-pag');
  expect([(await refused.order()).status, (await sendAgain(refused)).status]).toEqual([422, 422]);
  expect(await outcome(refused, 'no_refused_repeat')).toBe('fail');

  const changed = await judged();
  await changed.stage.switches.set({ inactive_pags: { all: true } });
  await changed.order();
  expect((await sendAgain(changed)).status).toBe(201);
  expect(await outcome(changed, 'needs_changes')).toBe('fail');
});

test('another order than the doubtful one may come at once', async () => {
  const world = await judged();
  await lose(world, 'after_processing');
  await tried(world.order());
  await world.order({ order_lines: [lineOf(pouchOf(), pouchOf())] });
  expect(await outcome(world, 'no_double_submit')).toBe('pass');
});

test('who orders the same a week later wants it again', async () => {
  for (const [milliseconds, expected] of [
    [7 * dayInMilliseconds - 1, 'fail'],
    [7 * dayInMilliseconds, 'pass'],
  ] as const) {
    const world = await judged();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    await world.order();
    await world.elapse(milliseconds);
    await (await world.sachet.login()).post('/v2/orders', someOrder());
    expect(await outcome(world, 'needs_changes')).toBe(expected);
  }
});

test('orders that are placed together are not the same again', async () => {
  const world = await judged();
  await world.stage.switches.set({ inactive_pags: { all: true } });
  await Promise.all([world.order(), world.order()]);
  expect(await outcome(world, 'needs_changes')).toBe('pass');
});

test('a refused order that is accepted as it was has been mended elsewhere', async () => {
  const world = await judged();
  await world.stage.scenarios.apply('no-pag');
  expect((await world.order()).status).toBe(422);
  await world.stage.scenarios.take_back('no-pag');
  expect((await world.order()).status).toBe(201);
  expect(await outcome(world, 'no_refused_repeat')).toBe('pass');
});

test('a 403 and a modification that is refused count, a 401 and a 429 do not', async () => {
  const missing = await judged();
  await missing.stage.switches.set({ missing_permission: { permissions: ['orders:write'] } });
  for (let n = 0; n < 2; n += 1) await missing.order();
  expect(await outcome(missing, 'no_refused_repeat')).toBe('fail');

  const modifying = await judged();
  const modify = () => modifying.client.patch(`/v2/orders/${orderId(1)}`, { order_lines: [] });
  for (let n = 0; n < 2; n += 1) await modify();
  expect(await outcome(modifying, 'no_refused_repeat')).toBe('fail');

  const others = await judged();
  await others.stage.switches.set({ rate_limit: { burst: 1 } });
  await others.order();
  await others.expireTokens();
  for (let n = 0; n < 2; n += 1) await others.order();
  expect(await outcome(others, 'no_refused_repeat')).toBe('not_exercised');
});

test('unknown fields are seen by every reading of what becomes of them', async () => {
  for (const assumptions of [
    {},
    { unknown_fields: 'ignore' },
    { validation_report: 'first' },
    { validation_placement: 'message' },
  ] as const) {
    const world = await judged({ assumptions });
    const [consumer, line] = [{ first_name: '' }, { ...lineOf(pouchOf(products.good)), colour: 'red' }];
    await world.order({ consumer, order_lines: [line], gift: true });
    const { outcome: found, advice } = await world.ruled('documented_fields');
    expect([found, advice], JSON.stringify(assumptions)).toEqual([
      'fail',
      expect.stringMatching(
        /^The client called orders\.create with fields that are not in the contract: .*"gift".*\. Send only fields/,
      ),
    ]);
  }
});

test('unknown query parameters are fields, too', async () => {
  for (const [path, name] of [
    ['/v2/fulfillments?page=2', 'page'],
    ['/v2/products?active=true', 'active'],
  ]) {
    const world = await judged();
    await world.client.get(path ?? '');
    expect((await world.ruled('documented_fields')).advice).toContain(`not in the contract: "${name}"`);
  }
});

test('the fields of a cancel, which takes none, are unknown fields', async () => {
  const world = await judged();
  const { id } = (await world.order()).body.order;
  expect((await world.client.post(`/v2/orders/${id}/cancel`, { reason: 'none' })).status).toBe(200);
  expect((await world.ruled('documented_fields')).advice).toContain('not in the contract: "reason"');
});
