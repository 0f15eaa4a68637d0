// missing_permission: 403 from the endpoints that need one of the permissions, for every user (AUTH-5).
import { expect, test } from 'vitest';
import { permissions } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations.ts';
import { errorOf } from '../../cases/assumptions/choices.ts';
import { allOffered } from '../../cases/common.ts';
import { goodRequests, type TokenOperation } from '../../cases/requests.ts';
import { someOrder } from '../../support/order-requests.ts';
import { testStage } from '../../support/stage.ts';
import { refresh } from '../../support/tokens.ts';

const forbidden = errorOf(403, 'Insufficient permissions');

test('each permission affects the endpoints that need it, under permissions=all, too; logins need none', async () => {
  const { sachet, stage, client } = await testStage({ assumptions: { ...allOffered, permissions: 'all' } });
  const headers = { authorization: `Bearer ${client.token}` };
  const wrong: unknown[] = [];
  for (const permission of permissions) {
    await stage.switches.set({ missing_permission: { permissions: [permission] } });
    for (const id of Object.keys(goodRequests) as TokenOperation[]) {
      const { path, body } = goodRequests[id];
      const isAffected = operations[id].permission === permission;
      // The good requests change the same records.
      if (!isAffected && operations[id].method !== 'GET') continue;
      const { status } = await sachet.call(operations[id].method, path, { body, headers });
      if (isAffected ? status !== 403 : status !== 200) wrong.push([permission, id, status]);
    }
  }
  expect(wrong).toEqual([]);
  await stage.switches.set({ missing_permission: { permissions: [...permissions] } });
  await sachet.login();
  expect((await refresh(sachet, client.refreshToken)).status).toBe(200);
});

test('nothing is stored, the user keeps the permission, and the journal names switch, stage and rule', async () => {
  const { stage, client, order, stored } = await testStage();
  const before = [await stored(), await stage.records.users.list()];
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'] } });
  expect((await order()).body).toEqual(forbidden);
  expect([await stored(), await stage.records.users.list()]).toEqual(before);
  const { requests } = await stage.requests.list();
  const { decision } = await stage.requests.get(requests.at(-1)?.id ?? '');
  expect(decision).toMatchObject({
    stage: 'permission',
    faults: ['missing_permission'],
    details: [{ rule: 'AUTH-5' }],
    sentence: expect.stringContaining('Affected by the missing_permission switch. Rejected by AUTH-5.'),
  });
  const match = { path: '/v2/orders/{orderId}/cancel' };
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'], match } });
  const { id } = (await order()).body.order;
  expect((await client.patch(`/v2/orders/${id}`, someOrder())).status).toBe(200);
  expect((await client.post(`/v2/orders/${id}/cancel`)).body).toEqual(forbidden);
});

test('it is checked between the body format and the path (HTTP-4), and counts only what it rejects', async () => {
  const { sachet, stage, client } = await testStage();
  await stage.switches.set({ missing_permission: { permissions: ['orders:write', 'orders:read'] } });
  const authorization = `Bearer ${client.token}`;
  const create = (raw: string, headers: Record<string, string> = { authorization }) =>
    sachet.call('POST', '/v2/orders', { raw, headers: { 'content-type': 'application/json', ...headers } });
  const answers = [
    await create('{', {}),
    await create('{}', { authorization: 'Bearer no-token' }),
    await create('{'),
    await create('{}', { authorization, 'content-type': 'text/plain' }),
    // A user without the permission anyway.
    await (await sachet.login('read-only')).post('/v2/orders', someOrder()),
    await create('{}'),
    await client.get('/v2/orders/no-uuid'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 400, 400, 403, 403, 403]);
  const affected = answers.map(({ headers }) => headers.get('sandbox-fault'));
  expect(affected).toEqual([null, null, null, null, null, 'missing_permission', 'missing_permission']);
  expect((await stage.switches.get()).missing_permission?.hits).toBe(2);
});
