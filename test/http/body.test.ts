// The body of a request: JSON by its type and its bytes, perhaps compressed, of a limited size, and read only where an operation takes one.
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { parseJson, readBody } from '../../src/http/body.ts';
import { known, validOrder } from '../cases/requests.ts';
import { type CallInit, testSachet } from '../support/sachet.ts';
import { endless, pieces } from '../support/wire.ts';

const mebibyte = 1_048_576;
const orderText = JSON.stringify(validOrder);
const packed = gzipSync(orderText);

const taken = [201, 'Pending'];
const malformed = [400, 'Invalid request payload JSON format'];
const unsupported = [400, 'Unsupported Media Type'];
const tooLarge = [400, 'Payload content length greater than maximum allowed: 1048576'];
const notInflated = [400, 'Invalid compressed payload'];
const notAnObject = [422, '"value" must be of type object'];

const client = await testSachet().login();
const with422 = await testSachet({ assumptions: { malformed_body: '422' } }).login();

/** The status and message of the response; of a created order its status. */
async function posted(init: CallInit, by = client, path = '/v2/orders') {
  const { status, body } = await by.post(path, undefined, init);
  return [status, body.message ?? body.order.status];
}
const postedRaw = (raw: BodyInit, headers: Record<string, string> = {}) => posted({ raw, headers });
const gzip = (raw: BodyInit) => postedRaw(raw, { 'content-encoding': 'gzip' });

/** The names of the items whose response is another than the expected one. */
async function wrongOf<Item>(items: Readonly<Record<string, Item>>, expected: unknown, send: (item: Item) => unknown) {
  const wrong = [];
  for (const [name, item] of Object.entries(items)) {
    const found = JSON.stringify(await send(item));
    if (found !== JSON.stringify(expected)) wrong.push([name, found]);
  }
  return wrong;
}
const byItself = (items: readonly string[]) => Object.fromEntries(items.map((item) => [item, item]));

describe('the bytes of a body', () => {
  test('are malformed if they are no JSON', async () => {
    const bodies: Record<string, BodyInit> = {
      bracket: '{',
      'text behind a value': '{} x',
      'white space alone': '  ',
      'a comma too many': '{"consumer": 1,}',
      comment: '{} // no',
      NaN: '{"consumer": NaN}',
      'control character': '{"consumer": "\u0001"}',
      'byte order mark': `\ufeff${orderText}`,
      'UTF-16': new Uint8Array(Buffer.from(orderText, 'utf16le')),
      '__proto__ of the body': '{"__proto__":{"consumer":1}}',
      '__proto__ deep in it': orderText.replace('"contents"', '"__proto__":{},"contents"'),
      '__proto__ with an escape': String.raw`{"\u005f_proto__":null}`,
    };
    expect(await wrongOf(bodies, malformed, postedRaw)).toEqual([]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(await posted({ raw: '{' }, with422)).toEqual([422, malformed[1]]);
  });

  test('are malformed if the sender breaks off', async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(orderText.slice(0, 50)));
        controller.error(new Error('gone'));
      },
    });
    expect(await postedRaw(broken)).toEqual(malformed);
  });

  test('are null if there are none', async () => {
    const empty: Record<string, CallInit> = {
      'nothing sent': {},
      'no bytes': { raw: '' },
      'no bytes of a type': { raw: '', headers: { 'content-type': 'text/plain' } },
      'no bytes in pieces': { raw: pieces() },
      null: { raw: 'null' },
    };
    expect(await wrongOf(empty, notAnObject, posted)).toEqual([]);
  });
});

test('the type of a body is JSON or missing, and is checked before the bytes', async () => {
  const ofType = (type: string) => postedRaw(orderText, { 'content-type': type });
  const json = ['', 'application/json', 'application/json;charset=ISO-8859-1', 'Application/JSON'];
  expect(await wrongOf(byItself([...json, 'application/merge-patch+json; charset=utf-8']), taken, ofType)).toEqual([]);
  const others = ['text/plain;charset=UTF-8', 'text/json', 'application/x-www-form-urlencoded', 'application/jsonp'];
  const odd = ['multipart/form-data; boundary=x', 'application/+json', 'xapplication/json', 'json'];
  expect(await wrongOf(byItself([...others, ...odd]), unsupported, ofType)).toEqual([]);
  expect(await postedRaw('{', { 'content-type': 'text/plain' })).toEqual(unsupported);
  const text = { raw: orderText, headers: { 'content-type': 'text/plain' } };
  expect(await posted(text, with422)).toEqual([422, unsupported[1]]);
});

