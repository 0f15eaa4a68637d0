import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Choice } from '../../src/contract/assumptions.ts';
import { errorBodyOf } from '../support/refused.ts';
import { fixtures, testSachet } from '../support/sachet.ts';
import { dayInMilliseconds, present, refresh, secondsAtNoon } from '../support/tokens.ts';

const expired = { status: 401, message: 'Token expired' };
/** So that the words of an expired token are told from those of an invalid one. */
const ownWords = { unauthorized_message: 'Invalid token' } as const;

describe('an access token', () => {
  test('is good for 86,399,999 milliseconds and expired at 86,400,000 (AUTH-3)', async () => {
    const sachet = testSachet({ assumptions: ownWords });
    const { token } = await sachet.login();
    await sachet.advance(dayInMilliseconds - 1);
    expect((await present(sachet, token)).status).toBe(200);
    await sachet.advance(1);
    expect((await present(sachet, token)).body).toEqual(errorBodyOf(expired));
  });

  test('has the second in which it was made as its iat, and so is never from the future', async () => {
    const sachet = testSachet({ clock: '2026-11-20T12:00:00.999Z' });
    const { token, refreshToken } = await sachet.login();
    const claims = [decodeJwt(token), decodeJwt(refreshToken)].map(({ iat, exp }) => [iat, exp]);
    expect(claims).toEqual([
      [secondsAtNoon, secondsAtNoon + 86_400],
      [secondsAtNoon, secondsAtNoon + 30 * 86_400],
    ]);
  });

  test('of a refresh has a day of its own, which does not lengthen the first', async () => {
    const sachet = testSachet();
    const { token, refreshToken } = await sachet.login();
    await sachet.advance(dayInMilliseconds / 2);
    const second = (await refresh(sachet, refreshToken)).body.access_token;
    await sachet.advance(dayInMilliseconds / 2);
    expect((await present(sachet, token)).body).toEqual(errorBodyOf(expired));
    await sachet.advance(dayInMilliseconds / 2 - 1);
    expect((await present(sachet, second)).status).toBe(200);
    await sachet.advance(1);
    expect((await present(sachet, second)).body).toEqual(errorBodyOf(expired));
  });

  test('that a refresh has ended stays refused for its whole lifetime', async () => {
    const sachet = testSachet({ assumptions: { refresh_token_lifetime: '24h', old_token_after_refresh: 'ends' } });
    const { refreshToken } = await sachet.login();
    await sachet.advance(dayInMilliseconds / 2);
    const ended = (await refresh(sachet, refreshToken)).body.access_token;
    await sachet.control.sandbox('stage').switches.set({ token_expiry: { lifetime_seconds: 60 } });
    await refresh(sachet, refreshToken);
    expect((await present(sachet, ended)).status).toBe(401);
    await sachet.advance(dayInMilliseconds / 2 + 1000);
    // Another refresh forgets the tokens that have expired.
    await refresh(sachet, (await sachet.login()).refreshToken);
    expect((await present(sachet, ended)).status).toBe(401);
  });

  test('goes by the clock of its own sandbox', async () => {
    const sachet = testSachet();
    const [here, there] = [await sachet.login(), await sachet.login('demo+w1')];
    await sachet.advance(dayInMilliseconds, 'w1');
    expect((await present(sachet, here.token)).status).toBe(200);
    expect((await present(sachet, there.token)).status).toBe(401);
  });
});

