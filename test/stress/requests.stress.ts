// Requests with wrong contents get responses that the contract declares (HTTP-2, HTTP-3), and the server keeps running.
import fc from 'fast-check';
import { test } from 'vitest';
import { statusNames } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { errorBody } from '../../src/contract/refusal.ts';
import { goodRequests, known, orderWith, validOrder } from '../cases/requests.ts';
import { publishedFetch } from '../support/openapi-document.ts';
import { fixtures } from '../support/sachet.ts';
import { answersIn, chunked, type HttpAnswer } from '../support/wire.ts';
import { format, ifAny, report, seed, sized } from './row.ts';
import { type Client, startServer } from './server.ts';
import { exchange, headText, inParallel, json } from './sockets.ts';

const total = sized(10_000, 500);
const limit = 50;

interface FuzzedRequest {
  readonly method: string;
  readonly url: string;
  readonly bytes: Buffer;
  /** The body, unless a header changes where it ends. */
  readonly body?: string;
  /** Whether the bytes no longer match the method and URL. */
  readonly isBroken: boolean;
  readonly hasOtherHost: boolean;
}
/** A request to a server that is known later. */
type Unaddressed = (client: Client) => FuzzedRequest;

const orderPaths = [
  ...['consumer', 'consumer.email', 'shipping_address', 'shipping_address.country_name', 'extra'],
  ...['order_lines', 'order_lines.0.duration', 'order_lines.0.pouches.0.contents'],
  ...['client_product_id', 'serving_size'].map((name) => `order_lines.0.pouches.0.contents.0.${name}`),
];
const wrongOrder = fc.dictionary(fc.constantFrom(...orderPaths), fc.jsonValue(), { maxKeys: 2 }).map((patches) => {
  try {
    return JSON.stringify(orderWith(patches));
  } catch {
    // The first patch removed the parent of the second.
    return JSON.stringify(patches);
  }
});
const orders = fc.tuple(wrongOrder, fc.boolean()).map(
  ([body, isChunked]): Unaddressed =>
    (client) => {
      const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body)}`;
      const head = headText(client, 'POST /v2/orders', length, json, 'Connection: close');
      const bytes = Buffer.concat([Buffer.from(head), isChunked ? chunked(body) : Buffer.from(body)]);
      return { method: 'POST', url: `${client.url}/v2/orders`, bytes, body, isBroken: false, hasOtherHost: false };
    },
);

/** Only some responses to a broken request with HEAD have a body, so they cannot be told apart. */
const isReadable = ({ method, isBroken }: FuzzedRequest): boolean => method !== 'HEAD' || !isBroken;

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

const target = fc
  .tuple(fc.constantFrom('', '', '', '', '/sandboxes/stage', '/sandboxes/nobody', '/sandboxes/%zz'), path, query)
  .map(([base, to, pairs]) => new URL(`http://localhost${base}${to}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`))
  .map(({ pathname, search }) => pathname + search);

