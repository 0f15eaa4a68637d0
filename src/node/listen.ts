// Listens on a port: the Node adapter hands each request to the Hono app, and its Response to the socket.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Server as Listener, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { healthPath } from '../contract/addresses.ts';
import { statusNames } from '../contract/operation.ts';
import type { ErrorBody } from '../contract/refusal.ts';
import type { Engine } from '../engine.ts';
import { responses } from '../http/memory.ts';
import { type Bindings, BrokenConnection, failureResponse, type ServiceResponse } from '../http/response.ts';
import { requestId } from '../system/random.ts';
import { displayName, urlOf } from './host-address.ts';
import { openPort } from './open-port.ts';
import { reportFailure } from './platform.ts';
import type { Tls } from './tls.ts';

/** Where a server listens; with a certificate it speaks HTTPS. */
export interface Address {
  readonly port: number;
  readonly host: string;
  readonly tls?: Tls | undefined;
  /**
   * Leaves the global Request and Response unchanged. By default the adapter replaces them with faster ones, which
   * break other code of the process, such as msw's network errors. Default: false.
   */
  readonly keepsGlobals?: boolean | undefined;
}

/**
 * Returns the base URL, with the actual port, and a function that closes the server.
 * @throws UsageError if the address cannot be listened on; the engine is closed then
 */
