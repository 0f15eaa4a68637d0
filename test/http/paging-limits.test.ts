// The forms of `limit` and of the rest of a list's query, in Joi's words.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { errorOf, faultOf } from '../support/assumption-cases.ts';
import { fulfillmentRow, insertFulfillments } from '../support/fulfillment-rows.ts';
import { serviceDocumentOf } from '../support/openapi-served.ts';
import { testSachet } from '../support/sachet.ts';

const good: readonly (readonly [query: string, size: number])[] = [
  ['limit=1', 1],
  ['limit=100', 100],
  ['limit=101', 100],
  ['limit=9007199254740991', 100],
  ['limit=1e1', 10],
  ['limit=10e-1', 1],
  ['limit=%207%20', 7],
  ['limit=%2B7', 7],
  ['limit=007', 7],
  ['limit=7.', 7],
  ['limit=7.0', 7],
  ['limit=+7', 7],
];

const notANumber = '"limit" must be a number';
const notAnInteger = '"limit" must be an integer';
const tooSmall = '"limit" must be greater than or equal to 1';
const unsafe = '"limit" must be a safe number';
const bad: readonly (readonly [query: string, words: string])[] = [
  ['limit=0', tooSmall],
  ['limit=-1', tooSmall],
  ['limit=-0', tooSmall],
  ['limit=1.5', notAnInteger],
  ['limit=-1.5', notAnInteger],
  ['limit=.5', notAnInteger],
  ['limit=', notANumber],
  ['limit', notANumber],
  ['limit=abc', notANumber],
  ['limit=1&limit=2', notANumber],
  ['limit=7&limit=7', notANumber],
  ['limit=1,2', notANumber],
  ['limit=0x10', notANumber],
  ['limit=1_0', notANumber],
  ['limit=NaN', notANumber],
  ['limit=Infinity', notANumber],
  ['limit=9007199254740992', unsafe],
  ['limit=9007199254740993', unsafe],
  ['limit=-9007199254740993', unsafe],
  ['limit=1e400', unsafe],
  ['limit=1.00000000000000000001', unsafe],
];

describe('a good limit (FUL-3)', () => {
  test.each(good)('%s', async (query, size) => {
    const sachet = testSachet();
    await insertFulfillments(
      await sachet.sandbox(),
      Array.from({ length: 90 }, (_, n) => fulfillmentRow(n)),
    );
    const { body } = await (await sachet.login()).get(`/v2/fulfillments?${query}`);
    expect(body.fulfillments).toHaveLength(size);
  });
});

describe('a bad limit (FUL-3)', () => {
  test.each(bad)('%s: %s', async (query, words) => {
    const client = await testSachet().login();
    for (const path of ['/v2/fulfillments', '/v2/orders'])
      expect((await client.get(`${path}?${query}`)).body).toEqual(faultOf(400, 'limit', words));
  });
});

test('a spelling of limit is accepted if the schema of the document accepts it', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  const { parameters } = (await serviceDocumentOf(sachet)).paths['/v2/fulfillments'].get;
  const { schema } = parameters.find(({ name }: { name: string }) => name === 'limit');
  const isValid = new Ajv2020({ strict: false, coerceTypes: true }).compile({ properties: { limit: schema } });
  const judged = [];
  for (const query of [
    'limit=+5',
    'limit=%2B5',
    'limit=5.0',
    'limit=1e1',
    'limit=',
    'limit=1.5',
    'limit=0',
    'limit=x',
  ]) {
    const { status } = await client.get(`/v2/fulfillments?${query}`);
    judged.push([query, status === 200]);
    expect(isValid(Object.fromEntries(new URLSearchParams(query))), query).toBe(status === 200);
  }
  expect(judged.filter(([, isTaken]) => isTaken).map(([query]) => query)).toEqual([
    ...['limit=+5', 'limit=%2B5', 'limit=5.0', 'limit=1e1'],
  ]);
});

test('all parameters of the wrong form are told, in the order of the contract', async () => {
  const client = await testSachet().login();
  const { body } = await client.get('/v2/fulfillments?order_id=x&cursor=&limit=0');
  const details = [
    ['limit', tooSmall],
    ['cursor', '"cursor" is not allowed to be empty'],
    ['order_id', '"order_id" must be a valid GUID'],
  ] as const;
  expect(body).toEqual(errorOf(400, tooSmall, details));
});

test.each([
  ['order_id=', '"order_id" is not allowed to be empty'],
  ['order_id=a&order_id=b', '"order_id" must be a string'],
  ['order_id=99999999999949998999999999999999', '"order_id" must be a valid GUID'],
])('an order_id of the wrong form is refused: %s', async (query, words) => {
  const client = await testSachet().login();
  expect((await client.get(`/v2/fulfillments?${query}`)).body).toEqual(faultOf(400, 'order_id', words));
});

test('a parameter that the contract does not name is refused where the query is judged', async () => {
  const client = await testSachet().login();
  const { body } = await client.get('/v2/fulfillments?offset=1');
  expect(body).toEqual(faultOf(400, 'offset', '"offset" is not allowed'));
});
