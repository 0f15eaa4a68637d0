// Sandboxes are created, listed, read and deleted over the control API.
import { describe, expect, test } from 'vitest';
import { createChaosStore } from '../../support/chaos-store.ts';
import { controlled, everything, failureOf, machineAt, namesOf, unseeded } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures, isReplicated, passwordOf, testSachet } from '../../support/sachet.ts';
import { badCredentials, expectNoSandbox, logIn, present, refresh } from '../../support/tokens.ts';

// Several servers take the time of the last use from their database, where no test can move it.
test.skipIf(isReplicated)('stage and production exist from the start', async () => {
  machineAt('2026-11-20T08:00:00Z');
  const builtIn = (name: string) => ({
    name,
    environment: name,
    base_url: `http://localhost:4010/sandboxes/${name}`,
    made_by_login: false,
    has_own_key: false,
    ttl_seconds: null,
    last_used_at: '2026-11-20T08:00:00.000Z',
  });
  const { body } = await controlled().admin('GET', '/sandboxes');
  expect(body).toEqual({ sandboxes: [builtIn('production'), builtIn('stage')] });
});

test('a new sandbox is returned with its logins, active users first, listed by name, and read', async () => {
  const { admin, sachet } = controlled();
  const { status, body } = await admin('POST', '/sandboxes', { name: 'team', ttl_seconds: 60 });
  const { logins, key, ...shown } = body;
  expect([status, key]).toEqual([201, null]);
  expect(shown).toMatchObject({ name: 'team', environment: 'stage', made_by_login: false, ttl_seconds: 60 });
  const inactive = ['inactive-user', 'inactive-account'];
  const isInactive = ({ username }: { username: string }) => inactive.includes(username);
  const users = [...fixtures.users.filter((user) => !isInactive(user)), ...fixtures.users.filter(isInactive)];
  expect(logins).toEqual(users.map(({ username, password }) => ({ username, password })));
  await admin('POST', '/sandboxes', { name: 'a' });
  expect(await namesOf({ sachet })).toEqual(['a', 'production', 'stage', 'team']);
  expect((await admin('GET', '/sandboxes/team')).body).toMatchObject({ ...shown, last_used_at: expect.any(String) });

  for (const login of logins) {
    const response = await logIn(sachet, login.username, login.password, shown.base_url);
    expect(response.status, login.username).toBe(isInactive(login) ? 401 : 200);
  }
  expect((await logIn(sachet, 'demo+team', passwordOf('demo'))).body).toEqual(badCredentials);
});

test('a sandbox without a name gets a free one', async () => {
  const { admin } = controlled();
  const all = await Promise.all(Array.from({ length: 5 }, () => admin('POST', '/sandboxes', {})));
  const names = all.map(({ body }) => body.name as string);
  expect(new Set(names).size).toBe(5);
  for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]{0,62}$/);
});

// Each of several servers shows its own time of the last use.
describe.skipIf(isReplicated)('a name that is taken', () => {
  test('is 409, and the existing sandbox stays', async () => {
    const server = controlled();
    await server.sachet.control.create({ name: 'team' });
    await server.sachet.login('demo+w1');
    const before = await everything(server);
    const builtIn = (name: string) => [name, `The sandbox "${name}" is built in; choose another name`];
    const own = (name: string) => [name, `A sandbox "${name}" already exists; delete it first, or choose another name`];
    for (const [name, message] of [builtIn('stage'), builtIn('production'), own('team'), own('w1')])
      expect(failureOf(await server.admin('POST', '/sandboxes', { name }))).toEqual([409, message]);
    expect(await everything(server)).toEqual(before);
  });

  test('by a login and a call at once belongs to one of them', async () => {
    const { admin, sachet } = controlled();
    const [login, created] = await Promise.all([
      logIn(sachet, 'demo+team', passwordOf('demo')),
      admin('POST', '/sandboxes', { name: 'team' }),
    ]);
    const { made_by_login } = (await admin('GET', '/sandboxes/team')).body;
    expect([login.status, created.status]).toEqual(made_by_login ? [200, 409] : [401, 201]);
  });
});

describe('deleting', () => {
  test('removes the sandbox, its tokens and its state; a new one of the name starts anew', async () => {
    const { admin, sachet } = controlled(unseeded);
    await admin('POST', '/sandboxes', { name: 'team' });
    const { token, refreshToken, post } = await sachet.login('demo', { base: '/sandboxes/team' });
    await post('/v2/orders', someOrder());
    expect((await admin('DELETE', '/sandboxes/team')).status).toBe(204);
    await expectNoSandbox(sachet, 'team');
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
    for (const method of ['GET', 'DELETE']) expect((await admin(method, '/sandboxes/team')).status).toBe(404);
    expect((await present(sachet, token, '/sandboxes/team')).status).toBe(404);
    const use = async (base?: string) =>
      [await present(sachet, token, base), await refresh(sachet, refreshToken, base)].map(({ status }) => status);
    expect(await use()).toEqual([401, 401]);
    await admin('POST', '/sandboxes', { name: 'team' });
    expect([await use(), await use('/sandboxes/team')]).toEqual([
      [401, 401],
      [401, 401],
    ]);
    expect((await admin('GET', '/sandboxes/team/requests')).body.requests).toHaveLength(2);
    expect((await sachet.sandbox('team')).state.table('orders').size).toBe(fixtures.orders.length);
  });

  test('stage and production is rejected', async () => {
    const { admin, sachet } = controlled();
    const message = expect.stringContaining('cannot be deleted');
    for (const name of ['stage', 'production'])
      expect(failureOf(await admin('DELETE', `/sandboxes/${name}`))).toEqual([422, message]);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  });

  test('twice at once does not delete a new sandbox of the same name', async () => {
    const { control } = testSachet({ store: createChaosStore() });
    await control.create({ name: 'w1' });
    const both = [control.sandbox('w1').delete(), control.sandbox('w1').delete()];
    await Promise.race(both);
    const created = control.create({ name: 'w1' }).catch(() => undefined);
    await Promise.allSettled(both);
    if (!(await created)) await control.create({ name: 'w1' });
    await control.sandbox('w1').clock.set({ frozen: true });
    expect((await control.sandbox('w1').clock.get()).frozen).toBe(true);
  });
});