test('access tokens of an earlier generation are expired for good, and new ones are not', async () => {
  const sachet = testSachet({ assumptions: ownWords });
  const { token, refreshToken } = await sachet.login();
  await sachet.control.sandbox('stage').switches.set({ token_expiry: { expire_issued: true } });
  expect((await present(sachet, token)).body).toEqual(errorBodyOf(expired));
  const { body } = await refresh(sachet, refreshToken);
  const fresh = [body.access_token, (await sachet.login()).token];
  const answers = await Promise.all(fresh.map((one) => present(sachet, one)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

const thirtyDays = 30 * dayInMilliseconds;

describe('a refresh token', () => {
  test.each([
    ['30d', thirtyDays],
    ['24h', dayInMilliseconds],
    ['single_use', thirtyDays],
  ] as const)('of refresh_token_lifetime %s is good until its last millisecond', async (choice, lifetime) => {
    const assumptions = { ...ownWords, refresh_token_lifetime: choice };
    const sachet = testSachet({ assumptions });
    const [one, two] = [await sachet.login(), await sachet.login()];
    await sachet.advance(lifetime - 1);
    expect((await refresh(sachet, one.refreshToken)).status).toBe(200);
    await sachet.advance(1);
    expect((await refresh(sachet, two.refreshToken)).body).toEqual(errorBodyOf(expired));
  });

  test.each([
    ['30d', thirtyDays],
    ['24h', dayInMilliseconds],
    ['single_use', thirtyDays],
  ] as const)('of refresh_token_lifetime %s that was made at .999 has no second more', async (choice, lifetime) => {
    const assumptions = { ...ownWords, refresh_token_lifetime: choice };
    const sachet = testSachet({ assumptions, clock: '2026-11-20T12:00:00.999Z' });
    const [one, two] = [await sachet.login(), await sachet.login()];
    await sachet.advance(lifetime - 1000);
    expect((await refresh(sachet, one.refreshToken)).status).toBe(200);
    await sachet.advance(1000);
    expect((await refresh(sachet, two.refreshToken)).body).toEqual(errorBodyOf(expired));
  });

  test('of refresh_token_lifetime never is good after a thousand years', async () => {
    const sachet = testSachet({ assumptions: { refresh_token_lifetime: 'never' } });
    const { refreshToken } = await sachet.login();
    expect(decodeJwt(refreshToken)).not.toHaveProperty('exp');
    await sachet.advance(1000 * 365 * dayInMilliseconds);
    const { body } = await refresh(sachet, refreshToken);
    expect((await present(sachet, body.access_token)).status).toBe(200);
  });

  test.each<Choice<'refresh_token_lifetime'>>(['30d', '24h', 'never'])(
    'of refresh_token_lifetime %s is good more than once',
    async (choice) => {
      const sachet = testSachet({ assumptions: { refresh_token_lifetime: choice } });
      const { refreshToken } = await sachet.login();
      const statuses = [await refresh(sachet, refreshToken), await refresh(sachet, refreshToken)];
      expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
    },
  );

  describe('of refresh_token_lifetime single_use', () => {
    const assumptions = { ...ownWords, refresh_token_lifetime: 'single_use' } as const;
    const spent = errorBodyOf({ status: 401, message: 'Invalid token' });

    test('is good once, and no other is spent with it', async () => {
      const sachet = testSachet({ assumptions });
      const [one, two] = [await sachet.login(), await sachet.login()];
      const first = await refresh(sachet, one.refreshToken);
      expect((await refresh(sachet, one.refreshToken)).body).toEqual(spent);
      expect((await present(sachet, first.body.access_token)).status).toBe(200);
      expect((await refresh(sachet, two.refreshToken)).status).toBe(200);
    });

    test('takes its place no longer than it would be good', async () => {
      const few = {
        ...fixtures,
        ...Object.fromEntries(['orders', 'fulfillments', 'consumers'].map((name) => [name, []])),
      };
      const most = Math.max(...Object.values(few).map((rows) => (Array.isArray(rows) ? rows.length : 0)));
      const sachet = testSachet({ assumptions, fixtures: few, maxRecords: most });
      const spend = async () => {
        const { refreshToken } = await sachet.login();
        return (await refresh(sachet, refreshToken)).status;
      };
      const spendAll = () => Promise.all(Array.from({ length: most }, spend));
      expect(new Set(await spendAll())).toEqual(new Set([200]));
      expect(await spend()).toBe(500);
      await sachet.advance(thirtyDays);
      expect(new Set(await spendAll())).toEqual(new Set([200]));
      expect((await sachet.sandbox()).state.table('spent_refresh_tokens').size).toBe(most);
    });

    test('is good for one of two refreshes at the same time', async () => {
      const sachet = testSachet({ assumptions });
      const { refreshToken } = await sachet.login();
      const answers = await Promise.all([refresh(sachet, refreshToken), refresh(sachet, refreshToken)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    });
  });
});

const flawed = {
  unknown: () => 'no token',
  expired: (_: string, refreshToken: string) => refreshToken,
  'an access token': (token: string) => token,
};

describe.each(Object.entries(flawed))('a refresh token that is %s', (kind, pick) => {
  test.each(['401', '400'] as const)('is refused with %s by bad_refresh_token', async (choice) => {
    const sachet = testSachet({ assumptions: { ...ownWords, bad_refresh_token: choice } });
    const { token, refreshToken } = await sachet.login();
    if (kind === 'expired') await sachet.advance(thirtyDays);
    const message = kind === 'expired' ? 'Token expired' : 'Invalid token';
    const answer = await refresh(sachet, pick(token, refreshToken));
    const refused = { status: Number(choice), message };
    expect([answer.status, answer.body]).toEqual([refused.status, errorBodyOf(refused)]);
  });
});
