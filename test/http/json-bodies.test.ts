// Every body of the samples, valid, invalid and odd, sent to POST /v2/orders: JSON is accepted with the value that it has, everything
// else is rejected. The verdicts are those of RFC 8259, of bytes that are decoded as hapi decodes them, and of the bounds in
// docs/reference/requests.md; they were written down by hand.
import { expect, test } from 'vitest';
import { testSachet } from '../support/sachet.ts';

type Verdict = 'accepted' | 'rejected';
type Bytes = string | Uint8Array;

interface Entry {
  readonly name: string;
  readonly bytes: Bytes;
  readonly verdict: Verdict;
  /** The parsed value, if JSON can express it. */
  readonly value?: unknown;
}

const nameOf = (bytes: Bytes): string =>
  typeof bytes === 'string' ? JSON.stringify(bytes) : `bytes ${Buffer.from(bytes).toString('hex')}`;
const accepted = (...bodies: readonly (readonly [bytes: Bytes, value?: unknown])[]): Entry[] =>
  bodies.map(([bytes, value]) => ({ name: nameOf(bytes), bytes, verdict: 'accepted', value }));
const rejected = (...bodies: readonly Bytes[]): Entry[] =>
  bodies.map((bytes) => ({ name: nameOf(bytes), bytes, verdict: 'rejected' }));
const bounded = (name: string, verdict: Verdict, bytes: Bytes): Entry => ({ name, bytes, verdict });

const hex = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits.replaceAll(' ', ''), 'hex'));
const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
const objects = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const list = (items: number, item: string): string => `[${Array(items).fill(item).join(',')}]`;
const mebibyte = 1_048_576;
const cut = '{"consumer":{"id":null},"shipping_address":["\\u00e9\\n",-1.5e+3,true],"order_lines":[{}]}';

