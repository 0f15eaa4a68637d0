// Two sandboxes share nothing, and a base URL with a sandbox's name is that sandbox's alone (product.md, "Addresses").
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { badCredentials, expectNoSandbox, newUser, withUsers } from '../support/logins.ts';
import { errorBodyOf } from '../support/refused.ts';
import { testSachet } from '../support/sachet.ts';
import { logIn, present, refresh, sign, signingKeyOf } from '../support/tokens.ts';

const password = 'sachet-demo';

describe('data', () => {
  test('of one sandbox are seen in no other', async () => {
    const sachet = testSachet();
    const clients = [await sachet.login('demo+w1'), await sachet.login('demo+w2'), await sachet.login()];
    const orders = await Promise.all(clients.map((client) => client.post('/v2/orders', validOrder)));
    const ids: string[] = orders.map(({ body }) => body.order.id);
    expect(new Set(ids).size).toBe(3);
    const seen = await Promise.all(
      clients.map((client) => Promise.all(ids.map(async (id) => (await client.get(`/v2/orders/${id}`)).status))),
    );
    expect(seen).toEqual([
      [200, 404, 404],
      [404, 200, 404],
      [404, 404, 200],
    ]);
  });

  test('of one sandbox change in no other', async () => {
    const sachet = testSachet();
    const [one, two] = [await sachet.login('demo+w1'), await sachet.login('demo+w2')];
    const path = '/v2/orders/50000000-0000-4000-8000-000000000018';
    expect((await one.post(`${path}/cancel`)).body.order.status).toBe('Canceled');
    expect((await two.get(path)).body.order.status).toBe('Pending');
    expect((await (await sachet.login()).get(path)).body.order.status).toBe('Pending');
  });
});

describe('tokens of a sandbox that a login made', () => {
  test.each([
    ['', 200],
    ['/sandboxes/w1', 200],
    ['/sandboxes/w2', 401],
    ['/sandboxes/stage', 401],
    ['/sandboxes/production', 401],
  ])('at the base URL "%s" get %i (AUTH-4)', async (base, status) => {
    const sachet = testSachet();
    const { token, refreshToken } = await sachet.login('demo+w1');
    await sachet.login('demo+w2');
    expect((await present(sachet, token, base)).status).toBe(status);
    expect((await refresh(sachet, refreshToken, base)).status).toBe(status);
  });

  test('are refreshed to tokens of that sandbox', async () => {
    const sachet = testSachet();
    const { refreshToken } = await sachet.login('demo+w1');
    const { body } = await refresh(sachet, refreshToken);
    expect(decodeJwt(body.access_token).sandbox).toBe('w1');
  });

  test.each(['stage', 'w2', 'somewhere'])('belong to stage where the key of %s forged them', async (forger) => {
    const visited: (string | undefined)[] = [];
    const sachet = testSachet({ log: ({ sandbox }) => visited.push(sandbox) });
    const { token, refreshToken } = await sachet.login('demo+w1');
    await sachet.login('demo+w2');
    const key = forger === 'somewhere' ? '0'.repeat(64) : await signingKeyOf(sachet, forger);
    visited.length = 0;
    expect((await present(sachet, await sign(decodeJwt(token), key))).status).toBe(401);
    expect((await refresh(sachet, await sign(decodeJwt(refreshToken), key))).status).toBe(401);
    expect(visited).toEqual(['stage', 'stage']);
    await present(sachet, token);
    expect(visited.at(-1)).toBe('w1');
  });

  test('belong to stage where their sandbox is gone', async () => {
    const { token } = await testSachet().login('demo+w1');
    const elsewhere = testSachet();
    expect((await present(elsewhere, token)).status).toBe(401);
    await expectNoSandbox(elsewhere, 'w1');
  });
});

describe('under /sandboxes/{name}', () => {
  test.each(['nothing', 'Stage', '..%2fstage', '%20', 'x'.repeat(64), 'constructor'])(
    'the name %s is not found, in the error body of the contract',
    async (name) => {
      const { status, headers, body } = await logIn(testSachet(), 'demo', password, `/sandboxes/${name}`);
      const message = `There is no sandbox ${JSON.stringify(decodeURIComponent(name))}`;
      expect([status, body]).toEqual([404, errorBodyOf({ status: 404, message })]);
      expect(headers.get('sandbox-rule')).toBe('unknown_sandbox');
    },
  );

  test('usernames are literal', async () => {
    const sachet = testSachet(withUsers({ 'ann+lab': 'of the lab' }));
    await sachet.login('demo+w1');
    for (const base of ['/sandboxes/stage', '/sandboxes/production', '/sandboxes/w1']) {
      expect((await logIn(sachet, 'demo+w1', password, base)).body).toEqual(badCredentials);
      expect((await logIn(sachet, 'demo+w2', password, base)).body).toEqual(badCredentials);
      const { body } = await logIn(sachet, 'ann+lab', 'of the lab', base);
      expect(`/sandboxes/${decodeJwt(body.access_token).sandbox}`).toBe(base);
    }
    await expectNoSandbox(sachet, 'w2');
    await expectNoSandbox(sachet, 'lab');
  });

  test("production's own users log in there and nowhere else", async () => {
    const sachet = testSachet();
    const live = newUser('live', 'of live');
    await (await sachet.sandbox('production')).write((draft) => draft.table('users').insert(live));
    expect((await logIn(sachet, 'live', 'of live', '/sandboxes/production')).status).toBe(200);
    const others = [
      await logIn(sachet, 'live', 'of live'),
      await logIn(sachet, 'live', 'of live', '/sandboxes/stage'),
      await logIn(sachet, 'live+production', 'of live'),
    ];
    expect(others.map(({ body }) => body)).toEqual([badCredentials, badCredentials, badCredentials]);
  });
});
