/** Requests as nobody would send them: mostly a route of the contract, with anything in its path, query, headers and body. */
import fc from 'fast-check';
import { operationList } from '../../src/contract/operations.ts';
import { goodRequests, known, validOrder } from '../cases/requests.ts';

export interface HostileRequest {
  readonly method: string;
  readonly url: string;
  /** `good` stands for a token of the caller, `none` for no header. */
  readonly authorization: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

const printable = fc.stringMatching(/^[ -~]{0,40}$/);
const routes = operationList.map(({ path }) => path);
const goodPaths = Object.values(goodRequests).map(({ path }) => path);
const oddParts = ['', '.', '..', '%zz', '%00', '%2e%2e', '__proto__', '😀', '*', ':id', '{id}', 'v2', 'cancel'];

const part = fc.oneof(
  fc.constantFrom(...oddParts),
  fc.constantFrom(...Object.values(known)),
  printable.map(encodeURIComponent),
);
const oddPath = fc
  .tuple(fc.constantFrom(...routes), fc.array(part, { minLength: 3, maxLength: 3 }))
  .map(([route, parts]) => parts.reduce((path, text) => path.replace(/\{\w+\}/, () => text), `${route}/${parts[2]}`));
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...goodPaths) },
  { weight: 2, arbitrary: oddPath },
  { weight: 1, arbitrary: fc.array(part).map((parts) => `/v2/${parts.join('/')}`) },
);

const key = fc.constantFrom('limit', 'limit', 'cursor', 'order_id', '__proto__', 'x', '');
const value = fc.oneof(fc.constantFrom('1', '20', '%zz', '%00', '-1', '1e999'), printable);
const pairs = fc.array(
  fc.tuple(key, value).map((pair) => pair.join('=')),
  { maxLength: 2 },
);
const query = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: pairs });

const bases = fc.constantFrom('', '', '', '', '/sandboxes/stage', '/sandboxes/nobody', '/sandboxes/%zz');
const url = fc
  .tuple(bases, path, query)
  .map(
    ([base, to, pairs]) =>
      new URL(`http://localhost:4010${base}${to}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`).href,
  );

const headerName = fc.constantFrom(...'content-type content-length accept host transfer-encoding expect x'.split(' '));
const headerValue = fc.oneof(fc.constantFrom('application/json', '0', '99', 'chunked', '*/*'), printable);

export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.record({
  method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'),
  url,
  authorization: fc.oneof(
    { weight: 6, arbitrary: fc.constant('good') },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom('none', 'Bearer', 'Bearer x.y.z', 'Basic ZA=='), printable) },
  ),
  headers: fc.dictionary(headerName, headerValue, { maxKeys: 2 }),
  body: fc.oneof(fc.json(), fc.string(), fc.constant(JSON.stringify(validOrder)), fc.uint8Array()),
});
