// An engine on a port.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import type { Engine } from '../engine-options.ts';
import type { Bindings } from '../http/arrival.ts';
import { isPromise } from '../state/store.ts';
import { carried } from './carry.ts';
import { closing } from './closing.ts';
import { named, urlOf } from './reach.ts';
import { answerUnreadable, unreadable } from './unreadable.ts';
import { UsageError } from './usage-error.ts';

export interface Listening {
  /** The base URL, with the port that was taken. */
  readonly url: string;
  /** Lets the calls under way end, for at most half a second, then closes all connections. */
  readonly close: () => Promise<void>;
}

/** @throws UsageError when the address cannot be listened on. */
export async function listen(
  engine: Engine,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Listening> {
  // A request without a host is let through to the adaptor, which has it answered in the contract's body.
  const server = createServer({ requireHostHeader: false }, listenerOf(engine));
  answerUnreadable(server);
  const close = closing(server, engine);
  if (host === '') throw new UsageError('the host to listen on is empty; leave it out, or give an address');
  try {
    // Given to Node as it is, a text would be the path of a socket.
    server.listen({ port: Number(port), host });
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(unavailable(error as NodeJS.ErrnoException, port, host));
  }
  const { port: taken } = server.address() as AddressInfo;
  return { url: urlOf(named(host), taken), close };
}

/** Hands each request to the engine, and its answer to the socket. */
function listenerOf(engine: Engine) {
  const known = new WeakMap<Socket, Bindings>();
  const bindingsOf = ({ incoming: { socket } }: HttpBindings): Bindings => {
    const bindings = known.get(socket) ?? { connection: {} };
    known.set(socket, bindings);
    return bindings;
  };
  return getRequestListener(
    (request, given) => {
      if (!URL.canParse(request.url)) return unreadable();
      // A server of HTTP/1.1 has a connection of HTTP/1.1.
      const connection = given as HttpBindings;
      const answer = engine.answer(request, bindingsOf(connection));
      const carry = (response: Response) => carried(request, response, connection);
      return isPromise(answer) ? answer.then(carry) : carry(answer);
    },
    { errorHandler: (error) => (error instanceof RequestError ? unreadable() : undefined) },
  );
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
