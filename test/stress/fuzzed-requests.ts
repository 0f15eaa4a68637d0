// Requests of every kind of wrongness, as bytes.
import fc from 'fast-check';
import { orderWith } from '../cases/requests.ts';
import { chunked } from '../support/chunks.ts';
import { hostileRequest } from '../support/hostile-requests.ts';

export interface Fuzzed {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly bytes: Buffer;
  /** The body, where nothing in the head denies it. */
  readonly body?: string;
  /** Whether the bytes are no longer what method and URL say. */
  readonly isBroken: boolean;
  /** Whether it is said to be for another host. */
  readonly isElsewhere: boolean;
}

/** What only a server's address and token make whole. */
type Unsigned = (host: string, token: string) => Fuzzed;

const framing = /^(?:content-length|transfer-encoding|expect)$/i;

const orderPath = fc.constantFrom(
  'consumer',
  'consumer.email',
  'shipping_address.country_name',
  'shipping_address',
  'order_lines',
  'order_lines.0.duration',
  'order_lines.0.pouches.0.contents',
  'order_lines.0.pouches.0.contents.0.client_product_id',
  'order_lines.0.pouches.0.contents.0.serving_size',
  'extra',
);
const bentOrder = fc.dictionary(orderPath, fc.jsonValue(), { maxKeys: 2 }).map(patchedOrder);

function patchedOrder(patches: Record<string, unknown>): string {
  // The outer parts first, as long as the inner ones have somewhere to stand.
  try {
    return JSON.stringify(orderWith(patches));
  } catch {
    return JSON.stringify(patches);
  }
}

const bent: fc.Arbitrary<Unsigned> = fc.tuple(bentOrder, fc.boolean()).map(([body, isChunked]) => (host, token) => {
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body)}`;
  const head = ['POST /v2/orders HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${token}`, length];
  const text = [...head, 'Content-Type: application/json', 'Connection: close', '', ''].join('\r\n');
  const bytes = Buffer.concat([Buffer.from(text), isChunked ? chunked(body) : Buffer.from(body)]);
  return { method: 'POST', url: `http://${host}/v2/orders`, bytes, body, isBroken: false, isElsewhere: false };
});

const hostile: fc.Arbitrary<Unsigned> = hostileRequest.map(
  ({ method, url, authorization, headers, body }) =>
    (host, token) => {
      const target = new URL(url);
      const sent = Buffer.from(body as string);
      const given = {
        ...(authorization === 'none'
          ? {}
          : { authorization: authorization === 'good' ? `Bearer ${token}` : authorization }),
        ...headers,
      };
      const isFramed = Object.keys(headers).some((name) => framing.test(name));
      const lines = Object.entries({
        host,
        connection: 'close',
        ...(isFramed ? {} : { 'content-length': String(sent.length) }),
        ...given,
      });
      const head = [
        `${method} ${target.pathname}${target.search} HTTP/1.1`,
        ...lines.map((pair) => pair.join(': ')),
        '',
        '',
      ];
      return {
        method,
        url: `http://${host}${target.pathname}${target.search}`,
        bytes: Buffer.concat([Buffer.from(head.join('\r\n')), sent]),
        ...(typeof body === 'string' && !isFramed ? { body } : {}),
        isBroken: isFramed,
        isElsewhere: 'host' in headers,
      };
    },
);

/** A byte that becomes another, goes, or gets others before it; near the start, where the head is, more often. */
const edit = fc.record({
  at: fc.oneof(fc.nat(300), fc.nat(1500)),
  removed: fc.nat(3),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc.constantFrom('\r\n', '\r', '\n', ' ', ':', '\0', 'chunked', 'ffffffff'),
  ),
});

const broken: fc.Arbitrary<Unsigned> = fc
  .tuple(fc.oneof(bent, hostile), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([make, edits]) => (host, token) => {
    const { method, url, bytes } = make(host, token);
    const edited = edits.reduce(
      (last, { at, removed, put }) =>
        Buffer.concat([last.subarray(0, at), Buffer.from(put as string), last.subarray(at + removed)]),
      bytes,
    );
    return { method, url, bytes: edited, isBroken: true, isElsewhere: false };
  });

/** So many of them; the same seed gives the same ones. */
export function fuzzedRequests(count: number, seed: number, host: string, token: string): Fuzzed[] {
  const any = fc.oneof(
    { weight: 5, arbitrary: hostile },
    { weight: 3, arbitrary: bent },
    { weight: 2, arbitrary: broken },
  );
  return fc.sample(any, { numRuns: count, seed }).map((make) => make(host, token));
}
