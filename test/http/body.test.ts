// The body of a request: JSON by its type and its bytes, and read only where an operation takes one.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readBody } from '../../src/http/body.ts';
import { known, validOrder } from '../cases/requests.ts';
import { malformed, notAnObject, orderText, posted, postedRaw, unsupported } from '../support/posted.ts';
import { testSachet } from '../support/sachet.ts';
import { pieces } from '../support/streamed-bodies.ts';

const mebibyte = 1_048_576;
const form = 'application/x-www-form-urlencoded';

test('a body whose sender breaks off is malformed', async () => {
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(orderText.slice(0, 50)));
      controller.error(new Error('gone'));
    },
  });
  expect(await postedRaw(broken)).toEqual(malformed);
});

describe('bytes that are no JSON', () => {
  test.each([
    ['a bracket', '{'],
    ['text behind a value', '{} x'],
    ['white space alone', '  '],
    ['single quotes', "{'consumer': 1}"],
    ['a comma too many', '{"consumer": 1,}'],
    ['a comment', '{} // no'],
    ['NaN', '{"consumer": NaN}'],
    ['a control character in a string', '{"consumer": "\u0001"}'],
    ['a byte order mark', `\ufeff${orderText}`],
    ['UTF-16', new Uint8Array(Buffer.from(orderText, 'utf16le'))],
  ])('are malformed: %s', async (_, body) => {
    expect(await postedRaw(body)).toEqual(malformed);
  });

  test.each([
    ['of the body', '{"__proto__":{"consumer":1}}'],
    ['deep in it', orderText.replace('"contents"', '"__proto__":{},"contents"')],
    ['in an array', '[[{"__proto__":1}]]'],
    ['written with an escape', String.raw`{"\u005f_proto__":null}`],
  ])('are malformed: a __proto__ key %s', async (_, body) => {
    expect(await postedRaw(body)).toEqual(malformed);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test('bytes that are no UTF-8 stand as replacement characters, as hapi reads them', async () => {
    const sachet = testSachet({ assumptions: { order_fields: 'echo' } });
    const client = await sachet.login();
    const bytes = Buffer.from(orderText.replace('Springfield', 'Spring?field'));
    bytes[bytes.indexOf('Spring?') + 6] = 0xff;
    const { body } = await client.post('/v2/orders', undefined, { raw: new Uint8Array(bytes) });
    expect(body.order.shipping_address.city).toBe('Spring\ufffdfield');
  });
});

describe('the type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=ISO-8859-1',
    'Application/JSON',
    'application/vnd.api+json',
    'application/merge-patch+json; charset=utf-8',
  ])('is JSON: %s', async (type) => {
    expect(await postedRaw(orderText, { 'content-type': type })).toEqual([201, 'Pending']);
  });

  test.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/xml',
    'application/+json',
    'xapplication/json',
    'json',
  ])('is not JSON: %s', async (type) => {
    expect(await postedRaw(orderText, { 'content-type': type })).toEqual(unsupported);
  });

  test('is not asked for where there is none', async () => {
    expect(await postedRaw(orderText, { 'content-type': '' })).toEqual([201, 'Pending']);
  });

  test('is judged before the bytes', async () => {
    expect(await postedRaw('{', { 'content-type': 'text/plain' })).toEqual(unsupported);
  });
});

describe('an empty body is null', () => {
  test.each([
    ['nothing sent', {}],
    ['no bytes', { raw: '' }],
    ['no bytes of some type', { raw: '', headers: { 'content-type': 'text/plain' } }],
    ['no bytes in pieces', { raw: pieces() }],
    ['null', { raw: 'null' }],
  ])('%s', async (_, init) => {
    expect(await posted(init)).toEqual(notAnObject);
  });
});

describe('by the reading 422 of malformed_body', () => {
  test.each([
    ['malformed JSON', { raw: '{' }, malformed[1]],
    ['a type that is not JSON', { raw: orderText, headers: { 'content-type': 'text/plain' } }, unsupported[1]],
  ])('%s is 422', async (_, init, message) => {
    expect(await posted(init, { assumptions: { malformed_body: '422' } })).toEqual([422, message]);
  });
});

