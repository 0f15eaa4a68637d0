/** Bodies as bytes: JSON of every kind, what is nearly JSON, and what is none. */
import fc from 'fast-check';
import { validOrder } from '../../cases/requests.ts';
import { orderBody } from '../order-bodies.ts';
import { passwordOf } from '../sachet.ts';

type Bytes = fc.Arbitrary<Uint8Array>;
const utf8 = new TextEncoder();

/** JSON in which numbers beyond all bounds stand as such. */
function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (part === Number.POSITIVE_INFINITY) return '\u0001+';
    return part === Number.NEGATIVE_INFINITY ? '\u0001-' : part;
  });
  return text.replaceAll('"\\u0001+"', '1e999').replaceAll('"\\u0001-"', '-1e999');
}

const password = passwordOf('demo');
const login = fc.oneof(
  fc.constantFrom(
    { username: 'demo', password },
    { username: 'demo', password: 'wrong' },
    { username: 'no', password },
  ),
  fc.record(
    {
      username: fc.oneof(fc.string(), fc.constantFrom('', 'demo', null, 5)),
      password: fc.jsonValue(),
      x: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);
const refresh = fc.record(
  { refresh_token: fc.oneof(fc.string(), fc.constantFrom('', 'x.y.z', null, 0, [])), scope: fc.constant('all') },
  { requiredKeys: [] },
);

const odd: Bytes = fc
  .constantFrom(
    ...[
      '',
      ' ',
      '\n',
      'null',
      'true',
      '0',
      '-0',
      '1e999',
      '""',
      '"x"',
      '[]',
      '{}',
      '[[]]',
      '{"a":1,"a":2}',
      'NaN',
      'undefined',
    ],
    ...[
      '{',
      '}',
      '[',
      '{"consumer":',
      '{"a":1,}',
      '[1,]',
      '{a:1}',
      "{'a':1}",
      '{} {}',
      '{}x',
      '// x\n{}',
      '{}\u0000',
      '\u00a0{}',
    ],
    ...['{"__proto__":{}}', '{"\\u005f_proto__":1}', '{"a":{"__proto__":null}}', '{"constructor":{"prototype":{}}}'],
    ...['{"consumer":"\u0001"}', '"\\ud800"', '{"\\ud800":1}', '{"consumer":{"first_name":"\\u0000","last_name":"x"}}'],
    ...['\ufeff{}', '01', '+1', '.5', '1.', '0x1', '1e', '"\\x"', '"\t"', 'tru', 'nul', 'Infinity', '-', '"', '\\'],
    ...[
      '['.repeat(40) + ']'.repeat(40),
      `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
      '['.repeat(64) + ']'.repeat(64),
      '['.repeat(65) + ']'.repeat(65),
      '\u2028',
      '{"\u2028":1}',
      '1 2',
      '{"":1}',
    ],
  )
  .map((text) => utf8.encode(text));
const noText: Bytes = fc.oneof(
  fc.uint8Array({ maxLength: 30 }),
  fc.constantFrom(
    Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
    Uint8Array.of(0x22, 0xff, 0x22),
    Uint8Array.of(0x22, 0xc0, 0x80, 0x22),
    Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
    Uint8Array.of(0x7b, 0x22, 0xe2, 0x82, 0x22, 0x3a, 0x31, 0x7d),
  ),
);
const large = fc.oneof(
  fc.constantFrom(1_048_575, 1_048_576, 1_048_577, 1_200_000).map((bytes) => '{}'.padEnd(bytes)),
  fc.constantFrom(50_000, 50_001).map((values) => `[${Array(values - 1).fill(0)}]`),
);

const valueFor = (path: string): fc.Arbitrary<unknown> => {
  if (path.endsWith('/token')) return login;
  if (path.endsWith('/refresh-token')) return refresh;
  return fc.oneof({ weight: 4, arbitrary: orderBody }, { weight: 1, arbitrary: fc.constant(validOrder) });
};

/** A body for a route: mostly one that it could take. */
export function bodyFor(path: string): Bytes {
  const good = valueFor(path).map((value) => utf8.encode(jsonOf(value)));
  const cut = fc.tuple(good, fc.double({ min: 0, max: 1, noNaN: true }));
  const spoilt = fc.tuple(good, fc.nat(), fc.nat(255));
  return fc.oneof(
    { weight: 60, arbitrary: good },
    { weight: 12, arbitrary: odd },
    { weight: 3, arbitrary: noText },
    { weight: 3, arbitrary: cut.map(([bytes, part]) => bytes.subarray(0, Math.floor(bytes.length * part))) },
    { weight: 3, arbitrary: spoilt.map(([bytes, at, byte]) => bytes.with(at % (bytes.length || 1), byte)) },
    { weight: 3, arbitrary: fc.json().map((text) => utf8.encode(text)) },
  );
}

/** A body at the bounds of 1 MiB and of 50,000 values. */
export const largeBody: Bytes = large.map((text) => utf8.encode(text));
