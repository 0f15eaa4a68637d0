// A token has one spelling. Decoders forgive others; the server does not, so no changed token is good.
import { expect, test } from 'vitest';
import { testSachet } from '../support/sachet.ts';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The other last digits that decode to the same bytes: they differ in spare bits alone. */
function siblings(token: string): string[] {
  const last = digits.indexOf(token.slice(-1));
  return [1, 2, 3].map((bits) => token.slice(0, -1) + digits.charAt(last + bits));
}

const spellings = (token: string): string[] => [
  `${token}=`,
  `${token}\n`,
  `${token}${' '.repeat(1000)}`,
  `${token.slice(0, -5)}\n${token.slice(-5)}`,
  ...siblings(token),
];

test('a refresh token in another spelling is not good', async () => {
  const sachet = testSachet();
  const { refreshToken } = await sachet.login();
  for (const refresh_token of spellings(refreshToken)) {
    const { status } = await sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token } });
    expect(status, JSON.stringify(refresh_token)).toBe(401);
  }
  const good = await sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: refreshToken } });
  expect(good.status).toBe(200);
});

test('an access token in another spelling is not good', async () => {
  const sachet = testSachet();
  const { token } = await sachet.login();
  for (const changed of [`${token}=`, ...siblings(token)])
    expect((await sachet.client(changed).get('/v2/products')).status, changed).toBe(401);
});
