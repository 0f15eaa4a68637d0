/** Requests as a client may send them and as nobody would, as bytes: for the differential test against hapi. */
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { chunked } from '../chunks.ts';
import { bodyFor, largeBody } from './bodies.ts';
import { notSent } from './not-sent.ts';
import { aim } from './targets.ts';

/** A request by its parts. */
export interface ReferenceRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The header, in which TOKEN stands for a good token; none where it is null. */
  readonly authorization: string | null;
  readonly type: string | null;
  readonly encoding: string | null;
  /** The body before it was packed; null for a request without one. */
  readonly plain: Uint8Array | null;
  /** The body as it is sent. */
  readonly sent: Uint8Array;
  readonly isChunked: boolean;
}

type MaybeText = fc.Arbitrary<string | null>;
const mostly = (usual: string | null, weight: number, ...odd: readonly (string | null)[]): MaybeText =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const authorization = mostly(
  'Bearer TOKEN',
  9,
  ...[
    null,
    '',
    'Bearer',
    'Bearer ',
    'bearer TOKEN',
    'BEARER  TOKEN ',
    'Bearer TOKENx',
    'Bearer x.y.z',
    'Bearer TOKEN TOKEN',
  ],
  ...['Basic ZGVtbzpkZW1v', 'Token TOKEN', 'TOKEN', 'Bearer "TOKEN"', 'Bearer,TOKEN', 'Bearer %zz', 'Bearer null'],
);
const type = mostly(
  'application/json',
  9,
  ...[null, '', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=ISO-8859-1'],
  ...[
    'application/json ; x=y',
    'application/json x',
    'application/vnd.api+json',
    'application/+json',
    'application/jsonp',
  ],
  ...['text/plain', 'text/json', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/xml'],
  ...[
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'image/png',
    'json',
    'application',
    'a b',
    '*/*',
    '/',
  ],
);

type Packing = Pick<ReferenceRequest, 'encoding' | 'sent'>;
type Pack = (plain: Uint8Array) => Packing;
const asItIs: Pack = (plain) => ({ encoding: null, sent: plain });
const gzip: Pack = (plain) => ({ encoding: 'gzip', sent: gzipSync(plain) });
const spoilt = (plain: Uint8Array, at: number): Uint8Array => {
  const packed = gzipSync(plain);
  return packed.with(at % packed.length, (packed[at % packed.length] ?? 0) ^ 0x55);
};
const packing: fc.Arbitrary<Pack> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(asItIs) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Pack>(
      gzip,
      gzip,
      (plain) => ({ encoding: 'deflate', sent: deflateSync(plain) }),
      (plain) => ({ encoding: 'gzip', sent: plain }),
      (plain) => ({ encoding: 'deflate', sent: plain }),
      (plain) => ({ encoding: 'gzip', sent: deflateSync(plain) }),
      (plain) => ({ encoding: 'deflate', sent: gzipSync(plain) }),
      (plain) => ({ encoding: 'gzip', sent: gzipSync(plain).subarray(0, -3) }),
      (plain) => ({ encoding: 'br', sent: plain }),
      (plain) => ({ encoding: 'identity', sent: plain }),
      (plain) => ({ encoding: 'GZIP', sent: plain }),
      (plain) => ({ encoding: 'x-gzip', sent: gzipSync(plain) }),
      (plain) => ({ encoding: 'gzip, gzip', sent: gzipSync(plain) }),
      (plain) => ({ encoding: '', sent: plain }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat().map(
      (at): Pack =>
        (plain) => ({ encoding: 'gzip', sent: spoilt(plain, at) }),
    ),
  },
);

/** One request in 400 is at the bound of 1 MiB: they take long. */
const plainFor = (path: string): fc.Arbitrary<Uint8Array> =>
  fc.oneof({ weight: 399, arbitrary: bodyFor(path) }, { weight: 1, arbitrary: largeBody });

const takesNone = ['GET', 'HEAD', 'OPTIONS', 'get'];

export const referenceRequest: fc.Arbitrary<ReferenceRequest> = aim.chain(({ method, target, path }) => {
  const usual = takesNone.includes(method) ? 1 : 12;
  const plain = fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: usual, arbitrary: plainFor(path) });
  return fc
    .record({ authorization, type, plain, packing, isChunked: fc.constantFrom(false, false, true) })
    .map(({ packing: pack, ...parts }) => ({
      method,
      target,
      ...parts,
      ...(parts.plain ? pack(parts.plain) : { encoding: null, sent: new Uint8Array() }),
    }))
    .filter((made) => !notSent.some(({ applies }) => applies(made)));
});

/** The request as it goes over the wire, with this token. */
export function bytesOf(request: ReferenceRequest, token: string): Uint8Array {
  const { method, target, authorization: given, type: named, encoding, plain, sent, isChunked } = request;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...(given === null ? [] : [`Authorization: ${given.replaceAll('TOKEN', token)}`]),
    ...(named === null ? [] : [`Content-Type: ${named}`]),
    ...(encoding === null ? [] : [`Content-Encoding: ${encoding}`]),
    ...(plain ? [isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${sent.length}`] : []),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  return plain ? Buffer.concat([head, isChunked ? inChunks(sent) : sent]) : head;
}

/** In two chunks, where there are bytes for two. */
function inChunks(bytes: Uint8Array): Buffer {
  const middle = Math.ceil(bytes.length / 2);
  return chunked(...[bytes.subarray(0, middle), bytes.subarray(middle)].filter((part) => part.length > 0));
}
