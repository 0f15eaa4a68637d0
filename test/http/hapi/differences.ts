/** Where Sachet answers differently from the reference on purpose, with examples. Any other difference is a bug. */
import { validOrder } from '../../cases/requests.ts';
import type { ReferenceRequest } from './requests.ts';

/** A good request without a body. */
const good: ReferenceRequest = {
  method: 'POST',
  target: '/v2/orders',
  authorization: 'Bearer TOKEN',
  type: 'application/json',
  encoding: null,
  plain: null,
  sent: new Uint8Array(),
  isChunked: false,
};

const withBody = (request: ReferenceRequest, text: string): ReferenceRequest => {
  const bytes = new TextEncoder().encode(text);
  return { ...request, encoding: null, plain: bytes, sent: bytes };
};
const post = (text: string, more: Partial<ReferenceRequest> = {}) => ({ ...withBody(good, text), ...more });
const get = (target: string, method = 'GET'): ReferenceRequest => ({ ...good, method, target });

/** The status and message; status 0 if there was no response, no message if it has no body or is a success. */
export type Summary = readonly [status: number, message: string | undefined];

interface Difference {
  readonly name: string;
  readonly why: string;
  /** Requests with both responses; null if hapi does not get the request. */
  readonly seen: readonly (readonly [request: ReferenceRequest, ours: Summary, theirs: Summary | null])[];
}

const badRequest: Summary = [400, 'Bad Request'];
const notFound: Summary = [404, 'Not Found'];
const unsupported: Summary = [400, 'Unsupported Media Type'];
const noMediaType: Summary = [400, 'Invalid content-type header'];
const tooLarge: Summary = [400, 'Payload content length greater than maximum allowed: 1048576'];
const notCompressed: Summary = [400, 'Invalid compressed payload'];
const malformed: Summary = [400, 'Invalid request payload JSON format'];
const notAnObject: Summary = [422, '"value" must be of type object'];
const unanswered: Summary = [0, undefined];

const order = JSON.stringify(validOrder);
const long = '{}'.padEnd(1_048_577);

export const differences: readonly Difference[] = [
  {
    name: 'a request that the HTTP parser rejects',
    why: 'HTTP-3: every error has the body of the contract; hapi has Node send a bare status line',
    seen: [
      [get('/v2/products', 'FOO'), badRequest, [400, undefined]],
      [get('/v2/products', 'get'), badRequest, [400, undefined]],
      [get('\\v2\\products'), badRequest, [400, undefined]],
    ],
  },
  {
    name: 'the base URL itself',
    why: 'the contract does not mention it: it has the addresses of the sandbox',
    seen: [
      [get('/', 'HEAD'), [200, undefined], [404, undefined]],
      [get('/v2/..', 'HEAD'), [200, undefined], [404, undefined]],
    ],
  },
  {
    name: 'a backslash in a target',
    why: 'a URL cannot have one, and URL parsers make a slash of it: it is rejected before it is routed',
    seen: [
      [get('/v2\\products'), badRequest, notFound],
      [get('/v2\\products', 'HEAD'), [400, undefined], [404, undefined]],
    ],
  },
  {
    name: 'a Content-Type that is no media type',
    why: 'a body of a type that is not JSON is `Unsupported Media Type`, and an empty one is null; hapi has another message',
    seen: [
      [post(order, { type: 'json' }), unsupported, noMediaType],
      [{ ...good, type: 'json' }, notAnObject, noMediaType],
      [post(long, { type: 'json', isChunked: true }), tooLarge, noMediaType],
    ],
  },
  {
    name: 'an empty body of a type that is not JSON',
    why: 'an empty body is null; hapi does so for JSON, texts and forms, and rejects other types',
    seen: [
      [{ ...good, type: 'application/xml' }, notAnObject, unsupported],
      [post('', { type: 'image/png' }), notAnObject, unsupported],
    ],
  },
  {
    name: 'a body in chunks that become too many',
    why: 'it is rejected before its type and its compression, then the connection is closed; hapi closes it without a response, or rejects it first',
    seen: [
      [post(long, { isChunked: true }), tooLarge, unanswered],
      [post(long, { isChunked: true, type: 'multipart/form-data; boundary=x' }), tooLarge, unsupported],
      [post(long, { isChunked: true, encoding: 'gzip' }), tooLarge, notCompressed],
    ],
  },
  {
    name: 'a body of more than 64 levels, or of more than 50,000 values',
    why: 'it is bounded, as one of more than 1 MiB is: docs/reference/requests.md; hapi takes what JSON.parse takes',
    seen: [
      [post('['.repeat(65) + ']'.repeat(65)), malformed, notAnObject],
      [post(JSON.stringify({ order_lines: Array(49_999).fill(0) })), malformed, [422, '"consumer" is required']],
    ],
  },
  {
    name: 'a compressed body of several parts',
    why: 'it is not sent to hapi: hapi rejects it, then fails to inflate its body, and the process ends',
    seen: [
      [post('x', { type: 'multipart/form-data; boundary=x', encoding: 'gzip' }), notCompressed, null],
      [post('x', { type: 'multipart/form-data; boundary=x', encoding: 'br' }), unsupported, null],
    ],
  },
];
