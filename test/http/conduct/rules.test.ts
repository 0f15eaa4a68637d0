// The rules for clients at their edges: tokens, lists and labels, orders, and pauses.
import { describe, expect, test } from 'vitest';
import { assumptionRegister } from '../../../src/contract/assumptions.ts';
import type { ConductRuleId } from '../../../src/contract/control/conduct.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { fulfillmentId, orderId, orderLine, pouchOf, someOrder } from '../../support/order-requests.ts';
import { type CursorPlace, cursorIn } from '../../support/pages.ts';
import { type Client, isReplicated } from '../../support/sachet.ts';
import { refresh } from '../../support/tokens.ts';
import { afterSteps, expectOutcomes, idOf, type Judged, judged, type Outcome, type Steps, turn } from './judged.ts';

const rejectProducts = ({ stage }: Judged) =>
  stage.faults.create({ status: 401, match: { operation: 'products.list' } });
const failRefresh = turn({ server_error: { burst: 1, match: { operation: 'authentication.refresh' } } });
const loseLogin = turn({
  connection: { drop: 'after_processing', burst: 1, match: { operation: 'authentication.token' } },
});
const shortLived = turn({ token_expiry: { lifetime_seconds: 20 } });
/** A call with the token of the first login. */
const first = ({ client }: Judged) => client.get('/v2/fulfillments');
const used = 'renew, GET products';
const twice = /^The client refreshed one rejected token twice\. /;

const list = 'GET fulfillments?limit=';
const [page, rest] = [`${list}10`, `${list}100&cursor=CURSOR`];
const deny = turn({ missing_permission: { permissions: ['fulfillments:read', 'orders:write'] } });
const permit = ({ stage }: Judged) => stage.switches.clear();
const head = ({ sachet, client }: Judged) =>
  sachet.call('HEAD', '/v2/fulfillments?limit=2', { headers: { authorization: `Bearer ${client.token}` } });

const applyNoPag = ({ stage }: Judged) => stage.scenarios.apply('no-pag');
/** The same order with other spaces, another order of keys, and 30.0 for 30. */
const respelled = ({ client }: Judged) => {
  const reversed = Object.fromEntries(Object.entries(someOrder()).reverse());
  const raw = JSON.stringify(reversed, undefined, 2).replace('"duration": 30', '"duration": 30.0');
  return client.post('/v2/orders', undefined, { raw });
};
const otherOrder = ({ order }: Judged) => order({ order_lines: [orderLine(pouchOf(), pouchOf())] });
const badChange = ({ client }: Judged) => client.patch(`/v2/orders/${orderId(1)}`, { order_lines: [] });
const cancelWithReason = async ({ client, order }: Judged) =>
  client.post(`/v2/orders/${(await order()).body.order.id}/cancel`, { reason: 'none' });
const lost = 'cut after_processing, order';
const oldestFirst = ({ stage }: Judged) => stage.assumptions.set({ list_order: 'oldest_first' });

const setBack = ({ setTo }: Judged) => setTo(-60_000);
const failWrites = turn({ server_error: { burst: 4, match: { method: 'POST' } } });
const early = /^The client called orders\.create 12 s after a 429 with Retry-After 30\. /;

