// The readings of what an order and the assumed endpoints answer.
import { expect } from 'vitest';
import { type Cases, errorOf } from '../assumption-cases.ts';
import { consumerId, lineOf, orderId, someAddress, someOrder } from '../order-requests.ts';
import { type Answer, noon, type TestSachet } from '../sachet.ts';

async function created(sachet: TestSachet): Promise<Answer> {
  const client = await sachet.login();
  return client.post('/v2/orders', someOrder());
}

/** A new order as three answers tell it: its creation, its read and its list. */
async function orderThreeTimes(sachet: TestSachet): Promise<unknown[]> {
  const client = await sachet.login();
  const made = (await client.post('/v2/orders', someOrder())).body.order;
  const read = (await client.get(`/v2/orders/${made.id}`)).body.order;
  const [listed] = (await client.get('/v2/orders?limit=1')).body.orders;
  return [made, read, listed];
}

const amelia = { id: consumerId(1), first_name: 'Amelia', last_name: 'Hartwell' };
const documentedOrder = { id: expect.any(String), status: 'Pending', consumer: amelia };
const echoedOrder = {
  ...documentedOrder,
  shipping_address: someAddress,
  order_lines: [{ id: expect.any(String), ...lineOf() }],
  created_at: noon,
  updated_at: noon,
};

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+12025550123' };
const ameliaRead = { ...amelia, email: 'amelia.hartwell@example.com', phone_number: '+12065550143' };

/** What the assumed endpoints of orders answer to good calls, by status and message. */
async function orderEndpoints(sachet: TestSachet): Promise<Answer[]> {
  const client = await sachet.login();
  return [
    await client.get('/v2/orders'),
    await client.get(`/v2/orders/${orderId(18)}`),
    await client.patch(`/v2/orders/${orderId(18)}`, { shipping_address: someAddress }),
    await client.post(`/v2/orders/${orderId(18)}/cancel`),
  ];
}

async function documentedStillThere(sachet: TestSachet): Promise<number[]> {
  const client = await sachet.login();
  const paths = [`/v2/orders/${orderId(1)}/fulfillments`, `/v2/consumers/${consumerId(1)}`];
  const reads = await Promise.all(paths.map((path) => client.get(path)));
  return [...reads, await client.post('/v2/orders', someOrder())].map(({ status }) => status);
}

export const orderAnswerCases: Cases<
  'order_created_status' | 'order_fields' | 'order_endpoints' | 'consumer_endpoints'
> = {
  order_created_status: {
    201: async (sachet) => {
      const answer = await created(sachet);
      expect([answer.status, answer.body]).toEqual([201, { order: documentedOrder }]);
    },
    200: async (sachet) => {
      const answer = await created(sachet);
      expect([answer.status, answer.body]).toEqual([200, { order: documentedOrder }]);
    },
  },
  order_fields: {
    documented: async (sachet) => {
      for (const order of await orderThreeTimes(sachet)) expect(order).toEqual(documentedOrder);
    },
    echo: async (sachet) => {
      const [made, ...others] = await orderThreeTimes(sachet);
      expect(made).toEqual(echoedOrder);
      for (const order of others) expect(order).toEqual(made);
    },
  },
  order_endpoints: {
    assumed: async (sachet) => {
      const [list, ...singles] = await orderEndpoints(sachet);
      expect(list?.body.orders).toHaveLength(15);
      expect(singles.map(({ body }) => body.order.status)).toEqual(['Pending', 'Pending', 'Canceled']);
    },
    absent: async (sachet) => {
      for (const { body } of await orderEndpoints(sachet)) expect(body).toEqual(errorOf(404, 'Not Found'));
      expect((await sachet.call('GET', '/v2/orders')).status).toBe(404);
      expect(await documentedStillThere(sachet)).toEqual([200, 200, 201]);
    },
  },
  consumer_endpoints: {
    absent: async (sachet) => {
      const client = await sachet.login();
      const answers = [await client.get('/v2/consumers'), await client.post('/v2/consumers', ada)];
      for (const { body } of answers) expect(body).toEqual(errorOf(404, 'Not Found'));
      expect((await sachet.call('GET', '/v2/consumers')).status).toBe(404);
      expect(await documentedStillThere(sachet)).toEqual([200, 200, 201]);
    },
    assumed: async (sachet) => {
      const client = await sachet.login();
      const made = await client.post('/v2/consumers', ada);
      expect([made.status, made.body]).toEqual([201, { consumer: { id: expect.any(String), ...ada } }]);
      const { consumers } = (await client.get('/v2/consumers')).body;
      expect(consumers).toHaveLength(5);
      expect([consumers.at(0), consumers.at(-1)]).toEqual([made.body.consumer, ameliaRead]);
    },
  },
};
