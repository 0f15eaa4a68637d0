// The readings of one sandbox under control: read, turned one by one or by a profile, in force from the next call on.
import { describe, expect, test } from 'vitest';
import { assumptionIds, assumptionRegister, profiles } from '../../../src/contract/assumptions.ts';
import { resolveChoices } from '../../../src/contract/resolved-assumptions.ts';
import { controlled } from '../../support/control.ts';

const path = '/sandboxes/stage/assumptions';
const choices = (options: Parameters<typeof controlled>[0] = {}) => {
  const server = controlled(options);
  return {
    ...server,
    get: async () => (await server.admin('GET', path)).body,
    turn: async (patch: object) => (await server.admin('PATCH', path, patch)).body,
  };
};

test('all of them are told, by default the first of each', async () => {
  expect(await choices().get()).toEqual(resolveChoices());
});

test("those of the server are the sandbox's", async () => {
  const { get } = choices({ assumptions: { next_cursor: 'meta' }, profile: 'strict' });
  expect(await get()).toEqual(resolveChoices({ next_cursor: 'meta' }, 'strict'));
});

const rows = assumptionIds.flatMap((id) => assumptionRegister[id].choices.map(([choice]) => [id, choice] as const));

test.each(rows)('%s is turned to %s, and null is its default', async (id, choice) => {
  const { turn, get } = choices();
  const turned = { ...resolveChoices(), [id]: choice };
  expect(await turn({ [id]: choice })).toEqual(turned);
  expect(await get()).toEqual(turned);
  expect(await turn({ [id]: null })).toEqual(resolveChoices());
});

describe('a patch', () => {
  test('leaves what it does not name', async () => {
    const { turn } = choices();
    await turn({ next_cursor: 'meta' });
    expect(await turn({ list_order: 'oldest_first' })).toMatchObject({
      next_cursor: 'meta',
      list_order: 'oldest_first',
    });
    expect(await turn({})).toMatchObject({ next_cursor: 'meta', list_order: 'oldest_first' });
  });

  test('of many is all or nothing', async () => {
    const { admin, get } = choices();
    const { status } = await admin('PATCH', path, { next_cursor: 'meta', list_order: 'sideways' });
    expect([status, await get()]).toEqual([422, resolveChoices()]);
  });

  test.each(Object.keys(profiles))('by the profile %s puts it beneath the single ones', async (profile) => {
    const { turn } = choices({ assumptions: { list_order: 'oldest_first' } });
    expect(await turn({ profile, next_cursor: 'meta' })).toEqual(resolveChoices({ next_cursor: 'meta' }, profile));
  });

  test('of null goes back to the default', async () => {
    const { turn } = choices({ assumptions: { next_cursor: 'meta' }, profile: 'strict' });
    expect(await turn({ next_cursor: null, order_endpoints: null })).toEqual(resolveChoices());
  });
});

describe('what is unknown', () => {
  test.each(['cursor', '__proto__x', 'constructor', 'NEXT_CURSOR', ''])(
    'as the assumption %j names those that are',
    async (id) => {
      const { admin, get } = choices();
      const { status, body } = await admin('PATCH', path, { [id]: 'meta' });
      expect(status).toBe(422);
      for (const known of assumptionIds) expect(body.message).toContain(known);
      expect(await get()).toEqual(resolveChoices());
    },
  );

  test.each<unknown>(['sideways', '', 'BODY', 5, true, [], {}])(
    'as the reading %j names those that are',
    async (choice) => {
      const { admin, get } = choices();
      const { status, body } = await admin('PATCH', path, { next_cursor: choice });
      expect([status, body.details[0].field]).toEqual([422, 'next_cursor']);
      for (const [name] of assumptionRegister.next_cursor.choices) expect(body.message).toContain(`"${name}"`);
      expect(await get()).toEqual(resolveChoices());
    },
  );

  test.each<unknown>(['lax', '', null, 5])('as the profile %j names those that are', async (profile) => {
    const { admin, get } = choices();
    const { status, body } = await admin('PATCH', path, { profile });
    expect([status, body.details[0].field]).toEqual([422, 'profile']);
    for (const name of Object.keys(profiles)) expect(body.message).toContain(`"${name}"`);
    expect(await get()).toEqual(resolveChoices());
  });
});

describe('a reading that is turned', () => {
  test('is in force for the next call, of whoever is logged in, and in no other sandbox', async () => {
    const { sachet, turn } = choices();
    const client = await sachet.login();
    const elsewhere = await sachet.login('demo', { base: '/sandboxes/production' });
    const missing = '/v2/orders/42';
    expect((await client.get(missing)).status).toBe(400);
    await turn({ malformed_path_id: '404' });
    expect((await client.get(missing)).status).toBe(404);
    expect((await elsewhere.get(missing)).status).toBe(400);
    await turn({ malformed_path_id: null });
    expect((await client.get(missing)).status).toBe(400);
  });

  test('takes a route away and gives it back', async () => {
    const { sachet, turn } = choices();
    const client = await sachet.login();
    const status = async () => (await client.get('/v2/orders')).status;
    const seen = [await status()];
    for (const order_endpoints of ['absent', null]) {
      await turn({ order_endpoints });
      seen.push(await status());
    }
    expect(seen).toEqual([200, 404, 200]);
  });

  test('is told by the answer it shapes', async () => {
    const { sachet, turn } = choices();
    const client = await sachet.login();
    await turn({ malformed_path_id: '404' });
    const { headers } = await client.get('/v2/orders/42');
    expect(headers.get('sandbox-assumption')).toContain('malformed_path_id=404');
  });

  test('is turned back by a reset', async () => {
    const { admin, turn, get } = choices();
    await turn({ profile: 'strict' });
    await admin('POST', '/sandboxes/stage/reset');
    expect(await get()).toEqual(resolveChoices());
  });
});
