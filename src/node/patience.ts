// How long clients may take, and what becomes of the connections of those that take longer.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { UnderWay } from './under-way.ts';

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
