// Each ready-made case gets the response that the documentation shows.
import { expect, test } from 'vitest';
import { passwordOf, testSachet } from '../support/sachet.ts';
import { ownProduct, type ReadyMadeCase, readyMadeCases } from './ready-made-cases.ts';

/** The sample order with the changes of the case; no body for a case without an order. */
function bodyOf({ login, path, order }: ReadyMadeCase): unknown {
  if (path.endsWith('/token')) return { username: login, password: `sachet-${login}` };
  if (!order) return undefined;
  const { product = ownProduct[login], duration = 30, consumerId } = order;
  return {
    consumer: consumerId ? { id: consumerId } : { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
    shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
    order_lines: [{ duration, pouches: [{ contents: [{ client_product_id: product }] }] }],
  };
}

test('each ready-made case has its response, and the password of each login is sachet- and the username', async () => {
  for (const made of readyMadeCases) {
    expect(passwordOf(made.login)).toBe(`sachet-${made.login}`);
    const sachet = testSachet();
    const token = made.path.endsWith('/token') ? undefined : (await sachet.login(made.login)).token;
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const { status, body } = await sachet.call(made.method, made.path, { body: bodyOf(made), headers });
    expect([made.call, status]).toEqual([made.call, made.status]);
    if (made.path === '/v2/fulfillments')
      expect([body.fulfillments.length, typeof body.next_cursor]).toEqual([20, 'string']);
    else expect([body.message, body.order?.status, body.fulfillment?.status_id], made.call).toContain(made.answer);
  }
});
