/** Random requests, correct and odd, as bytes, for the comparison with hapi. None of them has a named difference. */
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { known, unknownId, validOrder } from '../../cases/requests.ts';
import { orderBody } from '../../contract/joi/order-bodies.ts';
import { passwordOf } from '../../support/sachet.ts';
import { chunked } from '../../support/wire.ts';
import { referenceRoutes } from './server.ts';

/** A request by its parts. */
export interface ReferenceRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The header, in which TOKEN stands for a good token; no header if null. */
  readonly authorization: string | null;
  readonly type: string | null;
  readonly encoding: string | null;
  /** The body before it was compressed; null for a request without a body. */
  readonly plain: Uint8Array | null;
  /** The body as it is sent. */
  readonly sent: Uint8Array;
  readonly isChunked: boolean;
}

/** One of the texts between spaces. */
const oneOf = (texts: string, ...more: readonly string[]) => fc.constantFrom(...texts.split(' '), ...more);
const usually = (usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>, weight = 6) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });

const goodId = fc.constantFrom(...Object.values(known).filter((id) => id.includes('-0000-4000-')), unknownId);
const oddId = oneOf(
  '%zz % %4 x% %ff %C0%80 %ed%a0%80 %f5%80%80%80 %80 %c3 %% %u0041 %e2%82 %00 %0a %0d%0a %20 %25 %25zz %2525 %2f a%2Fb ' +
    '%5c %3f %23 %2B . .. ... %2e %2e%2e .%2E ..%2f.. %F0%9F%98%80 %ef%bb%bf %e2%80%ae 0 42 -1 null __proto__ ' +
    `constructor * :id {id} ' " <x> ~ | ^ \` a+b a,b a;b a=b a&b a@b a:b !$() {${known.product}} ${known.product}0 ` +
    `%7b${known.product}%7d ${known.product.toUpperCase()} ${known.product}%00 ${known.product};v=1`,
  ...['', 'x'.repeat(10_000), known.product.replaceAll('-', ''), known.product.replace('2', '%32')],
);

/** Alterations of a good path. */
const alterations: readonly ((path: string) => string)[] = [
  ...'/ // /. /.. /x ;x=1 %20 %2f .json #top #top?limit=0'.split(' ').map((end) => (path: string) => path + end),
  ...'/ http://localhost http://elsewhere.example:81'.split(' ').map((start) => (path: string) => start + path),
  ...'/V2/ /v%32/ /./v2/ /../../v2/ / /v1/ /v2/x/../ /v2/x/%2e%2E/ /v2// /v2/%zz/ /v2%2f'
    .split(' ')
    .map((first) => (path: string) => path.replace('/v2/', first)),
  (path) => path.replace('o', '%6F'),
  (path) => path.replace('s', '%c5%bf'),
  (path) => path.toUpperCase(),
  (path) => path.slice(0, -1),
];
const alteration = fc.oneof(
  { weight: 4, arbitrary: fc.constant((path: string) => path) },
  { weight: 1, arbitrary: fc.constantFrom(...alterations) },
);

const number = oneOf(
  '1 20 100 101 0 -0 -1 1.5 1e1 1E2 1e-1 01 +1 .5 5. +7 7+ %207 %D9%A3 + %2B1 1+ abc 0x10 1,0 1_0 true null [1] {} %zz ' +
    '%00 1%00 % 1%0a %e9 0.0000001 1.0 0.1e1 10e-1 %31 1;2 9007199254740991 9007199254740992 1e16 1e309 -1e309 Infinity NaN',
  ...['', '1'.repeat(400)],
);
const word = usually(oneOf("x x+y + %20 a%20b %zz % %ff %00 ee ' ..", ''), fc.webQueryParameters()).map((text) =>
  text.replaceAll(/[^!-~]/g, '+').replaceAll('#', '%23'),
);
const filter = fc.oneof(goodId, oneOf('42 %00', known.pendingOrder.toUpperCase(), `${known.product}%0a`), word);
const oddPair = oneOf(
  'limit cursor limit=1=2 = =1 & && ? limit=1?x li%6dit=0 limit%00=1 x=1 x __proto__=1 constructor=1 limit[]=1 ' +
    'limit.x=1 LIMIT=1 +=1 %zz=1 %ff=1 a%20b=1 "=1 <b>=1 toString 0=1',
);
const pair = fc.oneof(
  { weight: 5, arbitrary: number.map((value) => `limit=${value}`) },
  { weight: 2, arbitrary: word.map((value) => `cursor=${value}`) },
  { weight: 2, arbitrary: filter.map((value) => `order_id=${value}`) },
  { weight: 2, arbitrary: oddPair },
);
const query = fc.array(pair, { maxLength: 4 }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));