const headerName = fc.constantFrom(...'content-type content-length accept host transfer-encoding expect x'.split(' '));
const headerValue = fc.oneof(fc.constantFrom('application/json', '0', '99', 'chunked', '*/*'), printable);
const framing = /^(?:content-length|transfer-encoding|expect)$/i;
/** Mostly a route of the contract, with anything in its path, query, headers and body. */
const hostile = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'),
    target,
    /** `good` stands for the token of the client, `none` for no header. */
    authorization: fc.oneof(
      { weight: 6, arbitrary: fc.constant('good') },
      { weight: 1, arbitrary: fc.oneof(fc.constantFrom('none', 'Bearer', 'Bearer x.y.z', 'Basic ZA=='), printable) },
    ),
    headers: fc.dictionary(headerName, headerValue, { maxKeys: 2 }),
    body: fc.oneof(fc.json(), fc.string(), fc.constant(JSON.stringify(validOrder)), fc.uint8Array()),
  })
  .map(
    ({ method, target, authorization, headers, body }): Unaddressed =>
      (client) => {
        const content = Buffer.from(body as string);
        const isBroken = Object.keys(headers).some((name) => framing.test(name));
        const sent = {
          host: new URL(client.url).host,
          connection: 'close',
          ...(isBroken ? {} : { 'content-length': content.length }),
          ...(authorization === 'none' ? {} : { authorization }),
          ...(authorization === 'good' ? { authorization: `Bearer ${client.token}` } : {}),
          ...headers,
        };
        const lines = Object.entries(sent).map((pair) => pair.join(': '));
        const head = [`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n');
        return {
          method,
          url: client.url + target,
          bytes: Buffer.concat([Buffer.from(head), content]),
          ...(typeof body === 'string' && !isBroken ? { body } : {}),
          isBroken,
          hasOtherHost: 'host' in headers,
        };
      },
  );

/** Replaces, removes and inserts bytes, more often in the head. */
const edit = fc.record({
  at: fc.oneof(fc.nat(300), fc.nat(1500)),
  removed: fc.nat(3),
  added: fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc.constantFrom('\r\n', '\r', '\n', ' ', ':', '\0', 'chunked', 'ffffffff'),
  ),
});
const broken = fc.tuple(fc.oneof(orders, hostile), fc.array(edit, { minLength: 1, maxLength: 3 })).map(
  ([make, edits]): Unaddressed =>
    (client) => {
      const { method, url, bytes } = make(client);
      const edited = edits.reduce(
        (text, { at, removed, added }) =>
          Buffer.concat([text.subarray(0, at), Buffer.from(added as string), text.subarray(at + removed)]),
        bytes,
      );
      return { method, url, bytes: edited, isBroken: true, hasOtherHost: false };
    },
);
const fuzzed = fc.oneof(
  { weight: 5, arbitrary: hostile },
  { weight: 3, arbitrary: orders },
  { weight: 2, arbitrary: broken },
);

test('fuzz', async (context) => {
  const server = await startServer();
  const { port, token } = server;
  const statuses: Record<number, number> = {};
  const faults: string[] = [];
  const requests = fc
    .sample(fuzzed, { numRuns: 2 * total, seed })
    .map((make) => make(server))
    .filter(isReadable)
    .slice(0, total);
  await inParallel(requests, limit, async (request) => {
    try {
      const responses = answersIn(await exchange(port, request.bytes, !request.isBroken), request.method === 'HEAD');
      for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1;
      await checkResponses(request, responses);
    } catch (error) {
      faults.push(`${error}, to ${JSON.stringify(request.bytes.toString('latin1').replaceAll(token, '…'))}`);
    }
  });
  process.stderr.write(faults.slice(0, 10).join('\n\n'));
  const last = headText(server, 'GET /v2/products', 'Connection: close');
  const [after] = answersIn(await exchange(port, Buffer.from(last)));
  const counts = Object.entries(statuses).map(([status, count]) => `${format(count)} × ${status}`);
  report(context, {
    name: 'fuzz',
    load: `${format(total)} fuzzed requests, each over its own connection, ${limit} at a time: wrong paths, queries, headers, bodies and orders, and bytes that are not HTTP (STRESS_SEED=${seed})`,
    expected:
      'each gets a response; only declared statuses; every body valid according to the OpenAPI document; the server still runs',
    measured: `${counts.join(', ')}; ${format(faults.length)} faults`,
    faults: {
      ...ifAny({ faults, 'standard error has': server.unexpectedLines() }),
      'the server no longer responds': after?.status !== 200,
    },
  });
});

async function checkResponses(request: FuzzedRequest, responses: readonly HttpAnswer[]): Promise<void> {
  const [response] = responses;
  const { isBroken, hasOtherHost, method, url, body } = request;
  if (!response) throw new Error('no response');
  if (!isBroken && responses.length > 1) throw new Error('one request got several responses');
  for (const one of responses) checkResponse(one);
  const isPublished = /^(?:\/sandboxes\/(?:stage|production))?\/v2\//.test(new URL(url).pathname);
  if (isBroken || hasOtherHost || !isPublished) return;
  const { 'content-length': _, ...headers } = response.headers;
  const { status, text } = response;
  const check = publishedFetch(async () => new Response(text || null, { status, headers }), { fixtures });
  await check(url, { method, ...(body === undefined ? {} : { body }) });
}

function checkResponse({ status, headers, text }: HttpAnswer): void {
  if (!(status in statusNames)) throw new Error(`the status ${status} is not declared`);
  if (headers['content-type'] !== 'application/json; charset=utf-8') throw new Error('the body is not JSON');
  if (text === '') return;
  const body: unknown = JSON.parse(text);
  if (status < 400) return;
  const { statusCode, error } = errorBody.parse(body);
  if (statusCode !== status || error !== statusNames[status as keyof typeof statusNames])
    throw new Error(`the error body of ${status} is ${text}`);
}