export async function listen(
  engine: Pick<Engine, 'app' | 'close'>,
  { port, host, tls, keepsGlobals = false }: Address,
  limits: Timeouts = timeouts,
) {
  const server = await createNodeServer(tls, limits);
  server.timeout = limits.timeout;
  const inFlight = new InFlightRequests(server);
  server.on('request', inBatches(createListener(engine, inFlight, keepsGlobals), inFlight));
  answerUnreadable(server, inFlight);
  closeStalled(server, inFlight);
  const sockets = tls ? socketsOf(server) : new Set<Socket>();
  const { port: actualPort, listeners } = await openPort(server, port, host).catch((error: unknown) => {
    engine.close();
    throw error;
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeServer({ server, listeners, sockets, inFlight, engine });
    return closed;
  };
  return { url: urlOf(displayName(host), actualPort, tls && 'https'), close };
}

/** Imports node:https only if it is used. */
async function createNodeServer(tls: Tls | undefined, limits: Timeouts): Promise<Server> {
  // The adapter refuses a request without a host, with the contract's error body.
  const options = { requireHostHeader: false, ...limits };
  if (!tls) return createServer(options);
  const https = await import('node:https');
  return https.createServer({ ...options, ...tls, handshakeTimeout: limits.headersTimeout });
}

/** The open sockets. Under TLS, `closeAllConnections` closes only those that have completed the handshake. */
function socketsOf(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Answers the requests of one turn of the event loop together, after all of them are read: alternating with system
 * calls, the code that answers runs half as fast. Requests whose client has left by then are dropped.
 */
function inBatches(answer: RequestListener, inFlight: InFlightRequests): RequestListener {
  let waiting: NodeExchange[] = [];
  const answerAll = () => {
    const batch = waiting;
    waiting = [];
    for (const { incoming, outgoing } of batch) if (inFlight.has(outgoing)) answer(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    // HAProxy's plain `httpchk` is HTTP/1.0 and names no host. Other paths need one for the URLs in their responses.
    if (incoming.httpVersion === '1.0' && incoming.url === healthPath) incoming.headers.host ??= 'localhost';
    if (waiting.push({ incoming, outgoing }) === 1) setImmediate(answerAll);
  };
}

interface NodeExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

const createListener = (
  { app }: Pick<Engine, 'app'>,
  inFlight: InFlightRequests,
  keepsGlobals: boolean,
): RequestListener =>
  getRequestListener(
    async (request, env) => {
      // Never HTTP/2: this server speaks HTTP/1.1.
      const exchange = env as HttpBindings as NodeExchange;
      const { incoming, outgoing } = exchange;
      if (!isReadable(request)) return unreadable();
      const bindings: Bindings = { isOverPort: true, rawHeaders: incoming.rawHeaders };
      try {
        return await app.fetch(request, bindings);
      } catch (error) {
        if (error instanceof BrokenConnection) return breakConnection(error, exchange);
        throw error;
      } finally {
        if (bindings.closesConnection) closeAfter(exchange);
        if (inFlight.areLast) announceClose(outgoing);
        if (bindings.responseSize) inFlight.hold(outgoing, bindings.responseSize);
      }
    },
    {
      errorHandler: (error) => (error instanceof RequestError ? unreadable() : failureOf(error)),
      overrideGlobalObjects: !keepsGlobals,
    },
  );

let lastOrigin: string | undefined;

/** The adapter accepts hosts that no URL can have, such as 256.1.1.1. The last valid origin is cached. */
function isReadable({ url }: Request): boolean {
  const origin = url.slice(0, url.indexOf('/', 'https://'.length));
  if (origin === lastOrigin) return true;
  if (!URL.canParse(url)) return false;
  lastOrigin = origin;
  return true;
}

/** Answers any thrown value: without a response the connection would stay open forever. */
function failureOf(error: unknown): Response {
  reportFailure(error, requestId());
  const { status, headers, body } = failureResponse();
  return new Response(body as string, { status, headers: { ...headers, 'x-content-type-options': 'nosniff' } });
}

/** Breaks the connection at once or amid the response, after the responses to earlier requests (pipelining). */
async function breakConnection({ at, response }: BrokenConnection, exchange: NodeExchange): Promise<Response> {
  if (!exchange.outgoing.socket) await once(exchange.outgoing, 'socket');
  if (at === 'mid_body' && response) await sendHalf(response, exchange);
  exchange.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** The whole head and the first half of the body. */
async function sendHalf(
  { status, headers, body }: Omit<ServiceResponse, 'kind'>,
  { incoming, outgoing }: NodeExchange,
): Promise<void> {
  const bytes = Buffer.from(body ?? '');
  // An earlier call on this connection may have broken it.
  if (incoming.socket.destroyed || outgoing.headersSent) return;
  outgoing.writeHead(status, { ...headers, 'Content-Length': bytes.byteLength });
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve);
    outgoing.write(bytes.subarray(0, Math.ceil(bytes.byteLength / 2)), () => resolve());
  });
}

/** Closes the connection after the response, so that the response reaches a client that is still sending. */
function closeAfter({ incoming: { socket }, outgoing }: NodeExchange): void {
  announceClose(outgoing);
  // Node calls this after the last response; its own version resets the connection if bytes are unread.
  socket.destroySoon = () => endSoon(socket);
}

/** Tells the client that the connection takes no further call, unless the response has begun. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** How long clients may take, in milliseconds, under the names of node:http. */
export const timeouts = {
  /** From the connection, or the first byte of a further request on it, to the last byte of the headers. */
  headersTimeout: 15_000,
  /** From the same moment to the last byte of the body. */
  requestTimeout: 30_000,
  /** Between a response and the next request on its connection. */
  keepAliveTimeout: 65_000,
  /** For a client that reads nothing of its response; Node gives it the same time again. */
  timeout: 30_000,
  /** How often Node looks for late requests. */
  connectionsCheckingInterval: 1000,
};

export type Timeouts = Readonly<typeof timeouts>;

/**
 * Closes connections without traffic for the server's `timeout`: idle ones, and those whose client does not read its
 * response. Not those of a delayed call or of a quiet event stream.
 */
export function closeStalled(server: Server, inFlight: InFlightRequests): void {
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || !inFlight.has(inFlight.lastOn(socket))) socket.destroy();
  });
}

// Requests that Node's parser or the adapter cannot read never reach the stages. They are answered here, with the
// contract's error body and status (HTTP-2, HTTP-3).

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

const bodyOf = (message: string): string =>
  JSON.stringify({ statusCode: 400, error: statusNames[400], message } satisfies ErrorBody);

