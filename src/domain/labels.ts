// The label URL of a fulfillment and the storage's judgement of one that comes back (FUL-4, FUL-5), with S3's own codes.
import { labelPath } from '../contract/addresses.ts';
import { type Hashes, hex, utf8 } from './hashes.ts';
import type { Identity, World } from './world.ts';

// Signature Version 4 in the query, as S3 pre-signs a GET (FUL-4). Pure: the same inputs give the same URL.
// Source: "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)", Amazon S3 API Reference.

const algorithm = 'AWS4-HMAC-SHA256';
const region = 'us-east-1';

/** What the URLs of one response have in common. `expiresSeconds` counts from the stamp, which has whole seconds. */
interface Presigned extends Stamp {
  readonly accessKeyId: string;
  readonly expiresSeconds: number;
}

/** For whom and when a request is signed. */
interface Stamp {
  readonly host: string;
  readonly stampSeconds: number;
}

/** 2026-11-20T12:00:00Z → 20261120T120000Z */
function amzDate(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The seconds of an X-Amz-Date, undefined where it is none. */
function secondsOf(date: string): number | undefined {
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
function presigner(hashes: Hashes, secret: string, presigned: Presigned): (path: string) => string {
  const query = canonicalQuery(presigned);
  const sign = signer(hashes, secret, presigned);
  return (path) => `${path}?${query}&X-Amz-Signature=${sign('GET', path, query)}`;
}

/** Signs requests by their canonical query, whatever it holds. */
function signer(
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

/** The day's signing key of a secret. */
function signingKey(hashes: Hashes, secret: string, day: string): Uint8Array {
  return [day, region, 's3', 'aws4_request'].reduce((key, part) => hashes.hmac(key, part), utf8(`AWS4${secret}`));
}

/** What judging needs of a world: a label is downloaded without a caller. */
type Storage = Pick<World, 'now' | 'identity' | 'hashes' | 'isExpired'>;

/** The storage's secret of a sandbox. */
const secretOf = ({ hashes, identity }: Pick<World, 'hashes' | 'identity'>): string =>
  hex(hashes.hmac(utf8(identity.signingKey), 'labels'));

/** The access key id carries the generation, so that all labels issued so far can be expired at once. */
const keyPrefix = 'SACHET';
const accessKeyId = (generation: number): string =>
  `${keyPrefix}${generation.toString(36).toUpperCase().padStart(14, '0')}`;

type LabelUrls = (fulfillmentId: string) => string;

/** What made the last label URLs of a sandbox: all that they have in common stays the same for a second. */
const issued = new WeakMap<Identity, { readonly assumptions: string; readonly urls: LabelUrls }>();

/** Makes label URLs that are issued now. The stamp is rounded up to a whole second, so that no URL is refused early. */
export function labelUrls(world: World): LabelUrls {
  const { hashes, identity, baseUrl, generations, now } = world;
  const stampSeconds = Math.ceil(now / 1000);
  const expiresSeconds = world.labelSeconds();
  const assumptions = `${stampSeconds} ${expiresSeconds} ${generations.labels} ${baseUrl}`;
  const last = issued.get(identity);
  if (last?.assumptions === assumptions) return last.urls;
  const { host, origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/$/, '');
  const keyId = accessKeyId(generations.labels);
  const presign = presigner(hashes, secretOf(world), { host, accessKeyId: keyId, stampSeconds, expiresSeconds });
  const urls = (fulfillmentId: string) => origin + presign(path + labelPath(fulfillmentId));
  issued.set(identity, { assumptions, urls });
  return urls;
}

/** S3's refusal: its code, its words and what it tells besides. */
export interface StorageRefusal {
  readonly status: 400 | 403 | 404 | 500;
  readonly code: string;
  readonly message: string;
  readonly extra?: Readonly<Record<string, string>>;
}

const refusal = (code: string, message: string, extra?: Readonly<Record<string, string>>): StorageRefusal => ({
  status: code === 'AuthorizationQueryParametersError' ? 400 : 403,
  code,
  message,
  ...(extra ? { extra } : {}),
});

const required = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-SignedHeaders',
  'X-Amz-Signature',
];
const maxExpiresSeconds = 604_800;

export interface StorageRequest {
  readonly method: string;
  readonly host: string;
  /** The path as it came, still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Why the storage refuses this request; undefined where it is good. The order of the checks is S3's. */
export function judgeLabelRequest(world: Storage, request: StorageRequest): StorageRefusal | undefined {
  const { query } = request;
  const present = required.filter((name) => query.has(name));
  if (present.length === 0) return refusal('AccessDenied', 'Access Denied');
  const malformed = malformedParameter(query, present.length);
  if (malformed) return refusal('AuthorizationQueryParametersError', malformed);
  const generation = generationOf(query);
  if (generation === undefined) {
    const given = String(query.get('X-Amz-Credential')).split('/')[0] ?? '';
    return refusal('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', {
      AWSAccessKeyId: given,
    });
  }
  return expired(world, query, generation) ?? badSignature(world, request);
}

function malformedParameter(query: URLSearchParams, present: number): string | undefined {
  if (present < required.length) {
    return `Query-string authentication version 4 requires the ${required.slice(0, -1).join(', ')}, and X-Amz-Signature parameters.`;
  }
  if (query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return 'X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"';
  if (secondsOf(String(query.get('X-Amz-Date'))) === undefined) {
    return "X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"";
  }
  const expires = String(query.get('X-Amz-Expires'));
  if (!/^\d+$/.test(expires)) return 'X-Amz-Expires should be a number';
  return Number(expires) > maxExpiresSeconds
    ? 'X-Amz-Expires must be less than a week (in seconds) that is; 604800'
    : undefined;
}

function generationOf(query: URLSearchParams): number | undefined {
  const [id = ''] = String(query.get('X-Amz-Credential')).split('/');
  const generation = Number.parseInt(id.slice(keyPrefix.length), 36);
  return Number.isSafeInteger(generation) && id === accessKeyId(generation) ? generation : undefined;
}

function expired(world: Storage, query: URLSearchParams, generation: number): StorageRefusal | undefined {
  const end = endOf(query);
  if (world.now < end && !world.isExpired('labels', generation)) return undefined;
  const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
  return refusal('AccessDenied', 'Request has expired', {
    'X-Amz-Expires': String(Number(query.get('X-Amz-Expires'))),
    Expires: iso(Math.min(end, world.now)),
    ServerTime: iso(world.now),
  });
}

function badSignature(world: Storage, { method, host, path, query }: StorageRequest): StorageRefusal | undefined {
  const stampSeconds = secondsOf(String(query.get('X-Amz-Date'))) ?? 0;
  const canonical = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const expected = signer(world.hashes, secretOf(world), { host, stampSeconds })(method, path, canonical);
  const [given, ...further] = query.getAll('X-Amz-Signature');
  if (expected === given && further.length === 0) return undefined;
  const words =
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.';
  return refusal('SignatureDoesNotMatch', words);
}