const otherMethods = oneOf('GET POST PUT PATCH DELETE HEAD OPTIONS PROPFIND TRACE MERGE M-SEARCH LINK');
/** Routes that take more than a path come more often. */
const routes = fc.constantFrom(
  ...referenceRoutes.flatMap((one) =>
    Array<typeof one>(one.path.endsWith('/v2/orders') && one.body ? 5 : one.query || one.body ? 2 : 1).fill(one),
  ),
);
/** A method and a target that belong together, or nearly. */
const aim = routes
  .chain((route) =>
    fc.record({
      method: fc.oneof(
        { weight: 7, arbitrary: fc.constant<string>(route.method) },
        { weight: route.method === 'GET' ? 1 : 0, arbitrary: fc.constant('HEAD') },
        { weight: 1, arbitrary: otherMethods },
      ),
      target: fc
        .tuple(usually(goodId, oddId, 2), alteration, route.query ? query : usually(fc.constant(''), query))
        .map(([id, altered, search]) => altered(route.path.replace(/\{\w+\}/, () => id)) + search),
      path: fc.constant(route.path),
    }),
  )
  .filter(({ target }) => !isBaseUrl(target));
/** A named difference. */
const isBaseUrl = (target: string): boolean =>
  URL.canParse(target, 'http://localhost') && new URL(target, 'http://localhost').pathname === '/';

type Bytes = fc.Arbitrary<Uint8Array>;
const utf8 = new TextEncoder();

/** JSON with numbers beyond all limits. */
function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (part === Number.POSITIVE_INFINITY) return '\u0001+';
    return part === Number.NEGATIVE_INFINITY ? '\u0001-' : part;
  });
  return text.replaceAll('"\\u0001+"', '1e999').replaceAll('"\\u0001-"', '-1e999');
}

