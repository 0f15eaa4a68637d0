// The rules about lists and labels, by every reading of where a cursor stands.
import { expect, test } from 'vitest';
import { assumptionRegister } from '../../../src/contract/assumptions.ts';
import { judged } from '../../support/conduct/judged.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { fulfillmentId } from '../../support/order-requests.ts';
import { type CursorPlace, cursorIn, readAll } from '../../support/pages.ts';

const places = assumptionRegister.next_cursor.choices.map(([place]) => place as CursorPlace);

test.each(places)('a list is read to its end where the cursor stands in %s', async (place) => {
  const world = await judged({ assumptions: { next_cursor: place } });
  const first = await world.client.get('/v2/fulfillments?limit=10');
  expect((await world.ruled('cursor_to_the_end')).outcome).toBe('fail');
  const cursor = encodeURIComponent(cursorIn[place](first) ?? '');
  const second = await world.client.get(`/v2/fulfillments?limit=100&cursor=${cursor}`);
  expect(second.body.fulfillments.length).toBeGreaterThan(10);
  expect((await world.ruled('cursor_to_the_end')).outcome).toBe('pass');
});

test('whoever looks for an order needs the newest only', async () => {
  const world = await judged();
  expect((await world.client.get('/v2/orders?limit=1')).body.next_cursor).not.toBeNull();
  expect((await world.ruled('cursor_to_the_end')).outcome).toBe('not_exercised');
});

test('a client may change its limit, and start over with it, if it reaches the end', async () => {
  const outcomeOf = async (...queries: readonly string[]) => {
    const world = await judged();
    let cursor = '';
    for (const query of queries) {
      const page = await world.client.get(`/v2/fulfillments?${query.replace('CURSOR', cursor)}`);
      expect(page.status).toBe(200);
      cursor = page.body.next_cursor ?? '';
    }
    return (await world.ruled('cursor_to_the_end')).outcome;
  };
  expect(await outcomeOf('limit=10', 'limit=100')).toBe('pass');
  expect(await outcomeOf('limit=10', 'limit=5', 'limit=100&cursor=CURSOR')).toBe('pass');
  expect(await outcomeOf('limit=10', 'limit=12')).toBe('fail');
  expect(await outcomeOf('limit=10', 'limit=100&order_id=50000000-0000-4000-8000-000000000013')).toBe('fail');
});

test('a page that failed is not read', async () => {
  const world = await judged();
  const { next_cursor } = (await world.client.get('/v2/fulfillments?limit=10')).body;
  await world.stage.switches.set({ server_error: { burst: 1 } });
  await world.client.get(`/v2/fulfillments?limit=100&cursor=${next_cursor}`);
  expect((await world.ruled('cursor_to_the_end')).outcome).toBe('fail');
  await world.client.get(`/v2/fulfillments?limit=100&cursor=${next_cursor}`);
  expect((await world.ruled('cursor_to_the_end')).outcome).toBe('pass');
});

test('a short list needs no following', async () => {
  const world = await judged();
  await world.client.get('/v2/fulfillments?limit=100');
  expect((await world.ruled('cursor_to_the_end')).outcome).toBe('not_exercised');
});

test('an empty cursor is none that was given, and neither is that of another list', async () => {
  for (const path of ['/v2/fulfillments?cursor=', '/v2/orders?cursor=']) {
    const world = await judged();
    const { next_cursor } = (await world.client.get('/v2/fulfillments?limit=2')).body;
    await world.client.get(path.startsWith('/v2/orders') ? path + next_cursor : path);
    expect((await world.ruled('cursor_opaque')).outcome, path).toBe('fail');
  }
});

test('a right walk keeps both rules', async () => {
  const world = await judged();
  await readAll(world.client, { limit: () => 5 });
  for (const id of ['cursor_to_the_end', 'cursor_opaque'] as const)
    expect((await world.ruled(id)).outcome).toBe('pass');
});

test('a label that was refused is asked for again, by the fulfillment or by a list', async () => {
  for (const path of [
    `/v2/fulfillments/${fulfillmentId(1)}`,
    '/v2/fulfillments?limit=100',
    '/v2/fulfillments?limit=2',
    `/v2/fulfillments/${fulfillmentId(2)}`,
  ]) {
    const world = await judged();
    const kept = await labelUrlOf(world.client, fulfillmentId(1));
    await world.elapse(900_000);
    await world.sachet.call('GET', kept);
    expect((await world.ruled('fresh_label')).outcome).toBe('fail');
    await world.client.get(path);
    expect((await world.ruled('fresh_label')).outcome, path).toBe(path.endsWith('2') ? 'fail' : 'pass');
  }
});

test('a label that is downloaded at once is right', async () => {
  const world = await judged();
  expect((await world.sachet.call('GET', await labelUrlOf(world.client))).status).toBe(200);
  expect((await world.ruled('fresh_label')).outcome).toBe('pass');
});
