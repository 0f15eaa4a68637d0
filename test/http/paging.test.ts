// Pages of a list (FUL-3): the cursor visits every fulfillment exactly once, whatever changes meanwhile; limits, cursors and filters are checked as Joi does.

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assumptionRegister, type Choice } from '../../src/contract/assumptions.ts';
import { faultOf } from '../cases/assumptions/choices.ts';
import { serviceDocumentOf } from '../support/openapi-document.ts';
import { lineIds, linesOf, operatorStage } from '../support/operator.ts';
import {
  fulfillmentRow,
  insertFulfillments,
  orderId,
  orderWithout,
  otherBrand,
  unknownId,
  visibleIds,
} from '../support/order-requests.ts';
import { readAll } from '../support/pages.ts';
import { afterNoon, type Client, hour, testSachet } from '../support/sachet.ts';

const orders = ['newest_first', 'oldest_first'] as const satisfies Choice<'list_order'>[];
const pageSizes = fc.array(fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }), {
  minLength: 1,
  maxLength: 6,
});
/** How many are added between two pages: to the order, to another order of the client, to another client. */
const arrivals = fc.tuple(fc.nat(4), fc.nat(2), fc.nat(2));

/** Rows of an order, of another order of the client, and of another client: by these counts, numbered from `from`. */
function rowsOf(counts: readonly [number, number, number], from: number) {
  const kinds = [{}, { order_id: orderId(12) }, { brand_id: otherBrand, order_id: orderId(15) }];
  const rows = counts.flatMap((count, kind) => Array<object>(count).fill(kinds[kind] ?? {}));
  return rows.map((changes, index) => fulfillmentRow(from + index, changes));
}

describe.each(orders)('%s', (list_order) => {
  const isNewestFirst = list_order === 'newest_first';
  const listed = (oldestFirst: readonly string[]) => (isNewestFirst ? oldestFirst.toReversed() : oldestFirst);

  test('while fulfillments are added: those of the first page’s time, or the new ones, too (FUL-3)', async () => {
    const places = fc.constantFrom(...assumptionRegister.next_cursor.choices.map(([choice]) => choice));
    const filters = fc.constantFrom(undefined, orderWithout);
    const property = fc.asyncProperty(places, filters, pageSizes, arrivals, async (place, order, sizes, arriving) => {
      const sachet = testSachet({ assumptions: { list_order, next_cursor: place } });
      const [sandbox, client] = [await sachet.sandbox(), await sachet.login()];
      await insertFulfillments(sandbox, rowsOf([17, 2, 2], 0));
      const atFirst = visibleIds(sandbox, order);
      const read = await readAll(client, {
        place,
        order,
        limit: (page) => sizes[page % sizes.length],
        between: async (page) => {
          if (page < 4) await insertFulfillments(sandbox, rowsOf(arriving, 1000 * (page + 1)));
        },
      });
      expect(read).toEqual(listed(isNewestFirst ? atFirst : visibleIds(sandbox, order)));
    });
    await fc.assert(property, { numRuns: 20 });
  });

  test('when the record at the cursor is removed, replaced, or given to another client', async () => {
    const rows = Array.from({ length: 9 }, (_, n) => fulfillmentRow(n));
    const ids = rows.map(({ id }) => id);
    const last = listed(ids)[2] ?? '';
    for (const change of [undefined, { status_id: 'lost' }, { brand_id: otherBrand, order_id: orderId(15) }]) {
      const sachet = testSachet({ assumptions: { list_order } });
      const [sandbox, client] = [await sachet.sandbox(), await sachet.login()];
      await insertFulfillments(sandbox, rows);
      const read = await readAll(client, {
        order: orderWithout,
        limit: () => 3,
        between: async (page) => {
          if (page > 0) return;
          await sandbox.write((draft) => {
            const table = draft.table('fulfillments');
            const row = table.get(last);
            if (row && change) table.replace({ ...row, ...change });
            else table.remove(last);
          });
        },
      });
      expect(read, JSON.stringify(change)).toEqual(listed(ids));
    }
  });
});

test('an order that is unknown, foreign or empty matches nothing; a list that ends with its page has no next (FUL-3)', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  const read = async (order: string, limit = 20) =>
    (await client.get(`/v2/fulfillments?order_id=${order}&limit=${limit}`)).body;
  for (const order of [unknownId, orderId(3), orderWithout])
    expect(await read(order)).toEqual({ fulfillments: [], next_cursor: null });
  await insertFulfillments(await sachet.sandbox(), rowsOf([4, 1, 1], 0));
  for (const limit of [4, 5]) {
    const { fulfillments, next_cursor } = await read(orderWithout, limit);
    expect([fulfillments.length, next_cursor]).toEqual([4, null]);
  }
});

