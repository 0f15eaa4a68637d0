// An engine on a port: the Node adapter hands each request to the Hono app, and its Response to the socket.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { statusNames } from '../contract/operation.ts';
import type { ErrorBody } from '../contract/refusal.ts';
import type { Engine } from '../engine.ts';
import type { Bindings, ServiceResponse } from '../http/exchange.ts';
import { answers } from '../http/memory.ts';
import { BrokenConnection, failureResponse } from '../http/response.ts';
import { UsageError } from '../stores/errors.ts';
import { requestId } from '../system/random.ts';
import { displayName, urlOf } from './host-address.ts';
import { reportFailure } from './platform.ts';

export interface Listening {
  /** The base URL, with the port that was taken. */
  readonly url: string;
  /** Lets the calls under way end, for at most half a second, then closes all connections. */
  readonly close: () => Promise<void>;
}

/** @throws UsageError when the address cannot be listened on; the engine is closed then. */
export async function listen(
  engine: Pick<Engine, 'app' | 'close'>,
  { port, host }: { readonly port: number; readonly host: string },
  limits: Timeouts = timeouts,
): Promise<Listening> {
  // A request without a host is let through to the adapter, which has it answered in the contract's body.
  const server = createServer({ requireHostHeader: false, ...limits });
  server.timeout = limits.timeout;
  const inFlight = new InFlightRequests(server);
  server.on('request', together(listenerOf(engine, inFlight), inFlight));
  answerUnreadable(server, inFlight);
  closeStalled(server, inFlight);
  const close = closing(server, inFlight, engine);
  const taken = await portTaken(server, port, host).catch((error: unknown) => {
    engine.close();
    throw error;
  });
  return { url: urlOf(displayName(host), taken), close };
}