/** What a client does, the outcome of the rule, and the steps. */
const cases: { readonly [Id in ConductRuleId]?: Readonly<Record<string, readonly [Outcome, Steps]>> } = {
  // What counts as one refresh, which calls were in flight beside a rejection, and what must follow it.
  refresh_on_401: {
    'two refreshes for one rejected token at once': [twice, 'expire, GET products, refresh + refresh'],
    'two refreshes, one after the other': [twice, 'expire, GET products, refresh, refresh'],
    'a repetition that was lost': ['pass', 'expire, order, renew, cut after_processing, order, GET orders'],
    'a late call with the old token after a login': [
      'pass',
      ['31 days, GET products, refresh, log in, GET products', first, 'GET fulfillments'],
    ],
    'short-lived tokens': ['not_exercised', [shortLived, `${used}, 15 s, ${used}, 15 s, ${used}, 15 s`]],
    'a 401 that stays after the refresh': ['pass', [rejectProducts, 'GET products', used]],
    'a refresh for a 401 that stays after another': ['fail', [rejectProducts, 'GET products', used, used]],
    'a refresh for another 401': ['pass', `expire, GET products, ${used}, 401 fails, GET products, ${used}`],
    'a refresh that gives the rejected token again, because the sandbox was restored': [
      'pass',
      `snapshot, ${used}, restore, 401 fails, GET products, ${used}, 401 fails, GET fulfillments, renew, GET fulfillments`,
    ],
    'a failed refresh that is repeated': ['pass', ['expire, GET products', failRefresh, 'refresh', used]],
  },
  no_dead_token: {
    'a new token that a fault rejects at once': ['pass', [rejectProducts, 'GET products', used, 'GET fulfillments']],
  },
  token_reuse: {
    'a login of a client whose login was cleared': ['fail', 'clear, GET products, log in'],
    'logins after a day, and after one whose response was lost': [
      'pass',
      ['1 days, log in, GET products, 1 days', loseLogin, 'log in, log in, GET products, GET products'],
    ],
    'a login when the token expired by the second in which it was issued': [
      'pass',
      '999 ms, log in read-only, GET products, GET products, 86399001 ms, log in read-only, GET products',
    ],
  },
  cursor_to_the_end: {
    'a larger page that is the whole list': ['pass', `${page}, ${list}100`],
    'a smaller page and then the rest': ['pass', `${page}, ${list}5, ${rest}`],
    'two pages from the beginning': ['fail', `${page}, ${list}12`],
    'a page of another list': ['fail', `${page}, ${list}100&order_id=${orderId(13)}`],
    'a list of one page': ['not_exercised', `${list}100`],
    // The newest orders are enough to look for an order.
    'a page of orders': ['not_exercised', 'GET orders?limit=1'],
    'a page that failed': ['fail', `${page}, 1 × 500, ${rest}`],
    'a page that failed and was read again': ['pass', `${page}, 1 × 500, ${rest}, ${rest}`],
    'a page that is rejected for good, and a HEAD': ['pass', [page, deny, `${page}&cursor=CURSOR`, permit, head]],
  },
  // When an order may be stored, what counts as looking for it, and which order is the same again.
  no_double_submit: {
    'an order again, not stored as the list shows': ['pass', 'cut before_processing, order, GET orders, order'],
    'an order again, stored as the list shows': ['fail', `${lost}, GET orders, order`],
    'an order again, of whose response half came': ['fail', 'cut mid_body, order, GET orders, order'],
    'an order again after a 500 and a look': ['pass', '500 fails, order, GET orders, order'],
    'an order again after a look at another order': ['fail', `${lost}, GET orders/${orderId(18)}, order`],
    'an order again after a look at a later page': [
      'fail',
      `GET orders?limit=1, ${lost}, GET orders?limit=1&cursor=CURSOR, order`,
    ],
    'an order again after a look at the first page, with the oldest orders': [
      'fail',
      [oldestFirst, `${lost}, GET orders?limit=1, order`],
    ],
    'an order again after the look of another user': ['fail', `${lost}, log in other-brand, GET orders, log in, order`],
    'an order again in other letters': ['fail', [lost, respelled]],
    'another order after a lost one': ['pass', [lost, otherOrder]],
    'an order again that is gone': ['pass', `snapshot, ${lost}, restore, GET orders, order`],
  },
  no_refused_repeat: {
    'a rejected order again in other letters': ['fail', [applyNoPag, 'order', respelled]],
    'an order again after a 403': ['fail', [deny, 'order, order']],
    'a rejected modification again': ['fail', [badChange, badChange]],
    'an order again after a 429 and a 401': ['not_exercised', 'limit, order, expire, order, order'],
  },
  needs_changes: {
    'an order again in other letters': ['fail', ['inactive PAGs, order', respelled]],
    'an order again a millisecond before a week is over': ['fail', 'inactive PAGs, order, 604799999 ms, log in, order'],
    'an order again a week later': ['pass', 'inactive PAGs, order, 7 days, log in, order'],
    'two orders at once': ['pass', 'inactive PAGs, order + order'],
  },
  documented_fields: {
    'an unknown field of a query': [/not in the contract: "page"/, 'GET fulfillments?page=2'],
    'an unknown field of a list': [/not in the contract: "active"/, 'GET products?active=true'],
    'an unknown field of a cancel': [/not in the contract: "reason"/, [cancelWithReason]],
  },
  // Pauses by the sandbox's clock, and only for calls after the response was received.
  retry_after: {
    'a call that is 18 seconds early': [early, 'limit, order, 12 s, order'],
    'another call': ['not_exercised', 'limit, order, GET products'],
    'calls at the same time': [
      'pass',
      [turn({ rate_limit: { burst: 5 } }), Array(5).fill('GET products').join(' + '), '60 s, GET products'],
    ],
    'a call after the clock was set back': ['pass', ['limit, order', setBack, 'order']],
    'a call after the 429 of another user': ['not_exercised', 'limit, GET products, log in read-only, GET products'],
  },
  backoff_on_500: {
    'a call after the 500 of another user': ['not_exercised', '1 × 500, GET products, log in read-only, GET products'],
    'looks for an order between two attempts': [
      'pass',
      [failWrites, 'order, 1 s, GET orders, 4 s, GET orders, order, 2 s, GET orders, GET orders, order'],
    ],
  },
};
describe.each(Object.entries(cases))('%s', (id, rows) => {
  test.each(Object.entries(rows))('%s', (_, [outcome, steps]) => expectOutcomes({ [id]: outcome }, steps));
});

