// GET and HEAD of a stored object as Amazon S3 answers them: whole, a range, or on a condition (RFC 9110, 13 and 14).

import { type Hashes, hex } from '../../domain/hashes.ts';
import type { StorageError } from '../../domain/labels.ts';
import { xmlType } from '../../journal/entry.ts';
import { xmlText } from '../markup.ts';
import type { ServiceResponse } from '../response.ts';

export interface ObjectRequest {
  readonly method: string;
  readonly headers: Pick<Headers, 'get'>;
  /** The storage's time in milliseconds. */
  readonly now: number;
}

export interface StoredObject {
  readonly body: Uint8Array;
  /** Quoted, as `etagOf` gives it. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly contentType: string;
}

/** The ETag of a body: 32 hex digits in quotes, like S3's. HMAC, since `sha256` takes only text. */
export const etagOf = (hashes: Hashes, body: Uint8Array): string => `"${hex(hashes.hmac(body, 'etag')).slice(0, 32)}"`;

/** Answers a GET or HEAD with the object, a part of it, or 304. Conditions are judged before the range. */
export function answerObjectRequest(request: ObjectRequest, object: StoredObject): ServiceResponse | StorageError {
  const { body, etag, contentType } = object;
  // In whole seconds, and never after now (RFC 9110, 8.8.2.1): a sandbox's clock may be behind its records.
  const modified = Math.floor(Math.min(object.lastModified.getTime(), request.now) / 1000) * 1000;
  const validators = { etag, 'last-modified': new Date(modified).toUTCString() };
  const failed = failedCondition(request, etag, modified);
  if (failed === 'If-None-Match' || failed === 'If-Modified-Since')
    return { kind: 'service', status: 304, headers: validators, body: null };
  if (failed) return preconditionFailed(failed);
  const requested = requestedRange(request, etag, modified);
  const range = parseRange(requested, body.length);
  if (range === 'unsatisfiable') return invalidRange(requested, body.length);
  const { start, end } = range ?? { start: 0, end: body.length };
  const headers = {
    ...validators,
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'content-length': String(end - start),
    ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${body.length}` } : {}),
  };
  const part = request.method === 'HEAD' ? null : body.subarray(start, end);
  return { kind: 'service', status: range ? 206 : 200, headers, body: part };
}

type Condition = 'If-Match' | 'If-Unmodified-Since' | 'If-None-Match' | 'If-Modified-Since';

/** The condition that does not hold, in S3's order: a date counts only without an ETag to compare. */
function failedCondition({ headers, now }: ObjectRequest, etag: string, modified: number): Condition | undefined {
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
const httpDateForm =
  /^(?:\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/;

/** The time of an HTTP date; NaN for any other text. */
const parseHttpDate = (text: string): number =>
  httpDateForm.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;

/** S3 ignores a date in the future. */
function pastDate(text: string | null, now: number): number | undefined {
  const time = parseHttpDate(text ?? '');
  return time <= now ? time : undefined;
}

/** The Range header; empty if it is missing, or was meant for another version of the object (If-Range). */
function requestedRange({ headers }: ObjectRequest, etag: string, modified: number): string {
  const validator = headers.get('if-range');
  const isMeant = validator === null || quoted(validator) === etag || parseHttpDate(validator) === modified;
  return (isMeant && headers.get('range')) || '';
}

/** The bytes of a range, `end` exclusive. Like S3, ignores malformed ranges, other units and several ranges. */
function parseRange(requested: string, size: number): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(requested) ?? [];
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

const preconditionFailed = (condition: Condition): StorageError => ({
  status: 412,
  code: 'PreconditionFailed',
  message: 'At least one of the pre-conditions you specified did not hold',
  extra: { Condition: condition },
});

const invalidRange = (requested: string, size: number): StorageError => ({
  status: 416,
  code: 'InvalidRange',
  message: 'The requested range is not satisfiable',
  extra: { RangeRequested: requested, ActualObjectSize: String(size) },
  headers: { 'content-range': `bytes */${size}` },
});

/** S3's error document. */
export function errorDocument({ status, code, message, extra, headers }: StorageError, id: string): ServiceResponse {
  const parts = { Code: code, Message: message, ...extra, RequestId: id, HostId: 'sachet' };
  const elements = Object.entries(parts).map(([name, text]) => `<${name}>${xmlText(text)}</${name}>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}</Error>`;
  return { kind: 'service', status, headers: { ...headers, 'content-type': xmlType }, body };
}
