// The key of the control API: the admin key everywhere, a sandbox's own key on that sandbox's routes alone.
import { beforeAll, describe, expect, test } from 'vitest';
import { everything, namesOf } from '../../support/control.ts';
import { adminKey, bearer, mineKey, otherKey, prepared } from '../../support/forbidden.ts';

let server: Awaited<ReturnType<typeof prepared>>;
beforeAll(async () => {
  server = await prepared();
});
const asked = async (authorization: string | undefined, path = '/_admin/sandboxes', method = 'GET') =>
  (await server.input(method, path, authorization === undefined ? {} : { headers: { authorization } })).status;

test.each([`Bearer ${adminKey}`, `bearer ${adminKey}`, `BEARER   ${adminKey}`, `Bearer ${adminKey} `])(
  'the admin key is good as %j',
  async (authorization) => {
    expect(await asked(authorization)).toBe(200);
  },
);

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Bearer undefined',
  'Bearer null',
  adminKey,
  `Basic ${adminKey}`,
  `Basic ${btoa(`admin:${adminKey}`)}`,
  `Bearer=${adminKey}`,
  `Bearer:${adminKey}`,
  `Bearer"${adminKey}"`,
  `Bearer "${adminKey}"`,
  `Bearer\t${adminKey}`,
  `Bearer ${adminKey} ${adminKey}`,
  `Bearer ${adminKey}, Bearer ${adminKey}`,
  `XBearer ${adminKey}`,
  `Bearer ${adminKey.toUpperCase()}`,
  `Bearer ${adminKey.slice(0, 1)}`,
  `Bearer ${adminKey.slice(0, -1)}`,
  `Bearer ${adminKey.slice(1)}`,
  `Bearer ${adminKey}x`,
  `Bearer ${adminKey}${adminKey}`,
  `Bearer ${adminKey}%00`,
  'Bearer -',
])('nobody comes in with %j', async (authorization) => {
  expect(await asked(authorization)).toBe(401);
  expect(await asked(authorization, '/_admin/sandboxes/mine')).toBe(401);
});

test('without a key the answer says what to send', async () => {
  const { status, body, headers } = await server.input('GET', '/_admin/sandboxes');
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect(body.message).toContain('Authorization: Bearer <key>');
});

test.each([
  ['/_admin/sandboxes', /^The key is not the admin key; use the key that the server printed/],
  ['/_admin/sandboxes/mine', /^The key is neither the admin key nor the key of this sandbox$/],
])('the answer to a wrong key on %s names the keys that are good there', async (path, words) => {
  const { body } = await server.input('GET', path, { headers: bearer('wrong') });
  expect(body.message).toMatch(words);
});

test('the hash of the key is no key', async () => {
  const { identity } = await server.sachet.sandbox('mine');
  expect(await asked(`Bearer ${identity.ownKeyHash}`, '/_admin/sandboxes/mine')).toBe(401);
});

test.each(['?key=', '?access_token=', '?admin_key='])('a key in the query as %s is none', async (query) => {
  expect(await asked(undefined, `/_admin/sandboxes${query}${adminKey}`)).toBe(401);
});

test("a partner's token is no key", async () => {
  const { token } = await server.sachet.login('demo', { base: '/sandboxes/other' });
  expect(await asked(`Bearer ${token}`, '/_admin/sandboxes/other')).toBe(401);
});

describe("a sandbox's own key", () => {
  test.each([
    ['GET', ''],
    ['GET', '/clock'],
    ['GET', '/switches'],
    ['GET', '/requests'],
    ['POST', '/reset'],
    ['PATCH', '/clock'],
    ['DELETE', '/switches'],
  ])('is good for %s of its own sandbox%s', async (method, path) => {
    expect(await asked(`Bearer ${mineKey}`, `/_admin/sandboxes/mine${path}`, method)).toBeLessThan(300);
  });

  test.each([
    ['GET', '/sandboxes'],
    ['POST', '/sandboxes'],
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/sandboxes/'],
    ['GET', '/sandboxes/other'],
    ['DELETE', '/sandboxes/other'],
    ['POST', '/sandboxes/other/reset'],
    ['GET', '/sandboxes/stage'],
    ['GET', '/sandboxes/production/clock'],
    ['GET', '/sandboxes/unheard-of'],
    ['POST', '/sandboxes/unheard-of/reset'],
    ['GET', '/sandboxes/MINE'],
    ['GET', '/sandboxes/mine%2f'],
    ['GET', '/sandboxes/mine%2f..%2fother'],
    ['GET', '/sandboxes/mine/../other'],
    ['GET', '/sandboxes/mine/%2e%2e/other/clock'],
    ['GET', '/sandboxes/other/../mine/../other'],
    ['GET', '/sandboxes//mine'],
  ])('is like any wrong one for %s /_admin%s', async (method, path) => {
    const before = await everything(server);
    const { status, headers } = await server.input(method, `/_admin${path}`, { headers: bearer(mineKey) });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await everything(server)).toEqual(before);
  });

  test('tells nothing of whether another sandbox exists', async () => {
    const answers = await Promise.all(
      ['other', 'unheard-of'].map((name) =>
        server.input('GET', `/_admin/sandboxes/${name}`, { headers: bearer(mineKey) }),
      ),
    );
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  test.each(['GET', 'PUT', 'DELETE'])('is told behind the guard that there is no such route, by %s', async (method) => {
    expect(await asked(`Bearer ${mineKey}`, '/_admin/sandboxes/mine/nothing', method)).toBe(404);
  });

  test('deletes its sandbox, and is no key from then on', async () => {
    const own = await prepared();
    const remove = (name: string) => own.input('DELETE', `/_admin/sandboxes/${name}`, { headers: bearer(otherKey) });
    expect((await remove('mine')).status).toBe(401);
    expect((await remove('other')).status).toBe(204);
    expect(await namesOf(own)).toEqual(['mine', 'production', 'stage']);
    expect((await remove('other')).status).toBe(401);
    await own.sachet.control.create({ name: 'other' });
    expect((await remove('other')).status).toBe(401);
  });

  test('is kept over a reset and a restore', async () => {
    const own = await prepared();
    for (const path of ['reset', 'snapshots/kept/restore', 'reset'])
      expect((await own.input('POST', `/_admin/sandboxes/mine/${path}`, { headers: bearer(mineKey) })).status).toBe(
        200,
      );
  });
});
