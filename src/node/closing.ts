// How a server ends: it says so at /health, answers the calls under way, and closes.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine-options.ts';
import type { UnderWay } from './under-way.ts';

const graceMilliseconds = 500;

/** What it gives closes the server, once. */
export function closing(server: Server, underWay: UnderWay, engine: Pick<Engine, 'close'>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  // Before the answer is begun.
  server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
    if (closed) last(response);
  });
  const close = async () => {
    for (const response of underWay) last(response);
    engine.close();
    // Until then it listens: whoever asks how it is shall be told, and not meet a closed port.
    if (underWay.size > 0)
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
