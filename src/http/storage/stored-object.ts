// GET and HEAD of a stored object, whole, in part or on a condition, answered as Amazon S3's GetObject and HeadObject answer them (RFC 9110, 13 and 14).
import { type Hashes, hex } from '../../domain/hashes.ts';
import type { ServiceResponse } from '../exchange.ts';
import { xmlText } from '../xml-text.ts';

// Whether the conditions of a request for a stored object hold, in S3's order (RFC 9110, 13).

interface Asked {
  readonly headers: Pick<Headers, 'get'>;
  /** The storage's time in milliseconds. */
  readonly now: number;
}

/** The version of the object that is there: its ETag, and when it was made, in milliseconds. */
interface Version {
  readonly etag: string;
  readonly modified: number;
}

type Condition = 'If-Match' | 'If-Unmodified-Since' | 'If-None-Match' | 'If-Modified-Since';

/** The condition that does not hold, in S3's order: a date counts only where there is no ETag to compare. */
function failedCondition({ headers, now }: Asked, { etag, modified }: Version): Condition | undefined {
  const match = headers.get('if-match');
  const unmodifiedSince = pastDate(headers.get('if-unmodified-since'), now);
  const noneMatch = headers.get('if-none-match');
  const modifiedSince = pastDate(headers.get('if-modified-since'), now);
  if (match && !isListed(match, etag)) return 'If-Match';
  if (!match && unmodifiedSince !== undefined && modified > unmodifiedSince) return 'If-Unmodified-Since';
  if (noneMatch) return isListed(noneMatch.replaceAll('W/', ''), etag) ? 'If-None-Match' : undefined;
  return modifiedSince !== undefined && modified <= modifiedSince ? 'If-Modified-Since' : undefined;
}

/** S3 takes an ETag without its quotes too. */
const quoted = (tag: string): string => (tag.startsWith('"') ? tag : `"${tag}"`);
const isListed = (tags: string, etag: string): boolean =>
  tags.trim() === '*' || tags.split(',').some((tag) => quoted(tag.trim()) === etag);

/** The three forms of an HTTP date (RFC 9110, 5.6.7). */
const httpDate =
  /^(?:\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/;

/** A date's time; NaN where it is none. */
const timeOf = (text: string): number =>
  httpDate.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;

/** S3 ignores a date that is yet to come. */
function pastDate(text: string | null, now: number): number | undefined {
  const time = timeOf(text ?? '');
  return time <= now ? time : undefined;
}

export interface ObjectRequest {
  readonly method: string;
  readonly headers: Pick<Headers, 'get'>;
  /** The storage's time in milliseconds: what lies after it is no date to compare with. */
  readonly now: number;
}

export interface StoredObject {
  readonly body: Uint8Array;
  /** Quoted, as `etagOf` gives it. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly contentType: string;
}

/** The object, a part of it, or word that it is unchanged; no body where none may be sent. */
export interface ObjectAnswer {
  readonly status: 200 | 206 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** What S3 refuses about an object that is there. */
export interface ObjectRefusal {
  readonly status: 412 | 416;
  readonly code: string;
  readonly message: string;
  readonly extra: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The ETag of a body: 32 hex digits in quotes, as S3's own look. HMAC takes its key as bytes, so it hashes bytes. */
export const etagOf = (hashes: Hashes, body: Uint8Array): string => `"${hex(hashes.hmac(body, 'etag')).slice(0, 32)}"`;

/** The answer to a GET or HEAD of an object. Conditions stand before the range: one that fails never slices. */
export function answered(request: ObjectRequest, object: StoredObject): ObjectAnswer | ObjectRefusal {
  const { body, etag, contentType } = object;
  const modified = modifiedAt(request, object);
  const validators = { etag, 'last-modified': new Date(modified).toUTCString() };
  const failed = failedCondition(request, { etag, modified });
  if (failed === 'If-None-Match' || failed === 'If-Modified-Since') {
    return { status: 304, headers: validators, body: null };
  }
  if (failed) return preconditionFailed(failed);
  const asked = rangeAsked(request, etag, modified);
  const range = rangeOf(asked, body.length);
  if (range === 'unsatisfiable') return invalidRange(asked, body.length);
  const { start, end } = range ?? { start: 0, end: body.length };
  const headers = {
    ...validators,
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'content-length': String(end - start),
    ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${body.length}` } : {}),
  };
  const sent = request.method === 'HEAD' ? null : body.subarray(start, end);
  return { status: range ? 206 : 200, headers, body: sent };
}

/** In whole seconds, as HTTP tells it, and never after now (RFC 9110, 8.8.2.1): a sandbox's clock may stand before its records. */
const modifiedAt = ({ now }: ObjectRequest, { lastModified }: StoredObject): number =>
  Math.floor(Math.min(lastModified.getTime(), now) / 1000) * 1000;

/** The range that is asked for, if any: one that was meant for another version of the object counts as none. */
function rangeAsked({ headers }: ObjectRequest, etag: string, modified: number): string {
  const validator = headers.get('if-range');
  const isMeant = validator === null || quoted(validator) === etag || timeOf(validator) === modified;
  return (isMeant && headers.get('range')) || '';
}

/** The bytes of a range, the end exclusive. What is malformed, of another unit or several ranges is ignored, as S3 does. */
function rangeOf(asked: string, size: number): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(asked) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size } : 'unsatisfiable';
  }
  // As numbers, two positions beyond the safe integers may look equal.
  if (last !== '' && BigInt(last) < BigInt(first)) return undefined;
  const [start, end] = [Number(first), last === '' ? size : Math.min(Number(last) + 1, size)];
  return start < size ? { start, end } : 'unsatisfiable';
}

const preconditionFailed = (condition: Condition): ObjectRefusal => ({
  status: 412,
  code: 'PreconditionFailed',
  message: 'At least one of the pre-conditions you specified did not hold',
  extra: { Condition: condition },
  headers: {},
});

const invalidRange = (asked: string, size: number): ObjectRefusal => ({
  status: 416,
  code: 'InvalidRange',
  message: 'The requested range is not satisfiable',
  extra: { RangeRequested: asked, ActualObjectSize: String(size) },
  headers: { 'content-range': `bytes */${size}` },
});

// S3's error document: a refusal of the storage as XML.

/** What is refused, in S3's words. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Elements that S3 adds after the message, in its order. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export function errorDocument(
  { status, code, message, extra = {}, headers = {} }: Refused,
  id: string,
): ServiceResponse {
  const parts = { Code: code, Message: message, ...extra, RequestId: id, HostId: 'sachet' };
  const elements = Object.entries(parts).map(([name, text]) => `<${name}>${xmlText(text)}</${name}>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}</Error>`;
  return { kind: 'service', status, headers: { ...headers, 'content-type': 'application/xml' }, body };
}
