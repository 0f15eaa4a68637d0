// The body of a request: JSON by its type and its bytes, perhaps compressed, of a limited size, and read only where an operation takes one.
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { parseJson, readBody } from '../../src/http/body.ts';
import { requestBodies } from '../../src/http/memory.ts';
import { known, validOrder } from '../cases/requests.ts';
import { type Answer, type CallInit, testSachet } from '../support/sachet.ts';
import { pieces } from '../support/wire.ts';

const mebibyte = 1_048_576;
const orderText = JSON.stringify(validOrder);
const packed = gzipSync(orderText);

const taken = [201, 'Pending'];
const malformed = [400, 'Invalid request payload JSON format'];
const unsupported = [400, 'Unsupported Media Type'];
const tooLarge = [400, 'Payload content length greater than maximum allowed: 1048576'];
const notInflated = [400, 'Invalid compressed payload'];
const notAnObject = [422, '"value" must be of type object'];
const noConsumer = [422, '"consumer" is required'];

const client = await testSachet().login();

/** The status and message of the response; of a created order its status. */
async function posted(init: CallInit, by = client, path = '/v2/orders') {
  const { status, body } = await by.post(path, undefined, init);
  return [status, body.message ?? body.order.status];
}
const postedRaw = (raw: BodyInit, headers: Record<string, string> = {}) => posted({ raw, headers });
const encoded = (encoding: string, raw: BodyInit): CallInit => ({ raw, headers: { 'content-encoding': encoding } });
const gzip = (raw: BodyInit) => posted(encoded('gzip', raw));

type Bodies = Readonly<Record<string, CallInit>>;
const raws = (bodies: Readonly<Record<string, BodyInit>>): Bodies =>
  Object.fromEntries(Object.entries(bodies).map(([what, raw]) => [what, { raw }]));
const ofTypes = (...types: readonly string[]): Bodies =>
  Object.fromEntries(types.map((type) => [type, { raw: orderText, headers: { 'content-type': type } }]));
