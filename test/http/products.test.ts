// The client's own products and consumers (CAT-1, CAT-2), over the shipped fixtures; and that all of it is JSON (HTTP-1).
import { describe, expect, test } from 'vitest';
import { known, unknownId, validOrder } from '../cases/requests.ts';
import { errorBodyOf } from '../support/refused.ts';
import { fixtures, passwordOf, testSachet } from '../support/sachet.ts';

/** What the fixtures have of this user's brand. */
function ownOf(username: string) {
  const brand = fixtures.users.find((user) => user.username === username)?.brand_id;
  const own = <Row extends { readonly brand_id: string }>(rows: readonly Row[]) =>
    rows.filter(({ brand_id }) => brand_id === brand);
  return { products: own(fixtures.products), consumers: own(fixtures.consumers) };
}

describe.each(['demo', 'other-brand', 'no-pag'])('the client of %s', (username) => {
  test('lists its own products, each with the four documented fields (CAT-1)', async () => {
    const { products } = ownOf(username);
    const { status, body } = await (await testSachet().login(username)).get('/v2/products');
    const expected = products.map(({ id, product_name, active, serving_size }) => ({
      id,
      product_name,
      active,
      serving_size,
    }));
    expect(expected.length).toBeGreaterThan(0);
    expect([status, Object.keys(body)]).toEqual([200, ['client_products']]);
    expect(body.client_products).toHaveLength(expected.length);
    expect(body.client_products).toEqual(expect.arrayContaining(expected));
  });

  test('finds by its id each of its products and consumers, and no other (CAT-2)', async () => {
    const { products, consumers } = ownOf(username);
    const client = await testSachet().login(username);
    for (const { id } of fixtures.products) {
      const { status, body } = await client.get(`/v2/products/${id}`);
      const own = products.some((product) => product.id === id);
      expect([id, status, body.client_product?.id ?? body.message]).toEqual(
        own ? [id, 200, id] : [id, 404, 'Product not found'],
      );
    }
    for (const { id } of fixtures.consumers) {
      const { status, body } = await client.get(`/v2/consumers/${id}`);
      const own = consumers.some((consumer) => consumer.id === id);
      expect([id, status, body.consumer?.id ?? body.message]).toEqual(
        own ? [id, 200, id] : [id, 404, 'Consumer not found'],
      );
    }
  });

  test('does not find an id that nobody has (CAT-2)', async () => {
    const client = await testSachet().login(username);
    const bodies = [await client.get(`/v2/products/${unknownId}`), await client.get(`/v2/consumers/${unknownId}`)];
    expect(bodies.map(({ body }) => body)).toEqual(
      ['Product not found', 'Consumer not found'].map((message) => errorBodyOf({ status: 404, message })),
    );
  });
});

describe('every answer is JSON in UTF-8, and says so (HTTP-1)', () => {
  const login = { username: 'demo', password: passwordOf('demo') };
  test.each<[string, string, unknown, number]>([
    ['POST', '/v2/authentication/token', login, 200],
    ['POST', '/v2/authentication/token', {}, 422],
    ['GET', '/v2/products', undefined, 200],
    ['GET', `/v2/consumers/${known.consumer}`, undefined, 200],
    ['GET', '/v2/consumers/42', undefined, 400],
    ['GET', `/v2/fulfillments/${known.fulfillment}`, undefined, 200],
    ['POST', '/v2/orders', validOrder, 201],
    ['POST', '/v2/orders', { ...validOrder, order_lines: [] }, 422],
    ['GET', '/v2/nothing', undefined, 404],
  ])('%s %s', async (method, path, body, expected) => {
    const sachet = testSachet();
    const { token } = await sachet.login();
    const { status, text, headers } = await sachet.call(method, path, {
      body,
      headers: { authorization: `Bearer ${token}` },
    });
    expect([status, headers.get('content-type')]).toEqual([expected, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toBeTypeOf('object');
  });
});
