// connection: breaks the connection before the call, after it, or in the middle of the response. In process fetch rejects.
import { describe, expect, test } from 'vitest';
import { someOrder, unknownId } from '../../support/order-requests.ts';
import { bareSachet, passwordOf, send } from '../../support/sachet.ts';
import { broken, outcomeOf, testStage } from '../../support/stage.ts';
import { refresh } from '../../support/tokens.ts';

type Drop = 'before_processing' | 'after_processing' | 'mid_body';
const outcomeWith = (drop: Drop) => (drop === 'mid_body' ? broken.body : broken.whole);

describe.each<Drop>(['before_processing', 'after_processing', 'mid_body'])('%s', (drop) => {
  test('breaks one call of a burst; an order is stored unless the call was not processed', async () => {
    const { stage, sachet, client, order, stored, status } = await testStage();
    const plain = await testStage();
    await stage.switches.set({ connection: { drop, burst: 2, match: { operation: 'orders.create' } } });
    const before = await stored();
    const other = await sachet.login('demo+w7');
    expect([await status(), (await other.post('/v2/orders', someOrder())).status]).toEqual([200, 201]);
    expect(await outcomeOf(client.post('/v2/orders', {}))).toBe(outcomeWith(drop));
    expect(await stored()).toBe(before);
    expect(await outcomeOf(order())).toBe(outcomeWith(drop));
    const isStored = drop !== 'before_processing';
    expect(await stored()).toBe(before + (isStored ? 1 : 0));
    expect((await stage.switches.get()).connection).toMatchObject({ hits: 2, remaining: 0 });
    // Ids are used up by stored orders only.
    const expected = (await plain.order()).body.order;
    const { id } = isStored ? (await client.get(`/v2/orders/${expected.id}`)).body.order : (await order()).body.order;
    expect(id).toBe(expected.id);
    expect((await order()).status).toBe(201);
  });
});

test('a refresh whose response is lost still uses up a single-use refresh token', async () => {
  const { sachet, stage, client } = await testStage({ assumptions: { refresh_token_lifetime: 'single_use' } });
  await stage.switches.set({ connection: { drop: 'after_processing', burst: 1 } });
  const refreshed = () => outcomeOf(refresh(sachet, client.refreshToken));
  expect([await refreshed(), await refreshed()]).toEqual([broken.whole, 401]);
});

test('fetch in process gives the head and half of the body, then rejects: mid_body', async () => {
  const sachet = bareSachet();
  const body = { username: 'demo', password: passwordOf('demo') };
  const { access_token: token } = await (await send(sachet, 'POST', '/v2/authentication/token', { body })).json();
  await sachet.control.sandbox('stage').switches.set({ connection: { drop: 'mid_body' } });
  const response = await send(sachet, 'POST', '/v2/orders', { token, body: someOrder() });
  expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8']);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(first?.value?.byteLength).toBe(Math.ceil(Number(response.headers.get('content-length')) / 2));
  expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"order":\{"id":"/);
  await expect(reader?.read()).rejects.toMatchObject({ message: 'terminated', cause: { code: 'ECONNRESET' } });
});

describe('after "success"', () => {
  test.each(['after_processing', 'mid_body'] as const)('%s waits for an order that is stored', async (drop) => {
    const { sachet, stage, client, order, stored } = await testStage();
    const before = await stored();
    const match = { operation: 'orders.create' } as const;
    await stage.switches.set({ connection: { drop, after: 'success', burst: 1, match } });
    const withoutToken = await sachet.call('POST', '/v2/orders', { body: someOrder() });
    const rejected = [withoutToken, await client.post('/v2/orders', {}), await order({ consumer: { id: unknownId } })];
    expect(rejected.map(({ status }) => status)).toEqual([401, 422, 422]);
    expect((await stage.switches.get()).connection).toMatchObject({ hits: 0, remaining: 1 });
    expect(await outcomeOf(order())).toBe(outcomeWith(drop));
    expect(await stored()).toBe(before + 1);
    expect((await stage.switches.get()).connection).toMatchObject({ hits: 1, remaining: 0 });
    expect((await order()).status).toBe(201);
  });

  test('works for faults, too, which the journal names', async () => {
    const { stage, order } = await testStage();
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 } });
    await stage.faults.create({ id: 'lost', drop: 'after_processing', after: 'success', times: 1 });
    expect((await order({ consumer: {} })).headers.get('sandbox-fault')).toBe('slow');
    expect(await outcomeOf(order())).toBe(broken.whole);
    const { requests } = await stage.requests.list();
    expect(requests.at(-1)).toMatchObject({ status: 201, decision: { faults: ['slow', 'lost'] } });
    expect((await stage.faults.get('lost')).remaining).toBe(0);
  });
});
