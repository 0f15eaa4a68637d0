// Bodies: their lengths, types, encodings, and what no JSON is; also those that nobody reads.
import { gzipSync } from 'node:zlib';
import { known, newConsumer, orderWith, validOrder } from '../../cases/requests.ts';
import { chunked } from '../chunks.ts';
import { type Cases, list } from './cases.ts';
import { bytesOf, posted, request } from './requests.ts';

const create = (
  body: string,
  headers: readonly string[] = ['Content-Type: application/json'],
  token: '@demo' | '' = '@demo',
) => request('POST /v2/orders', { headers, body, token });
const order = JSON.stringify(validOrder);
const orderOf = (bytes: number) => `${order}${' '.repeat(bytes - order.length)}`;
const types = [
  ...[
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/problem+json',
    'application/jsonp',
    'text/plain',
    'application/x-www-form-urlencoded',
  ],
  ...[
    '',
    '  application/json  ',
    'application/json;',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
  ],
];
export const withoutLength = (headers: readonly string[], body: string) =>
  request('POST /v2/orders', { headers: ['Content-Type: application/json', ...headers] }) + body;

export const bodies: Cases = {
  'a body of length 0': create(''),
  'none, and no length': request('POST /v2/orders'),
  'a body and a length of 0 with zeros': withoutLength(['Content-Length: 000'], ''),
  'no JSON': create('{"a":'),
  blank: create(' '),
  null: create('null'),
  'a text': create('"x"'),
  'a number': create('1'),
  'a byte order mark': create(`\xef\xbb\xbf${order}`),
  'invalid UTF-8': create(`{"consumer":"\xff\xfe"}`),
  'a cut character': create(`{"consumer":"\xc3`),
  UTF8: create(bytesOf(JSON.stringify(orderWith({ 'consumer.first_name': 'Zoë 😀 \u2028' })))),
  'lone surrogates': create(
    JSON.stringify(orderWith({ 'consumer.first_name': '\ud800x', 'shipping_address.city': 'x'.repeat(60) })),
  ),
  'unknown keys that are no ASCII': create(bytesOf('{"schlüssel":1,"\\ud800":2}')),
  __proto__: create('{"__proto__":{"a":1}}'),
  'a nested __proto__': create('{"consumer":{"__proto__":1}}'),
  'keys twice': create('{"consumer":1,"consumer":2}'),
  deep: create(`${'['.repeat(63)}${']'.repeat(63)}`),
  'too deep': create(`${'['.repeat(65)}${']'.repeat(65)}`),
  'many values': create(`[${'1,'.repeat(30_000)}1]`),
  ...list([65_535, 65_536, 65_537, 70_000].map((bytes) => [`${bytes} bytes`, create(orderOf(bytes))] as const)),
  ...list([65_535, 65_536, 65_537].map((bytes) => [`${bytes} bytes, no JSON`, create('x'.repeat(bytes))] as const)),
  'a megabyte and one': create(orderOf(1_048_577)),
  'a length of five digits and zeros': withoutLength([`Content-Length: 0${order.length}`], order),
  'a length of many zeros': withoutLength([`Content-Length: 000000${order.length}`], order),
  ...list(types.map((type) => [`type "${type}"`, create(order, [`Content-Type: ${type}`])] as const)),
  'no type': create(order, []),
  'gzip, told': create(gzipSync(order).toString('latin1'), [
    'Content-Type: application/json',
    'Content-Encoding: gzip',
  ]),
  'gzip, not told': create(gzipSync(order).toString('latin1')),
  'no gzip, though told': create(order, ['Content-Type: application/json', 'Content-Encoding: gzip']),
  'an encoding that nobody knows': create(order, ['Content-Type: application/json', 'Content-Encoding: br']),
  'an empty encoding': create(order, ['Content-Type: application/json', 'Content-Encoding:']),
  chunked: withoutLength(
    ['Transfer-Encoding: chunked'],
    chunked(order.slice(0, 100), order.slice(100)).toString('latin1'),
  ),
  'less than told, and the next': withoutLength([`Content-Length: ${order.length - 1}`], order),
  'a body without a token': create(order, ['Content-Type: application/json'], ''),
  'no JSON, and no token': create('{', ['Content-Type: application/json'], ''),
  'secrets in a body': create('{"password":"secret","access_token":"x.y.z"}'),
  'a body where none is read': request(`POST /v2/orders/${known.pendingOrder}/cancel`, { body: 'x'.repeat(2000) }),
  'a body where none is read, without a token': request(`POST /v2/orders/${known.pendingOrder}/cancel`, {
    body: 'x'.repeat(65_000),
    token: '',
  }),
  'a GET with a body': posted('GET /v2/products', {}),
  'a GET of length 0': request('GET /v2/products', { body: '' }),
  'a GET in chunks':
    request('GET /v2/products', { headers: ['Transfer-Encoding: chunked'] }) + chunked('abc').toString('latin1'),
  'a consumer': posted('POST /v2/consumers', newConsumer),
};
