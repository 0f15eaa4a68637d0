// Forged and altered tokens. A token has one spelling: decoders are lenient, the server is not.
import { createHmac } from 'node:crypto';
import { decodeJwt, UnsecuredJWT } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { errorBodyOf } from '../cases/rejected.ts';
import { known } from '../cases/requests.ts';
import { fixtures, testSachet } from '../support/sachet.ts';
import { present, refresh, sign, signingKeyOf } from '../support/tokens.ts';

const invalid = errorBodyOf({ status: 401, message: 'Invalid token' });
const otherUser = fixtures.users.find(({ username }) => username === 'other-brand')?.id;

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token's three parts, some of them replaced: objects become JSON. */
function withParts(token: string, parts: { readonly header?: object; readonly payload?: object }): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [
    parts.header ? base64url(parts.header) : header,
    parts.payload ? base64url({ ...decodeJwt(token), ...parts.payload }) : payload,
    signature,
  ].join('.');
}

/** The token under another header, and with the HMAC-SHA-256 that belongs to it. */
function resignedUnder(header: object, token: string, key: string): string {
  const [, payload = ''] = token.split('.');
  const signed = `${base64url(header)}.${payload}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** Another last digit that decodes to the same bytes: only spare bits differ. */
function sibling(token: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + digits.charAt(digits.indexOf(token.slice(-1)) + 1);
}

const forgeries: Readonly<Record<string, (token: string, key: string) => string | Promise<string>>> = {
  'unsecured, alg none': (token) => new UnsecuredJWT(decodeJwt(token)).encode(),
  'alg none with the signature kept': (token) => withParts(token, { header: { alg: 'none', typ: 'JWT' } }),
  'another key': (token) => sign(decodeJwt(token), 'f'.repeat(64)),
  'RS256 in the header, signed with the right secret': (token, key) =>
    resignedUnder({ alg: 'RS256', typ: 'JWT' }, token, key),
  'another user': (token) => withParts(token, { payload: { sub: otherUser } }),
  'a longer life': (token) => withParts(token, { payload: { exp: 9_999_999_999 } }),
  'no signature': (token) => token.slice(0, token.lastIndexOf('.') + 1),
  'cut short': (token) => token.slice(0, -2),
  'a fourth part': (token) => `${token}.e30`,
  'not base64url': () => '?.?.?',
  'padded base64': (token) => `${token}=`,
  'spare bits set': sibling,
  'an unknown user': (token, key) => sign({ ...decodeJwt(token), sub: 'ffffffff-0000-4000-8000-000000000000' }, key),
  'claims of another sandbox': (token, key) => sign({ ...decodeJwt(token), sandbox: 'w1' }, key),
  'an unknown use': (token, key) => sign({ ...decodeJwt(token), use: 'both' }, key),
};

test('forged tokens are rejected, for a call and for a refresh (AUTH-3)', async () => {
  const sachet = testSachet({ assumptions: { unauthorized_message: 'Invalid token' } });
  const [{ token, refreshToken }, key] = [await sachet.login(), await signingKeyOf(sachet)];
  const found: Record<string, unknown> = {};
  for (const [name, forge] of Object.entries(forgeries)) {
    const answers = [
      await present(sachet, await forge(token, key)),
      await refresh(sachet, await forge(refreshToken, key)),
    ];
    found[name] = [...answers.map(({ body }) => body), (await present(sachet, token)).status];
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(forgeries).map((name) => [name, [invalid, invalid, 200]])));
  // The flaws are what is rejected: signed again with the right key, the tokens are good.
  const answers = [
    await present(sachet, await sign(decodeJwt(token), key)),
    await present(sachet, resignedUnder({ alg: 'HS256' }, token, key)),
    await refresh(sachet, await sign(decodeJwt(refreshToken), key)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a new token is verified once, and its concurrent calls keep their order', async () => {
  const { post } = await testSachet().login();
  const verify = vi.spyOn(crypto.subtle, 'verify');
  onTestFinished(() => verify.mockRestore());
  const cancel = () => post(`/v2/orders/${known.pendingOrder}/cancel`);
  const answers = await Promise.all([cancel(), cancel()]);
  expect(verify).toHaveBeenCalledOnce();
  expect(answers.map(({ status }) => status)).toEqual([200, 422]);
});
