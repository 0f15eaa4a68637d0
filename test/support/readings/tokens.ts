// The readings of logging in, refreshing, and tokens that are not good.
import { expect } from 'vitest';
import type { Status } from '../../../src/contract/operation.ts';
import { type Cases, errorOf } from '../assumption-cases.ts';
import type { Answer, TestSachet } from '../sachet.ts';

const dayMs = 86_400_000;

async function expectUnauthorized(sachet: TestSachet, words: string): Promise<void> {
  const { token } = await sachet.login();
  const tampered = await sachet.client(`${token}x`).get('/v2/products');
  const noJwt = await sachet.client('x').get('/v2/products');
  for (const { body } of [tampered, noJwt]) expect(body).toEqual(errorOf(401, words));
  await sachet.advance(dayMs);
  const expired = await sachet.client(token).get('/v2/products');
  expect(expired.body).toEqual(errorOf(401, 'Token expired'));
}

/** Calls without a bearer token: without the header, with an empty one, of another scheme, and with two tokens. */
function withoutToken(sachet: TestSachet): Promise<Answer[]> {
  const headers = [{}, ...['', 'Bearer', 'Basic ZGVtbw==', 'Bearer x y'].map((authorization) => ({ authorization }))];
  return Promise.all(headers.map((each) => sachet.call('GET', '/v2/products', { headers: each })));
}

async function expectMissing(sachet: TestSachet, words: string): Promise<void> {
  for (const { body, headers } of await withoutToken(sachet)) {
    expect(body).toEqual(errorOf(401, words));
    expect(headers.get('sandbox-rule')).toBe('missing_token_message');
    expect(headers.get('sandbox-assumption')).toContain(`missing_token_message=${words}`);
  }
  expect((await sachet.client('x').get('/v2/products')).body).toEqual(errorOf(401, 'Token expired'));
}

/** The challenges of 401s: without a token, with a malformed, an expired one and one from elsewhere, and of a bad login. */
async function challenges(sachet: TestSachet): Promise<(string | null)[]> {
  const [{ token }, elsewhere] = [await sachet.login(), await sachet.login('demo', { base: '/sandboxes/production' })];
  const answers = await withoutToken(sachet);
  for (const bad of ['x', elsewhere.token]) answers.push(await sachet.client(bad).get('/v2/products'));
  await sachet.advance(dayMs);
  answers.push(await sachet.client(token).get('/v2/products'));
  const login = { body: { username: 'demo', password: 'wrong' } };
  answers.push(await sachet.call('POST', '/v2/authentication/token', login), await refresh(sachet, 'x'));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  return answers.map(({ headers }) => headers.get('www-authenticate'));
}

async function expectBadCredentials(sachet: TestSachet, status: Status): Promise<void> {
  const logins = [
    { username: 'demo', password: 'wrong' },
    { username: 'nobody', password: 'sachet-demo' },
    { username: 'inactive-account', password: 'sachet-inactive-account' },
  ];
  for (const body of logins) {
    const answer = await sachet.call('POST', '/v2/authentication/token', { body });
    expect(answer.body).toEqual(errorOf(status, 'Invalid username or password'));
  }
}

const refresh = (sachet: TestSachet, token: string): Promise<Answer> =>
  sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: token } });

async function expectBadRefreshToken(sachet: TestSachet, status: Status): Promise<void> {
  const client = await sachet.login();
  for (const notGood of ['x', client.token, `${client.refreshToken}x`])
    expect((await refresh(sachet, notGood)).body).toEqual(errorOf(status, 'Token expired'));
  await sachet.advance(30 * dayMs);
  expect((await refresh(sachet, client.refreshToken)).body).toEqual(errorOf(status, 'Token expired'));
}

/** Two logins of one user, the first refreshed so often; and whether each access token is good, that of the other login last. */
async function refreshed(sachet: TestSachet, times: number) {
  const client = await sachet.login();
  const other = await sachet.login();
  const tokens = [client.token];
  for (let time = 0; time < times; time += 1)
    tokens.push((await refresh(sachet, client.refreshToken)).body.access_token);
  const answers = (): Promise<Answer[]> =>
    Promise.all([...tokens, other.token].map((token) => sachet.client(token).get('/v2/products')));
  const areGood = async () => (await answers()).map(({ status }) => status === 200);
  return { answers, areGood };
}

