// The choices of logins and tokens, of permissions, and of the rate limit (LIM-1).
import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import type { Choices } from '../../../src/contract/assumptions.ts';
import type { AnswerStatus } from '../../../src/contract/operation.ts';
import { consumerId, fulfillmentId, orderId, productId, someOrder, unknownId } from '../../support/order-requests.ts';
import { type Answer, day, type TestSachet, testSachet } from '../../support/sachet.ts';
import { refresh } from '../../support/tokens.ts';
import { type Cases, each, errorOf, singlePaths } from './choices.ts';

const login = (sachet: TestSachet, body: object): Promise<Answer> =>
  sachet.call('POST', '/v2/authentication/token', { body });
const statuses = (responses: readonly Answer[]): number[] => responses.map(({ status }) => status);

async function expectInvalidToken(sachet: TestSachet, message: string): Promise<void> {
  const { token } = await sachet.login();
  for (const invalid of [`${token}x`, 'x'])
    expect((await sachet.client(invalid).get('/v2/products')).body).toEqual(errorOf(401, message));
  await sachet.advance(day);
  expect((await sachet.client(token).get('/v2/products')).body).toEqual(errorOf(401, 'Token expired'));
}

/** Calls without a bearer token: without the header, with an empty one, of another scheme, and with two tokens. */
function callsWithoutToken(sachet: TestSachet): Promise<Answer[]> {
  const headers = [{}, ...['', 'Bearer', 'Basic ZGVtbw==', 'Bearer x y'].map((authorization) => ({ authorization }))];
  return Promise.all(headers.map((each) => sachet.call('GET', '/v2/products', { headers: each })));
}
async function expectMissingToken(sachet: TestSachet, message: string): Promise<void> {
  for (const { body } of await callsWithoutToken(sachet)) expect(body).toEqual(errorOf(401, message));
  expect((await sachet.client('x').get('/v2/products')).body).toEqual(errorOf(401, 'Token expired'));
}

/** The challenges of 401s: without a token, with a malformed, a foreign and an expired one, and of a login and a refresh. */
async function challenges(sachet: TestSachet): Promise<(string | null)[]> {
  const [{ token }, elsewhere] = [await sachet.login(), await sachet.login('demo', { base: '/sandboxes/production' })];
  const responses = await callsWithoutToken(sachet);
  for (const bad of ['x', elsewhere.token]) responses.push(await sachet.client(bad).get('/v2/products'));
  await sachet.advance(day);
  responses.push(await sachet.client(token).get('/v2/products'));
  responses.push(await login(sachet, { username: 'demo', password: 'wrong' }), await refresh(sachet, 'x'));
  expect(new Set(statuses(responses))).toEqual(new Set([401]));
  return responses.map(({ headers }) => headers.get('www-authenticate'));
}

async function expectBadCredentials(sachet: TestSachet, status: string): Promise<void> {
  const logins = { demo: 'wrong', nobody: 'sachet-demo', 'inactive-account': 'sachet-inactive-account' };
  for (const [username, password] of Object.entries(logins)) {
    const { body } = await login(sachet, { username, password });
    expect(body).toEqual(errorOf(Number(status) as AnswerStatus, 'Invalid username or password'));
  }
}
async function expectBadRefreshToken(sachet: TestSachet, status: string): Promise<void> {
  const { token, refreshToken } = await sachet.login();
  const rejected = errorOf(Number(status) as AnswerStatus, 'Token expired');
  for (const bad of ['x', token, `${refreshToken}x`]) expect((await refresh(sachet, bad)).body).toEqual(rejected);
  await sachet.advance(30 * day);
  expect((await refresh(sachet, refreshToken)).body).toEqual(rejected);
}

/** Which access tokens are valid: those of a login, of its two refreshes, and of another login. */
async function refreshedTwice(sachet: TestSachet): Promise<() => Promise<boolean[]>> {
  const { token, refreshToken } = await sachet.login();
  const tokens = [token];
  for (let time = 0; time < 2; time += 1) tokens.push((await refresh(sachet, refreshToken)).body.access_token);
  tokens.push((await sachet.login()).token);
  const calls = () => Promise.all(tokens.map((one) => sachet.client(one).get('/v2/products')));
  return async () => (await calls()).map(({ status }) => status === 200);
}

