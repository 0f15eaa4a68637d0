// The way by Request and Response, for what is no plain request or no call of the service. It is loaded with the first of these: a server that
// has just started does without it, and without Node's fetch, whose classes it needs.
import type { RequestListener } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Engine } from '../engine-options.ts';
import { breaksAt, isGivenUp, notedSize } from '../http/carriage.ts';
import { sent } from '../http/response.ts';
import { isPromise } from '../state/store.ts';
import { type Connection, sendHalf } from './carry.ts';
import { endSoon } from './end-soon.ts';
import { failure } from './failure.ts';
import type { UnderWay } from './under-way.ts';
import { unreadable } from './unreadable.ts';

/** Hands requests to the engine as Requests, and its Responses to the socket. */
export const adaptedTo = (engine: Engine, underWay: UnderWay): RequestListener =>
  getRequestListener(
    (request, connection) => {
      if (!URL.canParse(request.url)) return unreadable();
      const answer = engine.answer(request);
      // A server of HTTP/1.1 has a connection of HTTP/1.1.
      const carry = (response: Response) => {
        underWay.hold((connection as HttpBindings).outgoing, notedSize(request));
        return carried(request, response, connection as HttpBindings);
      };
      return isPromise(answer) ? answer.then(carry) : carry(answer);
    },
    {
      errorHandler: (error) => (error instanceof RequestError ? unreadable() : sent({ method: 'GET' }, failure(error))),
    },
  );

/** The answer as the adaptor shall send it: itself, or word that it is sent already. */
function carried(request: Request, response: Response, connection: Connection): Response | Promise<Response> {
  const at = breaksAt(request);
  if (isGivenUp(request)) endBehind(connection);
  if (at === undefined) return response;
  if (at === 'mid_body') return sentHalf(response, connection);
  connection.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

async function sentHalf(response: Response, connection: Connection): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  const headers = [...response.headers].filter(([name]) => name !== 'content-length').flat();
  await sendHalf({ status: response.status, headers, body }, connection);
  return RESPONSE_ALREADY_SENT;
}

/** The answer is the last of its connection, and reaches a client that is still sending. */
function endBehind({ incoming: { socket }, outgoing }: Connection): void {
  if (!outgoing.headersSent) outgoing.setHeader('connection', 'close');
  // By this Node ends a socket behind its last answer, and resets it where bytes are unread.
  socket.destroySoon = () => endSoon(socket);
}
