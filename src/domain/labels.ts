// Shipping labels: their content, their URLs (FUL-4, FUL-5), and the storage's checks of a request, with S3's errors.
import { labelPath } from '../contract/addresses.ts';
import { limits } from '../contract/limits.ts';
import type { RecordOf } from '../contract/records.ts';
import { hex, utf8 } from './hashes.ts';
import { type Identity, lifetimeOf, type World } from './world.ts';

/** The content of a label; lists are printed one line each. Its layout is not decided here. */
export interface ShippingLabel {
  readonly fulfillmentId: string;
  /** The carrier's name and its service level; null while no carrier is assigned. */
  readonly carrier: { readonly name: string; readonly method: string; readonly trackingNumber: string } | null;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly orderNumber: string;
  readonly weightGrams: number;
  /** One name per shipped line. */
  readonly contents: readonly string[];
  /** ISO 8601, as `updatedAt`. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Where packages are sent from. It is invented: no place has this postal code. */
const warehouse = ['100 Sandbox Way', 'Columbus, Ohio 00000', 'United States'];

export function shippingLabel(world: World, fulfillment: RecordOf<'fulfillments'>): ShippingLabel {
  const { tracking_info: tracking, updated_at } = fulfillment;
  const order = world.table('orders').get(fulfillment.order_id);
  return {
    fulfillmentId: fulfillment.id,
    carrier: tracking && {
      name: tracking.shipping_carrier,
      method: tracking.shipping_method,
      trackingNumber: tracking.tracking_number,
    },
    from: [world.single('operator').name, `for ${world.table('brands').get(fulfillment.brand_id)?.name}`, ...warehouse],
    to: order ? addressee(world.table('consumers').get(fulfillment.consumer_id), order.shipping_address) : [],
    orderNumber: fulfillment.shipment_order_number,
    weightGrams: fulfillment.weight,
    contents: fulfillment.order_lines.map(({ name }) => name),
    createdAt: fulfillment.created_at,
    updatedAt: order && order.updated_at > updated_at ? order.updated_at : updated_at,
  };
}

function addressee(
  consumer: RecordOf<'consumers'> | undefined,
  address: RecordOf<'orders'>['shipping_address'],
): string[] {
  const { address1, city, province_name: province, postal_code: code, country_name } = address;
  const name = [consumer?.first_name, consumer?.last_name].filter(Boolean).join(' ');
  // A label breaks no row within the postal code.
  const region = [province, code?.replaceAll(' ', '\u00a0')].filter(Boolean).join(' ');
  return [name || 'Resident', address1, region ? `${city}, ${region}` : city, country_name];
}

// Label URLs: Signature Version 4 in the query, as S3 pre-signs a GET (FUL-4).
// Source: "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)", Amazon S3 API Reference.

const algorithm = 'AWS4-HMAC-SHA256';
const region = 'us-east-1';

/** 2026-11-20T12:00:00Z → 20261120T120000Z */
function amzDate(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The seconds of an X-Amz-Date; undefined if it is not one. */
function secondsOf(date: string | null): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  if (!date || !parts.test(date)) return undefined;
  const millis = Date.parse(date.replace(parts, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(millis) ? undefined : millis / 1000;
}

/** When a pre-signed URL expires according to its query, in milliseconds since 1970. */
export function endOf(query: URLSearchParams): number {
  const stamp = secondsOf(query.get('X-Amz-Date')) ?? 0;
  return (stamp + Number(query.get('X-Amz-Expires'))) * 1000;
}

const scopeOf = (date: string): string => `${date.slice(0, 8)}/${region}/s3/aws4_request`;

type Sign = (method: string, path: string, canonicalQuery: string) => string;

/** Signs requests to this host at this time with the sandbox's secret. */
function signer({ hashes, identity }: Pick<World, 'hashes' | 'identity'>, host: string, stampSeconds: number): Sign {
  const date = amzDate(stampSeconds);
  const scope = scopeOf(date);
  const secret = hex(hashes.hmac(utf8(identity.signingKey), 'labels'));
  const key = scope.split('/').reduce((key, part) => hashes.hmac(key, part), utf8(`AWS4${secret}`));
  const head = `${algorithm}\n${date}\n${scope}\n`;
  return (method, path, query) => {
    const canonical = `${method}\n${path}\n${query}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
    return hex(hashes.hmac(key, head + hex(hashes.sha256(canonical))));
  };
}

/** The access key id contains the generation, so that all labels issued so far can be expired at once. */
const keyPrefix = 'SACHET';
const accessKeyId = (generation: number): string =>
  `${keyPrefix}${generation.toString(36).toUpperCase().padStart(14, '0')}`;

type LabelUrls = (fulfillmentId: string) => string;

/** The URLs of a sandbox that are issued within a second share a signing key and most of the query. */
const cachedLabelUrls = new WeakMap<Identity, { readonly key: string; readonly urls: LabelUrls }>();

/** Makes label URLs that are issued now. The stamp is the second that has begun, as it is in S3 (FUL-4). */
export function labelUrls(world: World): LabelUrls {
  const { identity, baseUrl, generations, now } = world;
  const stampSeconds = Math.floor(now / 1000);
  const expiresSeconds = lifetimeOf(world, 'label_expiry', limits.labelSeconds);
  const key = `${stampSeconds} ${expiresSeconds} ${generations.labels} ${baseUrl}`;
  const cached = cachedLabelUrls.get(identity);
  if (cached?.key === key) return cached.urls;
  const { host, origin, pathname } = new URL(baseUrl);
  const base = pathname.replace(/\/$/, '');
  const date = amzDate(stampSeconds);
  const credential = encodeURIComponent(`${accessKeyId(generations.labels)}/${scopeOf(date)}`);
  // In the order of the canonical request.
  const query = [
    `X-Amz-Algorithm=${algorithm}`,
    `X-Amz-Credential=${credential}`,
    `X-Amz-Date=${date}`,
    `X-Amz-Expires=${expiresSeconds}`,
    'X-Amz-SignedHeaders=host',
  ].join('&');
  const sign = signer(world, host, stampSeconds);
  const urls = (fulfillmentId: string) => {
    const path = base + labelPath(fulfillmentId);
    return `${origin}${path}?${query}&X-Amz-Signature=${sign('GET', path, query)}`;
  };
  cachedLabelUrls.set(identity, { key, urls });
  return urls;
}

// The storage's checks.

/** An error in S3's words. */
export interface StorageError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Elements that S3 adds after the message, in its order. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The rule that the request breaks. Default: FUL-4. */
  readonly rule?: 'storage_auth';
}

const refusal = (code: string, message: string, extra?: Readonly<Record<string, string>>): StorageError => ({
  status: code === 'AuthorizationQueryParametersError' ? 400 : 403,
  code,
  message,
  ...(extra ? { extra } : {}),
});

const required = ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'].map(
  (name) => `X-Amz-${name}`,
);
const maxExpiresSeconds = 604_800;

export interface StorageRequest {
  readonly method: string;
  readonly host: string;
  /** Still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The Authorization header; null if it is missing. */
  readonly authorization: string | null;
}

/** A label is downloaded without a caller. */
type Storage = Pick<World, 'now' | 'identity' | 'hashes' | 'isExpired' | 'assumptions'>;

/** Why the storage refuses this request; undefined if it accepts it. The order of the checks is S3's. */
export function judgeLabelRequest(world: Storage, request: StorageRequest): StorageError | undefined {
  const { query, authorization } = request;
  // Like S3, chooses the mechanism before it judges any: an expired or forged URL gets this error, too.
  if (authorization !== null && query.has('X-Amz-Algorithm') && world.assumptions.get('storage_auth') === 'reject')
    return twoMechanisms(authorization);
  const present = required.filter((name) => query.has(name));
  if (present.length === 0) return refusal('AccessDenied', 'Access Denied');
  const malformed = malformedParameter(query, present.length);
  if (malformed) return refusal('AuthorizationQueryParametersError', malformed);
  const [keyId = ''] = String(query.get('X-Amz-Credential')).split('/');
  const generation = generationOf(keyId);
  if (generation === undefined) {
    const message = 'The AWS Access Key Id you provided does not exist in our records.';
    return refusal('InvalidAccessKeyId', message, { AWSAccessKeyId: keyId });
  }
  return expired(world, query, generation) ?? badSignature(world, request);
}

/** S3 echoes the header; here the credentials are left out, because they are most often the client's access token. */
function twoMechanisms(authorization: string): StorageError {
  const [, scheme] = /^(Bearer|Basic|AWS4-HMAC-SHA256|AWS) /i.exec(authorization) ?? [];
  const message =
    'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or ' +
    'the Authorization header should be specified';
  const value = scheme === undefined ? '[redacted]' : `${scheme} [redacted]`;
  const extra = { ArgumentName: 'Authorization', ArgumentValue: value };
  return { status: 400, code: 'InvalidArgument', message, extra, rule: 'storage_auth' };
}

function malformedParameter(query: URLSearchParams, present: number): string | undefined {
  if (present < required.length) {
    const names = required.slice(0, -1).join(', ');
    return `Query-string authentication version 4 requires the ${names}, and X-Amz-Signature parameters.`;
  }
  if (query.get('X-Amz-Algorithm') !== algorithm) return 'X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"';
  if (secondsOf(query.get('X-Amz-Date')) === undefined) {
    return "X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"";
  }
  const expires = String(query.get('X-Amz-Expires'));
  if (!/^\d+$/.test(expires)) return 'X-Amz-Expires should be a number';
  return Number(expires) > maxExpiresSeconds
    ? 'X-Amz-Expires must be less than a week (in seconds) that is; 604800'
    : undefined;
}

function generationOf(keyId: string): number | undefined {
  const generation = Number.parseInt(keyId.slice(keyPrefix.length), 36);
  return Number.isSafeInteger(generation) && keyId === accessKeyId(generation) ? generation : undefined;
}

function expired(world: Storage, query: URLSearchParams, generation: number): StorageError | undefined {
  const end = endOf(query);
  if (world.now < end && !world.isExpired('labels', generation)) return undefined;
  const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
  return refusal('AccessDenied', 'Request has expired', {
    'X-Amz-Expires': String(Number(query.get('X-Amz-Expires'))),
    Expires: iso(Math.min(end, world.now)),
    ServerTime: iso(world.now),
  });
}

function badSignature(world: Storage, { method, host, path, query }: StorageRequest): StorageError | undefined {
  const stampSeconds = secondsOf(query.get('X-Amz-Date')) ?? 0;
  const canonical = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const expected = signer(world, host, stampSeconds)(method, path, canonical);
  const [given, ...further] = query.getAll('X-Amz-Signature');
  if (expected === given && further.length === 0) return undefined;
  const message =
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.';
  return refusal('SignatureDoesNotMatch', message);
}
