// Answers as Responses: protected, with what whoever carries them wants to know.
import { recordOf } from '../control/journal/header-lines.ts';
import { Pieces } from '../control/journal/pieces.ts';
import { utf8 } from '../domain/hashes.ts';
import { headerRules, headersBy, protectedHeaders } from './answer-headers.ts';
import type { Reply } from './call.ts';
import { noteSize } from './carriage.ts';
import type { Edge } from './edge.ts';
import type { Body, Rendered, Sent } from './rendered.ts';

/** JSON out (HTTP-1). */
const json = { 'Content-Type': 'application/json; charset=utf-8' };

/** What the service says. */
export const rendered = ({ status, body, headers }: Reply): Rendered => ({
  kind: 'service',
  status,
  headers: headers ? { ...json, ...headers } : json,
  body: body instanceof Pieces ? body : JSON.stringify(body),
});

/** With what protects an answer of its kind. */
export const sentBy = (edge: Pick<Edge, 'headers'>, { kind, status, headers, body }: Rendered): Sent => ({
  status,
  headers: protectedHeaders(edge, kind, headers),
  body,
});

/** The way of every answer that is no stream: protected by its kind. */
export const responseOf = (edge: Pick<Edge, 'headers'>, request: Pick<Request, 'method'>, answer: Rendered): Response =>
  sent(request, sentBy(edge, answer));

/** What protects an answer that fails before an edge is asked. */
const anyEdge = { headers: headersBy(headerRules) };

/** The answer where no edge was asked. */
export const unaskedAnswer = (answer: Rendered): Sent => sentBy(anyEdge, answer);

/** A body in one piece. */
export const carriable = <B extends Body>(body: B): Exclude<B, Pieces> | string =>
  body instanceof Pieces ? String(body) : (body as Exclude<B, Pieces>);

/** The Response; whoever carries it is told of its size. HEAD is told the length of the body that it is not sent. */
export function sent(request: Pick<Request, 'method'>, answer: Sent): Response {
  const { status, headers, body } = answer;
  if (request.method !== 'HEAD' || body === null) {
    noteSize(request, answer);
    return new Response(carriable(body) as BodyInit, { status, headers: recordOf(headers) });
  }
  const whole = carriable(body);
  const length = typeof whole === 'string' ? utf8(whole).length : whole.length;
  return new Response(null, { status, headers: { ...recordOf(headers), 'Content-Length': String(length) } });
}
