/** Where Sachet answers otherwise than the twin on purpose. Whatever else differs is a fault. */
import { METHODS } from 'node:http';
import { validOrder } from '../../cases/requests.ts';
import type { TwinRequest } from './requests.ts';

/** The status and message of an answer; status 0 where there was none, no message where it has no body or is a success. */
export type Told = readonly [status: number, message: string | undefined];

export interface Difference {
  readonly name: string;
  readonly why: string;
  readonly applies: (request: TwinRequest) => boolean;
  /** Whether two answers to such a request differ in this way. */
  readonly told: (ours: Told, theirs: Told) => boolean;
  /** Requests by which it is seen, and both answers. */
  readonly seen: readonly (readonly [request: TwinRequest, ours: Told, theirs: Told])[];
}

const mebibyte = 1_048_576;
const nothing = new Uint8Array();
const good: TwinRequest = {
  method: 'POST',
  target: '/v2/orders',
  authorization: 'Bearer TOKEN',
  type: 'application/json',
  encoding: null,
  plain: null,
  sent: nothing,
  isChunked: false,
};
const get = (target: string): TwinRequest => ({ ...good, method: 'GET', target });
const post = (text: string, more: Partial<TwinRequest> = {}): TwinRequest => {
  const bytes = new TextEncoder().encode(text);
  return { ...good, plain: bytes, sent: bytes, ...more };
};

/** hapi's grammar of a media type. */
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t;].*)?$/;
const jsonType = /^application\/(?:[^/ \t;]+\+)?json(?:[ \t;]|$)/i;

const textOf = ({ plain }: TwinRequest): string => new TextDecoder().decode(plain ?? nothing);

function jsonOf(request: TwinRequest): unknown {
  try {
    return JSON.parse(textOf(request));
  } catch {
    return undefined;
  }
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, part) => sum + countOf(part), 1)
    : 1;

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const order = JSON.stringify(validOrder);
const unsupported: Told = [400, 'Unsupported Media Type'];
const tooLarge: Told = [400, 'Payload content length greater than maximum allowed: 1048576'];
const malformed: Told = [400, 'Invalid request payload JSON format'];
const notAnObject: Told = [422, '"value" must be of type object'];
const badRequest: Told = [400, 'Bad Request'];

export const differences: readonly Difference[] = [
  {
    name: 'a request that the parser of HTTP does not take',
    why: 'HTTP-3: every error has the body of the contract; hapi has Node send a bare status line',
    applies: ({ method, target }) => !METHODS.includes(method) || !/^(?:\/|https?:)/.test(target),
    told: (_, [, message]) => message === undefined,
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
    told: ([ours], [theirs]) => ours === 400 && theirs === 404,
    seen: [[get('/v2\\products'), badRequest, [404, 'Not Found']]],
  },
  {
    name: 'a Content-Type that is no media type',
    why: 'reading.md: a body of a type that is not JSON is `Unsupported Media Type`, and an empty one is null; hapi has other words',
    applies: ({ type }) => Boolean(type) && !mediaType.test(type ?? ''),
    told: (_, [, message]) => message === 'Invalid content-type header',
    seen: [
      [post(order, { type: 'json' }), unsupported, [400, 'Invalid content-type header']],
      [{ ...good, type: 'json' }, notAnObject, [400, 'Invalid content-type header']],
    ],
  },
  {
    name: 'an empty body of a type that is not JSON',
    why: 'reading.md: an empty body is null; hapi says so of JSON, texts and forms, and refuses other types',
    applies: ({ type, plain }) => !plain?.length && !jsonType.test(type || 'application/json'),
    told: (_, [, message]) => message === 'Unsupported Media Type',
    seen: [
      [{ ...good, type: 'application/xml' }, notAnObject, unsupported],
      [post('', { type: 'image/png' }), notAnObject, unsupported],
    ],
  },
  {
    name: 'a body in chunks that become too many',
    why: 'it is answered, then the connection is closed; hapi closes it without an answer',
    applies: ({ isChunked, sent }) => isChunked && sent.length > mebibyte,
    told: (_, [status]) => status === 0,
    seen: [[post('{}'.padEnd(mebibyte + 1), { isChunked: true }), tooLarge, [0, undefined]]],
  },
  {
    name: 'a body of more than 64 levels, or of more than 50,000 values',
    why: 'it is bounded, as one of more than 1 MiB is: docs/interface.md; hapi takes what JSON.parse takes',
    applies: (request) => depthOf(jsonOf(request)) > 64 || countOf(jsonOf(request)) > 50_000,
    told: ([, message]) => message === malformed[1],
    seen: [
      [post(nested(65)), malformed, notAnObject],
      [post(JSON.stringify({ order_lines: Array(49_999).fill(0) })), malformed, [422, '"consumer" is required']],
    ],
  },
];
