// Who may speak to the service over a port. A page of another site sends requests, too, and reads the responses if it makes the server's address
// a name of its own. No sandbox sees what is rejected here.
import type { MiddlewareHandler } from 'hono';
import { consolePath, docsPath, healthPath, sandboxBase, storagePath } from '../contract/addresses.ts';
import { adminPath } from '../contract/control/control-operation.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Dependencies, PortGuard } from './dependencies.ts';
import type { AppContext, Env } from './request-context.ts';
import { protectedResponse, refusalResponse, ruleHeader } from './response.ts';
import { urlParts } from './urls.ts';

// The Host of a request, and which names of hosts are known: those of loopback, and those that were allowed.

/** Names that are known beside those of loopback. */
interface Allowing {
  readonly allowedHosts: readonly string[];
}

/** The host as it was asked for; in process there is no header, and the URL says it. */
export const hostOf = ({ headers, url }: Pick<Request, 'headers' | 'url'>): string =>
  (headers.get('host') ?? new URL(url).host).toLowerCase();

const bareHost = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/;
/**
 * By the last two, containers call the machine that they run on. Nobody can register them, but who answers the names of a network can make them
 * his own there. They are known all the same: most clients in containers come under them.
 */
const ownMachine = ['localhost', '127.0.0.1', '[::1]', 'host.docker.internal', 'host.containers.internal'];

const nameIn = (host: string): string | undefined => bareHost.exec(host)?.[1];
const isKnown = (name: string, { allowedHosts }: Allowing): boolean =>
  ownMachine.includes(name) || name.endsWith('.localhost') || allowedHosts.includes(name);

/** What the Host of a request says where it says no name that is known. */
interface StrangeHost {
  readonly value: string;
  /** Whether it is one host at all. */
  readonly isName: boolean;
}

/** The host under which the last request came that was known, by whom it is known to: clients keep to one. */
const lastKnown = new WeakMap<readonly string[], string>();

/** The host that a request came under, unless it is known. */
export function strangeHost(allowing: Allowing, request: Pick<Request, 'headers' | 'url'>): StrangeHost | undefined {
  const host = hostOf(request);
  if (lastKnown.get(allowing.allowedHosts) === host) return undefined;
  const name = nameIn(host);
  if (name === undefined) return { value: host, isName: false };
  if (!isKnown(name, allowing)) return { value: name, isName: true };
  lastKnown.set(allowing.allowedHosts, host);
  return undefined;
}

/** The control API and the console have guards of their own; anybody may ask how a server is. */
const exempt = new RegExp(`^(?:${healthPath}$|(?:${adminPath}|${consolePath})(?:/|$))`);
/** Pages may link to these and show them anywhere. The reference protects itself by its headers. */
const linkable = new RegExp(`^(?:${sandboxBase('[^/]+')})?(?:${storagePath}|${docsPath})(?:/|$)`);

/** As it came: Hono's own is decoded. */
const pathOf = ({ url }: Request): string => urlParts(url).path;

function host(deps: Dependencies, request: Request): void {
  if (deps.takesAnyHost) return;
  const strange = strangeHost(deps, request);
  if (strange && !exempt.test(pathOf(request)))
    throw new Refusal(strange.isName ? 'unknown_host' : 'malformed_host', { value: strange.value });
}

/** A browser names the site if the server is reached by TLS or on its own machine. A user may follow a link. */
function crossSite(_: Dependencies, request: Request): void {
  const { headers } = request;
  const isCrossSite = headers.get('sec-fetch-site') === 'cross-site';
  // A browser opens the socket of a page without naming the page's site.
  const isSocket = headers.has('sec-websocket-key') && headers.has('origin');
  if (!(isCrossSite || isSocket) || isFollowedLink(request)) return;
  const path = pathOf(request);
  if (!exempt.test(path) && !linkable.test(path)) throw new Refusal('cross_site');
}

const isFollowedLink = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';

/** The order is behavior. */
export const portGuards: readonly PortGuard[] = [
  { name: 'host', run: host }, //               400, 403
  { name: 'cross-site', run: crossSite }, //    403
];

/** Runs the guards for requests over a port. A rejected one leaves a line in the log, and stands in no journal. */
export const guardPort =
  (deps: Dependencies): MiddlewareHandler<Env> =>
  (c, next) => {
    try {
      if (c.env?.isOverPort) for (const guard of deps.guards.port) guard.run(deps, c.req.raw);
    } catch (error) {
      if (error instanceof Refusal) return Promise.resolve(rejected(deps, c, error));
      throw error;
    }
    return next();
  };

function rejected(deps: Dependencies, c: AppContext, refusal: Refusal): Response {
  const response = refusalResponse(refusal);
  const { method } = c.req.raw;
  deps.log({ method, path: pathOf(c.req.raw), status: response.status, milliseconds: 0, sandbox: undefined });
  return protectedResponse(c, deps, { ...response, headers: { ...response.headers, ...ruleHeader(deps, refusal) } });
}
