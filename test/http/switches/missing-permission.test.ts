// missing_permission: 403 for the endpoints that need one of the permissions, for every user (AUTH-5).
import { describe, expect, test } from 'vitest';
import { permissions } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations.ts';
import { allOffered } from '../../cases/common.ts';
import { goodRequests, type TokenOperation } from '../../cases/requests.ts';
import { errorOf } from '../../support/assumption-cases.ts';
import { bent } from '../../support/bent.ts';
import { someOrder } from '../../support/order-requests.ts';
import { refresh } from '../../support/tokens.ts';

const ids = Object.keys(goodRequests) as TokenOperation[];
const forbidden = errorOf(403, 'Insufficient permissions');

describe.each(permissions)('%s', (permission) => {
  test('taken away meets the endpoints that need it, and no others', async () => {
    const { sachet, stage, client } = await bent({ assumptions: allOffered });
    await stage.switches.set({ missing_permission: { permissions: [permission] } });
    for (const id of ids) {
      const { path, body } = goodRequests[id];
      const headers = { authorization: `Bearer ${client.token}` };
      const answer = await sachet.call(operations[id].method, path, { body, headers });
      if (operations[id].permission === permission) expect(answer.body, id).toEqual(forbidden);
      else expect(answer.status, id).toBeLessThan(300);
    }
  });
});

test('logins and refreshes need none, and go on', async () => {
  const { sachet, stage, client } = await bent();
  await stage.switches.set({ missing_permission: { permissions: [...permissions] } });
  await sachet.login();
  expect((await refresh(sachet, client.refreshToken)).status).toBe(200);
});

test('nothing is stored of an order that it meets, and the user has the permission still', async () => {
  const { stage, order, stored } = await bent();
  const before = [await stored(), await stage.records.users.list()];
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'] } });
  expect((await order()).body).toEqual(forbidden);
  expect([await stored(), await stage.records.users.list()]).toEqual(before);
  await stage.switches.set({ missing_permission: null });
  expect((await order()).status).toBe(201);
});

test('it holds also with the choice that needs no permissions', async () => {
  const { stage, status } = await bent({ assumptions: { permissions: 'all' } });
  await stage.switches.set({ missing_permission: { permissions: ['products:read'] } });
  expect(await status()).toBe(403);
});

test('it answers between the body format and the path, as HTTP-4 says', async () => {
  const { sachet, stage, client } = await bent();
  await stage.switches.set({ missing_permission: { permissions: ['orders:write', 'orders:read'] } });
  const create = (headers: Record<string, string>, raw: string) =>
    sachet.call('POST', '/v2/orders', { raw, headers: { 'content-type': 'application/json', ...headers } });
  const authorization = `Bearer ${client.token}`;
  const answers = [
    await create({}, '{'),
    await create({ authorization: 'Bearer no-token' }, '{}'),
    await create({ authorization }, '{'),
    await create({ authorization, 'content-type': 'text/plain' }, '{}'),
    await create({ authorization }, '{}'),
    await client.get('/v2/orders/no-uuid'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 400, 400, 403, 403]);
  expect(answers.map(({ headers }) => headers.get('sandbox-fault'))).toEqual([
    ...[null, null, null, null],
    ...['missing_permission', 'missing_permission'],
  ]);
  expect((await stage.switches.get()).missing_permission?.hits).toBe(2);
});

test('it does not count the 403 of a user who lacks the permission anyway', async () => {
  const { sachet, stage } = await bent();
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'] } });
  const readOnly = await sachet.login('read-only');
  const { status, headers } = await readOnly.post('/v2/orders', someOrder());
  expect([status, headers.get('sandbox-fault')]).toEqual([403, null]);
  expect((await stage.switches.get()).missing_permission?.hits).toBe(0);
});

test('the journal names the switch, the stage and the rule', async () => {
  const { stage, order } = await bent();
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'] } });
  await order();
  const { requests } = await stage.requests.list();
  const { decision } = await stage.requests.get(requests.at(-1)?.id ?? '');
  expect(decision).toMatchObject({
    stage: 'permission',
    faults: ['missing_permission'],
    details: [{ rule: 'AUTH-5' }],
    sentence: expect.stringContaining('Affected by the missing_permission switch. Rejected by AUTH-5.'),
  });
});

test('a match narrows it to some of the endpoints', async () => {
  const { stage, client, order } = await bent();
  const match = { path: '/v2/orders/{orderId}/cancel' };
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'], match } });
  const { id } = (await order()).body.order;
  expect((await client.patch(`/v2/orders/${id}`, someOrder())).status).toBe(200);
  expect((await client.post(`/v2/orders/${id}/cancel`)).body).toEqual(forbidden);
});
