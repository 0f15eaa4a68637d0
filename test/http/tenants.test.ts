// What partners on one server can see of each other: nothing. An id of somebody else's is an id of nobody's, to the byte.
import { expect, test } from 'vitest';
import { known, orderWith, unknownId, validOrder } from '../cases/requests.ts';
import { type Answer, type Client, testSachet } from '../support/sachet.ts';

/** An answer as it goes over the wire, but for what no two answers share. */
function bytesOf({ status, headers, text }: Answer): string {
  const lines = [...headers].filter(([name]) => name !== 'sandbox-request-id').map((pair) => pair.join(': '));
  return [status, ...lines, '', text].join('\r\n');
}

type Call = (client: Client, id: string) => Promise<Answer>;
const choice =
  (path: (id: string) => string): Call =>
  (client, id) =>
    client.get(path(id));

const calls: readonly (readonly [string, Call, foreign: string])[] = [
  ['GET a product', choice((id) => `/v2/products/${id}`), known.foreignProduct],
  ['GET a consumer', choice((id) => `/v2/consumers/${id}`), known.foreignConsumer],
  ['GET an order', choice((id) => `/v2/orders/${id}`), known.foreignOrder],
  ['GET the fulfillments of an order', choice((id) => `/v2/orders/${id}/fulfillments`), known.foreignOrder],
  ['GET a fulfillment', choice((id) => `/v2/fulfillments/${id}`), known.foreignFulfillment],
  ['GET fulfillments by order', choice((id) => `/v2/fulfillments?order_id=${id}`), known.foreignOrder],
  [
    'PATCH an order',
    (client, id) => client.patch(`/v2/orders/${id}`, { consumer: validOrder.consumer }),
    known.foreignOrder,
  ],
  ['cancel an order', (client, id) => client.post(`/v2/orders/${id}/cancel`), known.foreignOrder],
  [
    'order for a consumer',
    (client, id) => client.post('/v2/orders', orderWith({ consumer: { id } })),
    known.foreignConsumer,
  ],
];

test.each(calls)('%s of another client is answered as one that there is not, to the byte', async (_, call, foreign) => {
  const client = await testSachet().login();
  const answer = await call(client, foreign);
  expect(bytesOf(answer)).toBe(bytesOf(await call(client, unknownId)));
  expect(answer.text).not.toContain(foreign);
});

test.each([
  ...['', '/clock', '/state', '/requests', '/snapshots/base', '/orders', '/no-such-thing'].map(
    (path) => `/_admin/sandboxes/NAME${path}`,
  ),
  ...['_content/NAME/requests', '_top/NAME', '_live/NAME'].map((path) => `/_console/${path}`),
])('the key of one sandbox is answered alike for another and for one that there is not: %s', async (path) => {
  const sachet = testSachet();
  const { key } = await sachet.control.create({ name: 'mine', own_key: true });
  await sachet.control.create({ name: 'others', own_key: true });
  const headers = { authorization: `Bearer ${key}` };
  const ask = (name: string) => sachet.call('GET', path.replace('NAME', name), { headers });
  const answer = await ask('others');
  expect(answer.status).toBe(401);
  expect(bytesOf(answer).replaceAll('others', 'nobodys')).toBe(bytesOf(await ask('nobodys')));
});

test('a tag of a sandbox with a key of its own logs in as one of nobody’s does', async () => {
  const sachet = testSachet({ loginSandboxes: false });
  await sachet.control.create({ name: 'others', own_key: true });
  const logIn = (username: string) =>
    sachet.call('POST', '/v2/authentication/token', { body: { username, password: 'x' } });
  const answer = await logIn('demo+others');
  expect([answer.status, bytesOf(answer)]).toEqual([401, bytesOf(await logIn('demo+nobodys'))]);
});
