// Parts of a stored object and conditions on it are answerObjectRequest as Amazon S3 answers them; its recorded answers are the cases.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Hashes, utf8 } from '../../src/domain/hashes.ts';
import type { StorageError } from '../../src/domain/labels.ts';
import type { ServiceResponse } from '../../src/http/response.ts';
import { answerObjectRequest, errorDocument, etagOf } from '../../src/http/storage/stored-object.ts';
import { nodeHashes } from '../../src/node/platform.ts';

const [modified, sameDay, dayBefore] = [
  'Fri, 20 Nov 2026 12:00:00 GMT',
  'Fri, 20 Nov 2026 12:00:03 GMT',
  'Thu, 19 Nov 2026 12:00:00 GMT',
] as const;
const dayAfter = 'Sat, 21 Nov 2026 12:00:00 GMT';
const hex32 = '781e5e245d69b566979b86e28d23f2c7';
const etag = `"${hex32}"`;

const objectOf = (body: Uint8Array) => ({
  body,
  etag,
  lastModified: new Date('2026-11-20T12:00:00.789Z'),
  contentType: 'application/pdf',
});
const digits = objectOf(utf8('0123456789'));

type Answered = ServiceResponse | StorageError;
const ask = (headers: Record<string, string> = {}, object = digits, method = 'GET'): Answered =>
  answerObjectRequest({ method, headers: new Headers(headers), now: Date.parse('2026-11-20T12:00:03.500Z') }, object);

const bytesOf = (answer: Answered): Uint8Array =>
  ('body' in answer && (answer.body as Uint8Array | null)) || new Uint8Array();
const textOf = (answer: Answered): string => new TextDecoder().decode(bytesOf(answer));
/** Status, bytes and Content-Range in one line; a refusal by its code. */
function outcome(answer: Answered): string {
  const told = 'code' in answer ? answer.code : textOf(answer);
  return [answer.status, told, answer.headers?.['content-range']]
    .filter((part) => part !== undefined)
    .join(' ')
    .trim();
}

describe('the whole object', () => {
  const headers = {
    'accept-ranges': 'bytes',
    'content-length': '10',
    'content-type': 'application/pdf',
    etag,
    'last-modified': modified,
  };

  test('has its length, its type, its ETag and its date', () => {
    expect(ask()).toEqual({ kind: 'service', status: 200, headers, body: digits.body });
  });

  test('is told of without its body to a HEAD', () => {
    expect(ask({}, digits, 'HEAD')).toEqual({ kind: 'service', status: 200, headers, body: null });
  });

  test('has never changed after now', () => {
    const answer = ask({}, { ...digits, lastModified: new Date('2027-01-01T00:00:00Z') });
    expect(answer.headers?.['last-modified']).toBe(sameDay);
  });
});

describe('a range', () => {
  test.each([
    ['bytes=0-8', '206 012345678 bytes 0-8/10'],
    ['bytes=1-1', '206 1 bytes 1-1/10'],
    ['bytes=1-', '206 123456789 bytes 1-9/10'],
    ['bytes=-2', '206 89 bytes 8-9/10'],
    ['bytes=-9', '206 123456789 bytes 1-9/10'],
    ['bytes=-15', '206 0123456789 bytes 0-9/10'],
    ['bytes=0-100', '206 0123456789 bytes 0-9/10'],
    ['bytes=0-0', '206 0 bytes 0-0/10'],
    ['bytes=0-', '206 0123456789 bytes 0-9/10'],
    ['bytes=0000001-002', '206 12 bytes 1-2/10'],
    ['Bytes=1-2', '206 12 bytes 1-2/10'],
    [`bytes=9-${'9'.repeat(400)}`, '206 9 bytes 9-9/10'],
    [`bytes=-${'9'.repeat(400)}`, '206 0123456789 bytes 0-9/10'],
  ])('%s is sent: %s', (range, expected) => {
    expect(outcome(ask({ range }))).toBe(expected);
  });

  test.each([
    'bytes=1-0',
    'bytes=15-1',
    'bytes=-1-',
    'bytes=0--1',
    'bytes=0-1,3-4,7-9',
    'bytes=0-1, 3-4',
    '0-1',
    'bytes=-',
    'bytes=',
    'bytes 0-1',
    'bytes=a-b',
    'bytes=1.5-3',
    'bytes=0x1-2',
    'items=0-1',
    '',
    'bytes=9007199254740993-9007199254740992',
  ])('%s is ignored', (range) => {
    expect(outcome(ask({ range }))).toBe('200 0123456789');
  });

  test.each(['bytes=-0', 'bytes=10-', 'bytes=100-200', `bytes=${'9'.repeat(400)}-`])('%s is refused', (range) => {
    expect(ask({ range })).toEqual({
      status: 416,
      code: 'InvalidRange',
      message: 'The requested range is not satisfiable',
      extra: { RangeRequested: range, ActualObjectSize: '10' },
      headers: { 'content-range': 'bytes */10' },
    });
  });

  test.each(['bytes=0-', 'bytes=0-0', 'bytes=-1'])('%s of an empty object is refused', (range) => {
    expect(outcome(ask({ range }, objectOf(new Uint8Array())))).toBe('416 InvalidRange bytes */0');
  });

  test('is told of without its body to a HEAD', () => {
    const answer = ask({ range: 'bytes=2-4' }, digits, 'HEAD');
    expect([outcome(answer), answer.headers?.['content-length']]).toEqual(['206  bytes 2-4/10', '3']);
  });
});

