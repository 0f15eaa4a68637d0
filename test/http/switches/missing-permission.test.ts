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

test('it holds where a reading asks for no permissions, and before the token is looked at', async () => {
  const { sachet, stage, status } = await bent({ assumptions: { permissions: 'all' } });
  await stage.switches.set({ missing_permission: { permissions: ['products:read'] } });
  expect([await status(), (await sachet.call('GET', '/v2/products')).status]).toEqual([403, 403]);
});

test('a match narrows it to some of the endpoints', async () => {
  const { stage, client, order } = await bent();
  const match = { path: '/v2/orders/{orderId}/cancel' };
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'], match } });
  const { id } = (await order()).body.order;
  expect((await client.patch(`/v2/orders/${id}`, someOrder())).status).toBe(200);
  expect((await client.post(`/v2/orders/${id}/cancel`)).body).toEqual(forbidden);
});
