// A sandbox that was made here: what it is told, who logs in, and how it goes.
import { describe, expect, test } from 'vitest';
import { ControlError, type Fetch } from '../../src/client/control-client.ts';
import { connect } from '../../src/client/sachet.ts';
import type { NewSandboxOptions } from '../../src/client/sandbox.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { starts, thrownBy } from './starts.ts';

/** Everything that can be told but `own_key`. */
const told: NewSandboxOptions = {
  name: 'w7',
  environment: 'production',
  random_seed: 'seed',
  clock: '2026-01-01T00:00:00Z',
  ttl_seconds: 60,
  assumptions: { next_cursor: 'meta' },
  scenario: 'token-expiry',
  fixtures: { pags: [] },
};

describe.each(starts)('%s', (_, open) => {
  test('it is told its options', async () => {
    const sachet = await open();
    await using sandbox = await sachet.createSandbox(told);
    expect(await sandbox.get()).toMatchObject({ name: 'w7', environment: 'production', ttl_seconds: 60 });
    expect((await sandbox.clock.get()).now).toBe('2026-01-01T00:00:00.000Z');
    expect((await sandbox.assumptions.get()).next_cursor).toBe('meta');
    expect(await sandbox.switches.get()).toMatchObject({ token_expiry: { scenario: 'token-expiry' } });
    expect((await sandbox.records.pags.list()).pags).toEqual([]);
  });

  test('without options it has a name of its own, each time another', async () => {
    const sachet = await open();
    const made = await Promise.all([sachet.createSandbox(), sachet.createSandbox({})]);
    expect(new Set(made.map(({ name }) => name)).size).toBe(2);
    const names = (await sachet.sandboxes()).map(({ name }) => name);
    for (const { name } of made) expect(names).toContain(name);
  });

  test('its logins are those of its users, and the first one is `login`', async () => {
    const sandbox = await (await open()).createSandbox();
    expect(sandbox.login).toEqual({ username: 'demo', password: 'sachet-demo' });
    expect(sandbox.login).toBe(sandbox.logins[0]);
    const other = sandbox.logins.find(({ username }) => username !== 'demo');
    for (const client of [sandbox.client(), sandbox.client(other)])
      expect((await client.get('/v2/products')).status).toBe(200);
  });

  test('without users it is made, and nobody can log in', async () => {
    const sachet = await open();
    await using sandbox = await sachet.createSandbox({ fixtures: { users: [] } });
    expect([sandbox.logins, sandbox.login]).toEqual([[], { username: '', password: '' }]);
    const demo = { username: 'demo', password: 'sachet-demo' };
    for (const client of [sandbox.client(), sandbox.client(demo)])
      await expect(client.get('/v2/products')).rejects.toThrow(/^the login of "(?:demo)?" failed with 4/);
  });

  test('a key of its own is given where it is asked for, and controls it alone', async () => {
    const sachet = await open();
    const [without, own] = [await sachet.createSandbox(), await sachet.createSandbox({ own_key: true })];
    expect(without.key).toBeNull();
    const alone = connect({ url: sachet.baseUrl, adminKey: own.key ?? '', fetch: sachet.fetch });
    expect((await alone.sandbox(own.name).get()).has_own_key).toBe(true);
    await expect(alone.sandbox(without.name).get()).rejects.toMatchObject({ status: 401 });
    const given = await sachet.createSandbox({ own_key: 'a-key-of-one-team' });
    expect(given.key).toBe('a-key-of-one-team');
  });

  test('a name that is taken is a ControlError of 409, and what is there stays', async () => {
    const sachet = await open();
    const first = await sachet.createSandbox({ name: 'w7' });
    await first.client().post('/v2/orders', sampleOrder());
    const error = await thrownBy(() => sachet.createSandbox({ name: 'w7' }));
    expect(error).toBeInstanceOf(ControlError);
    expect(error).toMatchObject({ status: 409, message: expect.stringContaining('A sandbox "w7" already exists') });
    expect((await first.requests.list()).requests).toHaveLength(2);
  });

  test('an option that is none is a ControlError that says which', async () => {
    const sachet = await open();
    const refused = sachet.createSandbox({ name: 'W 7', clock: 'noon', ttl_seconds: 0 });
    await expect(refused).rejects.toMatchObject({
      status: 422,
      body: { details: [{ field: 'name' }, { field: 'clock' }, { field: 'ttl_seconds' }] },
    });
  });

  test('to dispose of it deletes it, also a second time, and when the test did so itself', async () => {
    const sachet = await open();
    const [one, two] = [await sachet.createSandbox({ name: 'one' }), await sachet.createSandbox({ name: 'two' })];
    for (const _ of [1, 2]) await one[Symbol.asyncDispose]();
    await two.delete();
    await two[Symbol.asyncDispose]();
    expect((await sachet.sandboxes()).map(({ name }) => name)).toEqual(['production', 'stage']);
  });

  test('any other refusal to delete it is told', async () => {
    const sachet = await open();
    const fetch: Fetch = async (input, init) =>
      init?.method === 'DELETE' ? Response.json({ message: 'Not now' }, { status: 500 }) : sachet.fetch(input, init);
    const made = await connect({ url: sachet.baseUrl, adminKey: sachet.adminKey, fetch }).createSandbox();
    await expect(made[Symbol.asyncDispose]()).rejects.toMatchObject({ status: 500 });
  });
});
