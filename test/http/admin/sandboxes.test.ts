// Sandboxes made, listed, read and deleted over the control API.
import { describe, expect, test } from 'vitest';
import { controlled, everything, machineAt, namesOf, told, unseeded } from '../../support/control.ts';
import { badCredentials, expectNoSandbox } from '../../support/logins.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures, passwordOf } from '../../support/sachet.ts';
import { isReplicated } from '../../support/test-engine.ts';
import { logIn, present, refresh } from '../../support/tokens.ts';

// Over several servers, last use is told by the database's time, which no test moves on.
test.skipIf(isReplicated)('stage and production are there from the start', async () => {
  machineAt('2026-11-20T08:00:00Z');
  const { body } = await controlled().admin('GET', '/sandboxes');
  const born = (name: string) => ({
    name,
    environment: name,
    base_url: `http://localhost:4010/sandboxes/${name}`,
    made_by_login: false,
    has_own_key: false,
    ttl_seconds: null,
    last_used_at: '2026-11-20T08:00:00.000Z',
  });
  expect(body).toEqual({ sandboxes: [born('production'), born('stage')] });
});

test('one that is made is answered with its logins, those that are good first, listed in the order of names, and read', async () => {
  const { admin } = controlled();
  const { status, body } = await admin('POST', '/sandboxes', { name: 'team', ttl_seconds: 60 });
  const { logins, key, ...shown } = body;
  expect([status, key]).toEqual([201, null]);
  expect(shown).toMatchObject({ name: 'team', environment: 'stage', made_by_login: false, ttl_seconds: 60 });
  const closed = ['inactive-user', 'inactive-account'];
  const inOrder = [false, true].flatMap((isClosed) =>
    fixtures.users.filter((user) => closed.includes(user.username) === isClosed),
  );
  expect(logins).toEqual(inOrder.map(({ username, password }) => ({ username, password })));
  await admin('POST', '/sandboxes', { name: 'a' });
  const { sandboxes } = (await admin('GET', '/sandboxes')).body;
  expect(sandboxes.map(({ name }: { name: string }) => name)).toEqual(['a', 'production', 'stage', 'team']);
  expect((await admin('GET', '/sandboxes/team')).body).toMatchObject({ ...shown, last_used_at: expect.any(String) });
});

test('every login that is told logs in at the base URL that is told', async () => {
  const { admin, sachet } = controlled();
  const { base_url, logins } = (await admin('POST', '/sandboxes', { name: 'team' })).body;
  for (const { username, password } of logins) {
    const isActive = !['inactive-user', 'inactive-account'].includes(username);
    const { status } = await logIn(sachet, username, password, base_url);
    expect([username, status]).toEqual([username, isActive ? 200 : 401]);
  }
});

test('one without a name is given one that nobody has', async () => {
  const { admin } = controlled();
  const names = await Promise.all(
    Array.from({ length: 20 }, async () => (await admin('POST', '/sandboxes', {})).body.name as string),
  );
  expect(new Set(names).size).toBe(20);
  for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]{0,62}$/);
});

// Of several servers each shows when it was itself that a sandbox was used by last.
describe.skipIf(isReplicated)('a name that is taken', () => {
  test.each(['stage', 'production', 'team', 'w1'])('as %s is 409, and what is there stays', async (name) => {
    const server = controlled();
    await server.sachet.control.create({ name: 'team' });
    await server.sachet.login('demo+w1');
    const before = await everything(server);
    const [status, message] = told(await server.admin('POST', '/sandboxes', { name, environment: 'production' }));
    expect(status).toBe(409);
    const isBuiltIn = name === 'stage' || name === 'production';
    expect(message).toBe(
      isBuiltIn
        ? `The sandbox "${name}" is built in; choose another name`
        : `A sandbox "${name}" already exists; delete it first, or choose another name`,
    );
    expect(await everything(server)).toEqual(before);
  });

  test('by ten at once is made once', async () => {
    const { admin } = controlled();
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) => admin('POST', '/sandboxes', { name: 'team', ttl_seconds: n + 1 })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    const winner = made.find(({ status }) => status === 201)?.body;
    expect((await admin('GET', '/sandboxes/team')).body.ttl_seconds).toBe(winner.ttl_seconds);
  });

  test('by a login and a call at once belongs to one of them', async () => {
    const { admin, sachet } = controlled();
    const [login, made] = await Promise.all([
      logIn(sachet, 'demo+team', passwordOf('demo')),
      admin('POST', '/sandboxes', { name: 'team' }),
    ]);
    const { made_by_login } = (await admin('GET', '/sandboxes/team')).body;
    expect([login.status, made.status]).toEqual(made_by_login ? [200, 409] : [401, 201]);
  });
});

