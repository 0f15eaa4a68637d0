/** Where Sachet answers differently from the reference on purpose, and when two responses are the same. Any other difference is a bug. */
import { METHODS } from 'node:http';
import { errorBody } from '../../../src/contract/refusal.ts';
import type { RuleId } from '../../../src/contract/rules.ts';
import { validOrder } from '../../cases/requests.ts';
import type { HttpAnswer } from '../../support/wire.ts';
import type { ReferenceRequest } from './requests.ts';
import { passedHeader } from './server.ts';

/** A good request without a body. */
export const good: ReferenceRequest = {
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

/** The type before its parameters, which follow a space or a semicolon. */
const essence = (type: string): string => type.toLowerCase().split(/[ \t;]/)[0] ?? '';

/** Two tokens (RFC 9110 5.6.2) with a slash between them. */
function isMediaType(type: string): boolean {
  const names = essence(type).split('/');
  return names.length === 2 && names.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
}

function isOfJson(type: string): boolean {
  const [kind, name = ''] = essence(type).split('/');
  return kind === 'application' && (name === 'json' || (name.endsWith('+json') && name !== '+json'));
}

const isOfParts = (type: string): boolean => essence(type).startsWith('multipart/');

/** The JSON of a body; undefined if it is none. */
function jsonOf({ plain }: ReferenceRequest): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(plain ?? new Uint8Array()));
  } catch {
    return undefined;
  }
}

const mebibyte = 1_048_576;
const [mostLevels, mostValues] = [64, 50_000];

/** The levels and the values of JSON. */
function sizeOf(value: unknown): readonly [levels: number, values: number] {
  if (typeof value !== 'object' || value === null) return [0, 1];
  const parts = Object.values(value).map(sizeOf);
  return [1 + Math.max(0, ...parts.map(([levels]) => levels)), parts.reduce((sum, [, values]) => sum + values, 1)];
}

function isBeyondBounds(value: unknown): boolean {
  const [levels, values] = sizeOf(value);
  return levels > mostLevels || values > mostValues;
}

/** The status and message; status 0 if there was no response, no message if it has no body or is a success. */
export type Summary = readonly [status: number, message: string | undefined];

/** A response, or that of hapi to another request. */
export type Expected = Summary | ReferenceRequest;

export const isSummary = (expected: Expected): expected is Summary => Array.isArray(expected);

