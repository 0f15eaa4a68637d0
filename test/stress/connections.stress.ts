// Clients that disconnect early, are slow, or keep many connections open.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { test } from 'vitest';
import { errorBody } from '../../src/contract/refusal.ts';
import { known, validOrder } from '../cases/requests.ts';
import { chunked } from '../support/wire.ts';
import { isTimed, loadFaults, sendLoad } from './load.ts';
import { format, ifAny, isShort, mebibytes, percent, report, sized } from './row.ts';
import { adminKey, type StressServer, startServer, whenQuiet } from './server.ts';
import { closed, connected, headText, inParallel, json, requestText } from './sockets.ts';

const order = JSON.stringify(validOrder);

/** A request of which the client sends these bytes, and takes so many bytes of the responses. */
interface Cut {
  readonly bytes: Uint8Array;
  readonly taken: number;
}
const leavings = ['close', 'reset', 'half-close'] as const;

/** At every byte, so that no request is whole. */
const cutsOf = (request: Buffer, from = 0): Cut[] =>
  Array.from({ length: request.length - from }, (_, at) => ({ bytes: request.subarray(0, from + at), taken: 0 }));

function requestCuts(server: StressServer): Cut[] {
  const head = (...headers: string[]) => Buffer.from(headText(server, 'POST /v2/orders', json, ...headers));
  const zipped = gzipSync(order);
  const [one, two] = [Math.ceil(order.length / 3), Math.ceil((2 * order.length) / 3)];
  const chunks = chunked(order.slice(0, one), order.slice(one, two), order.slice(two));
  const reads = ['/v2/products', `/v2/fulfillments/${known.fulfillment}`, '/v2/orders'];
  const pipelined = Buffer.from(reads.map((path) => requestText(server, `GET ${path}`)).join(''));
  const last = Buffer.from(requestText(server, 'POST /v2/orders', order));
  return [
    ...cutsOf(Buffer.concat([head(`Content-Length: ${order.length}`), Buffer.from(order)])),
    ...cutsOf(Buffer.concat([head('Transfer-Encoding: chunked'), chunks])),
    ...cutsOf(Buffer.concat([head('Content-Encoding: gzip', `Content-Length: ${zipped.length}`), zipped])),
    ...cutsOf(Buffer.concat([pipelined, last]), pipelined.length),
  ];
}

/** Within responses. Repeated requests ask for more than a socket holds, so that the client leaves while the server writes. */
async function responseCuts(server: StressServer): Promise<Cut[]> {
  const { url, token } = server;
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  const { fulfillment } = (await (await fetch(`${url}/v2/fulfillments/${known.fulfillment}`, { headers })).json()) as {
    fulfillment: { label_url: string };
  };
  const { pathname, search } = new URL(fulfillment.label_url);
  const get = (path: string, key = token) => requestText({ url, token: key }, `GET ${path}`);
  // The storage rejects a request with a token.
  const label = get(pathname + search).replace(/^Authorization: .*\r\n/m, '');
  const cuts = (request: string, ...places: number[]) =>
    places.map((taken) => ({ bytes: Buffer.from(request), taken }));
  return [
    ...cuts(get('/v2/products'), 1, 100, 1000),
    ...cuts(label, 1, 100, 1000),
    ...cuts(get('/_admin/sandboxes/stage/events', adminKey), 1, 100),
    ...cuts(get('/v2/fulfillments').repeat(200), 1, 1000, 10_000, 60_000),
    ...cuts(get('/_admin/sandboxes/stage/state', adminKey).repeat(20), 1, 1000, 10_000, 60_000),
    ...cuts(label.repeat(10), 1, 1000, 10_000),
  ];
}

async function leave(port: number, { bytes, taken }: Cut, leaving: (typeof leavings)[number]): Promise<void> {
  const socket = await connected(port);
  if (bytes.length > 0) await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  if (taken > 0) await take(socket, taken).catch(() => undefined);
  if (leaving === 'close') socket.destroy();
  else if (leaving === 'reset') socket.resetAndDestroy();
  else socket.end().resume();
  await closed(socket);
}

/** Reads until so many bytes came, or the connection is closed. */
async function take(socket: Socket, bytes: number): Promise<void> {
  let count = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    count += chunk.length;
    if (count >= bytes) return;
  }
}