const samples: readonly Entry[] = [
  ...accepted(['-1.25E-2', -0.0125], ['9007199254740993', 9007199254740992], ['5e-324', 5e-324], ['1e309'], ['-0']),
  ...rejected(' ', '01', '.5', '5.', '1e+', '+1', '- 1', '0x10', '1_000', 'NaN', '-Infinity', '１'),
  ...accepted(['null', null], ['true', true], ['""', ''], ['"\u2028\u202e😀"', '\u2028\u202e😀'], ['"//"', '//']),
  ...accepted([String.raw`"\"\\\/\b\f\n\r\t\u00e9"`, '"\\/\b\f\n\r\té'], [String.raw`"\ud800"`, '\ud800']),
  ...rejected('True', 'undefined', 'nul', '"a\nb"', '"a\0b"', String.raw`"\x41"`, String.raw`"\u12"`, '"a', "'a'"),
  ...rejected('“a”'),
  // Structures.
  ...accepted(
    ['{"a":[{"b":[]}],"":1}', { a: [{ b: [] }], '': 1 }],
    ['[null,true,0,"",{},[]]', [null, true, 0, '', {}, []]],
  ),
  ...accepted(['{"a":1,"b":0,"a":null}', { a: null, b: 0 }], [String.raw`{"a":1,"\u0061":2}`, { a: 2 }]),
  ...accepted(
    ['{"constructor":{"prototype":{}}}', { constructor: { prototype: {} } }],
    ['{"toJSON":"x"}', { toJSON: 'x' }],
  ),
  ...accepted(['{"a":"__proto__"}', { a: '__proto__' }], [String.raw`{"a":"\"__proto__\":1"}`, { a: '"__proto__":1' }]),
  ...rejected('{"__proto__":1}', '[[{"a":[{"__proto__":1}]}]]', '{"a":1,"__proto__" : {}}'),
  ...rejected(String.raw`{"\u005f_proto__":1}`, String.raw`{"__pro\u0074o__":null}`),
  ...rejected('{"a":1,}', '[1,]', '[,1]', '{"a" 1}', '{"a"}', '{a:1}', '{1:2}', '{', ']', '{]', '[[]', '{}{}', '1 2'),
  ...rejected('{}x'),
  ...rejected('// x\n{}', '/* x */{}', '<a/>', 'a=1&b=2', ")]}',\n{}", '---\na: 1', '{"a":NaN}'),
  // Each beginning of a valid body.
  ...rejected(...Array.from({ length: cut.length - 1 }, (_, index) => cut.slice(0, index + 1))),
  // White space and encodings.
  ...accepted(['\r\n\t { "a" : 1 } \n', { a: 1 }], [`${' '.repeat(10_000)}{}`, {}]),
  ...rejected('\v{}', '{}\f', '\u00a0{}', '{"a":\u2028 1}', '\ufeff{}', '\0{}'),
  // Byte order marks and UTF-16.
  ...rejected(hex('ef bb bf'), hex('ef bb bf 7b 7d'), hex('ff fe 7b 00 7d 00'), hex('00 7b 00 7d')),
  // As hapi: in a string, each byte that is not UTF-8 becomes U+FFFD.
  ...accepted([hex('22 ff 22'), '\ufffd'], [hex('22 61 c3 62 22'), 'a\ufffdb'], [hex('22 c0 a2 22'), '\ufffd\ufffd']),
  ...accepted([hex('22 ed a0 80 22'), '\ufffd\ufffd\ufffd'], [hex('7b 22 ff 22 3a 31 7d'), { '\ufffd': 1 }]),
  ...rejected(hex('ff'), hex('7b 7d ff'), hex('5b 31 2c ff 5d'), hex('c0 a2 61 c0 a2'), hex('22 e2 82')),
  ...rejected(hex('1f 8b 08 00')),
  // Bounds.
  bounded('no bytes', 'accepted', ''),
  bounded('1 MiB', 'accepted', '{}'.padEnd(mebibyte)),
  bounded('1 MiB and a byte', 'rejected', '{}'.padEnd(mebibyte + 1)),
  bounded('1 MiB of letters of two bytes', 'accepted', `"${'é'.repeat(mebibyte / 2 - 1)}"`),
  bounded('1 MiB and two bytes of letters of two bytes', 'rejected', `"${'é'.repeat(mebibyte / 2)}"`),
  bounded('1 MiB of a number', 'accepted', '1'.repeat(mebibyte)),
  bounded('1 MiB of brackets', 'rejected', '['.repeat(mebibyte)),
  bounded('64 levels of arrays', 'accepted', nested('[', ']', 64)),
  bounded('65 levels of arrays', 'rejected', nested('[', ']', 65)),
  bounded('64 levels of objects', 'accepted', objects(64)),
  bounded('65 levels of objects', 'rejected', objects(65)),
  bounded('64 levels, the last in the middle', 'accepted', `[1,${nested('[', ']', 63)},2]`),
  bounded('65 levels, the last in the middle', 'rejected', `[1,${nested('[', ']', 64)},2]`),
  bounded('a string of brackets', 'accepted', JSON.stringify(nested('[', ']', 100))),
  bounded('50,000 values', 'accepted', list(49_999, '0')),
  bounded('50,001 values', 'rejected', list(50_000, '0')),
  bounded('49,999 values in pairs', 'accepted', list(24_999, '[0]')),
  bounded('50,001 values in pairs', 'rejected', list(25_000, '[0]')),
  bounded('50,000 values of one key', 'accepted', `{${Array(49_999).fill('"a":1').join(',')}}`),
  bounded('50,001 values of one key', 'rejected', `{${Array(50_000).fill('"a":1').join(',')}}`),
];

const rejections =
  /^400 (?:Invalid request payload JSON format|Payload content length greater than maximum allowed: 1048576)$/;

test.each(['accepted', 'rejected'] as const)('each body is %s', async (verdict) => {
  const sachet = testSachet();
  const client = await sachet.login();
  const ofVerdict = samples.filter((entry) => entry.verdict === verdict);
  const wrong: string[] = [];
  for (const { name, bytes, value } of ofVerdict) {
    const raw = typeof bytes === 'string' ? bytes : Buffer.from(bytes);
    const { status, body, text, headers } = await client.post('/v2/orders', undefined, { raw });
    const isExpected =
      verdict === 'accepted' ? [201, 422].includes(status) : rejections.test(`${status} ${body.message}`);
    if (!isExpected) wrong.push(`${name}: ${status} ${text}`);
    // The journal shows the parsed body.
    if (value === undefined) continue;
    const id = headers.get('sandbox-request-id') ?? '';
    const shown = (await sachet.control.sandbox('stage').requests.get(id)).request.body;
    if (JSON.stringify(shown) !== JSON.stringify(value)) wrong.push(`${name}: ${JSON.stringify(shown)}`);
  }
  expect(ofVerdict.length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});
