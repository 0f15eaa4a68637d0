// The rules about lists and labels.
import { expect, test } from 'vitest';
import { assumptionRegister } from '../../../src/contract/assumptions.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { fulfillmentId, orderId } from '../../support/order-requests.ts';
import { type CursorPlace, cursorIn } from '../../support/pages.ts';
import { type ConductCase, expectOutcomes, type Judged, judged, turn } from './judged.ts';

const places = assumptionRegister.next_cursor.choices.map(([place]) => place as CursorPlace);

test.each(places)('a list is read to its end with the cursor in %s', async (place) => {
  const world = await judged({ assumptions: { next_cursor: place } });
  const cursor = encodeURIComponent(cursorIn[place](await world.client.get('/v2/fulfillments?limit=10')) ?? '');
  expect(await world.outcome('cursor_to_the_end')).toBe('fail');
  const second = await world.client.get(`/v2/fulfillments?limit=100&cursor=${cursor}`);
  expect(second.body.fulfillments.length).toBeGreaterThan(10);
  expect(await world.outcome('cursor_to_the_end')).toBe('pass');
});

const list = 'GET fulfillments?limit=';
const [page, rest] = [`${list}10`, `${list}100&cursor=CURSOR`];
const read = (outcome: 'pass' | 'fail' | 'not_exercised') => ({ cursor_to_the_end: outcome });
const fail = turn({ server_error: { burst: 1 } });
const deny = turn({ missing_permission: { permissions: ['fulfillments:read'] } });
const permit = ({ stage }: Judged) => stage.switches.clear();
const head = ({ sachet, client }: Judged) =>
  sachet.call('HEAD', '/v2/fulfillments?limit=2', { headers: { authorization: `Bearer ${client.token}` } });

test.each<ConductCase>([
  ['a larger page that is the whole list', read('pass'), [page, `${list}100`]],
  ['a smaller page and then the rest', read('pass'), [page, `${list}5`, rest]],
  ['two pages from the beginning', read('fail'), [page, `${list}12`]],
  ['a page of another list', read('fail'), [page, `${list}100&order_id=${orderId(13)}`]],
  ['a list of one page', read('not_exercised'), [`${list}100`]],
  // The newest orders are enough to look for an order.
  ['a page of orders', read('not_exercised'), ['GET orders?limit=1']],
  ['a page that failed', read('fail'), [page, fail, rest]],
  ['a page that failed and was read again', read('pass'), [page, fail, rest, rest]],
  ['a page that is rejected for good, and a HEAD', read('pass'), [page, deny, `${page}&cursor=CURSOR`, permit, head]],
])('%s', expectOutcomes);

test.each([
  [`/v2/fulfillments/${fulfillmentId(1)}`, 'pass'],
  ['/v2/fulfillments?limit=100', 'pass'],
  ['/v2/fulfillments?limit=2', 'fail'],
  [`/v2/fulfillments/${fulfillmentId(2)}`, 'fail'],
])('after a label was rejected, %s with or without a URL of its fulfillment: %s', async (path, outcome) => {
  const world = await judged();
  const kept = await labelUrlOf(world.client, fulfillmentId(1));
  await world.elapse(900_000);
  await world.sachet.call('GET', kept);
  expect(await world.outcome('fresh_label')).toBe('fail');
  await world.client.get(path);
  expect(await world.outcome('fresh_label')).toBe(outcome);
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