test('aborts', async (context) => {
  const [total, limit, mostGrowth] = [sized(10_000, 200), 50, sized(1.1, 1.3)];
  const server = await startServer();
  const stage = server.control.sandbox('stage');
  const late = await responseCuts(server);
  const cuts = [...requestCuts(server), ...late, ...late, ...late, ...late];
  const clients = leavings.flatMap((_, turn) =>
    cuts.map((cut, at) => ({ cut, leaving: leavings[(at + turn) % leavings.length] ?? 'close' })),
  );
  /** Each `step`th client; a multiple of three would leave out two ways to leave. */
  const run = async (step: number, most: number) => {
    const some = clients.filter((_, at) => at % step === 0).slice(0, most);
    await inParallel(some, limit, ({ cut, leaving }) => leave(server.port, cut, leaving));
    return some.length;
  };
  const look = async (mostHandles?: number) => {
    // The journal may grow within its limits.
    await stage.requests.clear();
    const { orders } = await stage.records.orders.list();
    return { ...(await whenQuiet(server, mostHandles)), orders: orders.length };
  };
  const start = await look();
  await run(sized(1, 20), 10_000);
  const warm = await look();
  const count = await run(sized(1, 49), total);
  const end = await look(start.resources.length);
  const growth = end.heapBytes / warm.heapBytes;
  report(context, {
    name: 'aborts',
    load: `${format(count)} clients disconnect early, ${limit} at a time: they close, reset or half-close the connection. They do so at every byte of an order (with a length, chunked, gzipped), at every byte of an order that follows three pipelined requests, and within the responses of short and long lists, labels and the event stream`,
    expected: `as many open files and handles as at the start; the heap within ${format((mostGrowth - 1) * 100)} % of its size after the warm-up; no order stored; only log lines on standard error`,
    measured: `files ${start.files} → ${end.files}, handles ${start.resources.length} → ${end.resources.length}, heap ${mebibytes(warm.heapBytes)} → ${mebibytes(end.heapBytes)} MiB (${percent(growth)}), ${end.orders - start.orders} orders stored`,
    faults: {
      'files stay open': end.files > start.files,
      [`handles stay: ${end.resources}`]: end.resources.length > start.resources.length,
      'orders were stored': end.orders !== start.orders,
      ...ifAny({ 'standard error has': server.unexpectedLines() }),
      'too few clients': count < total,
      'the heap has grown': growth > mostGrowth,
    },
  });
});

/** Seconds. `slack` covers a server that looks once a second; it closes a client that reads nothing when nothing has moved for 30 s twice. */
const limits = { headers: 15, request: 30, reading: 60, slack: sized(3, 20) };

test('slow', async (context) => {
  const [eachKind, readers, mostWait] = [sized(250, 40), sized(100, 20), sized(500, 2000)];
  // The short form sends too few requests for a higher percentile.
  const percentile = isShort ? 'p50' : 'p99';
  const server = await startServer();
  const { url, port } = server;
  const { files } = await whenQuiet(server);
  const load = sendLoad(server, { perSecond: 50, seconds: limits.request + sized(limits.slack, 1) });
  const slowClients = (start: string) => Promise.all(Array.from({ length: eachKind }, () => slowClient(port, start)));
  const slowHeaders = slowClients(`${headText(server, 'GET /v2/products').slice(0, -2)}X-Slow: `);
  const slowBodies = slowClients(headText(server, 'POST /v2/orders', json, `Content-Length: ${order.length}`));
  const page = await (await fetch(`${url}/_docs`, { headers: { connection: 'close' } })).text();
  const script = /src="([^"]*swagger-ui-bundle[^"]*)"/.exec(page)?.[1] ?? '';
  const large = requestText(server, `GET ${new URL(script, `${url}/_docs`).pathname}`).repeat(3);
  for (let count = 0; count < readers; count += 1) {
    (await connected(port)).pause().write(large);
    // Many at once would be a load of their own.
    await sleep(20);
  }
  const stalled = performance.now();
  const [headers, bodies, normal] = await Promise.all([slowHeaders, slowBodies, load]);
  const stalledFor = () => (performance.now() - stalled) / 1000;
  if (!isShort) while (server.openFiles() > files && stalledFor() < limits.reading + 3 * limits.slack) await sleep(50);
  const freed = isShort ? undefined : stalledFor();
  const isTimely = (clients: typeof headers, limit: number) =>
    clients.every(({ seconds }) => seconds > limit - 0.1 && seconds < limit + limits.slack);
  const rejected = [...headers, ...bodies].filter(({ isRejected }) => isRejected).length;
  report(context, {
    name: 'slow',
    load: `${eachKind} connections send their headers at one byte per second, ${eachKind} their body; ${readers} request much and read nothing; at the same time a normal client sends 50 requests/s`,
    expected: `${percentile} of the normal client under ${mostWait} ms; slow clients get 400 with the contract's error body and are disconnected after ${limits.headers} s (headers) and ${limits.request} s (bodies), at most ${limits.slack} s later${freed ? `; clients that read nothing are disconnected after ${limits.reading} s` : ''}`,
    measured: `p99 ${format(normal.p99, 1)}, max ${format(normal.max)} ms; ${eachKind} disconnected after ${range(headers)}, ${eachKind} after ${range(bodies)}, ${rejected} with a 400${freed ? `; the others after ${format(freed, 1)} s` : ''}`,
    faults: {
      ...loadFaults(normal),
      'the normal client waits too long': isTimed(normal) && normal[percentile] >= mostWait,
      'slow headers are disconnected at the wrong time': !isTimely(headers, limits.headers),
      'slow bodies are disconnected at the wrong time': !isTimely(bodies, limits.request),
      // A client that is paused can meet a reset before it reads the response.
      'some slow clients got no 400': rejected < sized(2, 1) * eachKind,
      'clients that read nothing stay connected': (freed ?? 0) > limits.reading + 2 * limits.slack,
    },
  });
});

