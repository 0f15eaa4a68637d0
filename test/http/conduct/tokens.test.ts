// The rules about tokens: what counts as one refresh, which calls were in flight beside a rejection, and what must follow it.
import { expect, test } from 'vitest';
import type { ConductRuleId } from '../../../src/contract/control/conduct.ts';
import { fulfillmentId, someOrder } from '../../support/order-requests.ts';
import type { Client } from '../../support/sachet.ts';
import { isReplicated } from '../../support/sachet.ts';
import { dayInMilliseconds, refresh } from '../../support/tokens.ts';
import { virtualWorld } from './correct-client.ts';
import { idOf, type Judged, judged } from './judged.ts';

const products = '/v2/products';
const outcomes = ({ outcome }: Judged, ...ids: readonly ConductRuleId[]) => Promise.all(ids.map(outcome));
const get = (client: Client) => client.get(products);
const month = 31 * dayInMilliseconds;

test('a correct client with many calls in flight keeps all rules after its token expires', async () => {
  const { stage, time, client } = virtualWorld();
  const one = client('demo');
  await time.until([one.call('GET', products), one.label(fulfillmentId(1))]);
  await stage.switches.set({ token_expiry: { expire_issued: true }, label_expiry: { expire_issued: true } });
  const calls = [
    one.call('GET', products),
    one.read({ path: '/v2/fulfillments?limit=5' }),
    one.label(fulfillmentId(1)),
  ];
  await time.until([...calls, one.order({ name: 'Ann', body: someOrder() })]);
  const { rules } = await stage.report.get();
  expect(rules.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  for (const id of ['refresh_on_401', 'no_dead_token', 'cursor_to_the_end'])
    expect(rules.find((rule) => rule.id === id)?.outcome, id).toBe('pass');
});

test('more than one refresh for one rejected token is wrong, together or one after the other', async () => {
  for (const together of [true, false]) {
    const world = await judged();
    await world.expireTokens();
    await get(world.client);
    if (together) await Promise.all([world.refresh(), world.refresh()]);
    else for (let n = 0; n < 2; n += 1) await world.refresh();
    const { outcome, advice } = await world.ruled('refresh_on_401');
    const expected = expect.stringMatching(/^The client refreshed one rejected token twice\. /);
    expect([outcome, advice]).toEqual(['fail', expected]);
  }
});

test('a rejected call must be repeated; it counts as repeated if that response was lost', async () => {
  const world = await judged();
  await world.expireTokens();
  await get(world.client);
  const other = await world.client.get('/v2/fulfillments');
  await get(await world.renewed());
  const { outcome, evidence, advice } = await world.ruled('refresh_on_401');
  expect([outcome, evidence]).toEqual(['fail', [idOf(other)]]);
  expect(advice).toMatch(/^The client did not repeat a call after its 401\. /);

  const lost = await judged();
  await lost.expireTokens();
  await lost.order();
  const renewed = await lost.renewed();
  await lost.cut();
  await renewed.post('/v2/orders', someOrder()).catch(() => undefined);
  await renewed.get('/v2/orders');
  expect(await lost.outcome('refresh_on_401')).toBe('pass');
});

test('a login in place of a refresh is wrong, after a rejected refresh it is correct', async () => {
  const hasty = await judged();
  await hasty.expireTokens();
  await get(hasty.client);
  await get(await hasty.sachet.login());
  expect(await outcomes(hasty, 'refresh_on_401', 'token_reuse')).toEqual(['fail', 'not_exercised']);

  const world = await judged();
  await world.elapse(month);
  await get(world.client);
  expect((await world.refresh()).status).toBe(401);
  const anew = await world.sachet.login();
  await get(anew);
  const rules = ['refresh_on_401', 'token_reuse', 'no_dead_token'] as const;
  expect(await outcomes(world, ...rules)).toEqual(['pass', 'not_exercised', 'pass']);
  // A late call with the old token.
  await world.client.get('/v2/fulfillments');
  await anew.get('/v2/fulfillments');
  expect(await world.outcome('refresh_on_401')).toBe('pass');
});

test('each expired token may be refreshed, a day later or when it lives shortly', async () => {
  const daily = await judged();
  let { client } = daily as { client: Client };
  for (let day = 0; day < 2; day += 1) {
    await daily.elapse(dayInMilliseconds);
    expect((await get(client)).status).toBe(401);
    client = await daily.renewed();
    await get(client);
  }
  expect(await outcomes(daily, 'refresh_on_401', 'no_dead_token')).toEqual(['pass', 'pass']);

  const short = await judged();
  await short.stage.switches.set({ token_expiry: { lifetime_seconds: 20 } });
  for (let n = 0; n < 3; n += 1) {
    await get(await short.renewed());
    await short.elapse(15_000);
  }
  expect(await short.outcome('refresh_on_401')).not.toBe('fail');
});

test('a 401 that stays after the refresh is not refreshed again, a new one is', async () => {
  for (const [refreshes, expected] of [
    [1, 'pass'],
    [2, 'fail'],
  ] as const) {
    const world = await judged();
    await world.stage.faults.create({ status: 401, match: { operation: 'products.list' } });
    await get(world.client);
    for (let n = 0; n < refreshes; n += 1) await get(await world.renewed());
    expect(await world.outcome('refresh_on_401')).toBe(expected);
  }
  const world = await judged();
  await world.expireTokens();
  await get(world.client);
  const renewed = await world.renewed();
  await get(renewed);
  await world.stage.faults.create({ status: 401, times: 1 });
  await get(renewed);
  await get(await world.renewed());
  expect(await world.outcome('refresh_on_401')).toBe('pass');
});

test('a failed refresh may be repeated, a rejected refresh token may not', async () => {
  const failed = await judged();
  await failed.expireTokens();
  await get(failed.client);
  await failed.stage.switches.set({ server_error: { burst: 1, match: { operation: 'authentication.refresh' } } });
  expect((await failed.refresh()).status).toBe(500);
  await get(await failed.renewed());
  expect(await failed.outcome('refresh_on_401')).toBe('pass');

  const world = await judged();
  await world.elapse(month);
  const rejected = [await world.refresh(), await world.refresh()];
  expect((await world.ruled('no_dead_token')).evidence).toEqual(rejected.map(idOf));
});

test('a client that logged in before the journal was cleared is known by its calls', async () => {
  const world = await judged();
  await world.stage.requests.clear();
  await get(world.client);
  await world.sachet.login();
  expect(await world.outcome('token_reuse')).toBe('fail');

  const two = await judged();
  const users = [two.client, await two.sachet.login('read-only')];
  await two.stage.requests.clear();
  await two.expireTokens();
  for (const user of users) await get(user);
  for (const { refreshToken } of users)
    await get(two.sachet.client((await refresh(two.sachet, refreshToken)).body.access_token));
  expect(await two.outcome('refresh_on_401')).toBe('pass');
});

// Several servers do not know exactly when a call in process had its response: within a second the client may not have had it.
test.skipIf(isReplicated)('a dead token must not be used when there is another, also after a clear', async () => {
  for (const clears of [true, false]) {
    const world = await judged();
    if (clears) await world.stage.requests.clear();
    await world.expireTokens();
    await get(world.client);
    await get(await world.renewed());
    await get(world.client);
    expect(await outcomes(world, 'refresh_on_401', 'no_dead_token')).toEqual(['fail', 'fail']);
  }
});

test('a new token may be used although a fault rejects it at once, or a restore makes it the same as a rejected one', async () => {
  const world = await judged();
  await world.stage.faults.create({ status: 401, match: { operation: 'products.list' } });
  await get(world.client);
  const renewed = await world.renewed();
  for (const path of [products, '/v2/fulfillments']) await renewed.get(path);
  expect(await world.outcome('no_dead_token')).toBe('pass');

  const restored = await judged();
  await restored.stage.snapshots.create({ name: 'base' });
  const first = await restored.sachet.login();
  await restored.stage.faults.create({ status: 401, times: 1 });
  await get(first);
  await restored.stage.snapshots.restore('base');
  const again = await restored.sachet.login();
  expect(again.token).toBe(first.token);
  await get(again);
  expect(await restored.outcome('no_dead_token')).toBe('pass');
});

test('a login is correct once the last access token has expired, or its response was lost', async () => {
  const world = await judged();
  await world.elapse(dayInMilliseconds);
  await get(await world.sachet.login());
  await world.elapse(dayInMilliseconds);
  const match = { operation: 'authentication.token' } as const;
  await world.stage.switches.set({ connection: { drop: 'after_processing', burst: 1, match } });
  await world.sachet.login().catch(() => undefined);
  const client = await world.sachet.login();
  for (let n = 0; n < 2; n += 1) await get(client);
  expect(await world.outcome('token_reuse')).toBe('pass');

  // Tokens expire by the second in which they were issued.
  const late = await judged();
  await late.elapse(999);
  const user = await late.sachet.login('read-only');
  for (let n = 0; n < 2; n += 1) await get(user);
  await late.elapse(dayInMilliseconds - 999);
  await get(await late.sachet.login('read-only'));
  expect(await late.outcome('token_reuse')).toBe('pass');
});
