// Each ready-made case gets the response that the documentation shows.
import { expect, test } from 'vitest';
import { passwordOf, testSachet } from '../support/sachet.ts';
import { ownProduct, type ReadyMadeCase, readyMadeCases } from './ready-made-cases.ts';

test('the password of each login is sachet- and the username', () => {
  for (const { login } of readyMadeCases) expect(passwordOf(login)).toBe(`sachet-${login}`);
});

/** The sample order with the changes of the case; no body for a case without an order. */
function bodyOf({ login, path, order }: ReadyMadeCase): unknown {
  if (path.endsWith('/token')) return { username: login, password: passwordOf(login) };
  if (!order) return undefined;
  const { products = [ownProduct[login]], duration = 30, consumerId } = order;
  return {
    consumer: consumerId ? { id: consumerId } : { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
    shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
    order_lines: [{ duration, pouches: [{ contents: products.map((id) => ({ client_product_id: id })) }] }],
  };
}

test.each(readyMadeCases)('ready-made case: $login, $call: $status $answer', async (made) => {
  const sachet = testSachet();
  const anonymous = made.path.endsWith('/token');
  const headers = anonymous ? {} : { authorization: `Bearer ${(await sachet.login(made.login)).token}` };
  const { status, body } = await sachet.call(made.method, made.path, { body: bodyOf(made), headers });
  expect(status).toBe(made.status);
  const shown = [body.message, body.order?.status, body.fulfillment?.status_id];
  if (made.path === '/v2/fulfillments')
    expect([body.fulfillments.length, typeof body.next_cursor]).toEqual([20, 'string']);
  else expect(shown).toContain(made.answer);
});
