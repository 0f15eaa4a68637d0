// Carries answers to the socket; one whose connection breaks is broken here, on the socket itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { breaksAt, isGivenUp } from '../http/carriage.ts';
import { endSoon } from './end-soon.ts';

interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The answer as the adaptor shall send it: itself, or word that it is sent already. */
export function carried(request: Request, response: Response, connection: Connection): Response | Promise<Response> {
  const at = breaksAt(request);
  if (isGivenUp(request)) endBehind(connection);
  if (at === undefined) return response;
  if (at === 'mid_body') return sendHalf(response, connection).then(() => RESPONSE_ALREADY_SENT);
  connection.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** The whole head, the first half of the body, then the break. */
async function sendHalf(response: Response, { incoming, outgoing }: Connection): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  // A call before it on this connection may have broken it already.
  if (incoming.socket.destroyed || outgoing.headersSent) return;
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': body.byteLength });
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve);
    outgoing.write(body.subarray(0, Math.ceil(body.byteLength / 2)), () => resolve());
  });
  incoming.socket.destroy();
}

/** The answer is the last of its connection, and reaches a client that is still sending. */
function endBehind({ incoming: { socket }, outgoing }: Connection): void {
  if (!outgoing.headersSent) outgoing.setHeader('connection', 'close');
  // By this Node ends a socket behind its last answer, and resets it where bytes are unread.
  socket.destroySoon = () => endSoon(socket);
}
