// Forged and altered tokens. A token has one spelling: decoders are lenient, the server is not.
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { errorBodyOf } from '../cases/rejected.ts';
import { known } from '../cases/requests.ts';
import { fixtures, testSachet } from '../support/sachet.ts';
import { present, refresh, resignedUnder, sign, signingKeyOf, withParts } from '../support/tokens.ts';

const invalid = errorBodyOf({ status: 401, message: 'Invalid token' });
const otherUser = fixtures.users.find(({ username }) => username === 'other-brand')?.id;

async function stolen() {
  const sachet = testSachet({ assumptions: { unauthorized_message: 'Invalid token' } });
  const { token, refreshToken } = await sachet.login();
  return { sachet, token, refreshToken, key: await signingKeyOf(sachet) };
}

const rsaKeys = generateKeyPair('RS256');

const withoutSignature = (token: string) => token.slice(0, token.lastIndexOf('.') + 1);

/** Another last digit that decodes to the same bytes: only spare bits differ. */
function sibling(token: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + digits.charAt(digits.indexOf(token.slice(-1)) + 1);
}

const forgeries: Readonly<Record<string, (token: string, key: string) => string | Promise<string>>> = {
  'unsecured, alg none': (token) => new UnsecuredJWT(decodeJwt(token)).encode(),
  'alg none with the signature kept': (token) => withParts(token, { header: { alg: 'none', typ: 'JWT' } }),
  'another key': (token) => sign(decodeJwt(token), 'f'.repeat(64)),
  'an RSA key': async (token) => {
    const { privateKey } = await rsaKeys;
    return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(privateKey);
  },
  'RS256 in the header, signed with the right secret': (token, key) =>
    resignedUnder({ alg: 'RS256', typ: 'JWT' }, token, key),
  'HS512 with the right key': (token, key) => sign(decodeJwt(token), key, 'HS512'),
  'another user': (token) => withParts(token, { payload: { sub: otherUser } }),
  'a longer life': (token) => withParts(token, { payload: { exp: 9_999_999_999 } }),
  'no signature': withoutSignature,
  'the signature of another token': (token) => `${withoutSignature(token)}${'A'.repeat(43)}`,
  'cut short': (token) => token.slice(0, -2),
  'a fourth part': (token) => `${token}.e30`,
  'one part': () => 'e30',
  'not base64url': () => '?.?.?',
  'padded base64': (token) => `${token}=`,
  'spare bits set': sibling,
  'an unknown user': (token, key) => sign({ ...decodeJwt(token), sub: 'ffffffff-0000-4000-8000-000000000000' }, key),
  'claims of another sandbox': (token, key) => sign({ ...decodeJwt(token), sandbox: 'w1' }, key),
  'claims of another environment': (token, key) => sign({ ...decodeJwt(token), environment: 'production' }, key),
  'an unknown use': (token, key) => sign({ ...decodeJwt(token), use: 'both' }, key),
};

test.each(Object.entries(forgeries))('a token with %s is rejected (AUTH-3)', async (_, forge) => {
  const { sachet, token, refreshToken, key } = await stolen();
  const forged = await forge(token, key);
  expect((await present(sachet, forged)).body).toEqual(invalid);
  expect((await refresh(sachet, await forge(refreshToken, key))).body).toEqual(invalid);
  const statuses = [];
  for (const each of [token, forged, token]) statuses.push((await present(sachet, each)).status);
  expect(statuses).toEqual([200, 401, 200]);
});

test('tokens that are signed again with the right key are good, so the flaws above are what is rejected', async () => {
  const { sachet, token, refreshToken, key } = await stolen();
  const answers = [
    await present(sachet, await sign(decodeJwt(token), key)),
    await present(sachet, resignedUnder({ alg: 'HS256' }, token, key)),
    await refresh(sachet, await sign(decodeJwt(refreshToken), key)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a refresh token is no bearer token, and an access token no refresh token (AUTH-3)', async () => {
  const { sachet, token, refreshToken } = await stolen();
  expect((await present(sachet, refreshToken)).body).toEqual(invalid);
  expect((await refresh(sachet, token)).body).toEqual(invalid);
});

test('tokens are good in the environment of their login only (AUTH-4)', async () => {
  const { sachet } = await stolen();
  const bases = ['', '/sandboxes/stage', '/sandboxes/production'];
  const wrong = [];
  for (const base of bases) {
    const { token, refreshToken } = await sachet.login('demo', { base });
    for (const elsewhere of bases) {
      const answers = [await present(sachet, token, elsewhere), await refresh(sachet, refreshToken, elsewhere)];
      const isGood = base.endsWith('production') === elsewhere.endsWith('production');
      const statuses = answers.map(({ status, body }) => (body.message === invalid.message ? 401 : status));
      if (String(statuses) !== (isGood ? '200,200' : '401,401')) wrong.push([base, elsewhere, statuses]);
    }
  }
  expect(wrong).toEqual([]);
});

test.each(['Token expired', 'Invalid token', 'Unauthorized'] as const)(
  'unauthorized_message "%s" is the message for malformed and foreign tokens, not for expired ones',
  async (message) => {
    const sachet = testSachet({ assumptions: { unauthorized_message: message } });
    const { token } = await sachet.login('demo', { base: '/sandboxes/production' });
    const answers = [
      await present(sachet, 'malformed'),
      await present(sachet, token),
      await refresh(sachet, 'malformed'),
    ];
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => errorBodyOf({ status: 401, message })));
    const own = await sachet.login();
    await sachet.advance(86_400_000);
    expect((await present(sachet, own.token)).body.message).toBe('Token expired');
  },
);

test('a new token is verified once, and its concurrent calls keep their order', async () => {
  const { post } = await testSachet().login();
  const verify = vi.spyOn(crypto.subtle, 'verify');
  onTestFinished(() => verify.mockRestore());
  const cancel = () => post(`/v2/orders/${known.pendingOrder}/cancel`);
  const answers = await Promise.all([cancel(), cancel()]);
  expect(verify).toHaveBeenCalledOnce();
  expect(answers.map(({ status }) => status)).toEqual([200, 422]);
});

test('a new forged token is rejected in concurrent calls and in later ones', async () => {
  const { login, client } = testSachet();
  const { get } = client(`${(await login()).token.slice(0, -2)}AA`);
  const answers = await Promise.all([get('/v2/products'), get('/v2/products')]);
  expect([...answers, await get('/v2/products')].map(({ status }) => status)).toEqual([401, 401, 401]);
});
