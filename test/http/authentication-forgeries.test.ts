import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { errorBodyOf } from '../support/refused.ts';
import { type Client, fixtures, type TestSachet, testSachet } from '../support/sachet.ts';
import { present, refresh, resignedUnder, sign, signingKeyOf, withParts } from '../support/tokens.ts';

const words = { unauthorized_message: 'Invalid token' } as const;
const invalid = errorBodyOf({ status: 401, message: 'Invalid token' });
const otherUser = fixtures.users.find(({ username }) => username === 'other-brand')?.id;

interface Loot extends Pick<Client, 'token' | 'refreshToken'> {
  readonly sachet: TestSachet;
  readonly key: string;
}

async function loot(): Promise<Loot> {
  const sachet = testSachet({ assumptions: words });
  const { token, refreshToken } = await sachet.login();
  return { sachet, token, refreshToken, key: await signingKeyOf(sachet) };
}

const withoutSignature = (token: string) => token.slice(0, token.lastIndexOf('.') + 1);

/** A good token made bad in one way. */
const flaws: Readonly<Record<string, (token: string, key: string) => string | Promise<string>>> = {
  'unsecured, alg none': (token) => new UnsecuredJWT(decodeJwt(token)).encode(),
  'said to be alg none, its signature kept': (token) => withParts(token, { header: { alg: 'none', typ: 'JWT' } }),
  'signed with another key': (token) => sign(decodeJwt(token), 'f'.repeat(64)),
  'signed with an RSA key': async (token) => {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(privateKey);
  },
  'said to be RS256, signed with the right secret': (token, key) =>
    resignedUnder({ alg: 'RS256', typ: 'JWT' }, token, key),
  'HS512 with the right key': (token, key) => sign(decodeJwt(token), key, 'HS512'),
  'tampered with: another user': (token) => withParts(token, { payload: { sub: otherUser } }),
  'tampered with: a longer life': (token) => withParts(token, { payload: { exp: 9_999_999_999 } }),
  'without its signature': withoutSignature,
  'with the signature of another': (token) => `${withoutSignature(token)}${'A'.repeat(43)}`,
  'cut short': (token) => token.slice(0, -2),
  'followed by more': (token) => `${token}.e30`,
  'of one part': () => 'e30',
  'not base64url at all': () => '?.?.?',
  'of a user there is not': (token, key) =>
    sign({ ...decodeJwt(token), sub: 'ffffffff-0000-4000-8000-000000000000' }, key),
  'of another sandbox by its claims': (token, key) => sign({ ...decodeJwt(token), sandbox: 'w1' }, key),
  'of another environment by its claims': (token, key) => sign({ ...decodeJwt(token), environment: 'production' }, key),
  'of no use that is known': (token, key) => sign({ ...decodeJwt(token), use: 'both' }, key),
};

describe.each(Object.entries(flaws))('a token %s', (_, flaw) => {
  test('is no bearer token (AUTH-3)', async () => {
    const { sachet, token, key } = await loot();
    expect((await present(sachet, await flaw(token, key))).body).toEqual(invalid);
  });

  test('is no refresh token (AUTH-3)', async () => {
    const { sachet, refreshToken, key } = await loot();
    expect((await refresh(sachet, await flaw(refreshToken, key))).body).toEqual(invalid);
  });

  test('is refused also after the good one was seen, and the good one after it', async () => {
    const { sachet, token, key } = await loot();
    const asked = [token, await flaw(token, key), token];
    const statuses = [];
    for (const each of asked) statuses.push((await present(sachet, each)).status);
    expect(statuses).toEqual([200, 401, 200]);
  });
});

test('a token signed anew with the right key and algorithm is good, so that the flaws are what is refused', async () => {
  const { sachet, token, refreshToken, key } = await loot();
  const answers = [
    await present(sachet, await sign(decodeJwt(token), key)),
    await present(sachet, resignedUnder({ alg: 'HS256' }, token, key)),
    await refresh(sachet, await sign(decodeJwt(refreshToken), key)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a refresh token is no bearer token, and an access token no refresh token (AUTH-3)', async () => {
  const { sachet, token, refreshToken } = await loot();
  expect((await present(sachet, refreshToken)).body).toEqual(invalid);
  expect((await refresh(sachet, token)).body).toEqual(invalid);
});

const bases = ['', '/sandboxes/stage', '/sandboxes/production'];

describe.each(bases)('a login at the base URL "%s"', (base) => {
  test.each(bases)('is good at "%s" only where that is the same environment (AUTH-4)', async (elsewhere) => {
    const sachet = testSachet({ assumptions: words });
    const { token, refreshToken } = await sachet.login('demo', { base });
    const answers = [await present(sachet, token, elsewhere), await refresh(sachet, refreshToken, elsewhere)];
    const same = base.endsWith('production') === elsewhere.endsWith('production');
    expect(answers.map(({ status }) => status)).toEqual(same ? [200, 200] : [401, 401]);
    if (!same) expect(answers.map(({ body }) => body)).toEqual([invalid, invalid]);
  });
});

describe.each(['Token expired', 'Invalid token', 'Unauthorized'] as const)(
  'where unauthorized_message is "%s"',
  (message) => {
    const refused = errorBodyOf({ status: 401, message });

    test('these are the words for a token that is malformed, or of another place', async () => {
      const sachet = testSachet({ assumptions: { unauthorized_message: message } });
      const { token } = await sachet.login('demo', { base: '/sandboxes/production' });
      const answers = [
        await present(sachet, 'malformed'),
        await present(sachet, token),
        await refresh(sachet, 'malformed'),
      ];
      expect(answers.map(({ body }) => body)).toEqual(answers.map(() => refused));
    });

    test('an expired token is Token expired all the same', async () => {
      const sachet = testSachet({ assumptions: { unauthorized_message: message } });
      const { token } = await sachet.login();
      await sachet.advance(86_400_000);
      expect((await present(sachet, token)).body.message).toBe('Token expired');
    });
  },
);
