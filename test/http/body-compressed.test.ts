// Bodies that come compressed: inflated, and never more of them than a body may have.
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { malformed, orderText, posted, postedRaw, tooLarge, unsupported } from '../support/posted.ts';
import { putBody } from '../support/put-body.ts';
import { testSachet } from '../support/sachet.ts';
import { endless, pieces } from '../support/streamed-bodies.ts';

const mebibyte = 1_048_576;
const taken = [201, 'Pending'];
const notInflated = [400, 'Invalid compressed payload'];
const packed = gzipSync(orderText);
const gzip = (raw: BodyInit) => postedRaw(raw, { 'content-encoding': 'gzip' });

describe('a compressed body is inflated', () => {
  test.each([
    ['gzip', packed],
    ['deflate', deflateSync(orderText)],
    ['gzip that is not packed', gzipSync(orderText, { level: 0 })],
  ])('%s', async (name, raw) => {
    expect(await postedRaw(raw, { 'content-encoding': name.split(' ')[0] ?? '' })).toEqual(taken);
  });

  test('byte by byte, too', async () => {
    expect(await gzip(pieces(...Array.from(packed, (byte) => Uint8Array.of(byte))))).toEqual(taken);
  });

  test('before it is judged', async () => {
    expect(await gzip(gzipSync('{'))).toEqual(malformed);
    expect(await gzip(gzipSync(''))).toEqual([422, '"value" must be of type object']);
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    expect(await postedRaw(packed, headers)).toEqual(unsupported);
  });

  test('before a login finds its sandbox', async () => {
    const sachet = testSachet();
    const raw = gzipSync(JSON.stringify({ username: 'demo+w7', password: 'sachet-demo' }));
    const { status } = await sachet.call('POST', '/v2/authentication/token', {
      raw,
      headers: { 'content-encoding': 'gzip' },
    });
    expect(status).toBe(200);
    expect((await sachet.sandbox('w7')).name).toBe('w7');
  });

  test('and stands in the journal as it was meant', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    await client.post('/v2/orders', undefined, { raw: packed, headers: { 'content-encoding': 'gzip' } });
    const { requests } = await sachet.control.sandbox('stage').requests.list();
    expect(requests.at(-1)?.request.body).toEqual(JSON.parse(orderText));
  });
});

describe('a body that does not inflate is refused', () => {
  test.each([
    ['JSON as it is', orderText],
    ['cut off', packed.subarray(0, -9)],
    ['cut off within its head', packed.subarray(0, 5)],
    ['of a wrong checksum', packed.with(packed.length - 6, 0)],
    ['with other bytes behind it', Buffer.concat([packed, Buffer.from('{}')])],
    ['of another encoding', deflateSync(orderText)],
  ])('gzip: %s', async (_, raw) => {
    expect(await gzip(raw)).toEqual(notInflated);
  });

  test('deflate: without its head', async () => {
    expect(await postedRaw(deflateRawSync(orderText), { 'content-encoding': 'deflate' })).toEqual(notInflated);
  });

  test('whatever its type, and by the status of malformed_body', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    expect(await postedRaw(orderText, headers)).toEqual(notInflated);
    const answer = await posted({ raw: orderText, headers }, { assumptions: { malformed_body: '422' } });
    expect(answer).toEqual([422, 'Invalid compressed payload']);
  });
});

test.each(['br', 'identity', 'x-gzip', 'GZIP', 'gzip, deflate', 'compress'])(
  'an encoding that is not known is read as none: %s',
  async (encoding) => {
    expect(await postedRaw(orderText, { 'content-encoding': encoding })).toEqual(taken);
    expect(await postedRaw(packed, { 'content-encoding': encoding })).toEqual(malformed);
  },
);

describe('no more than 1 MiB is taken', () => {
  const padded = (bytes: number) => orderText.padEnd(bytes);

  test.each(['gzip', 'deflate'] as const)('of what %s holds', async (encoding) => {
    const pack = { gzip: gzipSync, deflate: deflateSync }[encoding];
    const headers = { 'content-encoding': encoding };
    expect(await postedRaw(pack(padded(mebibyte)), headers)).toEqual(taken);
    expect(await postedRaw(pack(padded(mebibyte + 1)), headers)).toEqual(tooLarge);
  });

  test('of what is told to come', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-length': String(mebibyte + 1) };
    expect(await postedRaw(packed, headers)).toEqual(tooLarge);
  });

  test.each([
    ['holds a thousand times as much', gzipSync(Buffer.alloc(64 * mebibyte))],
    ['holds nothing at all', gzipSync('', { level: 0 }).subarray(0, 10)],
  ])('of a body that goes on and on and %s', async (_, first) => {
    const { stream, isCancelled } = endless(Buffer.alloc(1000, Uint8Array.of(0, 0, 0, 255, 255)), first);
    expect(await gzip(stream)).toEqual(tooLarge);
    await expect.poll(isCancelled).toBe(true);
  });
});

describe('the control API', () => {
  const create = (raw: BodyInit) =>
    putBody('/sandboxes', { raw, headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } });

  test('inflates, too', async () => {
    expect((await create(gzipSync('{"name":"w9"}'))).status).toBe(201);
  });

  test('says what does not inflate', async () => {
    const { status, body } = await create('{"name":"w9"}');
    expect([status, body.message]).toEqual(notInflated);
  });
});