const password = passwordOf('demo');
const username = fc.oneof(fc.string(), fc.constantFrom('', 'demo', null, 5));
const login = fc.oneof(
  fc.constantFrom(
    ...[
      { username: 'demo', password },
      { username: 'demo', password: 'x' },
      { username: 'no', password },
    ],
  ),
  fc.record({ username, password: fc.jsonValue(), x: fc.jsonValue() }, { requiredKeys: [] }),
);
const refresh = fc.record(
  { refresh_token: fc.oneof(fc.string(), fc.constantFrom('', 'x.y.z', null, 0, [])), scope: fc.constant('all') },
  { requiredKeys: [] },
);
const odd: Bytes = oneOf(
  'null true 0 -0 1e999 "" "x" [] {} [[]] {"a":1,"a":2} NaN undefined { } [ {"consumer": {"a":1,} [1,] {a:1} ' +
    '{\'a\':1} {}x {"__proto__":{}} {"\\u005f_proto__":1} {"a":{"__proto__":null}} {"constructor":{"prototype":{}}} ' +
    '{"consumer":"\u0001"} "\\ud800" {"\\ud800":1} {"consumer":{"first_name":"\\u0000","last_name":"x"}} 01 +1 .5 1. ' +
    '0x1 1e "\\x" "\t" tru nul Infinity - " \\ {"":1}',
  ...['', ' ', '\n', '{} {}', '// x\n{}', '{}\u0000', '\u00a0{}', '\ufeff{}', '\u2028', '{"\u2028":1}', '1 2'],
  ...[40, 64].map((levels) => '['.repeat(levels) + ']'.repeat(levels)),
  `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
).map((text) => utf8.encode(text));
const noText: Bytes = fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.constant(Uint8Array.of(0x22, 0xc0, 0x80, 0x22)));

const valueFor = (path: string): fc.Arbitrary<unknown> => {
  if (path.endsWith('/token')) return login;
  if (path.endsWith('/refresh-token')) return refresh;
  return fc.oneof({ weight: 4, arbitrary: orderBody }, { weight: 1, arbitrary: fc.constant(validOrder) });
};

/** A body for a route, mostly a valid one. */
function bodyFor(path: string): Bytes {
  const good = valueFor(path).map((value) => utf8.encode(jsonOf(value)));
  const spoilt = fc.tuple(good, fc.nat(), fc.nat(255));
  return fc.oneof(
    { weight: 60, arbitrary: good },
    { weight: 12, arbitrary: odd },
    { weight: 3, arbitrary: noText },
    { weight: 3, arbitrary: spoilt.map(([bytes, at]) => bytes.subarray(0, at % (bytes.length || 1))) },
    { weight: 3, arbitrary: spoilt.map(([bytes, at, byte]) => bytes.with(at % (bytes.length || 1), byte)) },
    { weight: 3, arbitrary: fc.json().map((text) => utf8.encode(text)) },
  );
}

const mostly = (usual: string, ...others: readonly (string | null)[]): fc.Arbitrary<string | null> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const authorization = mostly(
  'Bearer TOKEN',
  ...[null, '', 'Bearer', 'Bearer ', 'bearer TOKEN', 'BEARER  TOKEN ', 'Bearer TOKENx', 'Bearer x.y.z', 'TOKEN'],
  ...['Bearer TOKEN TOKEN', 'Basic ZGVtbzpkZW1v', 'Bearer "TOKEN"', 'Bearer,TOKEN', 'Bearer %zz'],
);
const type = mostly(
  'application/json',
  ...[null, '', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=ISO-8859-1'],
  ...['application/json ; x=y', 'application/json x', 'application/vnd.api+json', 'application/+json', '*/*'],
  ...['application/jsonp', 'text/plain', 'text/json', 'application/x-www-form-urlencoded', 'application/xml'],
  ...['application/octet-stream', 'multipart/form-data; boundary=x', 'image/png'],
);

const pack = fc.constantFrom<((plain: Uint8Array) => Uint8Array)[]>(
  (plain) => plain,
  gzipSync,
  deflateSync,
  (plain) => gzipSync(plain).subarray(0, -3),
  // A wrong checksum.
  (plain) => gzipSync(plain).map((byte, index, { length }) => (index === length - 6 ? byte ^ 0x55 : byte)),
);
const encoding = oneOf('gzip deflate x-gzip br identity GZIP', 'gzip, gzip', '');
/** The encoding that is declared, if any, and how the body is packed. */
const compression = fc.oneof(
  { weight: 8, arbitrary: fc.constant([null, (plain: Uint8Array) => plain] as const) },
  { weight: 2, arbitrary: fc.tuple(encoding, pack) },
);

const withoutBody = ['GET', 'HEAD', 'OPTIONS'];
/** hapi rejects bodies of these types even if they are empty. */
const otherTypes = /^(?:\*\/\*|application\/(?:\+json|jsonp|xml)|multipart|image)/;
/** Whether no named difference applies. */
const isAlike = ({ method, type, encoding, plain }: ReferenceRequest): boolean =>
  (encoding === null || !type?.startsWith('multipart')) &&
  (withoutBody.includes(method) || Boolean(plain?.length) || !otherTypes.test(type ?? ''));

export const referenceRequest: fc.Arbitrary<ReferenceRequest> = aim.chain(({ method, target, path }) => {
  const weight = withoutBody.includes(method) ? 1 : 12;
  const plain = fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight, arbitrary: bodyFor(path) });
  return fc
    .record({ authorization, type, plain, compression, isChunked: fc.constantFrom(false, false, true) })
    .map(({ compression: [declared, packed], plain, ...parts }) => {
      const body = plain ? { encoding: declared, sent: packed(plain) } : { encoding: null, sent: new Uint8Array() };
      return { method, target, ...parts, plain, ...body };
    })
    .filter(isAlike);
});

/** The request as it is sent, with this token; a chunked body in two chunks. */
export function bytesOf(request: ReferenceRequest, token: string): Uint8Array {
  const { method, target, encoding, plain, sent, isChunked } = request;
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${sent.length}`;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...(request.authorization === null ? [] : [`Authorization: ${request.authorization.replaceAll('TOKEN', token)}`]),
    ...(request.type === null ? [] : [`Content-Type: ${request.type}`]),
    ...(encoding === null ? [] : [`Content-Encoding: ${encoding}`]),
    ...(plain ? [framing] : []),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  if (!plain) return head;
  const middle = Math.ceil(sent.length / 2);
  const halves = [sent.subarray(0, middle), sent.subarray(middle)].filter((part) => part.length > 0);
  return Buffer.concat([head, isChunked ? chunked(...halves) : sent]);
}
