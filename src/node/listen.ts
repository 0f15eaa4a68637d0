// An engine on a port.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../engine-options.ts';
import { sizeOf } from '../http/carriage.ts';
import type { Incoming } from '../http/incoming.ts';
import type { Sent } from '../http/rendered.ts';
import { type Awaitable, isPromise } from '../state/store.ts';
import { closeUnlessRead, sendOrFail } from './carry.ts';
import { closing } from './closing.ts';
import { failure } from './failure.ts';
import { LazyAdaptor } from './lazy-adaptor.ts';
import { closeStalled, type Patience, patience } from './patience.ts';
import { plainRequest } from './plain-request.ts';
import { named, urlOf } from './reach.ts';
import { UnderWay } from './under-way.ts';
import { answerUnreadable } from './unreadable.ts';
import { UsageError } from './usage-error.ts';

export interface Listening {
  /** The base URL, with the port that was taken. */
  readonly url: string;
  /** Lets the calls under way end, for at most half a second, then closes all connections. */
  readonly close: () => Promise<void>;
}

/** @throws UsageError when the address cannot be listened on; the engine is closed then. */
export async function listen(
  engine: Engine,
  { port, host }: { readonly port: number; readonly host: string },
  limits: Patience = patience,
): Promise<Listening> {
  // A request without a host is let through to the adaptor, which has it answered in the contract's body.
  const server = createServer({ requireHostHeader: false, ...limits });
  server.timeout = limits.timeout;
  const underWay = new UnderWay(server);
  server.on('request', listenerOf(engine, underWay));
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

/** Hands each request to the engine, and its answer to the socket: a plain call of the service directly, all else by the adaptor. */
function listenerOf(engine: Engine, underWay: UnderWay): RequestListener {
  const adaptor = new LazyAdaptor(engine, underWay);
  return (incoming, outgoing) => {
    // Nothing overtakes what waits for it.
    const request = adaptor.isLoading ? undefined : plainRequest(incoming, outgoing);
    const answer = request && served(engine, request);
    if (!request || !answer) return adaptor.answer(incoming, outgoing);
    const connection = { incoming, outgoing };
    const carry = (given: Sent) => {
      underWay.hold(outgoing, sizeOf(given));
      sendOrFail(request, given, connection);
      if (request.isUnread) closeUnlessRead(incoming);
    };
    if (isPromise(answer)) void answer.catch(failure).then(carry);
    else carry(answer);
  };
}

function served(engine: Engine, request: Incoming): Awaitable<Sent> | undefined {
  try {
    return engine.serve(request);
  } catch (error) {
    return failure(error);
  }
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