/** A refresh token is valid until the last millisecond of its lifetime. */
async function expectLifetime(refresh_token_lifetime: Choices['refresh_token_lifetime'], lifetime: number) {
  for (const [clock, last] of [
    ['2026-11-20T12:00:00.000Z', 1],
    // Tokens count in seconds: one that is issued at .999 gets no second more.
    ['2026-11-20T12:00:00.999Z', 1000],
  ] as const) {
    const sachet = testSachet({
      assumptions: { refresh_token_lifetime, unauthorized_message: 'Invalid token' },
      clock,
    });
    const [one, two] = [await sachet.login(), await sachet.login()];
    await sachet.advance(lifetime - last);
    expect((await refresh(sachet, one.refreshToken)).status).toBe(200);
    await sachet.advance(last);
    expect((await refresh(sachet, two.refreshToken)).body).toEqual(errorOf(401, 'Token expired'));
  }
}

/** The statuses of reads of eight endpoints, and of three writes. */
async function statusesFor(sachet: TestSachet, username: string): Promise<number[]> {
  const client = await sachet.login(username);
  const pending = `/v2/orders/${orderId(18)}`;
  const reads = [
    'products',
    `products/${productId(1)}`,
    `consumers/${consumerId(1)}`,
    'orders',
    `orders/${orderId(18)}`,
  ];
  reads.push(`orders/${orderId(1)}/fulfillments`, 'fulfillments', `fulfillments/${fulfillmentId(1)}`);
  const responses = await Promise.all(reads.map((path) => client.get(`/v2/${path}`)));
  responses.push(await client.patch(pending, { consumer: { id: consumerId(2) } }));
  responses.push(await client.post(`${pending}/cancel`), await client.post('/v2/orders', someOrder()));
  return statuses(responses);
}
const reading = (status: number): number[] => Array<number>(8).fill(status);

/** The reads of another client's records, and of unknown ones, which are not found. */
async function foreignAndUnknown(sachet: TestSachet): Promise<[foreign: Answer, unknown: Answer][]> {
  const { get } = await sachet.login();
  return Promise.all(
    singlePaths.map(async ([path, _name, foreignId, what]): Promise<[Answer, Answer]> => {
      const [foreign, unknown] = [await get(path.replace('$', foreignId)), await get(path.replace('$', unknownId))];
      expect(unknown.body).toEqual(errorOf(404, `${what} not found`));
      return [foreign, unknown];
    }),
  );
}

async function calls(sachet: TestSachet, count: number): Promise<Answer[]> {
  const responses: Answer[] = [];
  for (let call = 0; call < count; call += 1) responses.push(await sachet.call('GET', '/v2/products'));
  return responses;
}

/**
 * The statuses beyond a limit of two: two calls of one user, with the login's and a refreshed token; a third with the expired token; one of
 * another user; and three logins.
 */
async function callsOverLimit(sachet: TestSachet): Promise<number[]> {
  const [demo, other] = [await sachet.login(), await sachet.login('read-only')];
  const renewed = (await refresh(sachet, demo.refreshToken)).body.access_token;
  await sachet.advance(day);
  await sachet.control.sandbox('stage').switches.set({ rate_limit: { limit: 2, window_seconds: 60 } });
  const responses: Answer[] = [];
  for (const client of [demo, sachet.client(renewed), demo, other]) responses.push(await client.get('/v2/products'));
  for (let call = 0; call < 3; call += 1) responses.push(await login(sachet, {}));
  return statuses(responses);
}

