// Logins, refreshes and signed tokens.
import { CompactSign } from 'jose';
import { expect } from 'vitest';
import type { RecordOf } from '../../src/contract/records.ts';
import { errorBodyOf } from '../cases/rejected.ts';
import { type Answer, fixtures, noon, type TestSachet } from './sachet.ts';

export const secondsAtNoon = Date.parse(noon) / 1000;

/** A token with these claims, signed with this key. */
export function sign(claims: object, key: string, alg = 'HS256'): Promise<string> {
  const payload = Buffer.from(JSON.stringify(claims));
  return new CompactSign(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(Buffer.from(key));
}

export async function signingKeyOf(sachet: TestSachet, name?: string): Promise<string> {
  return (await sachet.sandbox(name)).identity.signingKey;
}

/** The response to a call with this bearer token. */
export const present = (sachet: TestSachet, token: string, base = ''): Promise<Answer> =>
  sachet.client(token, base).get('/v2/products');

export const refresh = (sachet: TestSachet, refresh_token: string, base = ''): Promise<Answer> =>
  sachet.call('POST', `${base}/v2/authentication/refresh-token`, { body: { refresh_token } });

export const logIn = (sachet: TestSachet, username: string, password: string, base = ''): Promise<Answer> =>
  sachet.call('POST', `${base}/v2/authentication/token`, { body: { username, password } });

/** A user of the shipped fixtures. */
export function userNamed(username: string): RecordOf<'users'> {
  const found = fixtures.users.find((user) => user.username === username);
  if (!found) throw new Error(`the fixtures have no user ${username}`);
  return found;
}

export const badCredentials = errorBodyOf({ status: 401, message: 'Invalid username or password' });

/** A user like `demo` that the shipped fixtures do not have. */
export const newUser = (username: string, password: string, number = 0) => ({
  ...userNamed('demo'),
  id: `12000000-0000-4000-8000-0000000001${String(number).padStart(2, '0')}`,
  username,
  password,
});

export async function expectNoSandbox(sachet: TestSachet, name: string): Promise<void> {
  await expect(sachet.sandbox(name)).rejects.toThrow(`there is no sandbox ${name}`);
}
