// The rules about lists and labels.
import { expect, test } from 'vitest';
import { assumptionRegister } from '../../../src/contract/assumptions.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { fulfillmentId } from '../../support/order-requests.ts';
import { type CursorPlace, cursorIn, readAll } from '../../support/pages.ts';
import { judged } from './judged.ts';

const places = assumptionRegister.next_cursor.choices.map(([place]) => place as CursorPlace);

test.each(places)('a list is read to its end with the cursor in %s', async (place) => {
  const world = await judged({ assumptions: { next_cursor: place } });
  const cursor = encodeURIComponent(cursorIn[place](await world.client.get('/v2/fulfillments?limit=10')) ?? '');
  expect(await world.outcome('cursor_to_the_end')).toBe('fail');
  const second = await world.client.get(`/v2/fulfillments?limit=100&cursor=${cursor}`);
  expect(second.body.fulfillments.length).toBeGreaterThan(10);
  expect(await world.outcome('cursor_to_the_end')).toBe('pass');
});

test('a client may change its limit and start again, if it reaches the end', async () => {
  const outcomeOf = async (...queries: readonly string[]) => {
    const world = await judged();
    let cursor = '';
    for (const query of queries) {
      const page = await world.client.get(`/v2/${query.replace('CURSOR', cursor)}`);
      expect(page.status).toBe(200);
      cursor = page.body.next_cursor ?? '';
    }
    return world.outcome('cursor_to_the_end');
  };
  const list = 'fulfillments?limit=';
  expect(await outcomeOf(`${list}10`, `${list}100`)).toBe('pass');
  expect(await outcomeOf(`${list}10`, `${list}5`, `${list}100&cursor=CURSOR`)).toBe('pass');
  expect(await outcomeOf(`${list}10`, `${list}12`)).toBe('fail');
  expect(await outcomeOf(`${list}10`, `${list}100&order_id=50000000-0000-4000-8000-000000000013`)).toBe('fail');
  expect(await outcomeOf(`${list}100`)).toBe('not_exercised');
  // The newest orders are enough to look for an order.
  expect(await outcomeOf('orders?limit=1')).toBe('not_exercised');
  const world = await judged();
  await readAll(world.client, { limit: () => 5 });
  expect([await world.outcome('cursor_to_the_end'), await world.outcome('cursor_opaque')]).toEqual(['pass', 'pass']);
});

test('a page that failed is not read, one that is rejected for good cannot be read, and HEAD is no page', async () => {
  const failed = await judged();
  const { next_cursor } = (await failed.client.get('/v2/fulfillments?limit=10')).body;
  const next = `/v2/fulfillments?limit=100&cursor=${next_cursor}`;
  await failed.stage.switches.set({ server_error: { burst: 1 } });
  await failed.client.get(next);
  expect(await failed.outcome('cursor_to_the_end')).toBe('fail');
  await failed.client.get(next);
  expect(await failed.outcome('cursor_to_the_end')).toBe('pass');

  const rejected = await judged();
  const { body } = await rejected.client.get('/v2/fulfillments?limit=10');
  await rejected.stage.switches.set({ missing_permission: { permissions: ['fulfillments:read'] } });
  await rejected.client.get(`/v2/fulfillments?limit=10&cursor=${body.next_cursor}`);
  await rejected.stage.switches.clear();
  const headers = { authorization: `Bearer ${rejected.client.token}` };
  await rejected.sachet.call('HEAD', '/v2/fulfillments?limit=2', { headers });
  expect(await rejected.outcome('cursor_to_the_end')).toBe('pass');
});

test('a label that was rejected is fetched again with a URL of its fulfillment or of a list', async () => {
  for (const [path, outcome] of [
    [`/v2/fulfillments/${fulfillmentId(1)}`, 'pass'],
    ['/v2/fulfillments?limit=100', 'pass'],
    ['/v2/fulfillments?limit=2', 'fail'],
    [`/v2/fulfillments/${fulfillmentId(2)}`, 'fail'],
  ] as const) {
    const world = await judged();
    const kept = await labelUrlOf(world.client, fulfillmentId(1));
    await world.elapse(900_000);
    await world.sachet.call('GET', kept);
    expect(await world.outcome('fresh_label')).toBe('fail');
    await world.client.get(path);
    expect(await world.outcome('fresh_label'), path).toBe(outcome);
  }
});

test('a label whose fulfillment is gone was requested; one that is rejected for a token beside it is not dead', async () => {
  const gone = await judged();
  const goneUrl = await labelUrlOf(gone.client, fulfillmentId(1));
  await gone.stage.records.fulfillments.delete(fulfillmentId(1));
  expect((await gone.sachet.call('GET', goneUrl)).status).toBe(404);
  expect((await gone.client.get(`/v2/fulfillments/${fulfillmentId(1)}`)).status).toBe(404);
  expect(await gone.outcome('fresh_label')).toBe('pass');

  const world = await judged();
  const url = await labelUrlOf(world.client);
  expect((await world.client.get(url)).status).toBe(400);
  expect(await world.outcome('fresh_label')).toBe('not_exercised');
  expect((await world.sachet.call('GET', url)).status).toBe(200);
  expect(await world.outcome('fresh_label')).toBe('pass');
});