/** A whole response, as text. */
function messageOf(message: string): string {
  const body = bodyOf(message);
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 400 ${statusNames[400]}`, ...headerLines, length, '', body].join('\r\n');
}

const badRequestBody = bodyOf(statusNames[400]);
const badRequestMessage = messageOf(statusNames[400]);

/** For a request without a host or with an invalid URL. */
const unreadable = (): Response => new Response(badRequestBody, { status: 400, headers });

/** Answers what the parser refuses (a bad chunk, too long a header, a late request) and an unknown `Expect` header. */
function answerUnreadable(server: Server, inFlight: InFlightRequests): void {
  // The bytes after an error are errors again, so each socket is refused once, after the responses to earlier calls.
  const refused = new WeakSet<Duplex>();
  // After a failed handshake, Node emits `clientError` too.
  server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    refused.add(socket);
    refuseHandshake(error, socket);
  });
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
    response.writeHead(400, headers).end(badRequestBody);
  });
}

/** Tells a client that speaks plain HTTP what this port speaks; closes other connections. */
function refuseHandshake({ code }: NodeJS.ErrnoException, socket: Duplex & { readonly _parent?: Socket }): void {
  // Node has no public name for the socket below TLS.
  const plain = code === 'ERR_SSL_HTTP_REQUEST' ? socket._parent : undefined;
  if (!plain) return void socket.destroy();
  plain.write(messageOf('This port speaks HTTPS; start the URL with https://'));
  endSoon(plain);
}

/** @param own the response to the refused request, if it has one: then a second one is not sent */
function refuse(socket: Duplex, own: ServerResponse | undefined): void {
  if (!socket.writable) return void socket.destroy();
  if (!own?.headersSent) socket.write(badRequestMessage);
  endSoon(socket);
}

/** The responses of a connection. */
interface Connection {
  /** In flight: mostly one; more if the client pipelines. */
  readonly open: ServerResponse[];
  /** The response to the last request, in flight or not. */
  last: ServerResponse;
}

const connectionOf = Symbol('connection');
type TrackedSocket = Duplex & { [connectionOf]?: Connection };

/** Tracks the calls in flight. The server emits `idle` whenever the last of them has ended. */
export class InFlightRequests {
  /** The server closes: their connections take no further call. */
  areLast = false;
  readonly #server: Server;
  readonly #held = new WeakMap<ServerResponse, () => void>();
  #size = 0;

  constructor(server: Server) {
    this.#server = server;
    // Before the response is begun.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = (socket as TrackedSocket)[connectionOf] ?? this.#track(socket, response);
      connection.open.push(response);
      connection.last = response;
      this.#size += 1;
      response.once('close', () => this.#end(connection, response));
    });
  }

  /** Ends all responses when the socket closes: Node does not, for those that wait for their turn (pipelining). */
  #track(socket: TrackedSocket, last: ServerResponse): Connection {
    const connection: Connection = { open: [], last };
    socket[connectionOf] = connection;
    socket.once('close', () => {
      for (const response of [...connection.open]) this.#end(connection, response);
    });
    return connection;
  }

  /** Counts the size of a response against the memory budget until it has ended. */
  hold(response: ServerResponse, bytes: number): void {
    if (bytes > 0 && this.has(response)) this.#held.set(response, responses.hold(bytes));
  }

  #end({ open }: Connection, response: ServerResponse): void {
    const at = open.indexOf(response);
    if (at < 0) return;
    open.splice(at, 1);
    this.#held.get(response)?.();
    this.#size -= 1;
    if (this.#size === 0) this.#server.emit('idle');
  }

  get size(): number {
    return this.#size;
  }

  has(response: ServerResponse | undefined): boolean {
    return (
      response !== undefined && (response.req.socket as TrackedSocket)[connectionOf]?.open.includes(response) === true
    );
  }

  /** The last response in flight on a connection whose request is complete. */
  lastWholeOn(socket: Duplex): ServerResponse | undefined {
    return (socket as TrackedSocket)[connectionOf]?.open.findLast(({ req }) => req.complete);
  }

  /** The response to the last request of a connection, in flight or not. */
  lastOn(socket: Duplex): ServerResponse | undefined {
    return (socket as TrackedSocket)[connectionOf]?.last;
  }
}

const graceMilliseconds = 500;

interface Closing {
  readonly server: Server;
  readonly listeners: readonly Listener[];
  readonly sockets: ReadonlySet<Socket>;
  readonly inFlight: InFlightRequests;
  readonly engine: Pick<Engine, 'close'>;
}

/** Closes the server: /health says so, calls in flight get half a second to end, then connections are closed. */
async function closeServer({ server, listeners, sockets, inFlight, engine }: Closing): Promise<void> {
  inFlight.areLast = true;
  engine.close();
  // It listens until then, so that health checks get a response and not a closed port.
  if (inFlight.size > 0)
    await Promise.race([once(server, 'idle'), pause(graceMilliseconds, undefined, { ref: false })]);
  const closed = Promise.all(listeners.map((listener) => once(listener.close(), 'close')));
  server.closeAllConnections();
  for (const socket of sockets) socket.destroy();
  await closed;
}

const lingerMilliseconds = 500;

/**
 * Ends a connection after its last written bytes. For a moment it reads and discards bytes that the client still sends:
 * closing with unread bytes resets the connection, and the client may lose the response.
 */
function endSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy());
  socket.resume();
  if (socket.writable) socket.end();
}