describe('1 MiB', () => {
  /** The order in exactly so many bytes, with white space around it. */
  const padded = (bytes: number): string => ` ${orderText}`.padEnd(bytes);
  const blanks = new Uint8Array(65_536).fill(32);

  test('is accepted and one byte more is rejected, with content-length, in pieces, and inflated', async () => {
    const deflated = (bytes: number) => postedRaw(deflateSync(padded(bytes)), { 'content-encoding': 'deflate' });
    for (const send of [
      (bytes: number) => postedRaw(padded(bytes), { 'content-length': String(bytes) }),
      (bytes: number) => postedRaw(pieces(...(padded(bytes).match(/.{1,65536}/g) ?? []))),
      (bytes: number) => gzip(gzipSync(padded(bytes))),
      deflated,
    ])
      expect([await send(mebibyte), await send(mebibyte + 1)]).toEqual([taken, tooLarge]);
  });

  test('is counted in bytes, not characters, also if more comes than content-length says', async () => {
    const address = { ...validOrder.shipping_address, postal_code: 'é'.repeat(mebibyte / 2) };
    expect(await postedRaw(JSON.stringify({ ...validOrder, shipping_address: address }))).toEqual(tooLarge);
    const more = pieces(orderText, ' '.repeat(mebibyte));
    expect(await postedRaw(more, { 'content-length': String(orderText.length) })).toEqual(tooLarge);
    expect(await postedRaw(orderText, { 'content-length': 'many' })).toEqual(taken);
  });

  test('ends the reading of a body, at once by its content-length or when it has come', async () => {
    const announced = endless(blanks);
    expect(await postedRaw(announced.stream, { 'content-length': String(mebibyte + 1) })).toEqual(tooLarge);
    expect(announced.taken()).toBeLessThan(mebibyte);
    expect(await postedRaw(packed, { 'content-encoding': 'gzip', 'content-length': String(mebibyte + 1) })).toEqual(
      tooLarge,
    );
    const { stream, taken: bytes } = endless(blanks);
    expect(await postedRaw(stream)).toEqual(tooLarge);
    expect(bytes()).toBeLessThan(2 * mebibyte);
  });

  test.each([
    ['inflates to a thousand times as much', gzipSync(Buffer.alloc(64 * mebibyte))],
    ['inflates to nothing', gzipSync('', { level: 0 }).subarray(0, 10)],
  ])('ends the reading of an endless body that %s', async (_, first) => {
    const { stream, isCancelled } = endless(Buffer.alloc(1000, Uint8Array.of(0, 0, 0, 255, 255)), first);
    expect(await gzip(stream)).toEqual(tooLarge);
    await expect.poll(isCancelled).toBe(true);
  });

  test('counts 16 bytes for each piece', async () => {
    const blank = (count: number) => pieces(orderText, ...Array<string>(count - 1).fill(' '));
    expect(await postedRaw(blank(65_536))).toEqual(taken);
    expect(await postedRaw(blank(65_537))).toEqual(tooLarge);
  });
});

