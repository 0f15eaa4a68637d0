// Several requests on a connection, of both roads, and older versions: answers come in the order of the requests.
import { known, validOrder } from '../../cases/requests.ts';
import { withoutLength } from './body-cases.ts';
import type { Cases } from './cases.ts';
import { posted, request } from './requests.ts';

const old = (text: string) => text.replace('HTTP/1.1', 'HTTP/1.0');
const get = request('GET /v2/orders?limit=1');
const order = JSON.stringify(validOrder);
const post = posted('POST /v2/orders', validOrder);
const escaped = request(`GET /v2/products/${known.product.replace('2', '%32')}`);
const slow = request('GET /_docs/openapi.json', { token: '' });
export const connections: Cases = {
  'HTTP/1.0': old(get),
  'HTTP/1.0, kept alive': old(request('GET /v2/orders?limit=1', { headers: ['Connection: keep-alive'] })),
  'HTTP/1.0 with a body': old(post),
  'several in one segment': get + post + get + escaped + post + get,
  'calls of both roads': get + slow + get + slow + post + escaped + get,
  'a break behind others': get + post + request('GET /v2/orders', { headers: ['Connection: close'] }) + get,
  'a fault behind others': `${get}${post}garbage\r\n\r\n`,
  'an unknown method behind others': `${post}${get}FETCH / HTTP/1.1\r\n\r\n`,
  'a body whose chunk is bad, behind others': `${post}${withoutLength(['Transfer-Encoding: chunked'], 'zz\r\n')}`,
  'both lengths': withoutLength(['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'),
  'empty lines before': `\r\n\r\n${get}`,
  'an expectation, and its body at once': withoutLength(
    ['Expect: 100-continue', `Content-Length: ${order.length}`],
    order,
  ),
};
