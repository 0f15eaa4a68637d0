// Every rule that can reject a request: its status, its whole body, its id, and that it changes nothing (ORD-27).
import { expect, test } from 'vitest';
import { refusalsOf } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { allOffered } from '../cases/common.ts';
import { errorBodyOf, prepare } from '../cases/rejected.ts';
import { goodRequests, type TokenOperation } from '../cases/requests.ts';
import { rows } from '../cases/table.ts';

test.each([...new Set(rows.map(({ rule }) => rule))])('%s rejects and changes nothing (ORD-27)', async (rule) => {
  const ofRule = rows.filter((row) => row.rule === rule);
  const received: Record<string, unknown> = {};
  for (const { id, given } of ofRule) {
    const { sachet, send } = await prepare(id, given);
    const before = (await sachet.sandbox()).version;
    const { status, body, headers } = await send();
    const changes = (await sachet.sandbox()).version - before;
    received[id] = { status, body, rule: headers.get('sandbox-rule'), changes };
  }
  const expected = ofRule.map(({ id, given: { rejection } }) => [
    id,
    { status: rejection.status, body: errorBodyOf(rejection), rule, changes: 0 },
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
