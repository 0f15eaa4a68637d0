// GET and HEAD of a stored object, whole, in part or on a condition, answered as Amazon S3's GetObject and HeadObject answer them (RFC 9110, 13 and 14).
import { type Hashes, hex } from '../../domain/hashes.ts';
import { type Condition, failedCondition, quoted, timeOf } from './conditions.ts';

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
