// Who may speak to the service over a port: a page of another site sends requests, too, and reads the answers where it made the server's
// address a name of its own. What is refused here, no sandbox sees.

import { consolePath, docsPath, healthPath, sandboxBase, storagePath } from '../contract/addresses.ts';
import { adminPath } from '../contract/admin/control-operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { urlParts } from './arrival.ts';
import { ruleHeader } from './debug-headers.ts';
import type { Edge, PortGuard } from './edge.ts';
import { strangeHost } from './host-names.ts';
import type { Incoming } from './incoming.ts';
import { refusalReply } from './refuse.ts';
import type { Rendered, Sent } from './rendered.ts';
import { rendered, sentBy } from './response.ts';

/** The control API and the console have guards of their own; how a server is may be asked by whoever reaches it. */
const exempt = new RegExp(`^(?:${healthPath}$|(?:${adminPath}|${consolePath})(?:/|$))`);
/** What may be linked and shown anywhere: whoever has its URL may have it. The reference guards itself by its headers. */
const linkable = new RegExp(`^(?:${sandboxBase('[^/]+')})?(?:${storagePath}|${docsPath})(?:/|$)`);

const pathOf = ({ url }: Incoming): string => urlParts(url).path;

function host(edge: Edge, request: Incoming): void {
  if (edge.takesAnyHost || exempt.test(pathOf(request))) return;
  const strange = strangeHost(edge, request);
  if (strange) throw new Refusal(strange.isName ? 'unknown_host' : 'malformed_host', { value: strange.value });
}

/** A browser tells it wherever the server is reached by TLS or on its own machine. Whoever follows a link sees what comes of it. */
function crossSite(_: Edge, request: Incoming): void {
  const isFromAfar = request.headers.get('sec-fetch-site') === 'cross-site';
  if (!(isFromAfar || isSocket(request)) || isFollowedLink(request)) return;
  const path = pathOf(request);
  if (!exempt.test(path) && !linkable.test(path)) throw new Refusal('cross_site');
}

/** Of a page's socket no browser tells the site, and asks nobody whether it may be opened. */
const isSocket = ({ headers }: Incoming): boolean => headers.has('sec-websocket-key') && headers.has('origin');

const isFollowedLink = ({ method, headers }: Incoming): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';

/** The order is behaviour. */
export const portGuards: readonly PortGuard[] = [
  { name: 'host', run: host }, //               400, 403
  { name: 'cross-site', run: crossSite }, //    403
];

/** The answer to what may not pass; none where it may. */
export function turnedAway(edge: Edge, request: Incoming): Sent | undefined {
  try {
    for (const guard of edge.guards.port) guard.run(edge, request);
    return undefined;
  } catch (error) {
    return refused(edge, request, error);
  }
}

/** It leaves a line in the log, and stands in no journal. */
function refused(edge: Edge, request: Incoming, error: unknown): Sent {
  const answer = answerTo(error, edge);
  const { method } = request;
  edge.log({ method, path: pathOf(request), status: answer.status, milliseconds: 0, sandbox: undefined });
  return sentBy(edge, answer);
}

function answerTo(error: unknown, edge: Edge): Rendered {
  if (!(error instanceof Refusal)) throw error;
  return rendered({ ...refusalReply(error), headers: ruleHeader(edge, error) });
}