test.each<[string, Parameters<typeof expectOutcomes>[0], Steps]>([
  [
    'a login in place of a refresh',
    { refresh_on_401: 'fail', token_reuse: 'not_exercised' },
    'expire, GET products, log in, GET products',
  ],
  [
    'a login after a rejected refresh',
    { refresh_on_401: 'pass', token_reuse: 'not_exercised', no_dead_token: 'pass' },
    '31 days, GET products, refresh, log in, GET products',
  ],
  [
    'a refresh each day',
    { refresh_on_401: 'pass', no_dead_token: 'pass' },
    `1 days, GET products, ${used}, 1 days, GET products, ${used}`,
  ],
])('%s', (_, expected, steps) => expectOutcomes(expected, steps));

// Several servers do not know exactly when a call in process had its response: within a second the client may not have had it.
test.skipIf(isReplicated).each<[string, Steps]>([
  ['although there is another', [`expire, GET products, ${used}`, first]],
  ['of a client whose login was cleared', [`clear, expire, GET products, ${used}`, first]],
])('a dead token %s', (_, steps) => expectOutcomes({ refresh_on_401: 'fail', no_dead_token: 'fail' }, steps));

test('the evidence is the call that was not repeated, or each refresh that was rejected', async () => {
  const world = await afterSteps('expire, GET products');
  const other = await world.client.get('/v2/fulfillments');
  const refreshed = await world.refresh();
  await world.sachet.client(refreshed.body.access_token).get('/v2/products');
  const { outcome, evidence, advice } = await world.ruled('refresh_on_401');
  expect([outcome, evidence]).toEqual(['fail', [idOf(other)]]);
  expect(advice).toMatch(/^The client did not repeat a call after its 401\. /);
  const late = await afterSteps('31 days');
  const rejected = [await late.refresh(), await late.refresh()];
  expect((await late.ruled('no_dead_token')).evidence).toEqual(rejected.map(idOf));
});

test('two users that logged in before the journal was cleared are known by their calls', async () => {
  const { client, sachet, stage, expireTokens, outcome } = await judged();
  const users: Client[] = [client, await sachet.login('read-only')];
  await stage.requests.clear();
  await expireTokens();
  for (const user of users) await user.get('/v2/products');
  for (const { refreshToken } of users)
    await sachet.client((await refresh(sachet, refreshToken)).body.access_token).get('/v2/products');
  expect(await outcome('refresh_on_401')).toBe('pass');
});