test('a shipped package is the newest of all and of its order, keeps its place, and shows each move at once', async () => {
  const world = await operatorStage();
  const id = await world.inProduction(linesOf(2));
  const shipped: string[] = [];
  for (const line of await lineIds(world, id)) shipped.unshift((await world.ship(id, { order_lines: [line] })).body.id);
  const [newest, moved = ''] = shipped;
  for (const [status_id, action, hours] of [
    ['picked_up', 'pick_up', 1],
    ['in_transit', 'depart', 2],
  ] as const) {
    await world.setTo(hours * hour);
    await world.move(moved, action);
    const expected = { id: moved, status_id, updated_at: afterNoon(hours * hour) };
    expect((await world.client.get(`/v2/fulfillments/${moved}`)).body.fulfillment).toMatchObject(expected);
    const paths = [`/v2/fulfillments?order_id=${id}`, `/v2/orders/${id}/fulfillments`, '/v2/fulfillments?limit=2'];
    for (const path of paths)
      expect((await world.client.get(path)).body.fulfillments, path).toMatchObject([{ id: newest }, expected]);
  }
});

test('the filter finds an order by its id in capital letters, and no package of another order (FUL-3)', async () => {
  const world = await operatorStage();
  const id = await world.inProduction();
  const { body: shipped } = await world.ship(id);
  expect(id.toUpperCase()).not.toBe(id);
  const { body } = await world.client.get(`/v2/fulfillments?order_id=${id.toUpperCase()}`);
  expect(body.fulfillments).toMatchObject([{ id: shipped.id, order_id: id }]);
});

const tooSmall = '"limit" must be greater than or equal to 1';

/** The size of the page of a list of 90 new and the shipped fulfillments, or the message, for each query. */
const limits: Readonly<Record<string, readonly string[]>> = {
  20: [''],
  1: ['limit=1', 'limit=+1', 'limit=1+', 'limit=1.', 'limit=%31', 'limit=1#top'],
  2: ['limit=20e-1'],
  100: ['limit=100', 'limit=101', 'limit=9007199254740991'],
  10: ['limit=1e1'],
  7: ['limit=%207%20', 'limit=%2B7', 'limit=007', 'limit=7.0'],
  [tooSmall]: ['limit=0', 'limit=-1'],
  '"limit" must be an integer': ['limit=1.5', 'limit=1e-1'],
  '"limit" must be a number': [
    ...['limit=', 'limit', 'limit=abc', 'limit=1&limit=2', 'limit=0x10', 'limit=Infinity', 'limit=NaN', 'limit=+'],
    ...['limit=1,000', 'limit=%D9%A3', 'limit=%zz'],
  ],
  '"limit" must be a safe number': [
    ...['limit=9007199254740992', 'limit=-9007199254740993', 'limit=1e400', 'limit=1.00000000000000000001'],
    `limit=${'9'.repeat(400)}`,
  ],
};

test('a limit is a whole number from 1; it is at most 100 and 20 by default, as the document says (FUL-3)', async () => {
  const sachet = testSachet();
  const rows = Array.from({ length: 90 }, (_, n) => fulfillmentRow(n));
  await insertFulfillments(await sachet.sandbox(), rows);
  const client = await sachet.login();
  for (const [expected, queries] of Object.entries(limits))
    for (const query of queries) {
      const { body } = await client.get(`/v2/fulfillments?${query}`);
      expect(String(body.fulfillments?.length ?? body.message), query).toBe(expected);
      if (body.fulfillments) continue;
      expect(body, query).toEqual(faultOf(400, 'limit', expected));
      expect((await client.get(`/v2/orders?${query}`)).body, query).toEqual(body);
    }

  const { parameters } = (await serviceDocumentOf(sachet)).paths['/v2/fulfillments'].get;
  const { schema } = parameters.find(({ name }: { name: string }) => name === 'limit');
  const isValid = new Ajv2020({ strict: false, coerceTypes: true }).compile({ properties: { limit: schema } });
  const all = ['+7', '7.0', '1e1', '100', '', '1.5', '0', 'abc'];
  expect(all.filter((limit) => isValid({ limit }))).toEqual(['+7', '7.0', '1e1', '100']);
});

