// Clients on one server see nothing of each other: a foreign id gets the same response as an unknown one, byte for byte.
import { expect, test } from 'vitest';
import { known, orderWith, unknownId, validOrder } from '../cases/requests.ts';
import { type Answer, type Client, testSachet } from '../support/sachet.ts';

/** The response as it goes over the wire, without its request id. */
function bytesOf({ status, headers, text }: Answer): string {
  const lines = [...headers].filter(([name]) => name !== 'sandbox-request-id').map((pair) => pair.join(': '));
  return [status, ...lines, '', text].join('\r\n');
}

const calls: Readonly<
  Record<string, readonly [foreign: string, call: (client: Client, id: string) => Promise<Answer>]>
> = {
  'GET product': [known.foreignProduct, (client, id) => client.get(`/v2/products/${id}`)],
  'GET consumer': [known.foreignConsumer, (client, id) => client.get(`/v2/consumers/${id}`)],
  'GET order': [known.foreignOrder, (client, id) => client.get(`/v2/orders/${id}`)],
  'GET fulfillments of an order': [known.foreignOrder, (client, id) => client.get(`/v2/orders/${id}/fulfillments`)],
  'GET fulfillment': [known.foreignFulfillment, (client, id) => client.get(`/v2/fulfillments/${id}`)],
  'list by order': [known.foreignOrder, (client, id) => client.get(`/v2/fulfillments?order_id=${id}`)],
  'PATCH order': [
    known.foreignOrder,
    (client, id) => client.patch(`/v2/orders/${id}`, { consumer: validOrder.consumer }),
  ],
  'cancel order': [known.foreignOrder, (client, id) => client.post(`/v2/orders/${id}/cancel`)],
  'order for a consumer': [
    known.foreignConsumer,
    (client, id) => client.post('/v2/orders', orderWith({ consumer: { id } })),
  ],
};

test("another client's record is answered as an unknown one", async () => {
  const client = await testSachet().login();
  for (const [what, [foreign, call]] of Object.entries(calls)) {
    const answer = await call(client, foreign);
    expect(bytesOf(answer), what).toBe(bytesOf(await call(client, unknownId)));
    expect(answer.text, what).not.toContain(foreign);
  }
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
