// Fixtures and keys of a sandbox's own.
import { describe, expect, test } from 'vitest';
import { controlled, namesOf } from '../../support/control.ts';
import { shown } from '../../support/drafts.ts';
import { badCredentials, newUser } from '../../support/logins.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures, passwordOf } from '../../support/sachet.ts';
import { logIn } from '../../support/tokens.ts';

const make = async (body: object) => {
  const server = controlled();
  return { ...server, made: await server.admin('POST', '/sandboxes', { name: 'team', ...body }) };
};

describe('fixtures', () => {
  test('replace a collection whole, and leave the others and the other sandboxes alone', async () => {
    const { sachet, made } = await make({ fixtures: { users: [newUser('ann', 'of ann')] } });
    expect(made.body.logins).toEqual([{ username: 'ann', password: 'of ann' }]);
    expect((await logIn(sachet, 'demo', passwordOf('demo'), '/sandboxes/team')).body).toEqual(badCredentials);
    const ann = await sachet.login('ann', { password: 'of ann', base: '/sandboxes/team' });
    expect((await ann.post('/v2/orders', someOrder())).status).toBe(201);
    expect((await logIn(sachet, 'ann', 'of ann')).body).toEqual(badCredentials);
    expect((await sachet.sandbox('team')).state.table('products').size).toBe(fixtures.products.length);
  });

  test('replace what a sandbox has one of', async () => {
    const { sachet } = await make({ fixtures: { operator: { name: 'Somebody' } } });
    expect((await sachet.sandbox('team')).state.value('operator')).toEqual({ name: 'Somebody' });
    expect((await sachet.sandbox()).state.value('operator')).toEqual(fixtures.operator);
  });

  test('are what a reset goes back to', async () => {
    const { admin, sachet } = await make({ fixtures: { orders: [], fulfillments: [] } });
    const client = await sachet.login('demo', { base: '/sandboxes/team' });
    await client.post('/v2/orders', someOrder());
    await admin('POST', '/sandboxes/team/reset');
    expect((await client.get('/v2/orders')).body.orders).toEqual([]);
  });

  test('that leave references broken are refused with every place', async () => {
    const { made, sachet } = await make({ fixtures: { products: [] } });
    expect(made.status).toBe(422);
    expect(made.body.details.length).toBeGreaterThan(1);
    for (const { field, message } of made.body.details) {
      expect(field).toMatch(/^fixtures\.\w+\[\d+\]\./);
      expect(message).toMatch(/^found "[\w-]+", expected the id of a record in products$/);
    }
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  });

  test.each([
    [{ nope: [] }, 'fixtures', /unknown key "nope"/],
    [{ users: 5 }, 'fixtures.users', /found 5, expected a list/],
    [{ users: [{}] }, 'fixtures.users[0].id', /found nothing/],
    [{ users: [newUser('a', 'x', 1), newUser('a', 'y', 2)] }, 'fixtures.users[1].username', /"a"/],
    [{ users: [newUser('a', 'x', 1), newUser('b', 'y', 1)] }, 'fixtures.users[1].id', /found/],
    [{ operator: [] }, 'fixtures.operator', /found \[\]/],
    [{ operator: null }, 'fixtures.operator', /found null/],
  ])('may not be %j', async (own, field, words) => {
    const { made, sachet } = await make({ fixtures: own });
    expect(made.status).toBe(422);
    const [detail] = made.body.details;
    expect(detail.field).toBe(field);
    expect(detail.message).toMatch(words);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  });

  test('that a scenario does not fit make none', async () => {
    const own = { fulfillments: [], orders: [], pags: [], products: [], operator_products: [] };
    const { made, sachet } = await make({ fixtures: own, scenario: 'discontinued-product' });
    expect([made.status, made.body.details[0].field]).toEqual([422, 'data.operator_products[0].id']);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  });

  test('may be none at all', async () => {
    const none = Object.fromEntries(
      Object.keys(fixtures).map((name) => [
        name,
        Array.isArray(fixtures[name as 'users']) ? [] : fixtures[name as 'users'],
      ]),
    );
    const { made } = await make({ fixtures: none });
    expect([made.status, made.body.logins]).toEqual([201, []]);
  });
});

describe('own_key', () => {
  test('true makes a key, which is shown this once', async () => {
    const { admin, input, made } = await make({ own_key: true });
    const { key, has_own_key } = made.body;
    expect([has_own_key, key.length >= 16]).toEqual([true, true]);
    const headers = { authorization: `Bearer ${key}` };
    const { text, status } = await input('GET', '/_admin/sandboxes/team', { headers });
    expect([status, text.includes(key)]).toEqual([200, false]);
    expect((await admin('GET', '/sandboxes')).text).not.toContain(key);
    expect((await input('GET', '/_admin/sandboxes/stage', { headers })).status).toBe(401);
  });

  test('made twice are two', async () => {
    const { admin, made } = await make({ own_key: true });
    const { body } = await admin('POST', '/sandboxes', { own_key: true });
    expect(body.key).not.toBe(made.body.key);
  });

  test.each(['x'.repeat(16), '!#$%&()*+,-./:;<=>?@[]^_{|}~', 'y'.repeat(200)])('may be %j', async (key) => {
    const { input, made } = await make({ own_key: key });
    expect(made.body.key).toBe(key);
    const headers = { authorization: `Bearer ${key}` };
    expect((await input('GET', '/_admin/sandboxes/team', { headers })).status).toBe(200);
  });

  test('reaches the sandbox by no tag', async () => {
    const { sachet } = await make({ own_key: true });
    expect((await logIn(sachet, 'demo+team', passwordOf('demo'))).body).toEqual(badCredentials);
  });

  test('stands nowhere in the state as it is', async () => {
    const { sachet } = await make({ own_key: 'a-key-that-is-told' });
    expect(JSON.stringify(shown((await sachet.sandbox('team')).state))).not.toContain('a-key-that-is-told');
  });
});
