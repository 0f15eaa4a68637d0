// Carries answers to the socket; one whose connection breaks is broken here, on the socket itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { breaksAt, isGivenUp } from '../http/carriage.ts';
import type { Sent } from '../http/rendered.ts';
import { carriable } from '../http/response.ts';
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
  if (at === 'mid_body') return sentHalf(response, connection);
  connection.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

async function sentHalf(response: Response, connection: Connection): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  const headers = [...response.headers].flat().filter((_, at, all) => all[at - (at % 2)] !== 'content-length');
  await sendHalf({ status: response.status, headers, body }, connection);
  return RESPONSE_ALREADY_SENT;
}

/** Sends the answer to a plain request. Where its connection is gone, it is nobody's. */
export function send(request: object, answer: Sent, connection: Connection): void {
  const { incoming, outgoing } = connection;
  const at = breaksAt(request);
  if (at === 'mid_body') void sendHalf(answer, connection);
  else if (at !== undefined) incoming.socket.destroy();
  else if (!outgoing.destroyed && !outgoing.headersSent) write(outgoing, answer);
}

function write(outgoing: ServerResponse, { status, headers, body: given }: Sent): void {
  const body = carriable(given);
  const length = body === null ? 0 : Buffer.byteLength(body);
  outgoing.writeHead(status, [...headers, 'Content-Length', String(length)]);
  // What has as many bytes as characters is ASCII: that is written without a look at each.
  if (typeof body === 'string') outgoing.end(body, body.length === length ? 'latin1' : 'utf8');
  else outgoing.end(body ?? undefined);
}

/** The whole head, the first half of the body, then the break. */
async function sendHalf({ status, headers, body: whole }: Sent, { incoming, outgoing }: Connection): Promise<void> {
  const body = Buffer.from(carriable(whole) ?? '');
  // A call before it on this connection may have broken it already.
  if (incoming.socket.destroyed || outgoing.headersSent) return;
  outgoing.writeHead(status, [...headers, 'Content-Length', String(body.byteLength)]);
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