/** Whether a refresh token is still good after so many days. */
async function isGoodAfter(sachet: TestSachet, days: number): Promise<boolean> {
  const client = await sachet.login();
  await sachet.advance(days * dayMs);
  return (await refresh(sachet, client.refreshToken)).status === 200;
}

export const tokenCases: Cases<
  | 'unauthorized_message'
  | 'missing_token_message'
  | 'www_authenticate'
  | 'old_token_after_refresh'
  | 'bad_credentials'
  | 'bad_refresh_token'
  | 'refresh_token_lifetime'
> = {
  unauthorized_message: {
    'Token expired': (sachet) => expectUnauthorized(sachet, 'Token expired'),
    'Invalid token': (sachet) => expectUnauthorized(sachet, 'Invalid token'),
    Unauthorized: (sachet) => expectUnauthorized(sachet, 'Unauthorized'),
  },
  missing_token_message: {
    'Missing authentication': (sachet) => expectMissing(sachet, 'Missing authentication'),
    'Token expired': (sachet) => expectMissing(sachet, 'Token expired'),
    Unauthorized: (sachet) => expectMissing(sachet, 'Unauthorized'),
  },
  www_authenticate: {
    present: async (sachet) => {
      const [missing, invalid] = ['Bearer', 'Bearer error="invalid_token"'];
      expect(await challenges(sachet)).toEqual([...Array(5).fill(missing), ...Array(3).fill(invalid), null, null]);
    },
    absent: async (sachet) => expect(await challenges(sachet)).toEqual(Array(10).fill(null)),
  },
  old_token_after_refresh: {
    stays: async (sachet) => {
      const { areGood } = await refreshed(sachet, 2);
      expect(await areGood()).toEqual([true, true, true, true]);
    },
    ends: async (sachet) => {
      const { answers, areGood } = await refreshed(sachet, 2);
      expect(await areGood()).toEqual([false, false, true, true]);
      const [ended] = await answers();
      expect(ended?.body).toEqual(errorOf(401, 'Token expired'));
      expect(ended?.headers.get('sandbox-rule')).toBe('old_token_after_refresh');
      expect(ended?.headers.get('sandbox-assumption')).toContain('old_token_after_refresh=ends');
      // The state has it: an import of an export ends the same tokens, and a restore brings them back.
      const stage = sachet.control.sandbox('stage');
      await stage.state.put(await stage.state.get());
      expect(await areGood()).toEqual([false, false, true, true]);
      await stage.snapshots.create({ name: 'refreshed' });
      await stage.reset();
      expect(await areGood()).toEqual([true, true, true, true]);
      await stage.snapshots.restore('refreshed');
      expect(await areGood()).toEqual([false, false, true, true]);
      await stage.assumptions.set({ old_token_after_refresh: 'stays' });
      expect(await areGood()).toEqual([true, true, true, true]);
    },
  },
  bad_credentials: {
    401: (sachet) => expectBadCredentials(sachet, 401),
    400: (sachet) => expectBadCredentials(sachet, 400),
    403: (sachet) => expectBadCredentials(sachet, 403),
  },
  bad_refresh_token: {
    401: (sachet) => expectBadRefreshToken(sachet, 401),
    400: (sachet) => expectBadRefreshToken(sachet, 400),
  },
  refresh_token_lifetime: {
    '30d': async (sachet) => {
      expect([await isGoodAfter(sachet, 29), await isGoodAfter(sachet, 30)]).toEqual([true, false]);
    },
    '24h': async (sachet) => {
      expect([await isGoodAfter(sachet, 0.99), await isGoodAfter(sachet, 1)]).toEqual([true, false]);
    },
    never: async (sachet) => expect(await isGoodAfter(sachet, 10_000)).toBe(true),
    single_use: async (sachet) => {
      const { refreshToken } = await sachet.login();
      expect((await refresh(sachet, refreshToken)).status).toBe(200);
      expect((await refresh(sachet, refreshToken)).body).toEqual(errorOf(401, 'Token expired'));
      expect([await isGoodAfter(sachet, 29), await isGoodAfter(sachet, 30)]).toEqual([true, false]);
    },
  },
};