test('a token that a restore makes the same as a rejected one may be used', async () => {
  const world = await afterSteps('snapshot, log in, 401 fails, GET products');
  const { token } = world.newest;
  await world.stage.snapshots.restore('base');
  const again = await world.sachet.login();
  expect(again.token).toBe(token);
  await again.get('/v2/products');
  expect(await world.outcome('no_dead_token')).toBe('pass');
});

const places = assumptionRegister.next_cursor.choices.map(([place]) => place as CursorPlace);

test.each(places)('a list is read to its end with the cursor in %s', async (place) => {
  const world = await judged({ assumptions: { next_cursor: place } });
  const cursor = encodeURIComponent(cursorIn[place](await world.client.get('/v2/fulfillments?limit=10')) ?? '');
  expect(await world.outcome('cursor_to_the_end')).toBe('fail');
  const second = await world.client.get(`/v2/fulfillments?limit=100&cursor=${cursor}`);
  expect(second.body.fulfillments.length).toBeGreaterThan(10);
  expect(await world.outcome('cursor_to_the_end')).toBe('pass');
});

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

test('a label whose fulfillment is gone was requested; one that is rejected for a header is not dead', async () => {
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
  for (const headers of [{ 'if-match': '"x"' }, { range: 'bytes=9999999-' }]) {
    await world.sachet.call('GET', url, { headers });
    expect(await world.outcome('fresh_label')).toBe('pass');
  }
});

test.each([
  {},
  { unknown_fields: 'ignore' },
  { validation_report: 'first' },
  { validation_placement: 'message' },
] as const)('unknown fields of a body are reported under %j', async (assumptions) => {
  const world = await judged({ assumptions });
  await world.order({ consumer: { first_name: '' }, order_lines: [{ ...orderLine(), colour: 'red' }], gift: true });
  const { outcome, advice } = await world.ruled('documented_fields');
  const expected = /^The client called orders\.create with fields that are not in the contract: .*"gift".*\. Send only/;
  expect([outcome, advice]).toEqual(['fail', expect.stringMatching(expected)]);
});

test.each([
  [[100], 'pass'],
  [[99], 'fail'],
  [[1000, 1200, 1440], 'pass'],
  [[1000, 1000], 'fail'],
  [[1000, 10_000, 10_000], 'pass'],
  [[1000, 2000, 1000], 'fail'],
  // A pause in which the tester advanced the clock says nothing about the next one.
  [[1000, 300_000, 4000], 'pass'],
] as const)('pauses of %j ms after a 500: %s', async (pauses, outcome) => {
  const steps = pauses.map((pause) => `${pause} ms, GET products`);
  await expectOutcomes({ backoff_on_500: outcome }, [`${pauses.length} × 500, GET products`, ...steps]);
});

test.each([500, 502, 503, 504])(
  'a client that repeats a call at once after a %i, or an order without looking for it, fails',
  async (status) => {
    const advice = new RegExp(`^The client repeated products.list 99 ms after a ${status}\\. `);
    await expectOutcomes({ backoff_on_500: advice }, `${status} fails, GET products, 99 ms, GET products`);
    await expectOutcomes({ no_double_submit: 'fail' }, `${status} fails, order, order`);
  },
);

test.each([
  ['demo', 'pass'],
  ['other-brand', 'fail'],
] as const)('looking for an order after a 500 takes its client time, by %s: %s', async (username, outcome) => {
  const look = async ({ sachet }: Judged) => (await sachet.login(username)).get('/v2/orders');
  const fail = turn({ server_error: { burst: 2, match: { operation: 'orders.create' } } });
  await expectOutcomes({ backoff_on_500: outcome }, [fail, 'order, 100 ms', look, '900 ms, order, 200 ms, order']);
});
