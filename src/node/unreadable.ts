// What Node's HTTP parser or the adaptor cannot read as a request never reaches the stages; it is answered here, in the contract's
// body and with one of its statuses (HTTP-2, HTTP-3).
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '../contract/error-body.ts';
import { statusNames } from '../contract/operation.ts';
import { endSoon } from './end-soon.ts';
import type { UnderWay } from './under-way.ts';

const body = JSON.stringify({
  statusCode: 400,
  error: statusNames[400],
  message: statusNames[400],
} satisfies ErrorBody);
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

const message = [
  `HTTP/1.1 400 ${statusNames[400]}`,
  ...Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  ),
  '',
  body,
].join('\r\n');

/** The answer to a request that the adaptor could not make sense of: no host, or a URL that is none. */
export const unreadable = (): Response => new Response(body, { status: 400, headers });

/** Answers what the parser refuses (a bad chunk, a header too long, a request that takes too long) and an expectation that nobody knows. */
export function answerUnreadable(server: Server, underWay: UnderWay): void {
  // What comes behind a fault is a fault again. It is refused behind the answers to the calls before it.
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (_: Error, socket: Duplex) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const last = underWay.lastOn(socket);
    const own = last?.req.complete ? undefined : last;
    const before = underWay.lastWholeOn(socket);
    if (before) before.once('close', () => refuse(socket, own));
    else refuse(socket, own);
  });
  server.on('checkExpectation', ({ socket }: IncomingMessage, response: ServerResponse) => {
    refused.add(socket);
    response.writeHead(400, headers).end(body);
  });
}

/** A request that has its answer already gets no second one. @param own the answer to the request that is refused, where it came so far */
function refuse(socket: Duplex, own: ServerResponse | undefined): void {
  if (!socket.writable) return void socket.destroy();
  if (!own?.headersSent) socket.write(message);
  endSoon(socket);
}
