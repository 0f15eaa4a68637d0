// The rules about orders: when an order may be stored, what counts as looking for it, and which order is the same again.
import { expect, test } from 'vitest';
import { orderId, orderLine, pouchOf, products, someOrder } from '../../support/order-requests.ts';
import { type ConductCase, expectOutcomes, type Judged, judged, turn } from './judged.ts';

const deactivatePags = turn({ inactive_pags: { all: true } });
const applyNoPag = ({ stage }: Judged) => stage.scenarios.apply('no-pag');
/** The same order with other spaces, another order of keys, and 30.0 for 30. */
const respelled = ({ client }: Judged) => {
  const reversed = Object.fromEntries(Object.entries(someOrder()).reverse());
  const raw = JSON.stringify(reversed, undefined, 2).replace('"duration": 30', '"duration": 30.0');
  return client.post('/v2/orders', undefined, { raw });
};
const otherOrder = ({ order }: Judged) => order({ order_lines: [orderLine(pouchOf(), pouchOf())] });
const badChange = ({ client }: Judged) => client.patch(`/v2/orders/${orderId(1)}`, { order_lines: [] });
const denyOrders = turn({ missing_permission: { permissions: ['orders:write'] } });
const cancelWithReason = async ({ client, order }: Judged) =>
  client.post(`/v2/orders/${(await order()).body.order.id}/cancel`, { reason: 'none' });
const almostAWeek = ['604799999 ms', 'log in'];
const lost = ['cut after_processing', 'order'];
const sent = (outcome: 'pass' | 'fail') => ({ no_double_submit: outcome });

test.each<ConductCase>([
  [
    'an order again, not stored as the list shows',
    sent('pass'),
    ['cut before_processing', 'order', 'GET orders', 'order'],
  ],
  ['an order again, stored as the list shows', sent('fail'), [...lost, 'GET orders', 'order']],
  ['an order again, of whose response half came', sent('fail'), ['cut mid_body', 'order', 'GET orders', 'order']],
  ['an order again after a 500 and a look', sent('pass'), ['500 fails', 'order', 'GET orders', 'order']],
  ['an order again after a 500 without a look', sent('fail'), ['500 fails', 'order', 'order']],
  ['an order again after a look at another order', sent('fail'), [...lost, `GET orders/${orderId(18)}`, 'order']],
  [
    'an order again after a look at a later page',
    sent('fail'),
    ['GET orders?limit=1', ...lost, 'GET orders?limit=1&cursor=CURSOR', 'order'],
  ],
  [
    'an order again after the look of another user',
    sent('fail'),
    [...lost, 'log in other-brand', 'GET orders', 'log in', 'order'],
  ],
  ['an order again in other letters', sent('fail'), [...lost, respelled]],
  ['another order after a lost one', sent('pass'), [...lost, otherOrder]],
  ['an order again that is gone', sent('pass'), ['snapshot', ...lost, 'restore', 'GET orders', 'order']],
  ['a rejected order again in other letters', { no_refused_repeat: 'fail' }, [applyNoPag, 'order', respelled]],
  ['an order again after a 403', { no_refused_repeat: 'fail' }, [denyOrders, 'order', 'order']],
  ['a rejected modification again', { no_refused_repeat: 'fail' }, [badChange, badChange]],
  [
    'an order again after a 429 and a 401',
    { no_refused_repeat: 'not_exercised' },
    [turn({ rate_limit: { burst: 1 } }), 'order', 'expire', 'order', 'order'],
  ],
  [
    'an order that needs changes again in other letters',
    { needs_changes: 'fail' },
    [deactivatePags, 'order', respelled],
  ],
  [
    'one a millisecond before a week is over',
    { needs_changes: 'fail' },
    [deactivatePags, 'order', ...almostAWeek, 'order'],
  ],
  ['one a week later', { needs_changes: 'pass' }, [deactivatePags, 'order', '7 days', 'log in', 'order']],
  ['two that need changes at once', { needs_changes: 'pass' }, [deactivatePags, 'order + order']],
  ['an unknown field of a query', { documented_fields: /not in the contract: "page"/ }, ['GET fulfillments?page=2']],
  ['an unknown field of a list', { documented_fields: /not in the contract: "active"/ }, ['GET products?active=true']],
  ['an unknown field of a cancel', { documented_fields: /not in the contract: "reason"/ }, [cancelWithReason]],
])('%s', expectOutcomes);

test.each([
  {},
  { unknown_fields: 'ignore' },
  { validation_report: 'first' },
  { validation_placement: 'message' },
] as const)('unknown fields of a body are reported under %j', async (assumptions) => {
  const world = await judged({ assumptions });
  const line = { ...orderLine(pouchOf(products.good)), colour: 'red' };
  await world.order({ consumer: { first_name: '' }, order_lines: [line], gift: true });
  const { outcome, advice } = await world.ruled('documented_fields');
  const expected = /^The client called orders\.create with fields that are not in the contract: .*"gift".*\. Send only/;
  expect([outcome, advice]).toEqual(['fail', expect.stringMatching(expected)]);
});
