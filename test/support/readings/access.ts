// The readings of who may see and do what.
import { expect } from 'vitest';
import { type Cases, errorOf } from '../assumption-cases.ts';
import { consumerId, fulfillmentId, orderId, productId, someOrder, unknownId } from '../order-requests.ts';
import type { Answer, Client, TestSachet } from '../sachet.ts';

const calls: readonly ((client: Client) => Promise<Answer>)[] = [
  (client) => client.get('/v2/products'),
  (client) => client.get(`/v2/products/${productId(1)}`),
  (client) => client.get(`/v2/consumers/${consumerId(1)}`),
  (client) => client.get('/v2/orders'),
  (client) => client.get(`/v2/orders/${orderId(18)}`),
  (client) => client.get(`/v2/orders/${orderId(1)}/fulfillments`),
  (client) => client.get('/v2/fulfillments'),
  (client) => client.get(`/v2/fulfillments/${fulfillmentId(1)}`),
  (client) => client.patch(`/v2/orders/${orderId(18)}`, { consumer: { id: consumerId(2) } }),
  (client) => client.post(`/v2/orders/${orderId(18)}/cancel`),
  (client) => client.post('/v2/orders', someOrder()),
];

async function statusesFor(sachet: TestSachet, username: string): Promise<number[]> {
  const client = await sachet.login(username);
  const statuses: number[] = [];
  for (const call of calls) statuses.push((await call(client)).status);
  return statuses;
}

/** What `demo` asks of another client's records, and the same of records that are not there. */
async function foreignAndUnknown(sachet: TestSachet): Promise<[foreign: Answer, unknown: Answer][]> {
  const client = await sachet.login();
  const reads: [path: (id: string) => string, id: string][] = [
    [(id) => `/v2/products/${id}`, productId(9)],
    [(id) => `/v2/consumers/${id}`, consumerId(5)],
    [(id) => `/v2/orders/${id}`, orderId(3)],
    [(id) => `/v2/orders/${id}/fulfillments`, orderId(3)],
    [(id) => `/v2/fulfillments/${id}`, fulfillmentId(6)],
  ];
  return Promise.all(reads.map(async ([path, id]) => [await client.get(path(id)), await client.get(path(unknownId))]));
}
const notFoundWords = ['Product', 'Consumer', 'Order', 'Order', 'Fulfillment'].map((what) => `${what} not found`);

export const accessCases: Cases<'permissions' | 'foreign_resource'> = {
  permissions: {
    per_endpoint: async (sachet) => {
      const refused = await (await sachet.login('no-permissions')).get('/v2/products');
      expect(refused.body).toEqual(errorOf(403, 'Insufficient permissions'));
      expect(await statusesFor(sachet, 'no-permissions')).toEqual(calls.map(() => 403));
      expect(await statusesFor(sachet, 'read-only')).toEqual([...Array(8).fill(200), 403, 403, 403]);
      expect(await statusesFor(sachet, 'demo')).toEqual([...Array(10).fill(200), 201]);
    },
    all: async (sachet) => {
      expect(await statusesFor(sachet, 'no-permissions')).toEqual([...Array(10).fill(200), 201]);
    },
  },
  foreign_resource: {
    404: async (sachet) => {
      const answers = await foreignAndUnknown(sachet);
      expect(answers.map(([, unknown]) => unknown.body.message)).toEqual(notFoundWords);
      for (const [foreign, unknown] of answers) expect(foreign.text).toBe(unknown.text);
    },
    403: async (sachet) => {
      const answers = await foreignAndUnknown(sachet);
      for (const [foreign] of answers) expect(foreign.body).toEqual(errorOf(403, 'Insufficient permissions'));
      expect(answers.map(([, unknown]) => unknown.body.message)).toEqual(notFoundWords);
    },
  },
};
