// What a new sandbox is told to begin with.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { controlled, namesOf, unseeded } from '../../support/control.ts';
import { badCredentials } from '../../support/logins.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures, noon, passwordOf, scenarios } from '../../support/sachet.ts';
import { logIn, present } from '../../support/tokens.ts';

describe('environment', () => {
  test('production: its tokens are good at its own base URL alone', async () => {
    const { admin, sachet } = controlled();
    expect((await admin('POST', '/sandboxes', { name: 'live', environment: 'production' })).status).toBe(201);
    const { token } = await sachet.login('demo', { base: '/sandboxes/live' });
    expect(decodeJwt(token)).toMatchObject({ environment: 'production', sandbox: 'live' });
    expect((await present(sachet, token, '/sandboxes/live')).status).toBe(200);
    expect((await present(sachet, token)).status).toBe(401);
  });

  test('stage: its tokens are good at the plain base URL, too', async () => {
    const { admin, sachet } = controlled();
    await admin('POST', '/sandboxes', { name: 'team', environment: 'stage' });
    const { token } = await sachet.login('demo', { base: '/sandboxes/team' });
    expect((await present(sachet, token)).status).toBe(200);
  });
});

describe('random_seed', () => {
  const bytesOf = async (seed: string | undefined) => {
    const { admin, sachet } = controlled(unseeded);
    await admin('POST', '/sandboxes', {
      name: 'team',
      clock: noon,
      ...(seed === undefined ? {} : { random_seed: seed }),
    });
    const client = await sachet.login('demo', { base: '/sandboxes/team' });
    const order = await client.post('/v2/orders', someOrder());
    const list = await client.get('/v2/fulfillments');
    return [client.token, client.refreshToken, order.text, list.text];
  };

  test('the same gives the same bytes, another and none give others', async () => {
    const [one, same, other, none] = await Promise.all([bytesOf('a'), bytesOf('a'), bytesOf('b'), bytesOf(undefined)]);
    expect(same).toEqual(one);
    for (const [index, text] of one.entries()) {
      expect(other[index]).not.toBe(text);
      expect(none[index]).not.toBe(text);
    }
  });

  /** The first order and its consumer in a new sandbox. */
  async function idsIn(name: string, random_seed?: string | number, { admin, sachet } = controlled(unseeded)) {
    const made = random_seed === undefined ? { name } : { name, random_seed };
    if (name !== 'stage') expect((await admin('POST', '/sandboxes', made)).status).toBe(201);
    const client = await sachet.login('demo', { base: `/sandboxes/${name}` });
    const consumer = { first_name: 'Ada', last_name: 'Lovelace' };
    const { order } = (await client.post('/v2/orders', someOrder({ consumer }))).body;
    return [order.id, order.consumer.id];
  }

  test('the same gives the same ids under any name, and those of stage where it is the seed of the server', async () => {
    const ids = await idsIn('one', 'a');
    expect(await idsIn('two', 'a')).toEqual(ids);
    const seeded = controlled({ randomSeed: 'a' });
    expect(await idsIn('stage', undefined, seeded)).toEqual(ids);
    expect(await idsIn('three', 'a', seeded)).toEqual(ids);
  });

  test('no token of a sandbox is valid in another of the same seed', async () => {
    const { admin, sachet } = controlled(unseeded);
    for (const name of ['one', 'two']) await admin('POST', '/sandboxes', { name, random_seed: 'a' });
    const { token } = await sachet.login('demo', { base: '/sandboxes/one' });
    expect((await present(sachet, token, '/sandboxes/two')).status).toBe(401);
  });

  test('sandboxes without one of their own differ, whether the server has one or not', async () => {
    for (const server of [controlled(unseeded), controlled({ randomSeed: 'a' })]) {
      const ids = [await idsIn('one', undefined, server), await idsIn('two', undefined, server)];
      expect(ids[0]).not.toEqual(ids[1]);
    }
  });

  test('a number counts as its text, for a sandbox and for the server', async () => {
    const ids = await idsIn('one', '42');
    expect(await idsIn('two', 42)).toEqual(ids);
    expect(await idsIn('stage', undefined, controlled({ randomSeed: 42 }))).toEqual(ids);
  });

  test('after a deletion the same seed has the same keys', async () => {
    const { admin, sachet } = controlled(unseeded);
    const made = { name: 'team', random_seed: 'a' };
    await admin('POST', '/sandboxes', made);
    const { token } = await sachet.login('demo', { base: '/sandboxes/team' });
    await admin('DELETE', '/sandboxes/team');
    await admin('POST', '/sandboxes', made);
    expect((await present(sachet, token)).status).toBe(200);
  });
});

