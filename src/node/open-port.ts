// Opens the port of a server. A server that is shown as `localhost` listens on both loopback addresses, because many
// clients try ::1 first, and some try nothing else.
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { UsageError } from '../system/exit-errors.ts';
import { displayName } from './host-address.ts';

/** How often another free port is tried if the one of IPv4 is taken on IPv6. */
const maxAttempts = 20;

interface OpenPort {
  readonly port: number;
  readonly listeners: readonly Server[];
}

/**
 * Listens on the address; port 0 picks a free port.
 * @returns the port, and the listeners: the server, and one on the other loopback address if there is one
 * @throws UsageError if the address cannot be listened on
 */
export async function openPort(server: HttpServer, port: number, host: string): Promise<OpenPort> {
  if (host === '') throw new UsageError('the host to listen on (--host) is empty; omit it, or pass an address');
  // `::` takes IPv4 too.
  const needsOther = host !== '::' && displayName(host) === 'localhost';
  for (let attempt = 1; ; attempt += 1) {
    const { family, port: actualPort } = await listenOn(server, port, host);
    if (!needsOther) return { port: actualPort, listeners: [server] };
    try {
      const other = await openOtherLoopback(server, actualPort, family === 'IPv6' ? '127.0.0.1' : '::1');
      return { port: actualPort, listeners: other ? [server, other] : [server] };
    } catch (error) {
      await once(server.close(), 'close');
      if (port !== 0 || attempt === maxAttempts)
        throw new UsageError(`${(error as Error).message}; clients of localhost may use either loopback address`);
    }
  }
}

/** A listener that hands its connections to the server. @returns undefined if the machine does not have the address */
async function openOtherLoopback(server: HttpServer, port: number, host: string): Promise<Server | undefined> {
  const listener = createServer({ allowHalfOpen: true, noDelay: true });
  listener.on('connection', (socket: Socket) => server.emit('connection', socket));
  try {
    await listenOn(listener, port, host);
    return listener;
  } catch (error) {
    if (error instanceof PortTakenError) throw error;
    return undefined;
  }
}

/** Another program listens on the port. */
export class PortTakenError extends UsageError {}

/** @throws UsageError */
async function listenOn(server: Server, port: number, host: string): Promise<AddressInfo> {
  try {
    // Node would take a string for the path of a socket.
    server.listen({ port: Number(port), host });
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const Kind = code === 'EADDRINUSE' ? PortTakenError : UsageError;
    throw new Kind(describeListenError(error as NodeJS.ErrnoException, port, host));
  }
  return server.address() as AddressInfo;
}

function describeListenError({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return (
      `port ${port} on ${host} is in use; stop the program that uses it, or choose another port with --port (0 ` +
      'picks a free one)'
    );
  if (code === 'EACCES') return `no permission to listen on port ${port} on ${host}; use a port (--port) above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `this machine has no address "${host}" to listen on; check the host (--host); IPv6 has no brackets here`;
  if (code === 'ERR_SOCKET_BAD_PORT') return `${port} is not a port; use a number from 0 (any free port) to 65535`;
  return `cannot listen on ${host} port ${port}: ${message}`;
}
