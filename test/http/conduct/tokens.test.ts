// The rules about tokens: what one refresh is, which calls were under way beside a refusal, and what is owed after it.
import { expect, test } from 'vitest';
import type { ConductRuleId } from '../../../src/contract/control/conduct.ts';
import { idOf, type Judged, judged } from '../../support/conduct/judged.ts';
import type { Client } from '../../support/sachet.ts';
import { isReplicated } from '../../support/test-engine.ts';
import { dayInMilliseconds, logIn } from '../../support/tokens.ts';

const products = '/v2/products';
const tenTimes = <Result>(call: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: 10 }, call));
const outcomes = ({ ruled }: Judged, ...ids: readonly ConductRuleId[]) =>
  Promise.all(ids.map(async (id) => (await ruled(id)).outcome));
const get = (client: Client) => client.get(products);

test('ten calls that are refused together and share one refresh are right', async () => {
  const world = await judged();
  await world.expireTokens();
  await tenTimes(() => get(world.client));
  const renewed = await world.renewed();
  await tenTimes(() => get(renewed));
  expect(await outcomes(world, 'refresh_on_401', 'no_dead_token')).toEqual(['pass', 'pass']);
});

test('ten refreshes for ten calls are a stampede, together or one after the other', async () => {
  for (const together of [true, false]) {
    const world = await judged();
    await world.expireTokens();
    await tenTimes(() => get(world.client));
    if (together) await tenTimes(world.refresh);
    else for (let n = 0; n < 2; n += 1) await world.refresh();
    await get(await world.renewed());
    const { outcome, advice } = await world.ruled('refresh_on_401');
    expect([outcome, advice]).toEqual([
      'fail',
      expect.stringMatching(/^The client refreshed one rejected token twice\. /),
    ]);
  }
});

test('a call that is refused and not made again is told by its id', async () => {
  const world = await judged();
  await world.expireTokens();
  const [one, other] = [await get(world.client), await world.client.get('/v2/fulfillments')];
  await get(await world.renewed());
  const { outcome, evidence, advice } = await world.ruled('refresh_on_401');
  expect([outcome, evidence]).toEqual(['fail', [idOf(other)]]);
  expect(advice).toMatch(/^The client did not repeat a call after its 401\. /);
  expect(one.status).toBe(401);
});

test('a login in place of a refresh is a breach, after a refused refresh it is right', async () => {
  const hasty = await judged();
  await hasty.expireTokens();
  await get(hasty.client);
  await get(await hasty.sachet.login());
  expect(await outcomes(hasty, 'refresh_on_401', 'token_reuse')).toEqual(['fail', 'not_exercised']);

  const world = await judged();
  await world.elapse(31 * dayInMilliseconds);
  await get(world.client);
  expect((await world.refresh()).status).toBe(401);
  await get(await world.sachet.login());
  expect(await outcomes(world, 'refresh_on_401', 'token_reuse', 'no_dead_token')).toEqual([
    'pass',
    'not_exercised',
    'pass',
  ]);
});

test('a day later a second refresh is right', async () => {
  const world = await judged();
  let { client } = world as { client: Client };
  for (let day = 0; day < 2; day += 1) {
    await world.elapse(dayInMilliseconds);
    expect((await get(client)).status).toBe(401);
    client = await world.renewed();
    await get(client);
  }
  expect(await outcomes(world, 'refresh_on_401', 'no_dead_token')).toEqual(['pass', 'pass']);
});

test('a 401 that stays after the refresh leads to no further one', async () => {
  for (const [refreshes, outcome] of [
    [1, 'pass'],
    [2, 'fail'],
  ] as const) {
    const world = await judged();
    await world.stage.faults.create({ status: 401, match: { operation: 'products.list' } });
    await get(world.client);
    for (let n = 0; n < refreshes; n += 1) await get(await world.renewed());
    expect(await outcomes(world, 'refresh_on_401')).toEqual([outcome]);
  }
});

test('a refresh that fails may come again', async () => {
  const world = await judged();
  await world.expireTokens();
  await get(world.client);
  await world.stage.switches.set({ server_error: { burst: 1, match: { operation: 'authentication.refresh' } } });
  expect((await world.refresh()).status).toBe(500);
  await get(await world.renewed());
  expect(await outcomes(world, 'refresh_on_401')).toEqual(['pass']);
});

// Other servers see when a call in this process had its answer only as they see it of one over a port: within a second it may not have had it.
test.skipIf(isReplicated)(
  'a client that was logged in before the journal was cleared is judged as it goes on',
  async () => {
    const world = await judged();
    await world.stage.requests.clear();
    await world.expireTokens();
    await get(world.client);
    await get(await world.renewed());
    await get(world.client);
    expect(await outcomes(world, 'refresh_on_401', 'no_dead_token')).toEqual(['fail', 'fail']);
  },
);

test('a client that was logged in before the journal was cleared is known by its calls', async () => {
  const world = await judged();
  await world.stage.requests.clear();
  await get(world.client);
  await world.sachet.login();
  expect(await outcomes(world, 'token_reuse')).toEqual(['fail']);

  const hasty = await judged();
  await hasty.stage.requests.clear();
  await get(hasty.client);
  await hasty.expireTokens();
  await get(hasty.client);
  await get(await hasty.sachet.login());
  expect(await outcomes(hasty, 'token_reuse', 'refresh_on_401')).toEqual(['pass', 'fail']);
});

// Other servers see when a call in this process had its answer only as they see it of one over a port: within a second it may not have had it.
test.skipIf(isReplicated)('a dead token that is used although there is another is told', async () => {
  const world = await judged();
  await world.expireTokens();
  await get(world.client);
  const renewed = await world.renewed();
  await get(renewed);
  await get(world.client);
  expect(await outcomes(world, 'no_dead_token')).toEqual(['fail']);
});

test('a refresh token that was refused does not come again', async () => {
  const world = await judged();
  await world.elapse(31 * dayInMilliseconds);
  const refused = [await world.refresh(), await world.refresh()];
  expect((await world.ruled('no_dead_token')).evidence).toEqual(refused.map(idOf));
});

test('a login is right once the last access token has expired, or its answer was lost', async () => {
  const world = await judged();
  await world.elapse(dayInMilliseconds);
  await get(await world.sachet.login());
  const drop = { drop: 'after_processing', burst: 1, match: { operation: 'authentication.token' } } as const;
  await world.elapse(dayInMilliseconds);
  await world.stage.switches.set({ connection: drop });
  await world.sachet.login().catch(() => undefined);
  const client = await world.sachet.login();
  for (let n = 0; n < 2; n += 1) await get(client);
  expect(await outcomes(world, 'token_reuse')).toEqual(['pass']);
});

test('a login is right as soon as a token that was issued late in its second expires', async () => {
  const world = await judged();
  await world.elapse(999);
  const client = await world.sachet.login('read-only');
  for (let n = 0; n < 2; n += 1) await get(client);
  await world.elapse(dayInMilliseconds - 999);
  await get(await world.sachet.login('read-only'));
  expect(await outcomes(world, 'token_reuse')).toEqual(['pass']);
});

test('two users have a login each', async () => {
  const world = await judged();
  const other = await world.sachet.login('other-brand');
  for (const client of [world.client, other]) for (let n = 0; n < 2; n += 1) await get(client);
  expect(await outcomes(world, 'token_reuse')).toEqual(['pass']);
});

test('a wrong password is no login', async () => {
  const world = await judged();
  for (let n = 0; n < 2; n += 1) await logIn(world.sachet, 'demo', 'wrong');
  expect(await outcomes(world, 'token_reuse')).toEqual(['not_exercised']);
});
