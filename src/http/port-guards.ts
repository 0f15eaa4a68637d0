// Who may speak to the service over a port. A page of another site sends requests, too, and reads the responses if it makes the server's address
// a name of its own. No sandbox sees what is rejected here.
import type { MiddlewareHandler } from 'hono';
import { consolePath, docsPath, healthPath, sandboxBase, storagePath } from '../contract/addresses.ts';
import { adminPath } from '../contract/admin/control-operation.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Edge, PortGuard } from './edge.ts';
import { strangeHost } from './host-names.ts';
import type { AppContext, Env } from './request-context.ts';
import { protectedResponse, refusalResponse, ruleHeader } from './response.ts';
import { urlParts } from './urls.ts';

/** The control API and the console have guards of their own; anybody may ask how a server is. */
const exempt = new RegExp(`^(?:${healthPath}$|(?:${adminPath}|${consolePath})(?:/|$))`);
/** Pages may link to these and show them anywhere. The reference protects itself by its headers. */
const linkable = new RegExp(`^(?:${sandboxBase('[^/]+')})?(?:${storagePath}|${docsPath})(?:/|$)`);

/** As it came: Hono's own is decoded. */
const pathOf = ({ url }: Request): string => urlParts(url).path;

function host(edge: Edge, request: Request): void {
  if (edge.takesAnyHost) return;
  const strange = strangeHost(edge, request);
  if (strange && !exempt.test(pathOf(request)))
    throw new Refusal(strange.isName ? 'unknown_host' : 'malformed_host', { value: strange.value });
}

/** A browser names the site if the server is reached by TLS or on its own machine. A user may follow a link. */
function crossSite(_: Edge, request: Request): void {
  const isCrossSite = request.headers.get('sec-fetch-site') === 'cross-site';
  if (!(isCrossSite || isSocket(request)) || isFollowedLink(request)) return;
  const path = pathOf(request);
  if (!exempt.test(path) && !linkable.test(path)) throw new Refusal('cross_site');
}

/** A browser opens the socket of a page without naming the page's site. */
const isSocket = ({ headers }: Request): boolean => headers.has('sec-websocket-key') && headers.has('origin');

const isFollowedLink = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';

/** The order is behavior. */
export const portGuards: readonly PortGuard[] = [
  { name: 'host', run: host }, //               400, 403
  { name: 'cross-site', run: crossSite }, //    403
];

/** Runs the guards for requests over a port. A rejected one leaves a line in the log, and stands in no journal. */
export const guardPort =
  (edge: Edge): MiddlewareHandler<Env> =>
  (c, next) => {
    try {
      if (c.env?.isOverPort) for (const guard of edge.guards.port) guard.run(edge, c.req.raw);
    } catch (error) {
      if (error instanceof Refusal) return Promise.resolve(rejected(edge, c, error));
      throw error;
    }
    return next();
  };

function rejected(edge: Edge, c: AppContext, refusal: Refusal): Response {
  const response = refusalResponse(refusal);
  const { method } = c.req.raw;
  edge.log({ method, path: pathOf(c.req.raw), status: response.status, milliseconds: 0, sandbox: undefined });
  return protectedResponse(c, edge, { ...response, headers: { ...response.headers, ...ruleHeader(edge, refusal) } });
}