const range = (clients: readonly { readonly seconds: number }[]): string => {
  const all = clients.map(({ seconds }) => seconds);
  return `${format(Math.min(...all), 1)} to ${format(Math.max(...all), 1)} s`;
};

/** Sends the start at once, then one byte per second until the server responds. */
async function slowClient(port: number, start: string) {
  const began = performance.now();
  const socket = await connected(port);
  let [text, at] = ['', 0];
  socket.write(start);
  const timer = setInterval(() => socket.write(order[at++ % order.length] ?? ''), 1000);
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    clearInterval(timer);
  });
  await closed(socket, 120_000).finally(() => clearInterval(timer));
  const [head = '', body] = text.split('\r\n\r\n');
  const isRejected = head.startsWith('HTTP/1.1 400 ') && errorBody.safeParse(JSON.parse(body || 'null')).success;
  return { seconds: (performance.now() - began) / 1000, isRejected };
}

test('idle', async (context) => {
  const count = sized(1000, 300);
  // Node's default; the server closes a connection up to a second later.
  const [idleSeconds, latestSeconds] = [65, 68];
  const server = await startServer();
  const request = requestText(server, `GET /v2/products/${known.product}`);
  const { files } = await whenQuiet(server);
  const sockets = await Promise.all(Array.from({ length: count }, () => connected(server.port)));
  const responses = async () =>
    (await Promise.all(sockets.map((socket) => getsResponse(socket, request)))).filter(Boolean);
  const first = (await responses()).length;
  const open = server.openFiles() - files;
  const second = (await responses()).length;
  const idleSince = performance.now();
  const closedAfter = async (socket: Socket) => {
    await closed(socket.resume(), 90_000);
    return (performance.now() - idleSince) / 1000;
  };
  const seconds = isShort ? [] : await Promise.all(sockets.map(closedAfter));
  const [from, to] = [Math.min(...seconds), Math.max(...seconds)];
  report(context, {
    name: 'idle',
    load: `${format(count)} connections at once: each sends a request, waits until all others have sent theirs, and sends a second one${isShort ? '' : '; then all stay idle'}`,
    expected: `all are open at the same time, and each gets two responses${isShort ? '' : `; the server closes each after ${idleSeconds} s`}`,
    measured: `${format(open)} open at the same time, ${format(first)} and ${format(second)} responses${isShort ? '' : `; closed after ${format(from, 1)} to ${format(to, 1)} s`}`,
    faults: {
      'not all are open at the same time': open < count,
      'not all get a response': first < count || second < count,
      'they are closed too early': from < idleSeconds - 1,
      'they are closed too late': to > latestSeconds,
    },
  });
});

/** Whether the response is a whole one with 200. */
async function getsResponse(socket: Socket, request: string): Promise<boolean> {
  socket.write(request);
  let text = '';
  while (!(text.includes('\r\n\r\n') && text.endsWith('}}'))) {
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    if (!Buffer.isBuffer(chunk)) return false;
    text += chunk;
  }
  return text.startsWith('HTTP/1.1 200 ');
}
