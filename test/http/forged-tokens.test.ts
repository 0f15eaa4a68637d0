// A token that the sandbox's key did not sign uses nothing up: no burst, no window, no fault.
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Client, passwordOf, type TestSachet, testSachet } from '../support/sachet.ts';
import { sign } from '../support/tokens.ts';

const forged = (token: string): Promise<string> => sign(decodeJwt(token), 'f'.repeat(64));

let sachet: TestSachet;
let own: Client;
let theirs: Client;
beforeEach(async () => {
  sachet = testSachet();
  own = await sachet.login();
  theirs = await sachet.login('demo+w7');
});

describe.each(['stage', 'w7'])('a burst of %s', (name) => {
  const get = async (token: string, base: string) => (await sachet.client(token, base).get('/v2/products')).status;

  test.each(['', `/sandboxes/${name}`])(
    'does not meet it, and stays for others, at the base URL "%s"',
    async (base) => {
      const { token } = name === 'w7' ? theirs : own;
      const bad = await forged(token);
      await sachet.control.sandbox(name).switches.set({ rate_limit: { burst: 2 } });
      expect([await get(bad, base), await get(bad, base), await get(bad, base)]).toEqual([401, 401, 401]);
      expect([await get(token, base), await get(token, base), await get(token, base)]).toEqual([429, 429, 200]);
    },
  );
});

test('a fault that hits so many times does not meet it; one that hits always does, and counts nothing', async () => {
  const control = sachet.control.sandbox('stage');
  await control.faults.create({ id: 'one', status: 500, times: 1 });
  await control.faults.create({ id: 'always', status: 403 });
  const bad = await forged(own.token);
  for (let n = 0; n < 3; n += 1) expect((await sachet.client(bad).get('/v2/products')).status).toBe(403);
  const { faults } = await control.faults.list();
  expect(faults.map(({ hits }) => hits)).toEqual([0, 0]);
  expect([(await own.get('/v2/products')).status, (await own.get('/v2/products')).status]).toEqual([500, 403]);
});

test('the window of a limit does not fill; one that is full meets it (HTTP-4)', async () => {
  await sachet.control.sandbox('stage').switches.set({ rate_limit: { limit: 1, window_seconds: 60 } });
  const bad = await forged(own.token);
  for (let n = 0; n < 3; n += 1) expect((await sachet.client(bad).get('/v2/products')).status).toBe(401);
  expect([(await own.get('/v2/products')).status, (await own.get('/v2/products')).status]).toEqual([200, 429]);
  // It is no user's: it meets the window of the calls that count for none.
  expect((await sachet.client(bad).get('/v2/products')).status).toBe(401);
  await sachet.call('GET', '/v2/products');
  expect((await sachet.client(bad).get('/v2/products')).status).toBe(429);
});

test('maintenance meets it as every call', async () => {
  await sachet.control.sandbox('stage').switches.set({ maintenance: { for_seconds: 60 } });
  expect((await sachet.client(await forged(own.token)).get('/v2/products')).status).toBe(500);
});

test('a forged refresh token spends no more', async () => {
  await sachet.control.sandbox('stage').switches.set({ rate_limit: { burst: 1 } });
  const refresh = (refresh_token: string) =>
    sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token } });
  const bad = await forged(own.refreshToken);
  expect([(await refresh(bad)).status, (await refresh(bad)).status]).toEqual([401, 401]);
  expect([(await refresh(own.refreshToken)).status, (await refresh(own.refreshToken)).status]).toEqual([429, 200]);
});

test('a login counts, whatever token stands beside its password', async () => {
  await sachet.control.sandbox('stage').switches.set({ rate_limit: { limit: 1, window_seconds: 60 } });
  const headers = { authorization: `Bearer ${await forged(own.token)}` };
  const logIn = () =>
    sachet.call('POST', '/v2/authentication/token', {
      body: { username: 'demo', password: passwordOf('demo') },
      headers,
    });
  expect([(await logIn()).status, (await logIn()).status]).toEqual([200, 429]);
});

test('the token of a neighbour spends nothing at the base URL of another', async () => {
  await sachet.control.sandbox('w7').switches.set({ rate_limit: { burst: 1 } });
  const get = async (token: string) => (await sachet.client(token, '/sandboxes/w7').get('/v2/products')).status;
  expect([await get(own.token), await get(own.token), await get(theirs.token), await get(theirs.token)]).toEqual([
    401, 401, 429, 200,
  ]);
});

test('what is no token at all counts as a call without one', async () => {
  await sachet.control.sandbox('stage').switches.set({ rate_limit: { burst: 1 } });
  const statuses = [(await sachet.client('x').get('/v2/products')).status, (await own.get('/v2/products')).status];
  expect(statuses).toEqual([429, 200]);
});
