// How a server ends: it says so at /health, answers the calls under way, and closes.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine.ts';

const graceMilliseconds = 500;

/** Counts the calls of a server from now on; what it gives closes the server, once. */
export function closing(server: Server, engine: Pick<Engine, 'close'>): () => Promise<void> {
  let underWay = 0;
  let closed: Promise<void> | undefined;
  const ended = () => {
    underWay -= 1;
    if (closed && underWay === 0) server.emit('idle');
  };
  // Before the answer is begun.
  server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
    if (closed) response.setHeader('connection', 'close');
    underWay += 1;
    response.on('close', ended);
  });
  const close = async () => {
    engine.close();
    // Until then it listens: whoever asks how it is shall be told, and not meet a closed port.
    if (underWay > 0) await Promise.race([once(server, 'idle'), sleep(graceMilliseconds, undefined, { ref: false })]);
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
