// A body is bounded: 1 MiB, 64 levels. What is beyond is refused without being held.
import { describe, expect, test } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { malformed, notAnObject, orderText, postedRaw, tooLarge } from '../support/posted.ts';
import { testSachet } from '../support/sachet.ts';
import { endless, pieces } from '../support/streamed-bodies.ts';

const mebibyte = 1_048_576;
const blanks = new Uint8Array(65_536).fill(32);
/** The order in exactly so many bytes, by white space around it. */
const padded = (bytes: number): string => ` ${orderText}`.padEnd(bytes);

describe('the bound of 1 MiB', () => {
  test.each([
    ['told by content-length', (bytes: number) => postedRaw(padded(bytes), { 'content-length': String(bytes) })],
    [
      'in pieces of no told length',
      (bytes: number) => postedRaw(pieces(...(padded(bytes).match(/.{1,65536}/g) ?? []))),
    ],
  ])('takes exactly as much and refuses one byte more, %s', async (_, send) => {
    expect(await send(mebibyte)).toEqual([201, 'Pending']);
    expect(await send(mebibyte + 1)).toEqual(tooLarge);
  });

  test('counts bytes, not characters', async () => {
    const order = structuredClone(validOrder);
    order.shipping_address.postal_code = 'é'.repeat(mebibyte / 2);
    expect(await postedRaw(JSON.stringify(order))).toEqual(tooLarge);
  });

  test('holds for a body that is longer than its told length', async () => {
    expect(
      await postedRaw(pieces(orderText, ' '.repeat(mebibyte)), { 'content-length': String(orderText.length) }),
    ).toEqual(tooLarge);
  });

  test('is judged by the told length before a byte is read', async () => {
    const { stream, taken } = endless(blanks);
    expect(await postedRaw(stream, { 'content-length': String(mebibyte + 1) })).toEqual(tooLarge);
    expect(taken()).toBeLessThan(mebibyte);
  });

  test('stops the reading of a body that goes on and on', async () => {
    const { stream, taken } = endless(blanks);
    expect(await postedRaw(stream)).toEqual(tooLarge);
    expect(taken()).toBeLessThan(2 * mebibyte);
  });

  test.each([
    [65_536, [201, 'Pending']],
    [65_537, tooLarge],
  ])('holds for pieces, each of which counts as 16 bytes: %i', async (count, expected) => {
    const blank = Array<string>(count - 1).fill(' ');
    expect(await postedRaw(pieces(orderText, ...blank))).toEqual(expected);
  });

  test('is no reason to refuse a body whose sender told nonsense about its length', async () => {
    expect(await postedRaw(orderText, { 'content-length': 'many' })).toEqual([201, 'Pending']);
  });

  test('holds before a login too', async () => {
    const { status, body } = await testSachet().call('POST', '/v2/authentication/token', { raw: padded(mebibyte + 1) });
    expect([status, body.message]).toEqual(tooLarge);
  });
});

describe('the bound of 64 levels', () => {
  const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
  test('counts arrays', async () => {
    expect(await postedRaw(nested('[', ']', 64))).toEqual(notAnObject);
    expect(await postedRaw(nested('[', ']', 65))).toEqual(malformed);
  });

  test('counts objects', async () => {
    const objects = (levels: number) => `${'{"x":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    expect(await postedRaw(objects(64))).toEqual([422, '"consumer" is required']);
    expect(await postedRaw(objects(65))).toEqual(malformed);
  });

  test('counts no siblings', async () => {
    expect(await postedRaw(`[${'[],'.repeat(1000)}[]]`)).toEqual(notAnObject);
  });

  test('holds against a mebibyte of brackets', async () => {
    expect(await postedRaw(nested('[', ']', mebibyte / 2))).toEqual(malformed);
    expect(await postedRaw('['.repeat(mebibyte))).toEqual(malformed);
  });
});
