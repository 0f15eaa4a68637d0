/** Bytes: white space of every kind, marks of byte order, UTF-16, and what is no UTF-8. */
import { type Entry, refused, taken } from './entry.ts';

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le'));
const swapped = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
/** These bytes within quotes. */
const quoted = (hex: string): Uint8Array => bytes(`22 ${hex} 22`);

const spaces = taken(
  'white space',
  [' {}', {}],
  ['{} ', {}],
  ['\t{}\t', {}],
  ['\n{}\n', {}],
  ['\r{}\r', {}],
  ['\r\n{}\r\n', {}],
  [' \t\r\n{ \t\r\n} \t\r\n', {}],
  ['{ "a" : 1 , "b" : [ 1 , 2 ] }', { a: 1, b: [1, 2] }],
  ['{\n\t"a":\r\n1}', { a: 1 }],
  ['[\n]', []],
  [' 1 ', 1],
  [' null\n', null],
  [' "" ', ''],
  [`${' '.repeat(10_000)}{}`, {}],
);
/** Blanks of other languages and of Unicode, which JSON does not know. */
const otherSpaces = [
  '\v',
  '\f',
  '\0',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2028',
  '\u2029',
  '\u200b',
  '\u3000',
  '\ufeff',
];
const blanks = [
  ...refused('white space alone', ' ', '\n', '\t', '\r\n', '   \n\t  '),
  ...refused('no white space, in front', ...otherSpaces.map((space) => `${space}{}`)),
  ...refused('no white space, behind', ...otherSpaces.map((space) => `{}${space}`)),
  ...refused('no white space, between', ...otherSpaces.map((space) => `{"a":${space}1}`)),
];

const orders = refused(
  'a mark of byte order, or UTF-16',
  bytes('ef bb bf'),
  bytes('ef bb bf 7b 7d'),
  bytes('ef bb bf 22 61 22'),
  bytes('ef bb bf ef bb bf 7b 7d'),
  bytes('7b 7d ef bb bf'),
  bytes('fe ff'),
  bytes('ff fe'),
  utf16('{}'),
  utf16('"a"'),
  utf16('\ufeff{"a":1}'),
  swapped('{}'),
  swapped('\ufeff{"a":1}'),
  bytes('7b 00 00 00 7d 00 00 00'),
  bytes('00 00 00 7b 00 00 00 7d'),
  '+AHs-+AH0-',
);

/** As hapi reads bytes: each that is no UTF-8 stands as U+FFFD, so in a text it is taken. */
const replaced = taken(
  'bytes that are no UTF-8, in a text',
  [quoted('ff'), '\ufffd'],
  [quoted('fe'), '\ufffd'],
  [quoted('80'), '\ufffd'],
  [quoted('bf bf'), '\ufffd\ufffd'],
  [quoted('c3'), '\ufffd'],
  [quoted('e2 82'), '\ufffd'],
  [quoted('f0 9f 98'), '\ufffd'],
  [quoted('61 c3 62'), 'a\ufffdb'],
  [quoted('c0 80'), '\ufffd\ufffd'],
  [quoted('c1 bf'), '\ufffd\ufffd'],
  [quoted('c0 a2'), '\ufffd\ufffd'],
  [quoted('e0 80 af'), '\ufffd\ufffd\ufffd'],
  [quoted('f0 80 80 af'), '\ufffd\ufffd\ufffd\ufffd'],
  [quoted('ed a0 80'), '\ufffd\ufffd\ufffd'],
  [quoted('ed a0 bd ed b8 80'), '\ufffd'.repeat(6)],
  [quoted('f4 90 80 80'), '\ufffd\ufffd\ufffd\ufffd'],
  [quoted('f5 80 80 80'), '\ufffd\ufffd\ufffd\ufffd'],
  [quoted('fc 80 80 80 80 80'), '\ufffd'.repeat(6)],
  [quoted('c3 a9 ff c3 a9'), 'é\ufffdé'],
  [bytes('7b 22 ff 22 3a 31 7d'), { '\ufffd': 1 }],
  [bytes('7b 22 61 22 3a 22 c3 22 7d'), { a: '\ufffd' }],
  // Latin 1 and Shift JIS, as they come.
  [quoted('e9'), '\ufffd'],
  [quoted('83 5c 5c'), '\ufffd\\'],
);
const elsewhere = refused(
  'bytes that are no UTF-8, outside of texts',
  bytes('ff'),
  bytes('80'),
  bytes('00'),
  bytes('7b 7d ff'),
  bytes('ff 7b 7d'),
  bytes('7b 7d 00'),
  bytes('5b ff 5d'),
  bytes('5b 31 2c ff 5d'),
  // Overlong quotes and brackets are none.
  bytes('c0 a2 61 c0 a2'),
  bytes('c1 bb c1 bd'),
  bytes('e0 81 bb 7d'),
  bytes('22 c3'),
  bytes('22 e2 82'),
  // The last byte of a letter that was cut off is the quote's.
  bytes('22 83 5c 22'),
  bytes('1f 8b 08 00'),
);

export const encodings: readonly Entry[] = [...spaces, ...blanks, ...orders, ...replaced, ...elsewhere];
