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

export type Condition = 'If-Match' | 'If-Unmodified-Since' | 'If-None-Match' | 'If-Modified-Since';

/** The condition that does not hold, in S3's order: a date counts only where there is no ETag to compare. */
export function failedCondition({ headers, now }: Asked, { etag, modified }: Version): Condition | undefined {
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
export const quoted = (tag: string): string => (tag.startsWith('"') ? tag : `"${tag}"`);
const isListed = (tags: string, etag: string): boolean =>
  tags.trim() === '*' || tags.split(',').some((tag) => quoted(tag.trim()) === etag);

/** The three forms of an HTTP date (RFC 9110, 5.6.7). */
const httpDate =
  /^(?:\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/;

/** A date's time; NaN where it is none. */
export const timeOf = (text: string): number =>
  httpDate.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;

/** S3 ignores a date that is yet to come. */
function pastDate(text: string | null, now: number): number | undefined {
  const time = timeOf(text ?? '');
  return time <= now ? time : undefined;
}
