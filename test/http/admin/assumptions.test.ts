// The assumptions of one sandbox: read, changed one by one or by a profile, in force from the next call on.
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
    set: async (patch: object) => (await server.admin('PATCH', path, patch)).body,
  };
};

test('each has its default, takes each of its choices, and null restores the default', async () => {
  const { set, get } = choices();
  expect(await get()).toEqual(resolveChoices());
  for (const id of assumptionIds)
    for (const [choice] of assumptionRegister[id].choices) {
      const changed = { ...resolveChoices(), [id]: choice };
      expect(await set({ [id]: choice })).toEqual(changed);
      expect(await get()).toEqual(changed);
      expect(await set({ [id]: null })).toEqual(resolveChoices());
    }
});

describe('a patch', () => {
  test('leaves what it does not name; null restores the default of the contract, a reset the choices of the server', async () => {
    const { admin, set, get } = choices({ assumptions: { next_cursor: 'meta' }, profile: 'strict' });
    const initial = resolveChoices({ next_cursor: 'meta' }, 'strict');
    expect(await get()).toEqual(initial);
    expect(await set({ list_order: 'oldest_first' })).toEqual({ ...initial, list_order: 'oldest_first' });
    expect(await set({})).toEqual({ ...initial, list_order: 'oldest_first' });
    expect(await set({ next_cursor: null, order_endpoints: null, list_order: null })).toEqual(resolveChoices());
    await admin('POST', '/sandboxes/stage/reset');
    expect(await get()).toEqual(initial);
  });

  test.each(Object.keys(profiles))('with the profile %s applies single choices after it', async (profile) => {
    const { set } = choices({ assumptions: { list_order: 'oldest_first' } });
    expect(await set({ profile, next_cursor: 'meta' })).toEqual(resolveChoices({ next_cursor: 'meta' }, profile));
  });

  test('with anything unknown is rejected whole with what is known', async () => {
    const { admin, get } = choices();
    const quoted = assumptionRegister.next_cursor.choices.map(([name]) => `"${name}"`);
    const names = Object.keys(profiles).map((name) => `"${name}"`);
    for (const [patch, field, known] of [
      ...['cursor', 'constructor'].map((id) => [{ [id]: 'meta' }, '', assumptionIds] as const),
      ...['sideways', 5].map((choice) => [{ next_cursor: choice }, 'next_cursor', quoted] as const),
      ...['lax', null].map((profile) => [{ profile }, 'profile', names] as const),
      [{ list_order: 'oldest_first', next_cursor: 'x' }, 'next_cursor', quoted] as const,
    ]) {
      const { status, body } = await admin('PATCH', path, patch);
      expect([status, body.details[0].field], JSON.stringify(patch)).toEqual([422, field]);
      for (const name of known) expect(body.message).toContain(name);
    }
    expect(await get()).toEqual(resolveChoices());
  });
});

test('the assumptions of a new sandbox change those of the server, unless they name a profile; a reset restores them', async () => {
  const { admin } = choices({ assumptions: { next_cursor: 'meta', list_order: 'oldest_first' } });
  for (const [name, assumptions, initial] of [
    ['one', { next_cursor: 'header' }, resolveChoices({ next_cursor: 'header', list_order: 'oldest_first' })],
    ['two', { profile: 'strict', next_cursor: 'header' }, resolveChoices({ next_cursor: 'header' }, 'strict')],
  ] as const) {
    await admin('POST', '/sandboxes', { name, assumptions });
    const read = async () => (await admin('GET', `/sandboxes/${name}/assumptions`)).body;
    expect(await read()).toEqual(initial);
    await admin('PATCH', `/sandboxes/${name}/assumptions`, { list_order: null, next_cursor: null });
    await admin('POST', `/sandboxes/${name}/reset`);
    expect(await read()).toEqual(initial);
  }
});

test('a changed choice applies to the next call of every client, and to no other sandbox', async () => {
  const { sachet, set } = choices();
  const client = await sachet.login();
  const elsewhere = await sachet.login('demo', { base: '/sandboxes/production' });
  const missing = '/v2/orders/42';
  expect((await client.get(missing)).status).toBe(400);
  await set({ malformed_path_id: '404' });
  expect([(await client.get(missing)).status, (await elsewhere.get(missing)).status]).toEqual([404, 400]);
  await set({ malformed_path_id: null });
  expect((await client.get(missing)).status).toBe(400);
});
