// Recordings for `sachet compare`: a client in this process that records its calls, random calls, and a tour of calls
// that shows the assumptions.
import fc from 'fast-check';
import { createEngine } from '../../src/app.ts';
import type { Choices } from '../../src/contract/assumptions.ts';
import type { Fixtures } from '../../src/contract/fixtures.ts';
import type { EngineOptions } from '../../src/engine.ts';
import { headersOf, type RecordedCall, urlPartsOf } from '../../src/fidelity/recorded-call.ts';
import { planReplay } from '../../src/fidelity/replay.ts';
import { settingOf } from '../../src/node/cli/serve-flags.ts';
import { compare } from '../../src/node/fidelity/compare.ts';
import type { Send } from '../../src/node/fidelity/sandbox-run.ts';
import { known, lineWith, newConsumer, orderWith, validOrder } from '../cases/requests.ts';
import { orderBody } from '../contract/joi/order-bodies.ts';
import { unknownId } from '../support/order-requests.ts';
import { fixtures, passwordOf } from '../support/sachet.ts';

const origin = 'http://localhost:4010';

/** A sandbox with ids and keys of its own. */
export const engineOf = (assumptions: Partial<Choices> = {}, options: Partial<EngineOptions> = {}) =>
  createEngine({ fixtures, assumptions, ...options });

interface Init {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly raw?: string;
  readonly type?: string;
}

