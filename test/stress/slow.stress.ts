// Clients that take their time hold up nobody else, and are not waited for without end.
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { errorBody } from '../../src/contract/refusal.ts';
import { validOrder } from '../cases/requests.ts';
import { faultsOf, isShort, ofTime, shown, sized, tell } from './figure.ts';
import { type Load, loadFaults, offerLoad } from './offered-load.ts';
import { headText, json, requestText } from './request-text.ts';
import { quiet, type StressedServer, startStressed } from './server.ts';
import { connected } from './sockets.ts';

const eachKind = 250;
const readers = 100;
/** How long the normal client may wait, in milliseconds. */
const mostWait = 500;
/** Of 1,650 calls by a schedule one pause of the whole machine delays enough for any higher percentile, so the short form finds what is grossly wrong. */
const percentile = isShort ? 'p50' : 'p99';
/**
 * In seconds; `slack` is for a server that looks once a second, and for a busy machine. Of those who read nothing Node finds out when nothing has moved for
 * the server's 30 s twice.
 */
const limits = { headers: 15, request: 30, reading: 60, slack: sized(3, 8) };

/** What a slow client saw: when it was told so and closed, and whether that was by the contract. */
interface CutOff {
  readonly seconds: number;
  readonly isTold: boolean;
}

test('slow clients beside a normal one', ofTime, async (context) => {
  const server = await startStressed();
  const { url, token } = server;
  const perSecond = 50;
  const { files } = await quiet(server);
  const normal = offerLoad({ url, token, perSecond, seconds: limits.request + limits.slack });
  const order = JSON.stringify(validOrder);
  const line = `${headText(url, token, 'GET /v2/products').slice(0, -2)}X-Slow: `;
  const body = headText(url, token, 'POST /v2/orders', json, `Content-Length: ${order.length}`);
  const many = (start: string) => Promise.all(Array.from({ length: eachKind }, () => slowly(server, start, order)));
  const reading = stalledReaders(server);
  const [headers, bodies, load] = await Promise.all([many(line), many(body), normal]);
  const asked = await reading;
  const freed = isShort ? undefined : await freedAfter(server, files, asked);
  tellSlow(context, { headers, bodies, load, freed });
});

interface Found {
  readonly headers: readonly CutOff[];
  readonly bodies: readonly CutOff[];
  readonly load: Load;
  /** Seconds until the connections of those that read nothing were gone; the short form does not wait for them. */
  readonly freed: number | undefined;
}

function tellSlow(context: Parameters<typeof tell>[0], { headers, bodies, load, freed }: Found): void {
  const all = [...headers, ...bodies];
  tell(context, {
    row: 'slow',
    done: `${eachKind} connections send their headers at one byte per second, ${eachKind} their body; ${readers} request much and read nothing; at the same time a normal client sends 50 requests/s`,
    wanted: `${percentile} of the normal client under ${mostWait} ms; slow clients get 400 with the contract's error body and are disconnected after ${limits.headers} s (headers) and ${limits.request} s (bodies), at most ${limits.slack} s later${freed ? `; clients that read nothing are disconnected after ${limits.reading} s` : ''}`,
    measured: `p50 ${shown(load.p50, 1)}, p99 ${shown(load.p99, 1)}, max ${shown(load.max)} ms; ${headers.length} disconnected after ${span(headers)}, ${bodies.length} after ${span(bodies)}, ${all.filter(({ isTold }) => isTold).length} with a 400${freed ? `; the others after ${shown(freed, 1)} s` : ''}`,
    faults: faultsOf(loadFaults(load)),
    ofMachine: faultsOf({
      'the normal client waits too long': load[percentile] >= mostWait,
      'slow headers are cut off at the wrong time': !isBetween(headers, limits.headers),
      'slow bodies are cut off at the wrong time': !isBetween(bodies, limits.request),
      // A client that is held up may find its connection reset before it has read why.
      'some slow clients got no 400': !all.every(({ isTold }) => isTold),
      'clients that read nothing stay connected': (freed ?? 0) > limits.reading + 2 * limits.slack,
    }),
  });
}

const isBetween = (all: readonly CutOff[], limit: number): boolean =>
  all.every(({ seconds }) => seconds > limit - 0.1 && seconds < limit + limits.slack);

function span(all: readonly CutOff[]): string {
  const seconds = all.map((one) => one.seconds);
  return `${shown(Math.min(...seconds), 1)} to ${shown(Math.max(...seconds), 1)} s`;
}

/** Sends the start at once and the rest a byte a second, until the server has enough of it. */
async function slowly({ port }: StressedServer, start: string, rest: string): Promise<CutOff> {
  const began = performance.now();
  const socket = await connected(port);
  let [text, at] = ['', 0];
  socket.write(start);
  const timer = setInterval(() => socket.write(rest[at++ % rest.length] ?? ''), 1000);
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    clearInterval(timer);
  });
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  clearInterval(timer);
  return { seconds: (performance.now() - began) / 1000, isTold: isRefusal(text) };
}

function isRefusal(text: string): boolean {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return head.startsWith('HTTP/1.1 400 ') && errorBody.safeParse(JSON.parse(body || 'null')).success;
}

/** Connections that ask for more than a connection holds and take nothing of it; gives when the last one asked. */
async function stalledReaders({ url, port, token }: StressedServer): Promise<number> {
  const page = await (await fetch(`${url}/_docs`, { headers: { connection: 'close' } })).text();
  const script = /src="([^"]*swagger-ui-bundle[^"]*)"/.exec(page)?.[1] ?? '';
  const request = requestText(url, token, `GET ${new URL(script, `${url}/_docs`).pathname}`).repeat(3);
  for (let count = 0; count < readers; count += 1) {
    (await connected(port)).pause().write(request);
    // Many that come at once would be a load of their own.
    await sleep(20);
  }
  return performance.now();
}

/** Seconds since then until the server holds no more files than before. */
async function freedAfter({ openFiles }: StressedServer, before: number, since: number): Promise<number> {
  const deadline = since + (limits.reading + 3 * limits.slack) * 1000;
  while (openFiles() > before && performance.now() < deadline) await sleep(50);
  return (performance.now() - since) / 1000;
}
