// Answers as Responses: protected, with what whoever carries them wants to know.
import { utf8 } from '../domain/hashes.ts';
import { headerRules, headersBy, protectedHeaders } from './answer-headers.ts';
import type { Reply } from './call.ts';
import { noteSize } from './carriage.ts';
import type { Edge } from './edge.ts';
import type { Rendered } from './rendered.ts';

/** JSON out (HTTP-1). */
const json = { 'Content-Type': 'application/json; charset=utf-8' };

/** What the service says. */
export const rendered = ({ status, body, headers }: Reply): Rendered => ({
  kind: 'service',
  status,
  headers: headers ? { ...json, ...headers } : json,
  body: JSON.stringify(body),
});

/** The way of every answer that is no stream: protected by its kind. HEAD is told the length of the body that it is not sent. */
export const responseOf = (
  edge: Pick<Edge, 'headers'>,
  request: Pick<Request, 'method'>,
  { kind, status, headers, body }: Rendered,
): Response => sent(request, status, protectedHeaders(edge, kind, headers), body);

/** The same past every edge, for what fails before one is asked. */
export const toResponse = (answer: Rendered): Response =>
  responseOf({ headers: headersBy(headerRules) }, { method: 'GET' }, answer);

/** The Response; whoever carries it is told of its size. */
export function sent(
  request: Pick<Request, 'method'>,
  status: number,
  headers: Rendered['headers'],
  body: Rendered['body'],
): Response {
  if (request.method !== 'HEAD' || body === null) {
    if (body !== null) noteSize(request, body.length);
    return new Response(body as BodyInit, { status, headers });
  }
  const length = typeof body === 'string' ? utf8(body).length : body.length;
  return new Response(null, { status, headers: { ...headers, 'Content-Length': String(length) } });
}