describe('the depth and the number of values', () => {
  test('are limited to 64 levels', async () => {
    const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
    expect(await postedRaw(nested('[', ']', 64))).toEqual(notAnObject);
    expect(await postedRaw(nested('[', ']', 65))).toEqual(malformed);
    const objects = (levels: number) => `${'{"x":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    expect(await postedRaw(objects(64))).toEqual([422, '"consumer" is required']);
    expect(await postedRaw(objects(65))).toEqual(malformed);
    expect(await postedRaw(`[${'[],'.repeat(1000)}[]]`)).toEqual(notAnObject);
    expect(await postedRaw('['.repeat(mebibyte))).toEqual(malformed);
  });

  test('are limited to 50,000 values', async () => {
    // The body, its array and the items of the array.
    const bodyOf = (values: number) => ({ x: Array.from({ length: values - 2 }, () => 0) });
    const judged = await client.post('/v2/orders', bodyOf(limits.bodyValues));
    expect([judged.status, judged.body.message]).toEqual([422, '"consumer" is required']);
    const { status, body } = await client.post('/v2/orders', bodyOf(limits.bodyValues + 1));
    expect([status, body.message]).toEqual(malformed);
    const pouches = Array(125_000).fill({});
    expect((await client.post('/v2/orders', { order_lines: [{ pouches }] })).status).toBe(400);
  });

  test('are found in a text of any length, outside of strings', () => {
    const isParsed = (text: string): boolean => parseJson(text, { bodyDepth: 3, bodyValues: 10 }) !== undefined;
    const parsed = [
      ...['[[[]]]', '{"a":{"b":{"c":1}}}', '[1,2,3,4,5,6,7,8,9]', '[[],[ ],{},{\n},[],[],[],[],[]]', '"[[[["', 'null'],
      ...['["[[[[,,,,,,,,,,,{{{{"]', '["\\"[[[[,,,,,,,,,,,\\\\","\\\\\\"[[[["]', '{"[[[[":1,",,,,,,,,,,,,":2}'],
    ];
    const rejected = [
      ...['[[[[]]]]', '{"a":{"b":{"c":{}}}}', '[1,2,3,4,5,6,7,8,9,10]', '[[],[],[],[],[],[],[],[],[],[]]'],
      ...['[[1],[2],[3],[4],[5]]', '', '[', '"', '[1,]', '{"__proto__":1}', '{"a":{"__proto__":{}}}'],
    ];
    // A long text is checked before it is parsed.
    for (const blanks of ['', ' '.repeat(70_000)])
      for (const spaced of [(text: string) => blanks + text, (text: string) => text + blanks])
        expect([...parsed, ...rejected].filter((text) => isParsed(spaced(text)))).toEqual(parsed);
  });
});

describe('a compressed body', () => {
  test('is inflated, then parsed', async () => {
    expect(await gzip(packed)).toEqual(taken);
    expect(await gzip(gzipSync(orderText, { level: 0 }))).toEqual(taken);
    expect(await gzip(pieces(...Array.from(packed, (byte) => Uint8Array.of(byte))))).toEqual(taken);
    expect(await postedRaw(deflateSync(orderText), { 'content-encoding': 'deflate' })).toEqual(taken);
    expect(await gzip(gzipSync('{'))).toEqual(malformed);
    expect(await gzip(gzipSync(''))).toEqual(notAnObject);
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    expect(await postedRaw(packed, headers)).toEqual(unsupported);
  });

  test('of a login names its sandbox, and is in the journal as the JSON that it was', async () => {
    const sachet = testSachet();
    const body = { username: 'demo+w7', password: 'sachet-demo' };
    const sent = { raw: gzipSync(JSON.stringify(body)), headers: { 'content-encoding': 'gzip' } };
    expect((await sachet.call('POST', '/v2/authentication/token', sent)).status).toBe(200);
    const { requests } = await sachet.control.sandbox('w7').requests.list();
    expect(requests.at(-1)?.request.body).toMatchObject({ username: 'demo+w7' });
  });

  test('that does not inflate is rejected, whatever its type, by malformed_body', async () => {
    const bodies: Record<string, BodyInit> = {
      'plain JSON': orderText,
      'cut off': packed.subarray(0, -9),
      'cut off in its head': packed.subarray(0, 5),
      'a wrong checksum': packed.with(packed.length - 6, 0),
      'more bytes behind it': Buffer.concat([packed, Buffer.from('{}')]),
      'another encoding': deflateSync(orderText),
    };
    expect(await wrongOf(bodies, notInflated, gzip)).toEqual([]);
    expect(await postedRaw(deflateRawSync(orderText), { 'content-encoding': 'deflate' })).toEqual(notInflated);
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    expect(await postedRaw(orderText, headers)).toEqual(notInflated);
    expect(await posted({ raw: orderText, headers }, with422)).toEqual([422, notInflated[1]]);
  });

  test('of an unknown encoding is read as it is', async () => {
    const encodings = byItself(['br', 'identity', 'x-gzip', 'GZIP', 'gzip, deflate']);
    expect(await wrongOf(encodings, taken, (name) => postedRaw(orderText, { 'content-encoding': name }))).toEqual([]);
    expect(await wrongOf(encodings, malformed, (name) => postedRaw(packed, { 'content-encoding': name }))).toEqual([]);
  });
});

test('a cancel ignores the content of its body, but not its form', async () => {
  const cancel = async (init: CallInit) =>
    posted(init, await testSachet().login(), `/v2/orders/${known.pendingOrder}/cancel`);
  const accepted: Record<string, CallInit> = {
    'no body': {},
    'no body of a type': { headers: { 'content-type': 'text/plain' } },
    object: { raw: '{"reason": "none"}' },
    array: { raw: '[1, null]' },
    'no type': { raw: '{}', headers: { 'content-type': '' } },
  };
  expect(await wrongOf(accepted, [200, 'Canceled'], cancel)).toEqual([]);
  expect(await cancel({ raw: '{' })).toEqual(malformed);
  expect(await cancel({ raw: '{}', headers: { 'content-type': 'text/plain' } })).toEqual(unsupported);
  expect(await cancel({ raw: ' '.repeat(2 * mebibyte) })).toEqual(tooLarge);
  expect(await cancel({ raw: '{}', headers: { 'content-encoding': 'gzip' } })).toEqual(notInflated);
});

test.each<[string, BodyInit | null, Record<string, string>, number]>([
  ['bytes, not characters', '"é"', {}, 4],
  ['what is inflated', gzipSync('"é"'), { 'content-encoding': 'gzip' }, 4],
  ['what is no JSON', '{é', {}, 3],
  ['another type', 'é', { 'content-type': 'text/plain' }, 2],
  ['nothing if there is no body', null, {}, 0],
  ['nothing of what does not inflate', '"é"', { 'content-encoding': 'gzip' }, 0],
  ['nothing of what is too large', ' '.repeat(mebibyte + 1), {}, 0],
])('the size of a body in memory counts %s', async (_, body, headers, bytes) => {
  const type = { 'content-type': 'application/json' };
  const request = new Request('http://localhost', { method: 'POST', body, headers: { ...type, ...headers } });
  expect((await readBody({ req: { raw: request }, env: {} })).bytes).toBe(bytes);
});
