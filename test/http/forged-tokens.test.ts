// A token that the sandbox's key did not sign uses up no burst, no window and no fault.
import { decodeJwt } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { type Client, passwordOf, type TestSachet, testSachet } from '../support/sachet.ts';
import { refresh, sign } from '../support/tokens.ts';

const forged = (token: string): Promise<string> => sign(decodeJwt(token), 'f'.repeat(64));

let sachet: TestSachet;
let own: Client;
let theirs: Client;
beforeEach(async () => {
  sachet = testSachet();
  own = await sachet.login();
  theirs = await sachet.login('demo+w7');
});

/** The statuses of GETs with these tokens, one after the other. */
async function statuses(tokens: readonly string[], base = ''): Promise<number[]> {
  const seen = [];
  for (const token of tokens) seen.push((await sachet.client(token, base).get('/v2/products')).status);
  return seen;
}

test('a burst stays for others, at each base URL', async () => {
  for (const [name, base, { token }] of [
    ['stage', '', own],
    ['stage', '/sandboxes/stage', own],
    ['w7', '', theirs],
    ['w7', '/sandboxes/w7', theirs],
  ] as const) {
    await sachet.control.sandbox(name).switches.set({ rate_limit: { burst: 1 } });
    const bad = await forged(token);
    expect(await statuses([bad, bad, token, token], base), name + base).toEqual([401, 401, 429, 200]);
  }
});

test('a fault that is limited to some calls passes it by; one that always applies hits it uncounted', async () => {
  const { faults } = sachet.control.sandbox('stage');
  await faults.create({ id: 'one', status: 500, times: 1 });
  await faults.create({ id: 'always', status: 403 });
  const bad = await forged(own.token);
  expect(await statuses([bad, bad])).toEqual([403, 403]);
  expect((await faults.list()).faults.map(({ hits }) => hits)).toEqual([0, 0]);
  expect(await statuses([own.token, own.token])).toEqual([500, 403]);
});

test('it does not fill the window of a rate limit; a full window of calls without a user rejects it (HTTP-4)', async () => {
  await sachet.control.sandbox('stage').switches.set({ rate_limit: { limit: 1, window_seconds: 60 } });
  const bad = await forged(own.token);
  expect(await statuses([bad, bad, own.token, own.token, bad])).toEqual([401, 401, 200, 429, 401]);
  await sachet.call('GET', '/v2/products');
  expect(await statuses([bad])).toEqual([429]);
});

test('a forged refresh token and the token of another sandbox use up nothing; text that is no token does', async () => {
  const { switches } = sachet.control.sandbox('stage');
  await switches.set({ rate_limit: { burst: 1 } });
  const bad = await forged(own.refreshToken);
  const refreshed = [];
  for (const token of [bad, bad, own.refreshToken, own.refreshToken])
    refreshed.push((await refresh(sachet, token)).status);
  expect(refreshed).toEqual([401, 401, 429, 200]);
  await sachet.control.sandbox('w7').switches.set({ rate_limit: { burst: 1 } });
  const tokens = [own.token, own.token, theirs.token, theirs.token];
  expect(await statuses(tokens, '/sandboxes/w7')).toEqual([401, 401, 429, 200]);
  await switches.set({ rate_limit: { burst: 1 } });
  expect(await statuses(['x', own.token])).toEqual([429, 200]);
});

test('a login uses up a burst, whatever token its header has', async () => {
  await sachet.control.sandbox('stage').switches.set({ rate_limit: { burst: 1 } });
  const body = { username: 'demo', password: passwordOf('demo') };
  const headers = { authorization: `Bearer ${await forged(own.token)}` };
  const login = async () => (await sachet.call('POST', '/v2/authentication/token', { body, headers })).status;
  expect([await login(), await login()]).toEqual([429, 200]);
});
