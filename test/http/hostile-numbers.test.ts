// Numbers of a query, as Joi takes and refuses them.
import { describe, expect, test } from 'vitest';
import { testSachet } from '../support/sachet.ts';

const client = await testSachet().login();
const listed = (query: string) => client.get(`/v2/fulfillments?${query}`);

describe('limit is refused', () => {
  test.each([
    ['repeated', 'limit=1&limit=2', '"limit" must be a number'],
    ['repeated, each the same', 'limit=1&limit=1', '"limit" must be a number'],
    ['empty', 'limit=', '"limit" must be a number'],
    ['without a value', 'limit', '"limit" must be a number'],
    ['blank', 'limit=+', '"limit" must be a number'],
    ['a word', 'limit=ten', '"limit" must be a number'],
    ['hexadecimal', 'limit=0x10', '"limit" must be a number'],
    ['with a separator', 'limit=1,000', '"limit" must be a number'],
    ['in other digits', 'limit=%D9%A3', '"limit" must be a number'],
    ['Infinity', 'limit=Infinity', '"limit" must be a number'],
    ['NaN', 'limit=NaN', '"limit" must be a number'],
    ['zero', 'limit=0', '"limit" must be greater than or equal to 1'],
    ['negative', 'limit=-1', '"limit" must be greater than or equal to 1'],
    ['fractional', 'limit=1.5', '"limit" must be an integer'],
    ['fractional by its exponent', 'limit=1e-1', '"limit" must be an integer'],
    ['beyond the safe range', 'limit=9007199254740992', '"limit" must be a safe number'],
    ['far beyond the safe range', `limit=${'9'.repeat(400)}`, '"limit" must be a safe number'],
    ['beyond all numbers', 'limit=1e309', '"limit" must be a safe number'],
    ['beneath the safe range', 'limit=-9007199254740992', '"limit" must be a safe number'],
  ])('%s', async (_, query, message) => {
    const { status, body } = await listed(query);
    expect([status, body]).toEqual([
      400,
      { statusCode: 400, error: 'Bad Request', message, details: [{ field: 'limit', message }] },
    ]);
  });
});

test.each([
  ['1', 1],
  ['01', 1],
  ['%2B1', 1],
  ['+1', 1],
  ['1+', 1],
  ['1.0', 1],
  ['1.', 1],
  ['2e0', 2],
  ['20e-1', 2],
  ['%31', 1],
])('limit=%s is %i', async (limit, expected) => {
  const { status, body } = await listed(`limit=${limit}`);
  expect([status, body.fulfillments.length]).toEqual([200, expected]);
});

test('the largest safe number is a limit, too', async () => {
  expect((await listed('limit=9007199254740991')).status).toBe(200);
});
