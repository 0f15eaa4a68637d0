// The same seed, frozen clock and calls give the same bytes, and a reset restores the initial state; without a seed all ids, tokens and signatures differ.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { unseeded } from '../support/control.ts';
import { orderId, someOrder } from '../support/order-requests.ts';
import { type BareSachet, bareSachet, type TestSachet, testSachet } from '../support/sachet.ts';
import { baseOf, journalOf, scribeOf, stateOf } from './transcript.ts';

/** Sends calls of every kind to a sandbox with random faults; returns the responses. */
async function play(sachet: BareSachet, name = 'stage'): Promise<readonly string[]> {
  const control = sachet.control.sandbox(name);
  const scribe = scribeOf(sachet, name);
  await control.switches.set({ server_error: { probability: 0.3, match: { operation: 'orders.create' } } });
  await control.faults.create({ status: 404, probability: 0.5, match: { operation: 'products.list' } });
  await control.switches.set({ connection: { drop: 'after_processing', probability: 0.2, match: { method: 'POST' } } });
  await control.assumptions.set({ fulfillment_timeline: 'automatic' });
  for (const by of ['PT1S', 'PT20M', 'P2D', 'PT1S']) {
    await scribe.logIn();
    await scribe.refresh();
    await scribe.order(someOrder({ consumer: { first_name: 'Ada', last_name: by } }));
    await scribe.order(someOrder({ shipping_address: { address1: 'x'.repeat(100) } }));
    await scribe.get('/v2/products');
    await scribe.page();
    await scribe.label();
    await scribe.ofOrder('GET');
    await scribe.ofOrder('POST', '/cancel');
    await scribe.get('/v2/orders?limit=100');
    await scribe.get('/v2/nothing');
    await control.clock.advance({ by });
  }
  return scribe.lines;
}

