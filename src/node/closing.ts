// How a server ends: it says so at /health, answers the calls under way, and closes.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine.ts';

const graceMilliseconds = 500;

/** Counts the calls of a server from now on; what it gives closes the server, once. */
export function closing(server: Server, engine: Pick<Engine, 'close'>): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let closed: Promise<void> | undefined;
  // Before the answer is begun.
  server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
    if (closed) response.setHeader('connection', 'close');
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      if (underWay.size === 0) server.emit('idle');
    });
  });
  const close = async () => {
    engine.close();
    // Until then it listens: whoever asks how it is shall be told, and not meet a closed port.
    if (underWay.size > 0)
      await Promise.race([once(server, 'idle'), sleep(graceMilliseconds, undefined, { ref: false })]);
    const ended = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await ended;
  };
  return () => {
    closed ??= close();
    return closed;
  };
}
