// Who logs in to a sandbox, and who may not.
import { expect, test } from 'vitest';
import { loginsOf } from '../../src/sandbox/sample-calls.ts';
import { fixtures, testSachet } from '../support/sachet.ts';

test('those who may log in come first, each group in the order of the records', async () => {
  const { state } = await testSachet().sandbox();
  const logins = [...loginsOf(state)];
  const closed = ['inactive-user', 'inactive-account'];
  const open = fixtures.users.map(({ username }) => username).filter((username) => !closed.includes(username));
  expect(logins.filter(({ mayLogIn }) => mayLogIn).map(({ user }) => user.username)).toEqual(open);
  expect(logins.map(({ user }) => user.username)).toEqual([...open, ...closed]);
});