export interface Difference {
  readonly name: string;
  readonly why: string;
  readonly applies: (request: ReferenceRequest) => boolean;
  /** The response of Sachet. */
  readonly ours: (request: ReferenceRequest) => Expected;
  /** The response of hapi. */
  readonly theirs: (request: ReferenceRequest) => Expected;
  /** hapi may also close the connection without a response. */
  readonly orUnanswered?: boolean;
  /** Examples, with both responses. */
  readonly seen: readonly (readonly [request: ReferenceRequest, ours: Summary, theirs: Summary])[];
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

/** A response to HEAD has no message. */
const to = ({ method }: ReferenceRequest, [status, message]: Summary): Summary => [
  status,
  method === 'HEAD' ? undefined : message,
];

const order = JSON.stringify(validOrder);
const long = '{}'.padEnd(mebibyte + 1);

export const differences: readonly Difference[] = [
  {
    name: 'a request that the HTTP parser rejects',
    why: 'HTTP-3: every error has the body of the contract; hapi has Node send a bare status line',
    applies: ({ method, target }) => !METHODS.includes(method) || !/^(?:\/|https?:)/.test(target),
    ours: (request) => to(request, badRequest),
    theirs: () => [400, undefined],
    seen: [
      [get('/v2/products', 'FOO'), badRequest, [400, undefined]],
      [get('/v2/products', 'get'), badRequest, [400, undefined]],
      [get('\\v2\\products'), badRequest, [400, undefined]],
    ],
  },
  {
    name: 'a backslash in a target',
    why: 'a URL cannot have one, and URL parsers make a slash of it: it is rejected before it is routed',
    applies: ({ target }) => target.startsWith('/') && target.includes('\\'),
    ours: (request) => to(request, badRequest),
    theirs: (request) => to(request, notFound),
    seen: [
      [get('/v2\\products'), badRequest, notFound],
      [get('/v2\\products', 'HEAD'), [400, undefined], [404, undefined]],
    ],
  },
  {
    name: 'a Content-Type that is no media type',
    why: 'a body of a type that is not JSON is `Unsupported Media Type`, and an empty one is null; hapi has another message',
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
    why: 'an empty body is null; hapi does so for JSON, texts and forms, and rejects other types',
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
    why: 'it is rejected before its type and its compression, then the connection is closed; hapi closes it without a response, or rejects it first',
    applies: ({ isChunked, sent }) => isChunked && sent.length > mebibyte,
    ours: () => tooLarge,
    theirs: ({ type, encoding }) => {
      if (isOfParts(type ?? '')) return unsupported;
      return encoding === 'gzip' || encoding === 'deflate' ? notCompressed : unanswered;
    },
    orUnanswered: true,
    seen: [
      [post(long, { isChunked: true }), tooLarge, unanswered],
      [post(long, { isChunked: true, type: 'multipart/form-data; boundary=x' }), tooLarge, unsupported],
      [post(long, { isChunked: true, encoding: 'gzip' }), tooLarge, notCompressed],
    ],
  },
  {
    name: 'a body of more than 64 levels, or of more than 50,000 values',
    why: 'it is bounded, as one of more than 1 MiB is: docs/reference/requests.md; hapi takes what JSON.parse takes',
    applies: (request) => isBeyondBounds(jsonOf(request)),
    ours: () => malformed,
    theirs: (request) => withBody(request, Array.isArray(jsonOf(request)) ? '[]' : '{}'),
    seen: [
      [post('['.repeat(65) + ']'.repeat(65)), malformed, notAnObject],
      [post(JSON.stringify({ order_lines: Array(49_999).fill(0) })), malformed, [422, '"consumer" is required']],
    ],
  },
];

/** hapi rejects such a request, then fails to inflate its body, and the process ends. */
export const notSent = {
  applies: ({ type, encoding }: ReferenceRequest): boolean => encoding !== null && isOfParts(type ?? ''),
  seen: [
    [post('x', { type: 'multipart/form-data; boundary=x', encoding: 'gzip' }), notCompressed],
    [post('x', { type: 'multipart/form-data; boundary=x', encoding: 'br' }), unsupported],
  ],
} as const;

/** Rules about records: the reference has no records, so it accepts what they reject. */
const ofRecords: ReadonlySet<string> = new Set<RuleId>([
  ...(['bad_credentials', 'bad_refresh_token', 'CAT-2', 'FUL-1', 'FUL-2'] as const),
  ...(['ORD-11', 'ORD-17', 'ORD-18', 'ORD-19', 'ORD-20', 'ORD-21', 'ORD-22', 'ORD-23'] as const),
]);

/** What is compared: the whole body of an error, for HEAD its length. */
const comparable = ({ status, headers, text }: HttpAnswer): unknown => ({
  status,
  type: headers['content-type'],
  challenge: headers['www-authenticate'],
  length: headers['content-length'],
  body: text === '' ? 'none' : JSON.parse(text),
});

/** The reference found the request valid. */
export const isPassed = ({ headers }: HttpAnswer): boolean => headers[passedHeader] === 'yes';

/** What must be equal. */
export function verdicts(ours: HttpAnswer, theirs: HttpAnswer, isHead: boolean): readonly [unknown, unknown] {
  if (!isPassed(theirs)) return [comparable(ours), comparable(theirs)];
  const rule = ours.headers['sandbox-rule'];
  const isAccepted = ours.status < 300 || rule?.split(', ').every((one) => ofRecords.has(one));
  return [
    { passed: isAccepted || comparable(ours), type: ours.headers['content-type'], hasBody: ours.text !== '' },
    { passed: true, type: theirs.headers['content-type'], hasBody: !isHead },
  ];
}

export function summaryOf({ status, text }: HttpAnswer): Summary {
  return [status, text === '' ? undefined : JSON.parse(text).message];
}

/** An error body of the contract; for HEAD its headers alone. */
export const isRefusal = ({ status, headers, text }: HttpAnswer): boolean =>
  headers['content-type'] === 'application/json; charset=utf-8' &&
  (text === '' || errorBody.safeParse(JSON.parse(text)).data?.statusCode === status);
