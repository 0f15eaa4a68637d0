// Every rule that can reject a request: its status, its whole body, its id, and that it changes nothing (ORD-27).
import { expect, test } from 'vitest';
import { refusalsOf } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { Refusal } from '../../src/contract/refusal.ts';
import { allOffered } from '../cases/common.ts';
import { errorBodyOf, prepare } from '../cases/rejected.ts';
import {
  goodRequests,
  known,
  newConsumer,
  orderWith,
  type TokenOperation,
  unknownId,
  validOrder,
} from '../cases/requests.ts';
import { dropDefaultPag, orderBusinessCases, rows } from '../cases/table.ts';
import { testSachet } from '../support/sachet.ts';

test.each([...new Set(rows.map(({ rule }) => rule))])('%s rejects, by its id, and changes nothing', async (rule) => {
  const ofRule = rows.filter((row) => row.rule === rule);
  const received: Record<string, unknown> = {};
  for (const { id, given } of ofRule) {
    const { sachet, send } = await prepare(id, given);
    const before = (await sachet.sandbox()).version;
    const { status, body, headers } = await send();
    const changes = (await sachet.sandbox()).version - before;
    received[id] = { status, body, rule: headers.get('sandbox-rule'), changes };
  }
  const expected = ofRule.map(({ id, given: { refused } }) => [
    id,
    { status: refused.status, body: errorBodyOf(refused), rule, changes: 0 },
  ]);
  expect(received).toEqual(Object.fromEntries(expected));
});

test('each request that the cases change succeeds unchanged', async () => {
  const statuses: Record<string, number> = {};
  for (const id of Object.keys(goodRequests) as TokenOperation[])
    statuses[id] = (await (await prepare(id, { assumptions: allOffered })).send()).status;
  const created = { 'orders.create': 201, 'consumers.create': 201 };
  expect(statuses).toEqual({ ...Object.fromEntries(Object.keys(goodRequests).map((id) => [id, 200])), ...created });
});

test('the table has the rules that each operation declares, and no other', () => {
  const tested = operationList.map(({ id }) => [
    id,
    rows
      .filter((row) => row.id === id)
      .map(({ rule }) => rule)
      .sort(),
  ]);
  expect(tested).toEqual(operationList.map((operation) => [operation.id, [...refusalsOf(operation)].sort()]));
});

test('the next order after rejected ones is the one that would have been without them (ORD-27)', async () => {
  const clientOf = async () => {
    const sachet = testSachet({ assumptions: { order_fields: 'echo', pack_id: 'known' } });
    await dropDefaultPag(sachet);
    return sachet.login();
  };
  const [undisturbed, disturbed] = [await clientOf(), await clientOf()];
  const bodies = Object.values(orderBusinessCases).map(({ request }) => request?.body);
  for (const body of [orderWith({ 'order_lines.0.pouches.0': {} }), ...bodies]) {
    expect((await disturbed.post('/v2/orders', body)).status).toBe(422);
    expect((await disturbed.patch(`/v2/orders/${known.pendingOrder}`, body)).status).toBe(422);
  }
  const { status, body } = await disturbed.post('/v2/orders', validOrder);
  expect([status, body]).toEqual([201, (await undisturbed.post('/v2/orders', validOrder)).body]);
});

test('a rejection undoes what was written before it (ORD-27)', async () => {
  const sandbox = await testSachet().sandbox();
  const before = sandbox.version;
  const rejected = sandbox.write((draft) => {
    draft.table('consumers').insert({ ...newConsumer, id: unknownId, brand_id: unknownId });
    draft.count('ids of consumers');
    throw new Refusal('ORD-21');
  });
  await expect(rejected).rejects.toThrow('ORD-21');
  expect(sandbox.version).toBe(before);
});
