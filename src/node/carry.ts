// Carries answers to the socket; one whose connection breaks is broken here, on the socket itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { breaksAt } from '../http/carriage.ts';
import type { Sent } from '../http/rendered.ts';
import { carriable } from '../http/response.ts';
import { failure } from './failure.ts';

export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Sends the answer to a plain request. Where its connection is gone, it is nobody's. */
export function send(request: object, answer: Sent, connection: Connection): void {
  const { incoming, outgoing } = connection;
  const at = breaksAt(request);
  if (at === 'mid_body') sendHalf(answer, connection).catch(() => incoming.socket.destroy());
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

/** The same, where an answer that cannot be sent is none of the server's end: whoever called gets the service's 500, or no more of what was begun. */
export function sendOrFail(request: object, answer: Sent, connection: Connection): void {
  try {
    send(request, answer, connection);
  } catch (error) {
    const told = failure(error);
    if (connection.outgoing.headersSent) connection.outgoing.destroy();
    else write(connection.outgoing, told);
  }
}

const unreadMilliseconds = 500;

/** A body that nobody reads, and that does not come, holds its connection no longer than a moment. */
export function closeUnlessRead(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.complete || incoming.socket.destroy(), unreadMilliseconds);
  timer.unref();
  incoming.once('close', () => clearTimeout(timer));
}

/** The whole head, the first half of the body, then the break. */
export async function sendHalf(
  { status, headers, body: whole }: Sent,
  { incoming, outgoing }: Connection,
): Promise<void> {
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
