// Each ready-made case gets the response that the documentation shows.
import { expect, test } from 'vitest';
import { productId, someAddress } from '../support/order-requests.ts';
import { passwordOf, testSachet } from '../support/sachet.ts';
import { readyMadeCases } from './ready-made-cases.ts';

test('each ready-made case has its response, and the password of each login is sachet- and the username', async () => {
  for (const [login, call, request, expectedStatus, answer] of readyMadeCases) {
    expect(passwordOf(login)).toBe(`sachet-${login}`);
    const [method = '', path = ''] = typeof request === 'string' ? request.split(' ') : ['POST', '/v2/orders'];
    const { product = productId(1), duration = 30, consumerId } = typeof request === 'string' ? {} : request;
    const newConsumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
    const order = {
      consumer: consumerId ? { id: consumerId } : newConsumer,
      shipping_address: someAddress,
      order_lines: [{ duration, pouches: [{ contents: [{ client_product_id: product }] }] }],
    };
    const sachet = testSachet();
    const isLogin = path.endsWith('/token');
    const headers = isLogin ? {} : { authorization: `Bearer ${(await sachet.login(login)).token}` };
    const ordering = /orders$|^PATCH/.test(`${method} ${path}`) ? order : undefined;
    const sent = isLogin ? { username: login, password: `sachet-${login}` } : ordering;
    const { status, body } = await sachet.call(method, path, { body: sent, headers });
    expect([call, status]).toEqual([call, expectedStatus]);
    const page = body.next_cursor && `${body.fulfillments.length} and a \`next_cursor\``;
    expect([body.message, body.order?.status, body.fulfillment?.status_id, page], call).toContain(answer);
  }
});