export const accessCases = {
  unauthorized_message: each(expectInvalidToken, 'Token expired', 'Invalid token', 'Unauthorized'),
  missing_token_message: each(expectMissingToken, 'Missing authentication', 'Token expired', 'Unauthorized'),
  www_authenticate: {
    present: async (sachet) => {
      const [missing, invalid] = ['Bearer', 'Bearer error="invalid_token"'];
      expect(await challenges(sachet)).toEqual([...Array(5).fill(missing), ...Array(3).fill(invalid), null, null]);
    },
    absent: async (sachet) => expect(await challenges(sachet)).toEqual(Array(10).fill(null)),
  },
  old_token_after_refresh: {
    stays: async (sachet) => expect(await (await refreshedTwice(sachet))()).toEqual(Array(4).fill(true)),
    ends: async (sachet) => {
      const valid = await refreshedTwice(sachet);
      const onlyNewest = [false, false, true, true];
      expect(await valid()).toEqual(onlyNewest);
      // It is part of the state: an import and a restore keep it, a reset does not.
      const stage = sachet.control.sandbox('stage');
      await stage.state.put(await stage.state.get());
      expect(await valid()).toEqual(onlyNewest);
      await stage.snapshots.create({ name: 'refreshed' });
      await stage.reset();
      expect(await valid()).toEqual([true, true, true, true]);
      await stage.snapshots.restore('refreshed');
      expect(await valid()).toEqual(onlyNewest);
    },
  },
  bad_credentials: each(expectBadCredentials, '401', '400', '403'),
  bad_refresh_token: each(expectBadRefreshToken, '401', '400'),
  refresh_token_lifetime: {
    '30d': () => expectLifetime('30d', 30 * day),
    '24h': () => expectLifetime('24h', day),
    never: async (sachet) => {
      const { refreshToken } = await sachet.login();
      expect(decodeJwt(refreshToken)).not.toHaveProperty('exp');
      await sachet.advance(10_000 * day);
      expect((await refresh(sachet, refreshToken)).status).toBe(200);
    },
    single_use: async (sachet) => {
      await expectLifetime('single_use', 30 * day);
      const { refreshToken } = await sachet.login();
      expect((await refresh(sachet, refreshToken)).status).toBe(200);
      expect((await refresh(sachet, refreshToken)).body).toEqual(errorOf(401, 'Token expired'));
    },
  },
  permissions: {
    per_endpoint: async (sachet) => {
      expect(await statusesFor(sachet, 'no-permissions')).toEqual([...reading(403), 403, 403, 403]);
      expect(await statusesFor(sachet, 'read-only')).toEqual([...reading(200), 403, 403, 403]);
      expect(await statusesFor(sachet, 'demo')).toEqual([...reading(200), 200, 200, 201]);
    },
    all: async (sachet) =>
      expect(await statusesFor(sachet, 'no-permissions')).toEqual([...reading(200), 200, 200, 201]),
  },
  foreign_resource: {
    404: async (sachet) => {
      for (const [foreign, unknown] of await foreignAndUnknown(sachet)) expect(foreign.text).toBe(unknown.text);
    },
    403: async (sachet) => {
      const rejected = errorOf(403, 'Insufficient permissions');
      for (const [foreign] of await foreignAndUnknown(sachet)) expect(foreign.body).toEqual(rejected);
    },
  },
  rate_limit_scope: {
    user: async (sachet) => {
      expect(await callsOverLimit(sachet)).toEqual([401, 401, 429, 401, 422, 422, 429]);
      const stage = sachet.control.sandbox('stage');
      expect((await stage.switches.get()).rate_limit?.remaining).toBe(0);
      // An import restores the windows of the users.
      await stage.switches.clear();
      await stage.assumptions.set({ rate_limit: '100/60s' });
      const [demo, other] = [await sachet.login(), await sachet.login('read-only')];
      for (const client of [demo, demo, other]) await client.get('/v2/products');
      const state = await stage.state.get();
      expect(Object.values(state.rate_windows ?? {}).map((window) => window.calls)).toEqual([2, 1]);
      await stage.reset();
      await stage.state.put(state);
      expect((await stage.state.get()).rate_windows).toEqual(state.rate_windows);
      // A window that has ended is not kept.
      await sachet.advance(60_000);
      await other.get('/v2/products');
      expect(Object.keys((await stage.state.get()).rate_windows ?? {})).toHaveLength(1);
    },
    sandbox: async (sachet) => expect(await callsOverLimit(sachet)).toEqual([401, 401, ...Array(5).fill(429)]),
  },
  rate_limit: {
    off: async (sachet) => expect(new Set(statuses(await calls(sachet, 102)))).toEqual(new Set([401])),
    '100/60s': async (sachet) => {
      expect(new Set(statuses(await calls(sachet, 100)))).toEqual(new Set([401]));
      const [over] = await calls(sachet, 1);
      expect([over?.headers.get('retry-after'), over?.body]).toEqual(['60', errorOf(429, 'Too Many Requests')]);
      await sachet.advance(58_500);
      expect((await calls(sachet, 1))[0]?.headers.get('retry-after')).toBe('2');
      await sachet.advance(1499);
      expect(statuses(await calls(sachet, 1))).toEqual([429]);
      await sachet.advance(1);
      expect(statuses(await calls(sachet, 101))).toEqual([...Array<number>(100).fill(401), 429]);
    },
  },
} satisfies Partial<Cases>;
