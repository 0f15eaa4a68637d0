// The client's own products and consumers (CAT-1, CAT-2), and the media type of all responses (HTTP-1).
import { expect, test } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { fixtures, testSachet } from '../support/sachet.ts';

test.each(['demo', 'other-brand', 'no-pag'])(
  'the client of %s lists and reads its own records only (CAT-1, CAT-2)',
  async (username) => {
    const brand = fixtures.users.find((user) => user.username === username)?.brand_id;
    const client = await testSachet().login(username);
    const own = fixtures.products.filter(({ brand_id }) => brand_id === brand);
    const { status, body } = await client.get('/v2/products');
    expect([status, Object.keys(body), body.client_products.length > 0]).toEqual([200, ['client_products'], true]);
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect(body.client_products.toSorted(byId)).toEqual(
      own.map(({ id, product_name, active, serving_size }) => ({ id, product_name, active, serving_size })).sort(byId),
    );
    const wrong: unknown[] = [];
    for (const [path, rows, field] of [
      ['/v2/products', fixtures.products, 'client_product'],
      ['/v2/consumers', fixtures.consumers, 'consumer'],
    ] as const)
      for (const { id, brand_id } of rows) {
        const answer = await client.get(`${path}/${id}`);
        const isFound = answer.status === 200 && answer.body[field].id === id;
        if (brand_id === brand ? !isFound : answer.status !== 404) wrong.push([path, id, answer.status]);
      }
    expect(wrong).toEqual([]);
  },
);

test('every response is JSON in UTF-8, and says so (HTTP-1)', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  for (const { status, text, headers } of [
    await client.get('/v2/products'),
    await client.post('/v2/orders', validOrder),
    await client.get('/v2/consumers/42'),
    await client.post('/v2/orders', {}),
    await sachet.call('GET', '/v2/nothing'),
  ]) {
    expect(headers.get('content-type'), `${status}`).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text), text).toBeTypeOf('object');
  }
});
