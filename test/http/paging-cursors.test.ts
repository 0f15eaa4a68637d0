// A cursor that the server did not give is malformed (FUL-3): to this client, for this list, in this sandbox.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultOf } from '../support/assumption-cases.ts';
import { orderId, unknownId } from '../support/order-requests.ts';
import { type Client, type TestSachet, testSachet } from '../support/sachet.ts';

const refused = faultOf(400, 'cursor', '"cursor" contains an invalid value');

async function cursorOf(client: Client, list = 'fulfillments'): Promise<string> {
  const { body } = await client.get(`/v2/${list}?limit=1`);
  expect(body.next_cursor).toEqual(expect.any(String));
  return body.next_cursor;
}
const ask = async (client: Client, cursor: string, rest = '') =>
  client.get(`/v2/fulfillments?cursor=${encodeURIComponent(cursor)}${rest}`);

const changedAt = (text: string, index: number): string =>
  `${text.slice(0, index)}${text.charAt(index) === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`;
/** The sequence number raised by one under the same seal. */
const forged = (cursor: string): string => btoa(atob(cursor).replace(/^\d+/, (digits) => String(Number(digits) + 1)));

const notGiven: Readonly<Record<string, (sachet: TestSachet, cursor: string) => Promise<string> | string>> = {
  'made up': () => 'abc',
  'made up, of no base64': () => '*',
  'a sequence number': () => '3',
  'another number under the same seal': (_, cursor) => forged(cursor).replaceAll('=', ''),
  'without its seal': (_, cursor) => btoa(atob(cursor).replace(/\..*/, '')).replaceAll('=', ''),
  truncated: (_, cursor) => cursor.slice(0, -1),
  lengthened: (_, cursor) => `${cursor}A`,
  padded: (_, cursor) => `${cursor}==`,
  'with a space at its end': (_, cursor) => `${cursor} `,
  'of another client': async (sachet) => cursorOf(await sachet.login('other-brand')),
  'of another list': async (sachet) => cursorOf(await sachet.login(), 'orders'),
  'of another sandbox': async (sachet) => cursorOf(await sachet.login('demo+w7')),
  'of another environment': async (sachet) => cursorOf(await sachet.login('demo', { base: '/sandboxes/production' })),
};

describe('a cursor that was not given is malformed (FUL-3)', () => {
  test.each(Object.entries(notGiven))('%s', async (_, make) => {
    const sachet = testSachet();
    const client = await sachet.login();
    const cursor = await cursorOf(client);
    expect((await ask(client, cursor)).status).toBe(200);
    expect((await ask(client, await make(sachet, cursor))).body).toEqual(refused);
  });

  test('of any form', async () => {
    const client = await testSachet().login();
    const property = fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), async (cursor) => {
      expect((await ask(client, cursor)).body).toEqual(refused);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test('with any one character changed', async () => {
    const client = await testSachet().login();
    const cursor = await cursorOf(client);
    for (let index = 0; index < cursor.length; index += 1)
      expect((await ask(client, changedAt(cursor, index))).body).toEqual(refused);
  });

  test('is refused also where the list is empty', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    for (const order of [unknownId, orderId(3), orderId(18)])
      expect((await ask(client, 'abc', `&order_id=${order}`)).body).toEqual(refused);
  });

  test('is one of another filter', async () => {
    const client = await testSachet().login();
    const whole = await cursorOf(client);
    const { body } = await client.get(`/v2/fulfillments?limit=1&order_id=${orderId(7)}`);
    for (const order of [orderId(1), orderId(3), unknownId]) {
      expect((await ask(client, whole, `&order_id=${order}`)).body).toEqual(refused);
      expect((await ask(client, body.next_cursor, `&order_id=${order}`)).body).toEqual(refused);
    }
    expect((await ask(client, body.next_cursor)).body).toEqual(refused);
    expect((await ask(client, body.next_cursor, `&order_id=${orderId(7)}`)).status).toBe(200);
  });
});

test('an empty cursor is refused', async () => {
  const client = await testSachet().login();
  const empty = faultOf(400, 'cursor', '"cursor" is not allowed to be empty');
  expect((await ask(client, '')).body).toEqual(empty);
});

test('a repeated cursor is refused', async () => {
  const client = await testSachet().login();
  const cursor = await cursorOf(client);
  const repeated = faultOf(400, 'cursor', '"cursor" must be a string');
  expect((await ask(client, cursor, `&cursor=${cursor}`)).body).toEqual(repeated);
});
