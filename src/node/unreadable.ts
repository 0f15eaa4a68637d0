// What Node's HTTP parser or the adaptor cannot read as a request never reaches the stages; it is answered here, in the contract's
// body and with one of its statuses (HTTP-2, HTTP-3).
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorBody, statusNames } from '../contract/operation.ts';

const body = JSON.stringify({
  statusCode: 400,
  error: statusNames[400],
  message: statusNames[400],
} satisfies ErrorBody);
const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };

/** The answer to a request that the adaptor could not make sense of: no host, or a URL that is none. */
export const unreadable = (): Response => new Response(body, { status: 400, headers });

/** Answers what the parser refuses (a bad chunk, a header too long) and an expectation that nobody knows. */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (_: Error, socket: Duplex) => {
    if (!socket.writable) return void socket.destroy();
    const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.end(`HTTP/1.1 400 ${statusNames[400]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  });
  server.on(
    'checkExpectation',
    (_: unknown, response: ServerResponse) => void response.writeHead(400, headers).end(body),
  );
}
