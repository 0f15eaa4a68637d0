import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { closeAccount } from '../cases/common.ts';
import { errorBodyOf } from '../support/refused.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';
import { logIn, present, refresh, secondsAtNoon, userNamed } from '../support/tokens.ts';

const demo = userNamed('demo');
const login = { username: 'demo', password: demo.password };

async function setActive(sachet: TestSachet, active: boolean): Promise<void> {
  await (await sachet.sandbox()).write((draft) => draft.table('users').replace({ ...demo, active }));
}

describe('a login', () => {
  test('gives an access token, a refresh token and the lifetime of the first (AUTH-1)', async () => {
    const { status, body } = await testSachet().call('POST', '/v2/authentication/token', { body: login });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 86_400,
    });
  });

  test('gives JWTs that say whose they are and how long they are good', async () => {
    const { token, refreshToken } = await testSachet().login();
    const of = { sub: demo.id, sandbox: 'stage', environment: 'stage', generation: 0, iat: secondsAtNoon };
    const jti = expect.any(String);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const session = decodeJwt(refreshToken).jti;
    expect(decodeJwt(token)).toEqual({ ...of, jti, use: 'access', exp: secondsAtNoon + 86_400, session, uses: 0 });
    expect(decodeJwt(refreshToken)).toEqual({ ...of, jti, use: 'refresh', exp: secondsAtNoon + 30 * 86_400 });
  });

  test('gives other tokens than the login before it in the same millisecond', async () => {
    const sachet = testSachet();
    const [one, two] = [await sachet.login(), await sachet.login()];
    const third = (await refresh(sachet, one.refreshToken)).body.access_token;
    expect(new Set([one.token, two.token, third, one.refreshToken, two.refreshToken]).size).toBe(5);
  });

  describe.each([
    ['a wrong password', 'demo', 'sachet-other-brand'],
    ['no password that anyone has', 'demo', ' sachet-demo'],
    ['an unknown username', 'nobody', 'sachet-demo'],
    ['a username in another case', 'Demo', 'sachet-demo'],
    ['an inactive user', 'inactive-user', 'sachet-inactive-user'],
    ['a user of an inactive account', 'inactive-account', 'sachet-inactive-account'],
  ])('with %s', (_, username, password) => {
    test.each(['401', '400', '403'] as const)('is refused with %s by bad_credentials', async (choice) => {
      const sachet = testSachet({ assumptions: { bad_credentials: choice } });
      const answer = await logIn(sachet, username, password);
      const refused = { status: Number(choice), message: 'Invalid username or password' };
      expect([answer.status, answer.body]).toEqual([refused.status, errorBodyOf(refused)]);
    });
  });
});

describe('a refresh', () => {
  test('gives an access token and its lifetime, and no other key (AUTH-2)', async () => {
    const sachet = testSachet();
    const { refreshToken } = await sachet.login();
    const { status, body } = await refresh(sachet, refreshToken);
    expect([status, body]).toEqual([200, { access_token: expect.any(String), expires_in: 86_400 }]);
    expect(decodeJwt(body.access_token)).toMatchObject({ use: 'access', sub: demo.id });
    expect((await present(sachet, body.access_token)).status).toBe(200);
  });

  test('needs no Authorization header and heeds none', async () => {
    const sachet = testSachet();
    const { refreshToken } = await sachet.login();
    const options = { body: { refresh_token: refreshToken }, headers: { authorization: 'Bearer nonsense' } };
    expect((await sachet.call('POST', '/v2/authentication/refresh-token', options)).status).toBe(200);
  });
});

describe('the Authorization header (AUTH-3)', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('takes the scheme as "%s"', async (scheme) => {
    const sachet = testSachet();
    const { token } = await sachet.login();
    const headers = { authorization: `${scheme} ${token}` };
    expect((await sachet.call('GET', '/v2/products', { headers })).status).toBe(200);
  });

  test.each([
    ['that is empty', () => ''],
    ['of the scheme alone', () => 'Bearer'],
    ['without a scheme', (token: string) => token],
    ['of another scheme', (token: string) => `Basic ${token}`],
    ['of a longer scheme', (token: string) => `XBearer ${token}`],
    ['without a space', (token: string) => `Bearer${token}`],
    ['with a colon', (token: string) => `Bearer: ${token}`],
    ['with a second token', (token: string) => `Bearer ${token} ${token}`],
    ['with a list', (token: string) => `Bearer ${token}, Bearer ${token}`],
  ])('brings no token where it is one %s', async (_, header) => {
    const sachet = testSachet();
    const { token } = await sachet.login();
    const { body } = await sachet.call('GET', '/v2/products', { headers: { authorization: header(token) } });
    expect(body).toEqual(errorBodyOf({ status: 401, message: 'Missing authentication' }));
  });

  test('brings a bad token where that is quoted', async () => {
    const sachet = testSachet({ assumptions: { unauthorized_message: 'Invalid token' } });
    const { token } = await sachet.login();
    const { body } = await sachet.call('GET', '/v2/products', { headers: { authorization: `Bearer "${token}"` } });
    expect(body).toEqual(errorBodyOf({ status: 401, message: 'Invalid token' }));
  });

  test('counts and no other place does: neither the query nor a cookie', async () => {
    const sachet = testSachet();
    const { token } = await sachet.login();
    const headers = { cookie: `access_token=${token}` };
    const { status } = await sachet.call('GET', `/v2/products?access_token=${token}`, { headers });
    expect(status).toBe(401);
  });
});

describe('after the login', () => {
  test('a user made inactive is not let in any more, and is again once active (AUTH-6)', async () => {
    const sachet = testSachet({ assumptions: { unauthorized_message: 'Invalid token' } });
    const { token, refreshToken } = await sachet.login();
    const attempts = () => Promise.all([present(sachet, token), refresh(sachet, refreshToken)]);
    await setActive(sachet, false);
    const refused = errorBodyOf({ status: 401, message: 'Invalid token' });
    expect((await attempts()).map(({ body }) => body)).toEqual([refused, refused]);
    expect((await logIn(sachet, 'demo', demo.password)).body.message).toBe('Invalid username or password');
    await setActive(sachet, true);
    expect((await attempts()).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('an account made inactive shuts all its users out, and no other (AUTH-6)', async () => {
    const sachet = testSachet();
    const clients = [await sachet.login(), await sachet.login('read-only'), await sachet.login('other-brand')];
    await closeAccount(sachet);
    const presented = await Promise.all(clients.map(({ token }) => present(sachet, token)));
    const refreshed = await Promise.all(clients.map(({ refreshToken }) => refresh(sachet, refreshToken)));
    expect(presented.map(({ status }) => status)).toEqual([401, 401, 200]);
    expect(refreshed.map(({ status }) => status)).toEqual([401, 401, 200]);
    expect((await logIn(sachet, 'demo', demo.password)).status).toBe(401);
  });

  test('a permission taken away is missing at once (AUTH-5)', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    const permissions = demo.permissions.filter((one) => one !== 'products:read');
    await (await sachet.sandbox()).write((draft) => draft.table('users').replace({ ...demo, permissions }));
    expect((await client.get('/v2/products')).body).toEqual(
      errorBodyOf({ status: 403, message: 'Insufficient permissions' }),
    );
    expect((await client.get('/v2/orders')).status).toBe(200);
  });
});
