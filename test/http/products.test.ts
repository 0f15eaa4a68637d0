// The client's own products and consumers (CAT-1, CAT-2).
import { expect, test } from 'vitest';
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
