// Runs a generated client against the server: it logs in, creates an order and lists fulfillments. A client of the control API also sets a switch.
// The URL of the server comes from the document, except where a generator does not read it there.

import { client as heyApiControlClient } from './generated/hey-api-control/client.gen.js';
import * as heyApiControl from './generated/hey-api-control/index.js';
import * as heyApi from './generated/hey-api-service/index.js';
import * as kubb from './generated/kubb/index.js';
import * as oazapftsControl from './generated/oazapfts-control.js';
import * as oazapfts from './generated/oazapfts-service.js';
import * as orvalAxios from './generated/orval-axios.js';
import * as orvalFetch from './generated/orval-fetch.js';
import { Api as ControlApi } from './generated/swagger-typescript-api-control.js';
import { Api } from './generated/swagger-typescript-api-service.js';
import { createApiClient as typedControl } from './generated/typed-openapi-control.js';
import { type Fetcher, createApiClient as typedService } from './generated/typed-openapi-service.js';
import { createApiClient as zodControl } from './generated/zod-client-control.js';
import { createApiClient as zodService } from './generated/zod-client-service.js';

const [, , name = '', url = '', adminKey = ''] = process.argv;

const login = { username: 'demo', password: 'sachet-demo' };
const client_product_id = '20000000-0000-4000-8000-000000000001';
const order = {
  consumer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
  shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
  order_lines: [{ duration: 30, pouches: [{ contents: [{ client_product_id, serving_size: 1 }] }] }],
};
const query = { limit: 2 };
const sandbox = 'stage';
const switches = { latency: { milliseconds: 1 } };

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** The answer of a success: after a look at the status, its type is that of the body. @throws Error for another status */
function expectStatus<Answer extends { readonly status: number }, Status extends number>(
  answer: Answer,
  status: Status,
): Extract<Answer, { readonly status: Status }> {
  if (answer.status !== status) throw new Error(`the status is ${answer.status}, not ${status}`);
  return answer as Extract<Answer, { readonly status: Status }>;
}

interface Client {
  readonly logIn: () => Promise<{ readonly access_token: string }>;
  readonly create: (token: string) => Promise<{ readonly order: { readonly status: string } }>;
  readonly list: (token: string) => Promise<{ readonly fulfillments: readonly { readonly label_url: string }[] }>;
  /** Sets switches, for a client of both APIs. */
  readonly set?: () => Promise<{ readonly latency: { readonly milliseconds?: number | undefined } | null }>;
}

const fetcher = (authorization?: string): Fetcher => ({
  fetch: ({ method, url: target, urlSearchParams, parameters }) => {
    if (urlSearchParams) target.search = urlSearchParams.toString();
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
    const body = parameters?.body ? { body: JSON.stringify(parameters.body) } : {};
    return fetch(target, { method: method.toUpperCase(), headers, ...body });
  },
});
const typedOf = (token: string) => typedService(fetcher(`Bearer ${token}`), url);
const kubbOf = (token?: string) => ({
  baseURL: url,
  headers: { 'Content-Type': 'application/json', ...(token ? bearer(token).headers : {}) },
});

const clients: Readonly<Record<string, Client>> = {
  'hey-api': {
    logIn: async () => (await heyApi.logIn({ body: login, throwOnError: true })).data,
    create: async (auth) => (await heyApi.createOrder({ body: order, auth, throwOnError: true })).data,
    list: async (auth) => (await heyApi.listFulfillments({ query, auth, throwOnError: true })).data,
    set: async () => {
      heyApiControlClient.setConfig({ auth: adminKey });
      return (await heyApiControl.setSwitches({ path: { sandbox }, body: switches, throwOnError: true })).data;
    },
  },
  'orval-fetch': {
    logIn: async () => expectStatus(await orvalFetch.logIn(login), 200).data,
    create: async (token) => expectStatus(await orvalFetch.createOrder(order, bearer(token)), 201).data,
    list: async (token) => expectStatus(await orvalFetch.listFulfillments(query, bearer(token)), 200).data,
  },
  'orval-axios': {
    logIn: async () => (await orvalAxios.logIn(login)).data,
    create: async (token) => (await orvalAxios.createOrder(order, bearer(token))).data,
    list: async (token) => (await orvalAxios.listFulfillments(query, bearer(token))).data,
  },
  kubb: {
    logIn: () => kubb.logIn(login, kubbOf()),
    create: (token) => kubb.createOrder(order, kubbOf(token)),
    list: (token) => kubb.listFulfillments(query, kubbOf(token)),
  },
  oazapfts: {
    logIn: async () => expectStatus(await oazapfts.logIn(login), 200).data,
    create: async (token) => expectStatus(await oazapfts.createOrder(order, bearer(token)), 201).data,
    list: async (token) => expectStatus(await oazapfts.listFulfillments(query, bearer(token)), 200).data,
    set: async () => expectStatus(await oazapftsControl.setSwitches(sandbox, switches, {}, bearer(adminKey)), 200).data,
  },
  'swagger-typescript-api': {
    logIn: async () => (await new Api().v2.logIn(login)).data,
    create: async (token) => (await new Api().v2.createOrder(order, bearer(token))).data,
    list: async (token) => (await new Api().v2.listFulfillments(query, bearer(token))).data,
    set: async () => (await new ControlApi().admin.setSwitches(sandbox, switches, bearer(adminKey))).data,
  },
  'typed-openapi': {
    logIn: () => typedService(fetcher(), url).post('/v2/authentication/token', { body: login }),
    create: (token) => typedOf(token).post('/v2/orders', { body: order }),
    list: (token) => typedOf(token).get('/v2/fulfillments', { query }),
    set: () => {
      const parameters = { path: { sandbox }, header: {}, body: switches };
      const control = typedControl(fetcher(`Bearer ${adminKey}`), url);
      return control.patch('/_admin/sandboxes/{sandbox}/switches', parameters);
    },
  },
  // It checks each answer with the schemas of the document.
  'openapi-zod-client': {
    logIn: () => zodService(url).logIn(login),
    create: (token) => zodService(url).createOrder(order, bearer(token)),
    list: (token) => zodService(url).listFulfillments({ queries: query, ...bearer(token) }),
    set: () => zodControl(url).setSwitches(switches, { params: { sandbox }, ...bearer(adminKey) }),
  },
};

const client = clients[name];
if (!client) throw new Error(`unknown client ${name}`);
const { access_token } = await client.logIn();
const { status } = (await client.create(access_token)).order;
const labels = (await client.list(access_token)).fulfillments.map(({ label_url }) => label_url);
const hasLabels = labels.length === query.limit && labels.every((one) => one.startsWith(url));
const milliseconds = client.set ? (await client.set()).latency?.milliseconds : 1;
if (status !== 'Pending' || !hasLabels || milliseconds !== 1)
  throw new Error(`${name}: ${JSON.stringify({ status, labels, milliseconds })}`);