describe('unknown fields', () => {
  test.each(['constructor', 'prototype', 'toString', 'hasOwnProperty'])('%s is one like any other', async (key) => {
    const client = await testSachet().login();
    const { status, body } = await client.post('/v2/orders', { ...validOrder, [key]: { prototype: { x: 1 } } });
    expect([status, body.details]).toEqual([422, [{ field: key, message: `"${key}" is not allowed` }]]);
  });

  test('alone in a PATCH are told alone, as Joi tells them', async () => {
    const client = await testSachet().login();
    const { body } = await client.patch(`/v2/orders/${known.pendingOrder}`, { gift: true });
    expect(body.details).toEqual([{ field: 'gift', message: '"gift" is not allowed' }]);
    const empty = await client.patch(`/v2/orders/${known.pendingOrder}`, {});
    expect(empty.body.details).toEqual([{ field: '', message: '"value" must have at least 1 key' }]);
  });

  test('nested ten levels deep are told by their top', async () => {
    const deep = JSON.parse(`${'{"a":[{"b":'.repeat(5)}1${'}]}'.repeat(5)}`) as unknown;
    const client = await testSachet().login();
    const { body } = await client.post('/v2/orders', {
      ...validOrder,
      x: deep,
      consumer: { ...validOrder.consumer, y: deep },
    });
    expect(body.details).toEqual([
      { field: 'consumer.y', message: '"y" is not allowed' },
      { field: 'x', message: '"x" is not allowed' },
    ]);
  });
});

describe('a cancel, which has no use for a body', () => {
  const cancel = async (init: object) => {
    const { status, body } = await (await testSachet().login()).post(
      `/v2/orders/${known.pendingOrder}/cancel`,
      undefined,
      init,
    );
    return [status, body.message ?? body.order.status];
  };

  test.each([
    ['no body', {}],
    ['no body of some type', { headers: { 'content-type': 'text/plain' } }],
    ['no bytes', { raw: '' }],
    ['an object', { raw: '{"reason": "none"}' }],
    ['another JSON value', { raw: '[1, null]' }],
    ['JSON without a type', { raw: '{}', headers: { 'content-type': '' } }],
  ])('takes %s', async (_, init) => {
    expect(await cancel(init)).toEqual([200, 'Canceled']);
  });

  test.each<[string, object, unknown]>([
    ['malformed JSON', { raw: '{' }, malformed],
    ['a byte order mark', { raw: '\ufeff{}' }, malformed],
    ['another type', { raw: '{}', headers: { 'content-type': 'text/plain' } }, unsupported],
    ['a form', { raw: new URLSearchParams({ a: 'b' }), headers: { 'content-type': form } }, unsupported],
    [
      'two mebibytes',
      { raw: ' '.repeat(2 * mebibyte) },
      [400, 'Payload content length greater than maximum allowed: 1048576'],
    ],
    [
      'bytes that do not inflate',
      { raw: '{}', headers: { 'content-encoding': 'gzip' } },
      [400, 'Invalid compressed payload'],
    ],
  ])('refuses %s', async (_, init, refused) => {
    expect(await cancel(init)).toEqual(refused);
  });
});

describe('a body tells how many bytes are held of it:', () => {
  const zipped = { 'content-encoding': 'gzip' };
  test.each<[string, BodyInit | null, Record<string, string>, number]>([
    ['bytes, not characters', '"é"', {}, 4],
    ['what it inflates to', gzipSync('"é"'), zipped, 4],
    ['also where it is no JSON', '{é', {}, 3],
    ['also where it is of another type', 'é', { 'content-type': 'text/plain' }, 2],
    ['none where there is none', null, {}, 0],
    ['none where it does not inflate', '"é"', zipped, 0],
    ['none where it is too large', ' '.repeat(mebibyte + 1), {}, 0],
  ])('%s', async (_, body, headers, bytes) => {
    const type = { 'content-type': 'application/json' };
    const request = new Request('http://localhost', { method: 'POST', body, headers: { ...type, ...headers } });
    expect((await readBody({ req: { raw: request }, env: {} })).bytes).toBe(bytes);
  });
});