describe('conditions', () => {
  test.each([
    ['If-Match', { 'if-match': etag }],
    ['If-Match', { 'if-match': hex32 }],
    ['If-Match', { 'if-match': '*' }],
    ['If-Match', { 'if-match': `"other", ${etag}` }],
    ['If-Match', { 'if-match': '' }],
    ['If-Match before If-Unmodified-Since', { 'if-match': etag, 'if-unmodified-since': dayBefore }],
    ['If-Unmodified-Since', { 'if-unmodified-since': modified }],
    ['If-Unmodified-Since of no date', { 'if-unmodified-since': 'yesterday' }],
    ['If-None-Match', { 'if-none-match': '"other"' }],
    ['If-None-Match before If-Modified-Since', { 'if-none-match': '"other"', 'if-modified-since': modified }],
    ['If-Modified-Since', { 'if-modified-since': dayBefore }],
    ['If-Modified-Since in time to come', { 'if-modified-since': dayAfter }],
    ['If-Modified-Since of no date', { 'if-modified-since': '2026-11-20T12:00:00Z' }],
    ['If-Modified-Since of no calendar', { 'if-modified-since': 'Fri, 99 Foo 2026 12:00:00 GMT' }],
    [
      'all of them',
      { 'if-match': hex32, 'if-none-match': 'other', 'if-modified-since': dayBefore, 'if-unmodified-since': sameDay },
    ],
  ])('that hold leave the answer as it is: %s', (_, headers) => {
    expect(ask(headers)).toEqual(ask());
  });

  test.each([
    ['If-Match', { 'if-match': '"other"' }],
    ['If-Match', { 'if-match': `W/${etag}` }],
    ['If-Match', { 'if-match': 'other', 'if-unmodified-since': dayBefore, 'if-none-match': etag }],
    ['If-Unmodified-Since', { 'if-unmodified-since': dayBefore, 'if-none-match': etag, 'if-modified-since': sameDay }],
    ['If-Match', { 'if-match': '"other"', range: 'bytes=100-' }],
  ])('%s fails: %o', (Condition, headers) => {
    expect(ask(headers)).toEqual({
      status: 412,
      code: 'PreconditionFailed',
      message: 'At least one of the pre-conditions you specified did not hold',
      extra: { Condition },
    });
  });

  test.each([
    { 'if-none-match': etag },
    { 'if-none-match': hex32 },
    { 'if-none-match': `W/${etag}` },
    { 'if-none-match': `"other", W/${etag}` },
    { 'if-none-match': '*' },
    { 'if-none-match': etag, 'if-modified-since': dayBefore },
    { 'if-none-match': etag, 'if-match': etag },
    { 'if-none-match': etag, range: 'bytes=100-' },
    { 'if-modified-since': modified },
    { 'if-modified-since': sameDay },
    { 'if-modified-since': 'Friday, 20-Nov-26 12:00:00 GMT' },
    { 'if-modified-since': 'Fri Nov 20 12:00:00 2026' },
  ])('find it unchanged: %o', (headers) => {
    expect(ask(headers)).toEqual({
      kind: 'service',
      status: 304,
      headers: { etag, 'last-modified': modified },
      body: null,
    });
  });
});

