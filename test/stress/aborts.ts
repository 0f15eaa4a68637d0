// The ways to leave in the middle: each a request, or several, that are cut, or whose answer is.
import { gzipSync } from 'node:zlib';
import { known, validOrder } from '../cases/requests.ts';
import { chunked } from '../support/chunks.ts';
import { headText, json, requestText } from './request-text.ts';
import type { StressedServer } from './server.ts';
import { type Leaving, leavings } from './sockets.ts';

export interface Abort {
  readonly bytes: Uint8Array;
  readonly leaving: Leaving;
  /** How much of the answers it takes before it leaves. */
  readonly taken: number;
}

/** What is cut; how it leaves is dealt out in turn. */
type Cut = Omit<Abort, 'leaving'>;

/** All ways, three times: each cut in each way to leave. */
export async function aborts(server: StressedServer): Promise<Abort[]> {
  const answers = await answerCuts(server);
  const cuts = [...orderCuts(server), ...pipelinedCuts(server), ...Array.from({ length: 4 }, () => answers).flat()];
  return [0, 1, 2].flatMap((turn) =>
    cuts.map((cut, at) => ({ ...cut, leaving: leavings[(at + turn) % leavings.length] ?? 'closed' })),
  );
}

const order = JSON.stringify(validOrder);

/** At every byte but behind the last: none of them is whole. */
const cutsOf = (request: Buffer, from = 0): Cut[] =>
  Array.from({ length: request.length - from }, (_, at) => ({ bytes: request.subarray(0, from + at), taken: 0 }));

const headOf = ({ url, token }: StressedServer, ...lines: readonly string[]): Buffer =>
  Buffer.from(headText(url, token, 'POST /v2/orders', json, ...lines));

/** An order: by length, in chunks, gzipped. */
function orderCuts(server: StressedServer): Cut[] {
  const zipped = gzipSync(order);
  const third = Math.ceil(order.length / 3);
  const chunks = chunked(order.slice(0, third), order.slice(third, 2 * third), order.slice(2 * third));
  return [
    Buffer.concat([headOf(server, `Content-Length: ${order.length}`), Buffer.from(order)]),
    Buffer.concat([headOf(server, 'Transfer-Encoding: chunked'), chunks]),
    Buffer.concat([headOf(server, 'Content-Encoding: gzip', `Content-Length: ${zipped.length}`), zipped]),
  ].flatMap((request) => cutsOf(request));
}

/** An order behind other calls on its connection. */
function pipelinedCuts(server: StressedServer): Cut[] {
  const { url, token } = server;
  const reads = ['/v2/products', `/v2/fulfillments/${known.fulfillment}`, '/v2/orders'];
  const before = Buffer.from(reads.map((path) => requestText(url, token, `GET ${path}`)).join(''));
  const request = Buffer.from(requestText(url, token, 'POST /v2/orders', order));
  return cutsOf(Buffer.concat([before, request]), before.length);
}

/** Within answers. Of the long ones more is asked for than a connection holds, so that the server is left while it writes. */
async function answerCuts(server: StressedServer): Promise<Cut[]> {
  const { url, token, adminKey } = server;
  const get = (path: string, by = token): string => requestText(url, by, `GET ${path}`);
  // The storage takes no token.
  const label = get(await labelPath(server)).replace(/^Authorization: .*\r\n/m, '');
  const cutAt = (request: string, places: readonly number[]): Cut[] =>
    places.map((taken) => ({ bytes: Buffer.from(request), taken }));
  return [
    ...cutAt(get('/v2/products'), [1, 100, 1000]),
    ...cutAt(label, [1, 100, 1000]),
    ...cutAt(get('/_admin/sandboxes/stage/events', adminKey), [1, 100]),
    ...cutAt(get('/v2/fulfillments').repeat(200), [1, 1000, 10_000, 60_000]),
    ...cutAt(get('/_admin/sandboxes/stage/state', adminKey).repeat(20), [1, 1000, 10_000, 60_000]),
    ...cutAt(label.repeat(10), [1, 1000, 10_000]),
  ];
}

async function labelPath({ url, token }: StressedServer): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  const answer = await fetch(`${url}/v2/fulfillments/${known.fulfillment}`, { headers });
  const { fulfillment } = (await answer.json()) as { readonly fulfillment: { readonly label_url: string } };
  const { pathname, search } = new URL(fulfillment.label_url);
  return pathname + search;
}
