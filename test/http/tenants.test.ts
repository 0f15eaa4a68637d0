// Clients on one server see nothing of each other: a foreign id gets the same response as an unknown one, byte for byte.
import { expect, test } from 'vitest';
import { known, orderWith, unknownId, validOrder } from '../cases/requests.ts';
import { type Answer, type Client, fixtures, testSachet } from '../support/sachet.ts';

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

/** The response as it goes over the wire, without its request id. */
function bytesOf({ status, headers, text }: Answer): string {
  const lines = [...headers].filter(([name]) => name !== 'sandbox-request-id').map((pair) => pair.join(': '));
  return [status, ...lines, '', text].join('\r\n');
}

const { foreignProduct, foreignConsumer, foreignOrder, foreignFulfillment } = known;
const get = (path: string) => (client: Client, id: string) => client.get(path.replace('ID', id));

test.each<[string, foreign: string, call: (client: Client, id: string) => Promise<Answer>]>([
  ['GET product', foreignProduct, get('/v2/products/ID')],
  ['GET consumer', foreignConsumer, get('/v2/consumers/ID')],
  ['GET order', foreignOrder, get('/v2/orders/ID')],
  ['GET fulfillments of an order', foreignOrder, get('/v2/orders/ID/fulfillments')],
  ['GET fulfillment', foreignFulfillment, get('/v2/fulfillments/ID')],
  ['list by order', foreignOrder, get('/v2/fulfillments?order_id=ID')],
  ['PATCH order', foreignOrder, (client, id) => client.patch(`/v2/orders/${id}`, { consumer: validOrder.consumer })],
  ['cancel order', foreignOrder, (client, id) => client.post(`/v2/orders/${id}/cancel`)],
  ['order for a consumer', foreignConsumer, (client, id) => client.post('/v2/orders', orderWith({ consumer: { id } }))],
])("%s: another client's record is answered as an unknown one", async (_, foreign, call) => {
  const client = await testSachet().login();
  const answer = await call(client, foreign);
  expect(bytesOf(answer)).toBe(bytesOf(await call(client, unknownId)));
  expect(answer.text).not.toContain(foreign);
});

test('the key of one sandbox gets the same 401 for another sandbox and for an unknown one', async () => {
  const sachet = testSachet();
  const { key } = await sachet.control.create({ name: 'mine', own_key: true });
  await sachet.control.create({ name: 'others', own_key: true });
  const headers = { authorization: `Bearer ${key}` };
  const control = ['', '/clock', '/state', '/snapshots/base', '/orders', '/no-such-thing'];
  const paths = control.map((path) => `/_admin/sandboxes/NAME${path}`);
  for (const path of [...paths, '/_console/_content/NAME/requests', '/_console/_top/NAME', '/_console/_live/NAME']) {
    const answer = await sachet.call('GET', path.replace('NAME', 'others'), { headers });
    expect(answer.status, path).toBe(401);
    const unknown = await sachet.call('GET', path.replace('NAME', 'nobodys'), { headers });
    expect(bytesOf(answer).replaceAll('others', 'nobodys'), path).toBe(bytesOf(unknown));
  }
});

test('a login to a sandbox with its own key is answered as one to an unknown sandbox', async () => {
  const sachet = testSachet({ loginSandboxes: false });
  await sachet.control.create({ name: 'others', own_key: true });
  const logIn = (username: string) =>
    sachet.call('POST', '/v2/authentication/token', { body: { username, password: 'x' } });
  const answer = await logIn('demo+others');
  expect([answer.status, bytesOf(answer)]).toEqual([401, bytesOf(await logIn('demo+nobodys'))]);
});
