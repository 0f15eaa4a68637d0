// How long clients may take, and what becomes of the connections of those that take longer.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { statusNames } from '../contract/operation.ts';
import type { ErrorBody } from '../contract/refusal.ts';
import { endSoon, type UnderWay } from './under-way.ts';

/** What a server waits for, in milliseconds, by the names of node:http. */
export interface Patience {
  /** From the connection, or the first byte of a further request on it, to the last byte of the headers. */
  readonly headersTimeout: number;
  /** Likewise, to the last byte of the body. */
  readonly requestTimeout: number;
  /** Between an answer and the next request on its connection. */
  readonly keepAliveTimeout: number;
  /** For a client that takes nothing of its answer; Node gives it as long again. */
  readonly timeout: number;
  /** How often it looks which requests are late. */
  readonly connectionsCheckingInterval: number;
}

export const patience: Patience = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  timeout: 30_000,
  connectionsCheckingInterval: 1000,
};

/**
 * Closes connections on which nothing has moved for the server's `timeout`: those whose client takes nothing of its answer, and idle ones. A call that
 * a fault delays, and a stream that has nothing to tell, are neither.
 */
export function closeStalled(server: Server, underWay: UnderWay): void {
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || !underWay.has(underWay.lastOn(socket))) socket.destroy();
  });
}

// What Node's HTTP parser or the adaptor cannot read as a request never reaches the stages; it is answered here, in the contract's
// body and with one of its statuses (HTTP-2, HTTP-3).

const body = JSON.stringify({
  statusCode: 400,
  error: statusNames[400],
  message: statusNames[400],
} satisfies ErrorBody);
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

const message = [
  `HTTP/1.1 400 ${statusNames[400]}`,
  ...Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  ),
  '',
  body,
].join('\r\n');

/** The answer to a request that the adaptor could not make sense of: no host, or a URL that is none. */
export const unreadable = (): Response => new Response(body, { status: 400, headers });

/** Answers what the parser refuses (a bad chunk, a header too long, a request that takes too long) and an expectation that nobody knows. */
export function answerUnreadable(server: Server, underWay: UnderWay): void {
  // What comes behind a fault is a fault again. It is refused behind the answers to the calls before it.
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (_: Error, socket: Duplex) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const last = underWay.lastOn(socket);
    const own = last?.req.complete ? undefined : last;
    const before = underWay.lastWholeOn(socket);
    if (before) before.once('close', () => refuse(socket, own));
    else refuse(socket, own);
  });
  server.on('checkExpectation', ({ socket }: IncomingMessage, response: ServerResponse) => {
    refused.add(socket);
    response.writeHead(400, headers).end(body);
  });
}

/** A request that has its answer already gets no second one. @param own the answer to the request that is refused, where it came so far */
function refuse(socket: Duplex, own: ServerResponse | undefined): void {
  if (!socket.writable) return void socket.destroy();
  if (!own?.headersSent) socket.write(message);
  endSoon(socket);
}