describe('the same seed, frozen clock and calls give the same bytes', () => {
  test('in two servers, with the store of the run and in memory; the journals and states are equal, too', async () => {
    const [here, inMemory] = [bareSachet(), bareSachet({ store: undefined })];
    const lines = await play(here);
    const kinds = ['[200,', '[201,', '[404,', '[422,', '[403,', '[500,', 'fetch failed', 'label_url', 'next_cursor'];
    expect(kinds.filter((kind) => !lines.some((line) => line.includes(kind)))).toEqual([]);
    expect(await play(inMemory)).toEqual(lines);
    expect(await journalOf(inMemory, 'stage')).toEqual(await journalOf(here, 'stage'));
    const state = await stateOf(here, 'stage');
    expect(await stateOf(inMemory, 'stage')).toEqual(state);

    const control = here.control.sandbox('stage');
    await control.records.orders.create({ ...(await control.records.orders.list()).orders[0], id: undefined });
    await control.scenarios.apply('lost-answer');
    await control.assumptions.set({ profile: 'strict' });
    await control.reset();
    expect(await play(here), 'after a reset').toEqual(lines);
    expect(await stateOf(here, 'stage'), 'after a reset').toEqual(state);
  });

  test('in the sandbox that the state is imported to as in the exported one, also for tokens', async () => {
    const [exported, imported] = [bareSachet(), bareSachet()];
    const [from, to] = [exported.control.sandbox('stage'), imported.control.sandbox('stage')];
    await play(exported);
    await from.switches.set({
      token_expiry: { expire_issued: true, lifetime_seconds: 90_000 },
      label_expiry: { expire_issued: true },
      rate_limit: { limit: 40, window_seconds: 86_400 },
      server_error: null,
      connection: null,
    });
    await from.scenarios.apply('lost-answer');
    const scribe = scribeOf(exported, 'stage');
    await scribe.logIn();
    await from.switches.set({ token_expiry: { expire_issued: true, lifetime_seconds: 90_000 } });
    await to.state.put(await from.state.get());
    expect(await stateOf(imported, 'stage')).toEqual(await stateOf(exported, 'stage'));
    const goOn = async (sachet: BareSachet) => {
      const same = scribe.movedTo(sachet);
      await same.get('/v2/consumers/42');
      await same.refresh();
      await same.get('/v2/consumers/42');
      const statuses = same.lines.map((line) => /\[(\d+),/.exec(line)?.[1]);
      return { statuses, lines: [...same.lines, ...(await play(sachet))] };
    };
    const there = await goOn(imported);
    expect(there).toEqual(await goOn(exported));
    expect(there.statuses).toEqual(['401', '200', '400']);
    expect(await stateOf(imported, 'stage')).toEqual(await stateOf(exported, 'stage'));
  });

  test('but not with another seed, nor in another sandbox', async () => {
    const login = async (sachet: BareSachet, name: string) => {
      const scribe = scribeOf(sachet, name);
      await scribe.logIn();
      return scribe.lines.join();
    };
    const one = await login(bareSachet(), 'stage');
    expect(one).toContain('access_token');
    const others = [await login(bareSachet({ randomSeed: 'other' }), 'stage'), await login(bareSachet(), 'production')];
    expect(new Set([one, ...others]).size).toBe(3);
    expect(await login(bareSachet(), 'stage')).toBe(one);
  });
});

/** Everything random that a client sees: an order's ids, the tokens' ids and signatures, a label's signature. */
async function randomIn(sachet: TestSachet, name: string): Promise<string[]> {
  const { token, refreshToken, ...client } = await sachet.login('demo', { base: baseOf(name) });
  const consumer = { first_name: 'Ada', last_name: 'Lovelace' };
  const { order } = (await client.post('/v2/orders', someOrder({ consumer }))).body;
  const [{ label_url }] = (await client.get('/v2/fulfillments')).body.fulfillments;
  expect((await sachet.call('GET', label_url)).status).toBe(200);
  const ofTokens = [token, refreshToken].flatMap((jwt) => [jwt.split('.')[2], decodeJwt(jwt).jti]);
  const label = new URL(label_url).searchParams.get('X-Amz-Signature');
  return [order.id, order.consumer.id, ...ofTokens, label].map(String);
}

test('without a seed, servers, sandboxes and recreated sandboxes differ; a reset changes nothing', async () => {
  const [one, other] = [testSachet(unseeded), testSachet(unseeded)];
  await one.control.create({ name: 'w1' });
  const first = await randomIn(one, 'w1');
  await one.control.sandbox('w1').reset();
  expect(await randomIn(one, 'w1')).toEqual(first);
  await one.control.sandbox('w1').delete();
  await one.control.create({ name: 'w1' });
  const all = [first, await randomIn(one, 'w1'), await randomIn(one, 'stage'), await randomIn(other, 'stage')].flat();
  expect(new Set(all).size).toBe(all.length);
});

test('after a reset every collection and value is that of a fresh sandbox; snapshots stay, the journal is empty', async () => {
  const sachet = testSachet();
  const stage = sachet.control.sandbox('stage');
  const client = await sachet.login();
  await client.post('/v2/orders', someOrder());
  await client.post(`/v2/orders/${orderId(18)}/cancel`);
  await stage.switches.set({
    token_expiry: { expire_issued: true },
    rate_limit: { burst: 1, match: { operation: 'products.list' } },
  });
  await sachet.call('GET', '/v2/products');
  await stage.faults.create({ status: 500, probability: 0.5, match: { method: 'PATCH' } });
  await stage.assumptions.set({ next_cursor: 'meta', fulfillment_timeline: 'automatic' });
  await client.post('/v2/orders', someOrder());
  await stage.scenarios.apply('discontinued-product');
  await stage.singles.operator.update({ name: 'Another' });
  await stage.clock.set({ now: '2030-01-01T00:00:00Z', frozen: false, rate: 60 });
  await stage.snapshots.create({ name: 'base' });
  const fresh = await testSachet().control.sandbox('stage').state.get();
  expect(await stage.state.get()).not.toEqual(fresh);
  expect((await stage.requests.list()).requests).toHaveLength(5);
  await stage.reset();
  expect(await stage.state.get()).toEqual(fresh);
  expect((await stage.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['base']);
  expect(await stage.requests.list()).toEqual({ requests: [], dropped: 0, oldest: null });
});