const ofEncodings = (raw: BodyInit): Bodies =>
  Object.fromEntries(['br', 'identity', 'x-gzip', 'GZIP', 'gzip, deflate'].map((name) => [name, encoded(name, raw)]));

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const objects = (levels: number) => `${'{"x":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
/** The body, its array and the items of the array. */
const ofValues = (values: number) => JSON.stringify({ x: Array(values - 2).fill(0) });
const broken = new ReadableStream({
  start(controller) {
    controller.enqueue(new TextEncoder().encode(orderText.slice(0, 50)));
    controller.error(new Error('gone'));
  },
});

/** The end of an endless body, so that a test that fails ends, too. */
const endOfEndless = 64 * 1_048_576;

/** A body that repeats these bytes until it is cancelled. */
function endless(bytes: Uint8Array, first = bytes) {
  let taken = 0;
  let isCancelled = false;
  const stream = new ReadableStream({
    async pull(controller) {
      // A connection would also let other work run.
      await new Promise(setImmediate);
      const next = Uint8Array.from(taken === 0 ? first : bytes);
      taken += next.length;
      controller.enqueue(next);
      if (taken >= endOfEndless) controller.close();
    },
    cancel() {
      isCancelled = true;
    },
  });
  /** `taken`: how many bytes were read. */
  return { stream, taken: () => taken, isCancelled: () => isCancelled };
}

test.each<[string, readonly unknown[], Bodies]>([
  [
    'that is no JSON',
    malformed,
    raws({
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
      'broken off by the sender': broken,
    }),
  ],
  [
    'that is empty or null',
    notAnObject,
    {
      'nothing sent': {},
      'no bytes of a type': { raw: '', headers: { 'content-type': 'text/plain' } },
      ...raws({ 'no bytes': '', 'no bytes in pieces': pieces(), null: 'null' }),
      'no bytes, compressed': encoded('gzip', gzipSync('')),
    },
  ],
  [
    'of the type JSON or of none',
    taken,
    ofTypes(
      ...['', 'application/json', 'application/json;charset=ISO-8859-1', 'Application/JSON'],
      'application/merge-patch+json; charset=utf-8',
    ),
  ],
  [
    'of another type, whatever its bytes',
    unsupported,
    {
      ...ofTypes('text/plain;charset=UTF-8', 'text/json', 'application/x-www-form-urlencoded', 'application/jsonp'),
      ...ofTypes('multipart/form-data; boundary=x', 'application/+json', 'xapplication/json', 'json'),
      'no JSON': { raw: '{', headers: { 'content-type': 'text/plain' } },
      compressed: { raw: packed, headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' } },
    },
  ],
  [
    'with 65 levels, or 50,001 values',
    malformed,
    raws({
      arrays: nested('[', ']', 65),
      objects: objects(65),
      'open brackets': '['.repeat(mebibyte),
      values: ofValues(limits.bodyValues + 1),
      'objects of a mebibyte': JSON.stringify({ order_lines: [{ pouches: Array(125_000).fill({}) }] }),
    }),
  ],
  ['with 64 levels', notAnObject, raws({ deep: nested('[', ']', 64), wide: `[${'[],'.repeat(1000)}[]]` })],
  ['with 64 levels of objects, or 50,000 values', noConsumer, raws({ 64: objects(64), 50000: ofValues(50_000) })],
  [
    'that is compressed',
    taken,
    {
      gzip: encoded('gzip', packed),
      'not smaller': encoded('gzip', gzipSync(orderText, { level: 0 })),
      'in pieces': encoded('gzip', pieces(...Array.from(packed, (byte) => Uint8Array.of(byte)))),
      deflate: encoded('deflate', deflateSync(orderText)),
    },
  ],
  ['that is compressed and no JSON', malformed, { gzip: encoded('gzip', gzipSync('{')) }],
  [
    'that does not inflate, whatever its type',
    notInflated,
    {
      'plain JSON': encoded('gzip', orderText),
      'cut off': encoded('gzip', packed.subarray(0, -9)),
      'cut off in its head': encoded('gzip', packed.subarray(0, 5)),
      'a wrong checksum': encoded('gzip', packed.with(packed.length - 6, 0)),
      'more bytes behind it': encoded('gzip', Buffer.concat([packed, Buffer.from('{}')])),
      'another encoding': encoded('gzip', deflateSync(orderText)),
      'raw deflate': encoded('deflate', deflateRawSync(orderText)),
      'another type': { raw: orderText, headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' } },
    },
  ],
  ['of an unknown encoding, as it is', taken, ofEncodings(orderText)],
  ['of an unknown encoding that is no JSON', malformed, ofEncodings(packed)],
])('a body %s', async (_, expected, bodies) => {
  const found = [];
  for (const [what, init] of Object.entries(bodies)) found.push([what, await posted(init)]);
  expect(found).toEqual(Object.keys(bodies).map((what) => [what, expected]));
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

test('a body that does not inflate has the status of malformed_body', async () => {
  const with422 = await testSachet({ assumptions: { malformed_body: '422' } }).login();
  expect(await posted(encoded('gzip', orderText), with422)).toEqual([422, notInflated[1]]);
});

describe('1 MiB', () => {
  /** The order in exactly so many bytes, with white space around it. */
  const padded = (bytes: number): string => ` ${orderText}`.padEnd(bytes);
  const blanks = new Uint8Array(65_536).fill(32);

  test('is accepted and one byte more is rejected, with content-length, in pieces, and inflated', async () => {
    for (const send of [
      (bytes: number) => postedRaw(padded(bytes), { 'content-length': String(bytes) }),
      (bytes: number) => postedRaw(pieces(...(padded(bytes).match(/.{1,65536}/g) ?? []))),
      (bytes: number) => gzip(gzipSync(padded(bytes))),
      (bytes: number) => posted(encoded('deflate', deflateSync(padded(bytes)))),
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
    const length = { 'content-length': String(mebibyte + 1) };
    const announced = endless(blanks);
    expect(await postedRaw(announced.stream, length)).toEqual(tooLarge);
    expect(announced.taken()).toBeLessThan(mebibyte);
    expect(await postedRaw(packed, { 'content-encoding': 'gzip', ...length })).toEqual(tooLarge);
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
    expect([await postedRaw(blank(65_536)), await postedRaw(blank(65_537))]).toEqual([taken, tooLarge]);
  });
});

test('the depth and the number of values are found in a text of any length, outside of strings', () => {
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
  const parse = vi.spyOn(JSON, 'parse');
  for (const text of rejected.slice(0, 5)) isParsed(' '.repeat(70_000) + text);
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test('a compressed login names its sandbox, and is in the journal as the JSON that it was', async () => {
  const sachet = testSachet();
  const body = JSON.stringify({ username: 'demo+w7', password: 'sachet-demo' });
  const login = await sachet.call('POST', '/v2/authentication/token', encoded('gzip', gzipSync(body)));
  expect(login.status).toBe(200);
  const { requests } = await sachet.control.sandbox('w7').requests.list();
  expect(requests.at(-1)?.request.body).toMatchObject({ username: 'demo+w7' });
});

test.each<[string, CallInit]>([
  ['nothing', {}],
  ['nothing of a type', { headers: { 'content-type': 'text/plain' } }],
  ['an object', { raw: '{"reason": "none"}' }],
  ['an array', { raw: '[1, null]' }],
  ['an object of no type', { raw: '{}', headers: { 'content-type': '' } }],
])('a cancel ignores the content of its body: %s', async (_, init) => {
  const found = await posted(init, await testSachet().login(), `/v2/orders/${known.pendingOrder}/cancel`);
  expect(found).toEqual([200, 'Canceled']);
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

test('beyond 256 MiB of all bodies a long one is rejected with 500 (max_memory), and a short one is not', async () => {
  const half = new Uint8Array(mebibyte / 2).fill(32);
  /** So many bodies of half a mebibyte fit in what the test leaves of the budget. */
  const most = 16;
  onTestFinished(requestBodies.hold(limits.heldBytes - most * half.length));
  const sachet = testSachet();
  const client = await sachet.login();
  const order = async (raw: BodyInit) => (await client.post('/v2/orders', undefined, { raw })).status;
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const answers: Answer[] = [];
  const unfinished = Array.from({ length: most + 3 }, async () => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controllers.push(controller);
      controller.enqueue(half);
    };
    answers.push(await client.post('/v2/orders', undefined, { raw: new ReadableStream({ start }) }));
  });
  await expect.poll(() => answers.length).toBe(3);
  for (const { status, headers } of answers) expect([status, headers.get('sandbox-rule')]).toEqual([500, 'max_memory']);
  const long = orderText.padEnd(100 * 1024);
  const sandbox = { raw: '{}'.padEnd(100 * 1024), headers: { authorization: `Bearer ${sachet.adminKey}` } };
  expect([await order(long), await order(pieces(orderText))]).toEqual([500, 201]);
  expect((await sachet.call('POST', '/_admin/sandboxes', sandbox)).status).toBe(500);

  for (const controller of controllers) {
    try {
      controller.enqueue(new TextEncoder().encode(orderText));
      controller.close();
    } catch {
      // The server has cancelled the stream of a rejected body.
    }
  }
  await Promise.all(unfinished);
  // Each needs more memory for its last bytes: some are rejected so that the others fit.
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([500, 201]));
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(most / 3);
  expect(await order(long)).toBe(201);
});
