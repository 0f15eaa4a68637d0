// Who may speak to the service over a port: a page of another site sends requests, too, and reads the answers where it made the server's
// address a name of its own. What is refused here no sandbox sees. The control API and the console have guards of their own.

import { consolePath, docsPath, healthPath, sandboxBase, storagePath } from '../contract/addresses.ts';
import { adminPath } from '../contract/admin/control-operation.ts';
import { ControlRefusal, controlStatusNames } from '../contract/admin/refusals.ts';
import { debugHeaderNames } from '../contract/debug-headers.ts';
import { Refusal } from '../contract/refusal.ts';
import { protectedHeaders } from './answer-headers.ts';
import { urlParts } from './arrival.ts';
import type { Edge, PortGuard } from './edge.ts';
import { unknownHost } from './host-names.ts';
import { type Rendered, rendered, toResponse } from './passage.ts';
import { refusalReply } from './refuse.ts';

const guardedElsewhere = new RegExp(`^(?:${healthPath}$|(?:${adminPath}|${consolePath})(?:/|$))`);
/** What may be linked and shown anywhere: whoever has its URL may have it. The reference guards itself by its headers. */
const linkable = new RegExp(`^(?:${sandboxBase('[^/]+')})?(?:${storagePath}|${docsPath})(?:/|$)`);

const pathOf = ({ url }: Request): string => urlParts(url).path;

/** The host that was let pass last is not looked at again: every call is asked for it. */
function host(): PortGuard['run'] {
  let known: string | null = null;
  return (edge, request) => {
    const given = request.headers.get('host');
    if (edge.isPublic || (given !== null && given === known) || guardedElsewhere.test(pathOf(request))) return;
    const name = unknownHost(edge, request);
    if (name !== undefined) throw new Refusal('unknown_host', { value: name });
    known = given;
  };
}

/** A browser tells it wherever the server is reached by TLS or on its own machine. Whoever follows a link sees what comes of it. */
function crossSite(_: Edge, request: Request): void {
  const isFromAfar = request.headers.get('sec-fetch-site') === 'cross-site';
  if (!(isFromAfar || isSocket(request)) || isFollowedLink(request)) return;
  const path = pathOf(request);
  if (!guardedElsewhere.test(path) && !linkable.test(path)) throw new Refusal('cross_site');
}

/** Of a page's socket no browser tells the site, and asks nobody whether it may be opened. */
const isSocket = ({ headers }: Request): boolean => headers.has('sec-websocket-key') && headers.has('origin');

const isFollowedLink = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';

/** Those of one server. The order is behaviour. */
export const portGuards = (): readonly PortGuard[] => [
  { name: 'host', run: host() }, //             400, 403
  { name: 'cross-site', run: crossSite }, //    403
];

/** The answer to what may not pass; none where it may. */
export function turnedAway(edge: Edge, request: Request): Response | undefined {
  try {
    for (const guard of edge.guards.port) guard.run(edge, request);
    return undefined;
  } catch (error) {
    return refused(edge, request, error);
  }
}

/** It leaves a line in the log, and stands in no journal. */
function refused(edge: Edge, request: Request, error: unknown): Response {
  const answer = answerTo(error, edge);
  const { method } = request;
  edge.log({ method, path: pathOf(request), status: answer.status, milliseconds: 0, sandbox: undefined });
  return toResponse({ ...answer, headers: protectedHeaders(edge, 'service', answer.headers) }, method);
}

function answerTo(error: unknown, { debugHeaders }: Edge): Rendered {
  if (error instanceof Refusal) {
    const headers = debugHeaders ? { [debugHeaderNames.rule]: error.judgedAs } : {};
    return rendered({ ...refusalReply(error), headers });
  }
  if (!(error instanceof ControlRefusal)) throw error;
  const { status, message } = error;
  return rendered({ status, body: { statusCode: status, error: controlStatusNames[status], message } });
}