describe('deleting', () => {
  test('takes a sandbox away for everybody', async () => {
    const { admin, sachet } = controlled();
    await admin('POST', '/sandboxes', { name: 'team' });
    const { token, refreshToken } = await sachet.login('demo', { base: '/sandboxes/team' });
    expect((await admin('DELETE', '/sandboxes/team')).status).toBe(204);
    await expectNoSandbox(sachet, 'team');
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
    expect((await admin('GET', '/sandboxes/team')).status).toBe(404);
    expect((await admin('DELETE', '/sandboxes/team')).status).toBe(404);
    expect((await present(sachet, token, '/sandboxes/team')).status).toBe(404);
    expect((await present(sachet, token)).status).toBe(401);
    expect((await refresh(sachet, refreshToken)).status).toBe(401);
  });

  test.each(['stage', 'production'])('%s is refused', async (name) => {
    const server = controlled();
    await server.sachet.login();
    const { token } = await server.sachet.login('demo', { base: `/sandboxes/${name}` });
    const [status, message] = told(await server.admin('DELETE', `/sandboxes/${name}`));
    expect(status).toBe(422);
    expect(message).toContain('cannot be deleted');
    expect((await present(server.sachet, token, `/sandboxes/${name}`)).status).toBe(200);
  });

  test('frees the name: what is made under it again knows nothing of the former one', async () => {
    const { admin, sachet } = controlled(unseeded);
    await admin('POST', '/sandboxes', { name: 'team' });
    const old = await sachet.login('demo', { base: '/sandboxes/team' });
    await old.post('/v2/orders', someOrder());
    await admin('DELETE', '/sandboxes/team');
    await admin('POST', '/sandboxes', { name: 'team' });
    const statuses = [await present(sachet, old.token), await present(sachet, old.token, '/sandboxes/team')];
    statuses.push(await refresh(sachet, old.refreshToken, '/sandboxes/team'));
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect((await admin('GET', '/sandboxes/team/requests')).body.requests).toHaveLength(2);
    expect((await sachet.sandbox('team')).state.table('orders').size).toBe(fixtures.orders.length);
  });

  test('while other calls of the control API are under way lets none of them fail', async () => {
    const { admin } = controlled();
    for (let round = 0; round < 5; round += 1) {
      await admin('POST', '/sandboxes', { name: 'team' });
      const answers = await Promise.all([
        admin('GET', '/sandboxes/team/clock'),
        admin('DELETE', '/sandboxes/team'),
        admin('GET', '/sandboxes/team/clock'),
        admin('POST', '/sandboxes/team/clock/advance', { seconds: 1 }),
        admin('POST', '/sandboxes/team/reset'),
        admin('GET', '/sandboxes/team'),
      ]);
      for (const { status, text } of answers) expect([200, 204, 404], text).toContain(status);
    }
  });
});

test('a sandbox that a tester made is reached by no tag', async () => {
  const { admin, sachet } = controlled();
  await admin('POST', '/sandboxes', { name: 'team' });
  expect((await logIn(sachet, 'demo+team', passwordOf('demo'))).body).toEqual(badCredentials);
});
