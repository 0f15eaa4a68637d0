// Which sandbox a call belongs to (product.md, "Addresses").
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { validOrder } from '../cases/requests.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { badCredentials, expectNoSandbox, newUser, withUsers } from '../support/logins.ts';
import { fixtures, noon, type TestSachet, testSachet } from '../support/sachet.ts';
import { logIn } from '../support/tokens.ts';

const password = 'sachet-demo';
async function sandboxOfLogin(sachet: TestSachet, username: string, secret = password): Promise<unknown> {
  const { status, text, body } = await logIn(sachet, username, secret);
  expect(status, text).toBe(200);
  return decodeJwt(body.access_token).sandbox;
}

describe('a login with user+tag', () => {
  test('belongs to the sandbox of the tag, a login without one to stage', async () => {
    const sachet = testSachet();
    await expectNoSandbox(sachet, 'w7');
    expect(await sandboxOfLogin(sachet, 'demo+w7')).toBe('w7');
    expect(await sandboxOfLogin(sachet, 'demo')).toBe('stage');
    const { identity, state } = await sachet.sandbox('w7');
    expect(identity).toMatchObject({ name: 'w7', environment: 'stage', madeByLogin: true });
    expect(new Date(state.value('clock').now).toISOString()).toBe(noon);
  });

  test.each(['a', '7', 'w.7_x-', '0'.repeat(63)])('takes the tag "%s"', async (tag) => {
    expect(await sandboxOfLogin(testSachet(), `demo+${tag}`)).toBe(tag);
  });

  test.each(['', 'W7', '-w', '.w', '_w', 'w 7', 'w/7', 'w+7', '+w', 'ü', 'w\n', '..', '0'.repeat(64)])(
    'is bad credentials for the tag %j',
    async (tag) => {
      expect((await logIn(testSachet(), `demo+${tag}`, password)).body).toEqual(badCredentials);
    },
  );

  test.each([
    ['demo+w7', 'wrong'],
    ['nobody+w7', password],
    ['+w7', password],
    ['inactive-user+w7', 'sachet-inactive-user'],
    ['inactive-account+w7', 'sachet-inactive-account'],
  ])('as %s with the password "%s" is refused and makes no sandbox', async (username, secret) => {
    const sachet = testSachet();
    expect((await logIn(sachet, username, secret)).body).toEqual(badCredentials);
    await expectNoSandbox(sachet, 'w7');
    await sachet.login('demo+w7');
    expect((await logIn(sachet, username, secret)).body).toEqual(badCredentials);
  });

  test('is of the exact username first, and then of no tag', async () => {
    const sachet = testSachet(withUsers({ ann: 'of ann', 'ann+lab': 'of the lab' }));
    expect(await sandboxOfLogin(sachet, 'ann+lab', 'of the lab')).toBe('stage');
    expect((await logIn(sachet, 'ann+lab', 'of ann')).body).toEqual(badCredentials);
    await expectNoSandbox(sachet, 'lab');
    expect(await sandboxOfLogin(sachet, 'ann+other', 'of ann')).toBe('other');
    expect((await logIn(sachet, 'ann+lab+w7', 'of the lab')).body).toEqual(badCredentials);
  });

  test('has its tag between the first + and any @', async () => {
    const sachet = testSachet(withUsers({ 'bob@example.com': 'of bob', 'bob@x+y.com': 'of y' }));
    expect(await sandboxOfLogin(sachet, 'bob+w7@example.com', 'of bob')).toBe('w7');
    expect(await sandboxOfLogin(sachet, 'bob@x+y.com', 'of y')).toBe('stage');
    expect((await logIn(sachet, 'bob@example.com+w7', 'of bob')).body).toEqual(badCredentials);
    expect((await logIn(sachet, 'bob+w7', 'of bob')).body).toEqual(badCredentials);
  });

  test('finds the users that the sandbox has by now', async () => {
    const sachet = testSachet();
    await sachet.login('demo+w7');
    const late = newUser('late', 'of late');
    await (await sachet.sandbox('w7')).write((draft) => draft.table('users').insert(late));
    expect(await sandboxOfLogin(sachet, 'late+w7', 'of late')).toBe('w7');
    expect((await logIn(sachet, 'late+w8', 'of late')).body).toEqual(badCredentials);
    expect((await logIn(sachet, 'late', 'of late')).body).toEqual(badCredentials);
  });

  test.each(['stage', 'production'])('does not reach %s by its name', async (name) => {
    const sachet = testSachet();
    await sachet.login('demo', { base: `/sandboxes/${name}` });
    expect((await logIn(sachet, `demo+${name}`, password)).body).toEqual(badCredentials);
  });

  test('does not reach a sandbox that no login made', async () => {
    const store = createChaosStore();
    const { sandboxes } = createEngine({ fixtures, store, randomSeed: 'test' });
    await sandboxes.createForLogin({ name: 'team', environment: 'stage', madeByLogin: false });
    const sachet = testSachet({ store });
    expect((await logIn(sachet, 'demo+team', password)).body).toEqual(badCredentials);
    expect((await logIn(sachet, 'demo', password, '/sandboxes/team')).status).toBe(200);
  });

  test('makes one sandbox where twenty first logins come at once', async () => {
    const sachet = testSachet();
    const work = async () => {
      const client = await sachet.login('demo+w7');
      const { body } = await client.post('/v2/orders', validOrder);
      return { client, id: body.order.id as string };
    };
    const workers = await Promise.all(Array.from({ length: 20 }, work));
    const made = new Set(workers.map(({ id }) => id));
    const logins = new Set(workers.map(({ client }) => client.token));
    expect([made.size, logins.size]).toEqual([20, 20]);
    for (const { client } of workers) {
      const { orders } = (await client.get('/v2/orders?limit=20')).body;
      expect(new Set(orders.map(({ id }: { id: string }) => id))).toEqual(made);
    }
  });
});

describe('without login sandboxes', () => {
  test('a tag makes none', async () => {
    const sachet = testSachet({ loginSandboxes: false });
    expect((await logIn(sachet, 'demo+w7', password)).body).toEqual(badCredentials);
    await expectNoSandbox(sachet, 'w7');
    expect(await sandboxOfLogin(sachet, 'demo')).toBe('stage');
  });

  test('a username with a + is one like any other', async () => {
    const sachet = testSachet({ ...withUsers({ 'ann+lab': 'of the lab' }), loginSandboxes: false });
    expect(await sandboxOfLogin(sachet, 'ann+lab', 'of the lab')).toBe('stage');
  });

  test('a sandbox that a login made before is still reached', async () => {
    const store = createChaosStore();
    await testSachet({ store }).login('demo+w7');
    expect(await sandboxOfLogin(testSachet({ store, loginSandboxes: false }), 'demo+w7')).toBe('w7');
  });
});
