// Users beyond the shipped ones, and what a login is told.
import { expect } from 'vitest';
import { errorBodyOf } from '../cases/rejected.ts';
import { fixtures, type TestSachet } from './sachet.ts';
import { userNamed } from './tokens.ts';

export const badCredentials = errorBodyOf({ status: 401, message: 'Invalid username or password' });

/** A user like `demo` whom the shipped fixtures do not have. */
export const newUser = (username: string, password: string, number = 0) => ({
  ...userNamed('demo'),
  id: `12000000-0000-4000-8000-0000000001${String(number).padStart(2, '0')}`,
  username,
  password,
});

/** The shipped fixtures and further users of the brand of `demo`, by username and password. */
export function withUsers(users: Readonly<Record<string, string>>) {
  const more = Object.entries(users).map(([username, password], number) => newUser(username, password, number));
  return { fixtures: { ...fixtures, users: [...fixtures.users, ...more] } };
}

export async function expectNoSandbox(sachet: TestSachet, name: string): Promise<void> {
  await expect(sachet.sandbox(name)).rejects.toThrow(`there is no sandbox ${name}`);
}
