// Logins, refreshes, the Authorization header and forged tokens. Lifetimes: test/cases/assumptions/access.ts and switches/expiry.test.ts.
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { closeAccount } from '../cases/common.ts';
import { errorBodyOf } from '../cases/rejected.ts';
import { type Client, day, fixtures, passwordOf, type TestSachet, testSachet } from '../support/sachet.ts';
import { logIn, present, refresh, secondsAtNoon, sign, userNamed } from '../support/tokens.ts';

const demo = userNamed('demo');
const invalid = errorBodyOf({ status: 401, message: 'Invalid token' });
/** Distinguishes invalid tokens from expired ones. */
const ownMessage = { unauthorized_message: 'Invalid token' } as const;
const thirtyDays = 30 * day;
const replaceDemo = async (sachet: TestSachet, changes: Partial<typeof demo>) =>
  (await sachet.sandbox()).write((draft) => draft.table('users').replace({ ...demo, ...changes }));

test('a login gives an access token, a refresh token and the lifetime of the access token (AUTH-1)', async () => {
  const { status, body } = await logIn(testSachet(), 'demo', demo.password);
  expect(status).toBe(200);
  expect(body).toEqual({ access_token: expect.any(String), refresh_token: expect.any(String), expires_in: 86_400 });
  const { access_token: token, refresh_token } = body;
  const jti = expect.any(String);
  const shared = { sub: demo.id, sandbox: 'stage', environment: 'stage', generation: 0, iat: secondsAtNoon, jti };
  const session = decodeJwt(refresh_token).jti;
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
  expect(decodeJwt(token)).toEqual({ ...shared, use: 'access', exp: secondsAtNoon + 86_400, session, uses: 0 });
  expect(decodeJwt(refresh_token)).toEqual({ ...shared, use: 'refresh', exp: secondsAtNoon + 30 * 86_400 });
});

test('a refresh gives an access token and its lifetime, whatever its Authorization header (AUTH-2)', async () => {
  const sachet = testSachet();
  const { refreshToken } = await sachet.login();
  const options = { body: { refresh_token: refreshToken }, headers: { authorization: 'Bearer nonsense' } };
  const { status, body } = await sachet.call('POST', '/v2/authentication/refresh-token', options);
  expect([status, body]).toEqual([200, { access_token: expect.any(String), expires_in: 86_400 }]);
  expect(decodeJwt(body.access_token)).toMatchObject({ use: 'access', sub: demo.id });
  expect((await present(sachet, body.access_token)).status).toBe(200);
});

test('the Authorization header has the scheme in any case, a space and one token (AUTH-3)', async () => {
  const sachet = testSachet({ assumptions: ownMessage });
  const { token } = await sachet.login();
  const withHeader = (form: string) =>
    sachet.call('GET', '/v2/products', { headers: { authorization: form.replaceAll('TOKEN', token) } });
  for (const good of ['Bearer TOKEN', 'bearer TOKEN', 'bEaReR TOKEN'])
    expect((await withHeader(good)).status, good).toBe(200);
  const missing = errorBodyOf({ status: 401, message: 'Missing authentication' });
  for (const bad of ['TOKEN', 'Basic TOKEN', 'BearerTOKEN', 'Bearer TOKEN TOKEN', 'Bearer TOKEN, Bearer TOKEN'])
    expect((await withHeader(bad)).body, bad).toEqual(missing);
  expect((await withHeader('Bearer "TOKEN"')).body).toEqual(invalid);
  const headers = { cookie: `access_token=${token}` };
  const elsewhere = await sachet.call('GET', `/v2/products?access_token=${token}`, { headers });
  expect(elsewhere.body).toEqual(missing);
});

describe('after the login', () => {
  test('a user made inactive is locked out until the user is active again (AUTH-6), a permission is missing at once (AUTH-5)', async () => {
    const sachet = testSachet({ assumptions: ownMessage });
    const { token, refreshToken } = await sachet.login();
    const attempts = () => Promise.all([present(sachet, token), refresh(sachet, refreshToken)]);
    await replaceDemo(sachet, { active: false });
    expect((await attempts()).map(({ body }) => body)).toEqual([invalid, invalid]);
    expect((await logIn(sachet, 'demo', demo.password)).body.message).toBe('Invalid username or password');
    await replaceDemo(sachet, { active: true });
    expect((await attempts()).map(({ status }) => status)).toEqual([200, 200]);
    await replaceDemo(sachet, { permissions: [] });
    expect((await present(sachet, token)).status).toBe(403);
  });

  test('an account made inactive locks out all its users, and no others (AUTH-6)', async () => {
    const sachet = testSachet();
    const clients = [await sachet.login(), await sachet.login('read-only'), await sachet.login('other-brand')];
    await closeAccount(sachet);
    const statuses = [];
    for (const { token, refreshToken } of clients)
      statuses.push([(await present(sachet, token)).status, (await refresh(sachet, refreshToken)).status]);
    expect(statuses.map(String)).toEqual(['401,401', '401,401', '200,200']);
    expect((await logIn(sachet, 'demo', demo.password)).status).toBe(401);
  });
});

test('an access token that a refresh ended stays rejected for its whole lifetime', async () => {
  const sachet = testSachet({ assumptions: { refresh_token_lifetime: '24h', old_token_after_refresh: 'ends' } });
  const { refreshToken } = await sachet.login();
  await sachet.advance(day / 2);
  const ended = (await refresh(sachet, refreshToken)).body.access_token;
  await sachet.control.sandbox('stage').switches.set({ token_expiry: { lifetime_seconds: 60 } });
  await refresh(sachet, refreshToken);
  expect((await present(sachet, ended)).status).toBe(401);
  await sachet.advance(day / 2 + 1000);
  // Another refresh removes the stored tokens that have expired.
  await refresh(sachet, (await sachet.login()).refreshToken);
  expect((await present(sachet, ended)).status).toBe(401);
});

describe('a refresh token of refresh_token_lifetime single_use', () => {
  const assumptions = { ...ownMessage, refresh_token_lifetime: 'single_use' } as const;

  test('is good once, for one of two refreshes at the same time, and spends no other', async () => {
    const sachet = testSachet({ assumptions });
    const [one, two] = [await sachet.login(), await sachet.login()];
    const answers = await Promise.all([refresh(sachet, one.refreshToken), refresh(sachet, one.refreshToken)]);
    const [good, spent] = answers.toSorted((a, b) => a.status - b.status);
    expect([good?.status, spent?.body]).toEqual([200, invalid]);
    expect((await present(sachet, good?.body.access_token)).status).toBe(200);
    expect((await refresh(sachet, two.refreshToken)).status).toBe(200);
  });

  test('takes a place among the records no longer than it would be good', async () => {
    const few = { ...fixtures, orders: [], fulfillments: [], consumers: [] };
    const most = Math.max(...Object.values(few).map((rows) => (Array.isArray(rows) ? rows.length : 0)));
    const sachet = testSachet({ assumptions, fixtures: few, maxRecords: most });
    const spend = async () => (await refresh(sachet, (await sachet.login()).refreshToken)).status;
    const spendAll = async () => new Set(await Promise.all(Array.from({ length: most }, spend)));
    expect(await spendAll()).toEqual(new Set([200]));
    expect(await spend()).toBe(500);
    await sachet.advance(thirtyDays);
    expect(await spendAll()).toEqual(new Set([200]));
    expect((await sachet.sandbox()).state.table('spent_refresh_tokens').size).toBe(most);
  });
});

describe('a token that the sandbox’s key did not sign', () => {
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
});