test.each([
  ['order_id=', 'order_id', '"order_id" is not allowed to be empty'],
  ['order_id=a&order_id=b', 'order_id', '"order_id" must be a string'],
  ['order_id=99999999999949998999999999999999', 'order_id', '"order_id" must be a valid GUID'],
  ['cursor=', 'cursor', '"cursor" is not allowed to be empty'],
  ['cursor=a&cursor=a', 'cursor', '"cursor" must be a string'],
  ['order_id=%00', 'order_id', '"order_id" must be a valid GUID'],
  ...['%zz', 'x'.repeat(10_000), '😀'].map((text) => [
    `cursor=${text}`,
    'cursor',
    '"cursor" contains an invalid value',
  ]),
  ...['offset', '__proto__', 'constructor'].map((name) => [`${name}=1`, name, `"${name}" is not allowed`]),
])('the query %.40s is rejected', async (query, field = '', message = '') => {
  const client = await testSachet().login();
  expect((await client.get(`/v2/fulfillments?${query}`)).body).toEqual(faultOf(400, field, message));
});

test('all wrong parameters are listed, in the order of the contract', async () => {
  const client = await testSachet().login();
  const { body } = await client.get('/v2/fulfillments?order_id=x&cursor=&limit=0');
  expect(body.message).toBe(tooSmall);
  expect(body.details).toEqual([
    { field: 'limit', message: tooSmall },
    { field: 'cursor', message: '"cursor" is not allowed to be empty' },
    { field: 'order_id', message: '"order_id" must be a valid GUID' },
  ]);
});

describe('a cursor that the server did not give to this client, for this list and filter, is rejected (FUL-3)', () => {
  const rejected = faultOf(400, 'cursor', '"cursor" contains an invalid value');
  const ask = (client: Client, cursor: string, order?: string) =>
    client.get(`/v2/fulfillments?${new URLSearchParams({ cursor, ...(order && { order_id: order }) })}`);
  const cursorOf = async (client: Client, path = '/v2/fulfillments?limit=1'): Promise<string> => {
    const { body } = await client.get(path);
    expect(body.next_cursor).toEqual(expect.any(String));
    return body.next_cursor;
  };

  test('of another client, list, sandbox or environment, or changed', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    const cursor = await cursorOf(client);
    expect((await ask(client, cursor)).status).toBe(200);
    const text = atob(cursor);
    const encoded = (plain: string) => btoa(plain).replaceAll('=', '');
    const others = {
      'of another client': await cursorOf(await sachet.login('other-brand')),
      'of another list': await cursorOf(client, '/v2/orders?limit=1'),
      'of another sandbox': await cursorOf(await sachet.login('demo+w7')),
      'of another environment': await cursorOf(await sachet.login('demo', { base: '/sandboxes/production' })),
      'the next number with the same seal': encoded(text.replace(/^\d+/, (number) => String(Number(number) + 1))),
      'without its seal': encoded(text.replace(/\..*/, '')),
      'a number': '3',
      'no base64': '*',
      truncated: cursor.slice(0, -1),
      lengthened: `${cursor}A`,
      padded: `${cursor}==`,
      'with a space': `${cursor} `,
    };
    for (const [what, other] of Object.entries(others)) expect((await ask(client, other)).body, what).toEqual(rejected);
    for (let index = 0; index < cursor.length; index += 1) {
      const changed = `${cursor.slice(0, index)}${cursor.charAt(index) === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`;
      expect((await ask(client, changed)).body, changed).toEqual(rejected);
    }
    const anyText = fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), async (made) => {
      expect((await ask(client, made)).body).toEqual(rejected);
    });
    await fc.assert(anyText, { numRuns: 30 });
  });

  test('of another filter, also if the list is empty', async () => {
    const client = await testSachet().login();
    const ofAll = await cursorOf(client);
    const ofOrder = await cursorOf(client, `/v2/fulfillments?limit=1&order_id=${orderId(7)}`);
    for (const order of [orderId(1), orderId(3), orderId(18), unknownId])
      for (const cursor of [ofAll, ofOrder, 'abc'])
        expect((await ask(client, cursor, order)).body, order).toEqual(rejected);
    expect((await ask(client, ofOrder)).body).toEqual(rejected);
    expect((await ask(client, ofOrder, orderId(7))).status).toBe(200);
  });
});