/** A client whose calls are recorded. */
function recordingClient({ fetch }: Pick<ReturnType<typeof engineOf>, 'fetch'>) {
  const calls: RecordedCall[] = [];

  async function call(method: string, target: string, { token, body, raw, type = 'application/json' }: Init = {}) {
    const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
    const headers = {
      ...(sent !== null && { 'content-type': type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(origin + target, { method, headers, body: sent });
    const responseBody = await response.text();
    calls.push({
      ...{
        at: calls.length,
        method,
        ...urlPartsOf(origin + target),
        requestHeaders: headersOf(Object.entries(headers)),
      },
      ...{ requestBody: sent, status: response.status, responseHeaders: headersOf(response.headers), responseBody },
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads a response field by field, as a client does
    return { status: response.status, headers: response.headers, body: JSON.parse(responseBody || 'null') as any };
  }

  async function login(username = 'demo', password = passwordOf(username)) {
    const { body } = await call('POST', '/v2/authentication/token', { body: { username, password } });
    return { token: body.access_token as string, refreshToken: body.refresh_token as string };
  }

  const refresh = async (refresh_token: unknown): Promise<string> =>
    (await call('POST', '/v2/authentication/refresh-token', { body: { refresh_token } })).body.access_token;

  return { calls, call, login, refresh };
}

/** Sends to a sandbox in this process, as to a target. */
const sendTo =
  ({ fetch }: Pick<ReturnType<typeof engineOf>, 'fetch'>): Send =>
  async ({ method, target, headers, body }) => {
    const response = await fetch(origin + target, { method, headers, body });
    const { status } = response;
    return { status, responseHeaders: headersOf(response.headers), responseBody: await response.text() };
  };

/** Compares a sandbox with these choices, as the target, with one that has others. */
export async function compareWith(
  calls: readonly RecordedCall[],
  target: ReturnType<typeof engineOf>,
  assume: Partial<Choices> = {},
) {
  const plan = planReplay(calls, true);
  const setting = await settingOf({ assume, profile: 'default' });
  return compare(plan.calls, { send: sendTo(target), given: undefined, setting });
}

const ids = fc.constantFrom(...Object.values(known).filter((id) => id.includes('-0000-4000-')), unknownId, '42');
const limit = fc.constantFrom('', '?limit=3', '?limit=100', '?limit=0', '?limit=101', '?limit=x', '?page=2');
const read = fc.oneof(
  fc.tuple(fc.constantFrom('/v2/products', '/v2/fulfillments', '/v2/orders', '/v2/consumers', '/v2/none'), limit),
  fc.tuple(fc.constantFrom('/v2/products/', '/v2/consumers/', '/v2/orders/', '/v2/fulfillments/'), ids),
  ids.map((id) => [`/v2/orders/${id}`, '/fulfillments'] as const),
  ids.map((id) => ['/v2/fulfillments?order_id=', id] as const),
);
const user = fc.constantFrom('demo', 'demo', 'read-only', 'other-brand', 'no-permissions', 'inactive-account');
type Step = Readonly<Record<string, unknown>>;
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ read: read.map((parts) => parts.join('')) }) },
  { weight: 6, arbitrary: fc.record({ order: fc.oneof(orderBody, fc.constant(validOrder)) }) },
  { weight: 2, arbitrary: fc.record({ login: user, password: fc.constantFrom(undefined, undefined, 'wrong') }) },
  { weight: 2, arbitrary: fc.record({ refresh: fc.constantFrom('own', 'own', 'x', 7) }) },
  { weight: 2, arbitrary: fc.record({ pages: fc.integer({ min: 2, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ created: fc.constantFrom('GET', 'PATCH', 'cancel', 'fulfillments') }) },
  { weight: 1, arbitrary: fc.record({ bearer: fc.constantFrom(undefined, '', 'x', 'x.y.z', 'a b') }) },
);

/** At least so many random calls, the same for the same seed. */
export async function randomCalls(count: number, seed: number): Promise<readonly RecordedCall[]> {
  const client = recordingClient(engineOf({}, { randomSeed: 'recorded' }));
  let { token, refreshToken } = await client.login();
  let created: string = known.pendingOrder;
  const takes: Readonly<Record<string, (value: unknown, step: Step) => Promise<unknown>>> = {
    read: (path) => client.call('GET', String(path), { token }),
    order: async (body) => {
      created = (await client.call('POST', '/v2/orders', { token, body })).body.order?.id ?? created;
    },
    login: async (username, { password }) => {
      const login = await client.login(String(username), password as string | undefined);
      if (login.token) ({ token, refreshToken } = login);
    },
    refresh: async (sent) => {
      token = (await client.refresh(sent === 'own' ? refreshToken : sent)) ?? token;
    },
    pages: (limit) => readPages(client, token, Number(limit)),
    created: (how) => useOrder(client, token, created, String(how)),
    bearer: (bad) => client.call('GET', '/v2/products', { token: bad as string | undefined }),
  };
  for (const one of fc.sample(step as fc.Arbitrary<Step>, { seed, numRuns: count }))
    for (const [kind, value] of Object.entries(one)) await takes[kind]?.(value, one);
  return client.calls;
}

async function readPages({ call }: ReturnType<typeof recordingClient>, token: string, limit: number): Promise<void> {
  let query = '';
  for (let page = 0; page < 4; page += 1) {
    const { body } = await call('GET', `/v2/fulfillments?limit=${limit}${query}`, { token });
    if (!body.next_cursor) return;
    query = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

async function useOrder(
  { call }: ReturnType<typeof recordingClient>,
  token: string,
  id: string,
  how: string,
): Promise<void> {
  const path = `/v2/orders/${id}`;
  if (how === 'GET') await call('GET', path, { token });
  else if (how === 'PATCH') await call('PATCH', path, { token, body: { consumer: { id: known.consumer } } });
  else if (how === 'cancel') await call('POST', `${path}/cancel`, { token });
  else await call('GET', `${path}/fulfillments`, { token });
}

const orders: readonly unknown[] = [
  validOrder,
  {},
  orderWith({ consumer: { id: known.consumer } }),
  orderWith({ consumer: { id: unknownId } }),
  orderWith({ consumer: { id: 7 } }),
  ...['email', 'phone_number'].map((name) => orderWith({ [`consumer.${name}`]: undefined })),
  orderWith({ 'consumer.email': undefined, 'consumer.phone_number': undefined }),
  orderWith({ 'consumer.phone_number': 'abc' }),
  orderWith({ 'consumer.phone_number': 'x'.repeat(16) }),
  orderWith({ 'consumer.first_name': ' ' }),
  orderWith({ 'shipping_address.planet': 'Mars' }),
  orderWith({ order_lines: [{}] }),
  orderWith({ 'order_lines.0.duration': '30' }),
  orderWith({ 'order_lines.0.duration': 90 }),
  orderWith({ 'order_lines.0.pouches': [] }),
  orderWith({ 'order_lines.0.pouches.0.pack_id': known.pack }),
  orderWith({ 'order_lines.0.pouches': [{ pack_id: 'PACK-UNKNOWN' }] }),
  orderWith({ 'order_lines.0.pouches.0.time_of_administration': 'At dawn' }),
  orderWith({ order_lines: [lineWith(known.foreignProduct)] }),
  orderWith({ order_lines: [lineWith(known.inactiveProduct)] }),
];

/** Calls that show every assumption that a comparison can see. */
export async function tour(): Promise<readonly RecordedCall[]> {
  const client = recordingClient(engineOf({}, { randomSeed: 'recorded' }));
  const { call, login, refresh } = client;
  const { token, refreshToken } = await login();
  for (const path of ['/v2/products', `/v2/products/${known.product}`, '/v2/products/42', '/v2/consumers'])
    await call('GET', path, { token });
  for (const path of [`/v2/products/${known.foreignProduct}`, '/v2/fulfillments?limit=0', '/v2/fulfillments?limit=101'])
    await call('GET', path, { token });
  for (const path of ['/v2/fulfillments?limit=60', `/v2/consumers/${known.consumer}`, '/v2/orders?limit=2'])
    await call('GET', path, { token });
  await readPages(client, token, 9);
  for (const body of orders) await call('POST', '/v2/orders', { token, body });
  await call('POST', '/v2/orders', { token, raw: '{"consumer":' });
  const again = await call('POST', '/v2/orders', { token, body: orderWith({ consumer: newConsumer }) });
  await call('GET', `/v2/orders/${again.body.order.id}`, { token });
  for (const bad of ['x', undefined]) await call('GET', '/v2/products', { token: bad });
  await login('demo', 'wrong');
  const limited = await login('no-permissions');
  await call('GET', '/v2/products', { token: limited.token });
  await refresh('x');
  for (let time = 0; time < 2; time += 1) await call('GET', '/v2/products', { token: await refresh(refreshToken) });
  await call('GET', '/v2/products', { token });
  return client.calls;
}

/** The fixtures of a service with other data: other ids, names and numbers, and half of the packages. */
export const otherData: Fixtures = JSON.parse(
  JSON.stringify({ ...fixtures, fulfillments: fixtures.fulfillments.filter((_, at) => at % 2 === 0) })
    .replaceAll('-0000-4000-8000-', '-1234-4abc-9abc-')
    .replaceAll(/("(?:product_name|first_name|city)":")/g, '$1Other ')
    .replaceAll(/("(?:weight|shipping_net_charge)":)/g, '$17'),
);

/** What a client does at any service: it orders a product of the list, and reads what the answers name. */
export async function discovery(engine: ReturnType<typeof engineOf>): Promise<readonly RecordedCall[]> {
  const client = recordingClient(engine);
  const { call, login, refresh } = client;
  const { token, refreshToken } = await login();
  const get = async (path: string) => (await call('GET', path, { token })).body;
  const [product] = (await get('/v2/products')).client_products;
  await get(`/v2/products/${product.id}`);
  await readPages(client, token, 4);
  const { id, consumer_id, order_id } = (await get('/v2/fulfillments')).fulfillments[0];
  for (const path of [
    `/v2/fulfillments/${id}`,
    `/v2/consumers/${consumer_id}`,
    `/v2/fulfillments?order_id=${order_id}`,
  ])
    await get(path);
  const body = orderWith({ order_lines: [lineWith(product.id)] });
  const created = (await call('POST', '/v2/orders', { token, body })).body.order;
  for (const path of [`orders/${created.id}`, `orders/${created.id}/fulfillments`, `consumers/${created.consumer.id}`])
    await get(`/v2/${path}`);
  await call('POST', '/v2/orders', { token, body: { ...validOrder, consumer: { id: consumer_id } } });
  await call('POST', '/v2/orders', { token: await refresh(refreshToken), body: {} });
  return client.calls;
}
