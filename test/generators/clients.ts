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

interface Outcome {
  readonly status: string;
  readonly labels: readonly string[];
  /** What the control API says of the switch, for a client of both. */
  readonly milliseconds?: number | undefined;
}

const fetcher = (authorization?: string): Fetcher => ({
  fetch: ({ method, url: target, urlSearchParams, parameters }) => {
    if (urlSearchParams) target.search = urlSearchParams.toString();
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
    const body = parameters?.body ? { body: JSON.stringify(parameters.body) } : {};
    return fetch(target, { method: method.toUpperCase(), headers, ...body });
  },
});

const clients: Readonly<Record<string, () => Promise<Outcome>>> = {
  'hey-api': async () => {
    const { data: token } = await heyApi.logIn({ body: login, throwOnError: true });
    const auth = token.access_token;
    const { data: created } = await heyApi.createOrder({ body: order, auth, throwOnError: true });
    const { data: page } = await heyApi.listFulfillments({ query, auth, throwOnError: true });
    heyApiControlClient.setConfig({ auth: adminKey });
    const { data: set } = await heyApiControl.setSwitches({ path: { sandbox }, body: switches, throwOnError: true });
    return outcomeOf(created.order, page, set.latency?.milliseconds);
  },
  'orval-fetch': async () => {
    const { data: token } = expectStatus(await orvalFetch.logIn(login), 200);
    const auth = bearer(token.access_token);
    const { data: created } = expectStatus(await orvalFetch.createOrder(order, auth), 201);
    const { data: page } = expectStatus(await orvalFetch.listFulfillments(query, auth), 200);
    return outcomeOf(created.order, page);
  },
  'orval-axios': async () => {
    const { data: token } = await orvalAxios.logIn(login);
    const auth = bearer(token.access_token);
    const { data: created } = await orvalAxios.createOrder(order, auth);
    const { data: page } = await orvalAxios.listFulfillments(query, auth);
    return outcomeOf(created.order, page);
  },
  kubb: async () => {
    const base = { baseURL: url, headers: { 'Content-Type': 'application/json' } };
    const token = await kubb.logIn(login, base);
    const auth = { baseURL: url, headers: { ...base.headers, ...bearer(token.access_token).headers } };
    const created = await kubb.createOrder(order, auth);
    return outcomeOf(created.order, await kubb.listFulfillments(query, auth));
  },
  oazapfts: async () => {
    const { data: token } = expectStatus(await oazapfts.logIn(login), 200);
    const auth = bearer(token.access_token);
    const { data: created } = expectStatus(await oazapfts.createOrder(order, auth), 201);
    const { data: page } = expectStatus(await oazapfts.listFulfillments(query, auth), 200);
    const set = expectStatus(await oazapftsControl.setSwitches(sandbox, switches, {}, bearer(adminKey)), 200);
    return outcomeOf(created.order, page, set.data.latency?.milliseconds);
  },
  'swagger-typescript-api': async () => {
    const service = new Api();
    const { data: token } = await service.v2.logIn(login);
    const auth = bearer(token.access_token);
    const { data: created } = await service.v2.createOrder(order, auth);
    const { data: page } = await service.v2.listFulfillments(query, auth);
    const { data: set } = await new ControlApi().admin.setSwitches(sandbox, switches, bearer(adminKey));
    return outcomeOf(created.order, page, set.latency?.milliseconds);
  },
  'typed-openapi': async () => {
    const token = await typedService(fetcher(), url).post('/v2/authentication/token', { body: login });
    const service = typedService(fetcher(`Bearer ${token.access_token}`), url);
    const created = await service.post('/v2/orders', { body: order });
    const page = await service.get('/v2/fulfillments', { query });
    const control = typedControl(fetcher(`Bearer ${adminKey}`), url);
    const path = '/_admin/sandboxes/{sandbox}/switches';
    const set = await control.patch(path, { path: { sandbox }, header: {}, body: switches });
    return outcomeOf(created.order, page, set.latency?.milliseconds);
  },
  // It checks each answer with the schemas of the document.
  'openapi-zod-client': async () => {
    const service = zodService(url);
    const token = await service.logIn(login);
    const auth = bearer(token.access_token);
    const created = await service.createOrder(order, auth);
    const page = await service.listFulfillments({ queries: query, ...auth });
    const set = await zodControl(url).setSwitches(switches, { params: { sandbox }, ...bearer(adminKey) });
    return outcomeOf(created.order, page, set.latency?.milliseconds);
  },
};

function outcomeOf(
  { status }: { readonly status: string },
  { fulfillments }: { readonly fulfillments: readonly { readonly label_url: string }[] },
  milliseconds?: number,
): Outcome {
  return { status, labels: fulfillments.map(({ label_url }) => label_url), milliseconds };
}

const { status, labels, milliseconds = 1 } = (await clients[name]?.()) ?? { status: 'unknown client', labels: [] };
const hasLabels = labels.length === query.limit && labels.every((one) => one.startsWith(url));
if (status !== 'Pending' || !hasLabels || milliseconds !== 1)
  throw new Error(`${name}: ${JSON.stringify({ status, labels, milliseconds })}`);
