/** Where Sachet answers otherwise than the reference on purpose, and what both say there. Whatever else differs is a fault. */
import { METHODS } from 'node:http';
import { validOrder } from '../../cases/requests.ts';
import type { ReferenceRequest } from './requests.ts';
import {
  bearing,
  good,
  isBeyondBounds,
  isMediaType,
  isOfJson,
  isOfParts,
  jsonOf,
  mebibyte,
  nested,
  post,
  withinBounds,
} from './traits.ts';

/** The status and message of an answer; status 0 where there was none, no message where it has no body or is a success. */
export type Told = readonly [status: number, message: string | undefined];

/** What one side answers: so much to the word, or what hapi answers to another request. */
export type Said = Told | ReferenceRequest;

export const isTold = (said: Said): said is Told => Array.isArray(said);

export interface Difference {
  readonly name: string;
  readonly why: string;
  readonly applies: (request: ReferenceRequest) => boolean;
  /** What Sachet answers to such a request. */
  readonly ours: (request: ReferenceRequest) => Said;
  /** What hapi answers. */
  readonly theirs: (request: ReferenceRequest) => Said;
  /** Requests by which it is seen, and both answers. */
  readonly seen: readonly (readonly [request: ReferenceRequest, ours: Told, theirs: Told])[];
}

const get = (target: string): ReferenceRequest => ({ ...good, method: 'GET', target });

const badRequest: Told = [400, 'Bad Request'];
const notFound: Told = [404, 'Not Found'];
const unsupported: Told = [400, 'Unsupported Media Type'];
const noMediaType: Told = [400, 'Invalid content-type header'];
const tooLarge: Told = [400, 'Payload content length greater than maximum allowed: 1048576'];
const notCompressed: Told = [400, 'Invalid compressed payload'];
const malformed: Told = [400, 'Invalid request payload JSON format'];
const notAnObject: Told = [422, '"value" must be of type object'];
const unanswered: Told = [0, undefined];

/** An answer to HEAD has no message. */
const to = ({ method }: ReferenceRequest, [status, message]: Told): Told => [
  status,
  method === 'HEAD' ? undefined : message,
];

const order = JSON.stringify(validOrder);
const long = '{}'.padEnd(mebibyte + 1);

export const differences: readonly Difference[] = [
  {
    name: 'a request that the parser of HTTP does not take',
    why: 'HTTP-3: every error has the body of the contract; hapi has Node send a bare status line',
    applies: ({ method, target }) => !METHODS.includes(method) || !/^(?:\/|https?:)/.test(target),
    ours: (request) => to(request, badRequest),
    theirs: () => [400, undefined],
    seen: [
      [{ ...get('/v2/products'), method: 'FOO' }, badRequest, [400, undefined]],
      [{ ...get('/v2/products'), method: 'get' }, badRequest, [400, undefined]],
      [get('\\v2\\products'), badRequest, [400, undefined]],
    ],
  },
  {
    name: 'a backslash in a target',
    why: 'no URL has one as it stands, and who makes a URL of it makes a slash of it: it is refused before it is routed',
    applies: ({ target }) => target.startsWith('/') && target.includes('\\'),
    ours: (request) => to(request, badRequest),
    theirs: (request) => to(request, notFound),
    seen: [
      [get('/v2\\products'), badRequest, notFound],
      [{ ...get('/v2\\products'), method: 'HEAD' }, [400, undefined], [404, undefined]],
    ],
  },
  {
    name: 'a Content-Type that is no media type',
    why: 'reading.md: a body of a type that is not JSON is `Unsupported Media Type`, and an empty one is null; hapi has other words',
    applies: ({ type }) => Boolean(type) && !isMediaType(type ?? ''),
    ours: (request) => ({ ...request, type: 'text/plain', isChunked: false }),
    theirs: () => noMediaType,
    seen: [
      [post(order, { type: 'json' }), unsupported, noMediaType],
      [{ ...good, type: 'json' }, notAnObject, noMediaType],
      [post(long, { type: 'json', isChunked: true }), tooLarge, noMediaType],
    ],
  },
  {
    name: 'an empty body of a type that is not JSON',
    why: 'reading.md: an empty body is null; hapi says so of JSON, texts and forms, and refuses other types',
    applies: ({ type, plain }) => !plain?.length && Boolean(type) && !isOfJson(type ?? ''),
    ours: (request) => ({ ...request, type: 'application/json' }),
    theirs: () => unsupported,
    seen: [
      [{ ...good, type: 'application/xml' }, notAnObject, unsupported],
      [post('', { type: 'image/png' }), notAnObject, unsupported],
    ],
  },
  {
    name: 'a body in chunks that become too many',
    why: 'it is answered, then the connection is closed; hapi closes it without an answer',
    applies: ({ isChunked, sent }) => isChunked && sent.length > mebibyte,
    ours: () => tooLarge,
    theirs: () => unanswered,
    seen: [[post(long, { isChunked: true }), tooLarge, unanswered]],
  },
  {
    name: 'a body of several parts in chunks that become too many',
    why: 'it is too large before it is of a wrong type, as it is by its length; hapi refuses several parts before it reads them',
    applies: ({ isChunked, sent, type }) => isChunked && sent.length > mebibyte && isOfParts(type ?? ''),
    ours: () => tooLarge,
    theirs: () => unsupported,
    seen: [[post(long, { isChunked: true, type: 'multipart/form-data; boundary=x' }), tooLarge, unsupported]],
  },
  {
    name: 'a broken compressed body in chunks that become too many',
    why: 'it is bounded before it is inflated, as it is by its length; hapi inflates it as it comes',
    applies: ({ isChunked, sent, encoding }) =>
      isChunked && sent.length > mebibyte && (encoding === 'gzip' || encoding === 'deflate'),
    ours: () => tooLarge,
    theirs: () => notCompressed,
    seen: [
      [post(long, { isChunked: true, encoding: 'gzip' }), tooLarge, notCompressed],
      [post(long, { isChunked: true, encoding: 'deflate' }), tooLarge, notCompressed],
    ],
  },
  {
    name: 'a body of more than 64 levels, or of more than 50,000 values',
    why: 'it is bounded, as one of more than 1 MiB is: docs/reference/requests.md; hapi takes what JSON.parse takes',
    applies: (request) => isBeyondBounds(jsonOf(request)),
    ours: () => malformed,
    theirs: (request) => bearing(request, withinBounds(jsonOf(request))),
    seen: [
      [post(nested(65)), malformed, notAnObject],
      [post(JSON.stringify({ order_lines: Array(49_999).fill(0) })), malformed, [422, '"consumer" is required']],
    ],
  },
];