describe('assumptions', () => {
  test('stand upon those of the server, and a reset goes back to them', async () => {
    const { admin } = controlled({ assumptions: { list_order: 'oldest_first' } });
    await admin('POST', '/sandboxes', { name: 'team', assumptions: { next_cursor: 'meta' } });
    const { body } = await admin('GET', '/sandboxes/team/assumptions');
    const server = (await admin('GET', '/sandboxes/stage/assumptions')).body;
    expect(body).toEqual({ ...server, next_cursor: 'meta' });
    await admin('PATCH', '/sandboxes/team/assumptions', { profile: 'strict' });
    await admin('POST', '/sandboxes/team/reset');
    expect((await admin('GET', '/sandboxes/team/assumptions')).body).toEqual(body);
  });

  test('may be a profile with single ones upon it', async () => {
    const { admin } = controlled();
    await admin('POST', '/sandboxes', { name: 'team', assumptions: { profile: 'strict', next_cursor: 'meta' } });
    const { body } = await admin('GET', '/sandboxes/team/assumptions');
    expect(body).toMatchObject({ order_endpoints: 'absent', next_cursor: 'meta' });
  });
});

describe('scenario', () => {
  test.each(scenarios.map(({ name }) => name))('%s is applied, also after a reset', async (scenario) => {
    const { admin } = controlled();
    expect((await admin('POST', '/sandboxes', { name: 'team', scenario })).status).toBe(201);
    const applied = async () =>
      (await admin('GET', '/sandboxes/team/scenarios')).body.scenarios
        .filter(({ applied_at }: { applied_at: string | null }) => applied_at !== null)
        .map(({ name }: { name: string }) => name);
    expect(await applied()).toEqual([scenario]);
    await admin('DELETE', `/sandboxes/team/scenarios/${scenario}`);
    await admin('POST', '/sandboxes/team/reset');
    expect(await applied()).toEqual([scenario]);
  });

  test.each(['nope', '', '__proto__', 'constructor', 'no-pag '])(
    '%j is none, and those that are are named',
    async (scenario) => {
      const { admin, sachet } = controlled();
      const { status, body } = await admin('POST', '/sandboxes', { name: 'team', scenario });
      expect(status).toBe(404);
      for (const { name } of scenarios) expect(body.message).toContain(name);
      expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
    },
  );

  test("stands in place of the server's own", async () => {
    const { admin } = controlled({ scenario: ['server-errors'] });
    await admin('POST', '/sandboxes', { name: 'as-server' });
    await admin('POST', '/sandboxes', { name: 'own', scenario: 'maintenance' });
    const on = async (name: string) => {
      const { body } = await admin('GET', `/sandboxes/${name}/scenarios`);
      return body.scenarios
        .filter((one: { applied_at: unknown }) => one.applied_at)
        .map((one: { name: string }) => one.name);
    };
    expect([await on('as-server'), await on('own')]).toEqual([['server-errors'], ['maintenance']]);
  });
});

describe('fresh passwords, without login sandboxes', () => {
  test('are told once, log in, and those of the fixtures do not', async () => {
    const { admin, sachet } = controlled({ ...unseeded, loginSandboxes: false });
    const made = [await admin('POST', '/sandboxes', { name: 'a' }), await admin('POST', '/sandboxes', { name: 'b' })];
    const passwords: string[] = made.flatMap(({ body }) =>
      body.logins.map((login: { password: string }) => login.password),
    );
    expect(new Set(passwords).size).toBe(2 * fixtures.users.length);
    const [login] = made[0]?.body.logins ?? [];
    expect((await logIn(sachet, login.username, login.password, '/sandboxes/a')).status).toBe(200);
    expect((await logIn(sachet, 'demo', passwordOf('demo'), '/sandboxes/a')).body).toEqual(badCredentials);
    expect((await logIn(sachet, login.username, login.password, '/sandboxes/b')).body).toEqual(badCredentials);
    await admin('POST', '/sandboxes/a/reset');
    expect((await logIn(sachet, login.username, login.password, '/sandboxes/a')).status).toBe(200);
    expect((await logIn(sachet, 'demo', passwordOf('demo'), '/sandboxes/a')).body).toEqual(badCredentials);
  });
});
