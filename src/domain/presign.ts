// Signature Version 4 in the query, as S3 pre-signs a GET (FUL-4). Pure: the same inputs give the same URL.
// Source: "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)", Amazon S3 API Reference.
import { LRUCache } from 'lru-cache';
import { type Hashes, hex, utf8 } from './hashes.ts';

const algorithm = 'AWS4-HMAC-SHA256';
const region = 'us-east-1';

/** What the URLs of one response have in common. `expiresSeconds` counts from the stamp, which has whole seconds. */
export interface Presigned extends Stamp {
  readonly accessKeyId: string;
  readonly expiresSeconds: number;
}

/** For whom and when a request is signed. */
export interface Stamp {
  readonly host: string;
  readonly stampSeconds: number;
}

/** 2026-11-20T12:00:00Z → 20261120T120000Z */
function amzDate(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The seconds of an X-Amz-Date, undefined where it is none. */
export function secondsOf(date: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const millis = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(millis) ? undefined : millis / 1000;
}

/** When a pre-signed URL ends, as its query says, in milliseconds. */
export function endOf(query: URLSearchParams): number {
  const stamp = secondsOf(query.get('X-Amz-Date') ?? '') ?? 0;
  return (stamp + Number(query.get('X-Amz-Expires'))) * 1000;
}

/** The query parameters in the order that the canonical request sorts them into, the signature left out. */
function canonicalQuery({ accessKeyId, stampSeconds, expiresSeconds }: Presigned): string {
  const date = amzDate(stampSeconds);
  const credential = encodeURIComponent(`${accessKeyId}/${scopeOf(date)}`);
  return [
    `X-Amz-Algorithm=${algorithm}`,
    `X-Amz-Credential=${credential}`,
    `X-Amz-Date=${date}`,
    `X-Amz-Expires=${expiresSeconds}`,
    'X-Amz-SignedHeaders=host',
  ].join('&');
}

const scopeOf = (date: string): string => `${date.slice(0, 8)}/${region}/s3/aws4_request`;

/** Makes the path and query of pre-signed GETs, each of an absolute path that is encoded already. */
export function presigner(hashes: Hashes, secret: string, presigned: Presigned): (path: string) => string {
  const query = canonicalQuery(presigned);
  const sign = signer(hashes, secret, presigned);
  return (path) => `${path}?${query}&X-Amz-Signature=${sign('GET', path, query)}`;
}

/** Signs requests by their canonical query, whatever it holds. */
export function signer(
  hashes: Hashes,
  secret: string,
  { host, stampSeconds }: Stamp,
): (method: string, path: string, query: string) => string {
  const date = amzDate(stampSeconds);
  const key = signingKey(hashes, secret, date.slice(0, 8));
  const head = `${algorithm}\n${date}\n${scopeOf(date)}\n`;
  return (method, path, query) => {
    const canonical = `${method}\n${path}\n${query}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
    return hex(hashes.hmac(key, head + hex(hashes.sha256(canonical))));
  };
}

const keys = new LRUCache<string, Uint8Array>({ max: 1000 });

/** The day's signing key; it depends on the secret and the day alone, so it is kept. */
function signingKey(hashes: Hashes, secret: string, day: string): Uint8Array {
  const name = `${day} ${secret}`;
  const kept = keys.get(name);
  if (kept) return kept;
  const key = [region, 's3', 'aws4_request'].reduce(
    (last, part) => hashes.hmac(last, part),
    hashes.hmac(utf8(`AWS4${secret}`), day),
  );
  keys.set(name, key);
  return key;
}
