// The readings of logging in, refreshing, and tokens that are not good.
import { expect } from 'vitest';
import type { Status } from '../../../src/contract/operation.ts';
import { type Cases, errorOf } from '../assumption-cases.ts';
import type { Answer, TestSachet } from '../sachet.ts';

const dayMs = 86_400_000;

async function expectUnauthorized(sachet: TestSachet, words: string): Promise<void> {
  const { token } = await sachet.login();
  const absent = await sachet.call('GET', '/v2/products');
  const tampered = await sachet.client(`${token}x`).get('/v2/products');
  const noJwt = await sachet.client('x').get('/v2/products');
  for (const { body } of [absent, tampered, noJwt]) expect(body).toEqual(errorOf(401, words));
  await sachet.advance(dayMs);
  const expired = await sachet.client(token).get('/v2/products');
  expect(expired.body).toEqual(errorOf(401, 'Token expired'));
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

/** Whether a refresh token is still good after so many days. */
async function isGoodAfter(sachet: TestSachet, days: number): Promise<boolean> {
  const client = await sachet.login();
  await sachet.advance(days * dayMs);
  return (await refresh(sachet, client.refreshToken)).status === 200;
}

export const tokenCases: Cases<
  'unauthorized_message' | 'bad_credentials' | 'bad_refresh_token' | 'refresh_token_lifetime'
> = {
  unauthorized_message: {
    'Token expired': (sachet) => expectUnauthorized(sachet, 'Token expired'),
    'Invalid token': (sachet) => expectUnauthorized(sachet, 'Invalid token'),
    Unauthorized: (sachet) => expectUnauthorized(sachet, 'Unauthorized'),
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