async function portTaken(server: Server, port: number, host: string): Promise<number> {
  if (host === '') throw new UsageError('the host to listen on is empty; leave it out, or give an address');
  try {
    // Given to Node as it is, a text would be the path of a socket.
    server.listen({ port: Number(port), host });
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(unavailable(error as NodeJS.ErrnoException, port, host));
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Requests that come in the same turn of the event loop are answered together, once all of them are read: alternating with system calls, the
 * code that answers runs half as fast. One whose client has left by then is not answered.
 */
function together(answer: RequestListener, inFlight: InFlightRequests): RequestListener {
  let waiting: Connection[] = [];
  const answerAll = () => {
    const come = waiting;
    waiting = [];
    for (const { incoming, outgoing } of come) if (inFlight.has(outgoing)) answer(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    if (waiting.push({ incoming, outgoing }) === 1) setImmediate(answerAll);
  };
}

/** A server of HTTP/1.1 has connections of HTTP/1.1. */
interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

const listenerOf = ({ app }: Pick<Engine, 'app'>, inFlight: InFlightRequests): RequestListener =>
  getRequestListener(
    async (request, env) => {
      const connection = env as HttpBindings as Connection;
      const { incoming, outgoing } = connection;
      if (!isReadable(request)) return unreadable();
      const bindings: Bindings = { isOverPort: true, rawHeaders: incoming.rawHeaders };
      try {
        return await app.fetch(request, bindings);
      } catch (error) {
        if (error instanceof BrokenConnection) return broken(error, connection);
        throw error;
      } finally {
        if (bindings.closesConnection) closeBehind(connection);
        if (bindings.responseSize) inFlight.hold(outgoing, bindings.responseSize);
      }
    },
    { errorHandler: (error) => (error instanceof RequestError ? unreadable() : failed(error)) },
  );

let lastOrigin: string | undefined;

/** The adapter lets hosts through that no URL has, such as 256.1.1.1. The last good one is kept: clients keep to one. */
function isReadable({ url }: Request): boolean {
  const origin = url.slice(0, url.indexOf('/', 'https://'.length));
  if (origin === lastOrigin) return true;
  if (!URL.canParse(url)) return false;
  lastOrigin = origin;
  return true;
}

/** A caller gets an answer, whatever was thrown: without one the connection would be held for ever. */
function failed(error: unknown): Response {
  reportFailure(error, requestId());
  const { status, headers, body } = failureResponse();
  return new Response(body as string, { status, headers: { ...headers, 'x-content-type-options': 'nosniff' } });
}

/** Breaks the connection: at once, or in the middle of the response. The responses to requests before it (pipelining) are sent first. */
async function broken({ at, response }: BrokenConnection, connection: Connection): Promise<Response> {
  if (!connection.outgoing.socket) await once(connection.outgoing, 'socket');
  if (at === 'mid_body' && response) await sendHalf(response, connection);
  connection.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** The whole head and the first half of the body. */
async function sendHalf(
  { status, headers, body }: Omit<ServiceResponse, 'kind'>,
  { incoming, outgoing }: Connection,
): Promise<void> {
  const bytes = Buffer.from(body ?? '');
  // A call before it on this connection may have broken it already.
  if (incoming.socket.destroyed || outgoing.headersSent) return;
  outgoing.writeHead(status, { ...headers, 'Content-Length': bytes.byteLength });
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve);
    outgoing.write(bytes.subarray(0, Math.ceil(bytes.byteLength / 2)), () => resolve());
  });
}

/** Makes the response the last of its connection, so that it reaches a client that is still sending. */
function closeBehind({ incoming: { socket }, outgoing }: Connection): void {
  if (!outgoing.headersSent) outgoing.setHeader('connection', 'close');
  // Node ends a socket behind its last response by this method, and resets it if bytes are unread.
  socket.destroySoon = () => endSoon(socket);
}

function unavailable({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use; end what listens there, or give another port (--port), 0 for any free one`;
  if (code === 'EACCES') return `port ${port} on ${host} may not be listened on; give a port (--port) above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `this machine has no address "${host}" to listen on; check the host (--host)`;
  if (code === 'ERR_SOCKET_BAD_PORT') return `${port} is no port; give a number from 0 (any free port) to 65535`;
  return `cannot listen on ${host} port ${port}: ${message}`;
}

/** What a server waits for, in milliseconds, by the names of node:http. */
export interface Timeouts {
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

/** How long clients may take, and what becomes of the connections of those that take longer. */
export const timeouts: Timeouts = {
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
export function closeStalled(server: Server, inFlight: InFlightRequests): void {
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || !inFlight.has(inFlight.lastOn(socket))) socket.destroy();
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
const unreadable = (): Response => new Response(body, { status: 400, headers });

/** Answers what the parser refuses (a bad chunk, a header too long, a request that takes too long) and an expectation that nobody knows. */
function answerUnreadable(server: Server, inFlight: InFlightRequests): void {
  // What comes behind a fault is a fault again. It is refused behind the answers to the calls before it.
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (_: Error, socket: Duplex) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const last = inFlight.lastOn(socket);
    const own = last?.req.complete ? undefined : last;
    const before = inFlight.lastWholeOn(socket);
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

/** What a connection gets: its answers under way, and the last of all that it got or gets. */
interface Answers {
  /** One, mostly, unless the client sends before it is answered. */
  readonly open: ServerResponse[];
  last: ServerResponse;
  /** Where it stands among those of its server. */
  at: number;
}

const connectionOf = Symbol('connection');
type Followed = Duplex & { [connectionOf]?: Answers };

/** Follows a server from now on. It emits `idle` whenever its last call under way has ended. */
export class InFlightRequests {
  /** In no order. As a map, which V8 rebuilds every few connections, they left 20 MB more of garbage behind 15,000 connections. */
  readonly #connections: Answers[] = [];
  readonly #server: Server;
  readonly #held = new WeakMap<ServerResponse, () => void>();
  #size = 0;

  constructor(server: Server) {
    this.#server = server;
    // Before the answer is begun.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = (socket as Followed)[connectionOf] ?? this.#opened(socket, response);
      connection.open.push(response);
      connection.last = response;
      this.#size += 1;
      response.once('close', () => this.#end(connection, response));
    });
  }

  /** Node tells nothing to those answers of a closed connection that still wait for their turn on it. */
  #opened(socket: Followed, last: ServerResponse): Answers {
    const connection: Answers = { open: [], last, at: this.#connections.length };
    socket[connectionOf] = connection;
    this.#connections.push(connection);
    socket.once('close', () => {
      this.#leave(connection);
      for (const response of [...connection.open]) this.#end(connection, response);
    });
    return connection;
  }

  /** The last one takes its place. */
  #leave({ at }: Answers): void {
    const last = this.#connections.pop();
    if (!last || last.at === at) return;
    last.at = at;
    this.#connections[at] = last;
  }

  /** Counts what an answer holds until it has ended. */
  hold(response: ServerResponse, bytes: number): void {
    if (bytes > 0 && this.has(response)) this.#held.set(response, answers.hold(bytes));
  }

  #end({ open }: Answers, response: ServerResponse): void {
    if (open.at(-1) === response) open.pop();
    else if (open.includes(response)) open.splice(open.indexOf(response), 1);
    else return;
    this.#held.get(response)?.();
    this.#size -= 1;
    if (this.#size === 0) this.#server.emit('idle');
  }

  get size(): number {
    return this.#size;
  }

  *[Symbol.iterator](): IterableIterator<ServerResponse> {
    for (const { open } of this.#connections) yield* open;
  }

  has(response: ServerResponse | undefined): boolean {
    return response !== undefined && (response.req.socket as Followed)[connectionOf]?.open.includes(response) === true;
  }

  /** Of the answers under way on a connection the last one whose request has come whole. */
  lastWholeOn(socket: Duplex): ServerResponse | undefined {
    return (socket as Followed)[connectionOf]?.open.findLast(({ req }) => req.complete);
  }

  /** The answer to the last request of a connection, under way or not. */
  lastOn(socket: Duplex): ServerResponse | undefined {
    return (socket as Followed)[connectionOf]?.last;
  }
}

// How a server ends: it says so at /health, answers the calls under way, and closes.

const graceMilliseconds = 500;

/** What it gives closes the server, once. */
function closing(server: Server, inFlight: InFlightRequests, engine: Pick<Engine, 'close'>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  // Before the answer is begun.
  server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
    if (closed) last(response);
  });
  const close = async () => {
    for (const response of inFlight) last(response);
    engine.close();
    // Until then it listens: whoever asks how it is shall be told, and not meet a closed port.
    if (inFlight.size > 0)
      await Promise.race([once(server, 'idle'), sleep(graceMilliseconds, undefined, { ref: false })]);
    const gone = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await gone;
  };
  return () => {
    closed ??= close();
    return closed;
  };
}

/** Tells the client that its connection takes no further call, where the answer is not begun. */
function last(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

// The end of a connection whose client may still be sending.

const lingerMilliseconds = 500;

/**
 * Ends a connection behind what was written to it. What its client still sends is taken and thrown away for a moment: a connection that is closed with bytes
 * unread is reset, and the client may lose the answer.
 */
function endSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy());
  socket.resume();
  if (socket.writable) socket.end();
}