test.each([
  [etag, '206 12 bytes 1-2/10'],
  [modified, '206 12 bytes 1-2/10'],
  ['"other"', '200 0123456789'],
  [`W/${etag}`, '200 0123456789'],
  [dayBefore, '200 0123456789'],
  [sameDay, '200 0123456789'],
  ['', '200 0123456789'],
])('a range If-Range %s: %s', (validator, expected) => {
  expect(outcome(ask({ range: 'bytes=1-2', 'if-range': validator }))).toBe(expected);
});

test('a range beyond the end of another version is the whole of this one', () => {
  expect(outcome(ask({ range: 'bytes=100-', 'if-range': '"other"' }))).toBe('200 0123456789');
});

describe('for any object', () => {
  const bodies = fc.uint8Array({ minLength: 1, maxLength: 200 });

  test('the bytes sent are exactly the slice that Content-Range says', () => {
    fc.assert(
      fc.property(bodies, fc.nat(250), fc.nat(250), (body, first, last) => {
        const answer = ask({ range: `bytes=${first}-${last}` }, objectOf(body));
        const inOrder = first < body.length ? 206 : 416;
        expect(answer.status).toBe(last < first ? 200 : inOrder);
        if (answer.status !== 206) return;
        expect(bytesOf(answer)).toEqual(body.slice(first, last + 1));
        expect(answer.headers).toMatchObject({
          'content-range': `bytes ${first}-${Math.min(last, body.length - 1)}/${body.length}`,
          'content-length': String(bytesOf(answer).length),
        });
      }),
    );
  });

  test('a suffix is the end of it', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 250 }), (body, length) => {
        expect(bytesOf(ask({ range: `bytes=-${length}` }, objectOf(body)))).toEqual(body.slice(-length));
      }),
    );
  });

  test('downloaded piece by piece it is whole', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 60 }), (body, step) => {
        const pieces: number[] = [];
        for (let at = 0; at < body.length; at += step) {
          const range = `bytes=${at}-${at + step - 1}`;
          pieces.push(...bytesOf(ask({ range, 'if-match': etag }, objectOf(body))));
        }
        expect(Uint8Array.from(pieces)).toEqual(body);
      }),
    );
  });

  test('whatever the headers say, the answer is one of five and has a body only where it may', () => {
    const hostile = fc.stringMatching(/^[ -~]{0,40}$/);
    const range = fc.oneof(hostile, fc.stringMatching(/^bytes=[\d,-]{0,30}$/));
    fc.assert(
      fc.property(
        fc.record({ range, 'if-range': hostile, 'if-match': hostile, 'if-none-match': hostile }),
        (headers) => {
          for (const some of [headers, { range: headers.range }]) {
            const answer = ask(some);
            expect([200, 206, 304, 412, 416]).toContain(answer.status);
            const { 'content-length': length = '0' } = answer.headers ?? {};
            expect(bytesOf(answer).length).toBe('code' in answer ? 0 : Number(length));
          }
        },
      ),
    );
  });
});

describe('an ETag', () => {
  test('is 32 hex digits in quotes, and says whether two bodies are the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 65 }), fc.nat(64), (body, at) => {
        const other = Uint8Array.from(body, (byte, index) => (index === at ? byte ^ 1 : byte));
        expect(etagOf(nodeHashes, body)).toMatch(/^"[\da-f]{32}"$/);
        expect(etagOf(nodeHashes, Uint8Array.from(body))).toBe(etagOf(nodeHashes, body));
        expect(etagOf(nodeHashes, other)).not.toBe(etagOf(nodeHashes, body));
      }),
    );
  });

  test('is made of the hashes that are given', () => {
    const fake: Hashes = { sha256: () => new Uint8Array(32), hmac: (key) => new Uint8Array(32).fill(key[0] ?? 0) };
    expect(etagOf(fake, Uint8Array.of(0xab))).toBe(`"${'ab'.repeat(16)}"`);
  });
});

test("a refusal is S3's document, its own elements between the message and the request", () => {
  const refusal = ask({ range: 'bytes=100-' });
  if (!('code' in refusal)) throw new Error('it was not refused');
  const elements =
    '<Code>InvalidRange</Code><Message>The requested range is not satisfiable</Message>' +
    '<RangeRequested>bytes=100-</RangeRequested><ActualObjectSize>10</ActualObjectSize>' +
    '<RequestId>&lt;1&gt;</RequestId><HostId>sachet</HostId>';
  expect(errorDocument(refusal, '<1>')).toEqual({
    kind: 'service',
    status: 416,
    headers: { 'content-range': 'bytes */10', 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements}</Error>`,
  });
});
