// An engine on a port: the Node adapter hands each request to the Hono app, and its Response to the socket.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { requestId } from '../control/ids.ts';
import type { Engine } from '../engine-options.ts';
import type { Bindings, ServiceResponse } from '../http/exchange.ts';
import { BrokenConnection, failureResponse } from '../http/response.ts';
import { UsageError } from '../stores/errors.ts';
import { reportFailure } from './log.ts';
import { answerUnreadable, closeStalled, type Patience, patience, unreadable } from './patience.ts';
import { named, urlOf } from './reach.ts';
import { closing, endSoon, UnderWay } from './under-way.ts';

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
  limits: Patience = patience,
): Promise<Listening> {
  // A request without a host is let through to the adapter, which has it answered in the contract's body.
  const server = createServer({ requireHostHeader: false, ...limits });
  server.timeout = limits.timeout;
  const underWay = new UnderWay(server);
  server.on('request', together(listenerOf(engine, underWay), underWay));
  answerUnreadable(server, underWay);
  closeStalled(server, underWay);
  const close = closing(server, underWay, engine);
  const taken = await portTaken(server, port, host).catch((error: unknown) => {
    engine.close();
    throw error;
  });
  return { url: urlOf(named(host), taken), close };
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
function together(answer: RequestListener, underWay: UnderWay): RequestListener {
  let waiting: Connection[] = [];
  const answerAll = () => {
    const come = waiting;
    waiting = [];
    for (const { incoming, outgoing } of come) if (underWay.has(outgoing)) answer(incoming, outgoing);
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

const listenerOf = ({ app }: Pick<Engine, 'app'>, underWay: UnderWay): RequestListener =>
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
        if (bindings.responseSize) underWay.hold(outgoing, bindings.responseSize);
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
