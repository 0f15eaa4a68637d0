import { expect, test } from 'vitest';
import { commonRefusals } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { allOffered } from '../cases/common.ts';
import { goodRequests, type TokenOperation } from '../cases/requests.ts';
import { rows } from '../cases/table.ts';
import { errorBodyOf, prepare } from '../support/refused.ts';

for (const { id, rule, given } of rows) {
  test(`${id} refuses by ${rule}`, async () => {
    const { send } = await prepare(id, given);
    const { status, body } = await send();
    expect({ status, body }).toEqual({ status: given.refused.status, body: errorBodyOf(given.refused) });
  });
}

test.each(Object.keys(goodRequests) as TokenOperation[])(
  '%s answers the request that its cases change with a success',
  async (id) => {
    const { send } = await prepare(id, { assumptions: allOffered });
    const { status, text } = await send();
    expect(status, text).toBe(id === 'orders.create' || id === 'consumers.create' ? 201 : 200);
  },
);

test.each(operationList)('the table has the rules that $id declares and no other', ({ id, permission, refusals }) => {
  const declared = [...refusals, ...(permission === null ? [] : commonRefusals)];
  expect(
    rows
      .filter((row) => row.id === id)
      .map(({ rule }) => rule)
      .sort(),
  ).toEqual(declared.sort());
});
