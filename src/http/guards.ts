// Who may call the server. A page of another site can make a browser send requests, and can read the responses if its
// own host name resolves to this server. Guards run before a request is parsed. A guard lets the request pass, or
// throws the refusal that answers it. Rejected requests are in no journal.
import type { MiddlewareHandler } from 'hono';
import { consolePath, docsPath, healthPath, mcpPath, sandboxBase, storagePath } from '../contract/addresses.ts';
import { adminPath, ControlRefusal } from '../contract/control/control-operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { rules } from '../contract/rules.ts';
import { hex } from '../domain/hashes.ts';
import type { HostedSandbox } from '../sandbox/hosted-sandbox.ts';
import type { Dependencies, Guards } from './dependencies.ts';
import type { Env } from './request-context.ts';
import { protectedResponse, refusalHeaders, refusalResponse } from './response.ts';
import { bearerToken } from './tokens.ts';
import { urlParts } from './urls.ts';

/** One object, so that a test can leave one out and show the attack that it prevents. */
export const guards: Guards = {
  portHost: requireKnownHost, //                    400, 403
  portCrossSite: rejectCrossSite, //                403
  controlHost: requireKnownControlHost, //          400, 403
  controlOrigin: requireOwnOrigin, //               403
  controlKey: requireKey, //                        401
};

/** Runs the guards for requests over a port, and logs those that they reject. */
export const guardPort =
  (deps: Dependencies): MiddlewareHandler<Env> =>
  (c, next) => {
    if (!c.env?.isOverPort) return next();
    const request = c.req.raw;
    try {
      deps.guards.portHost(deps, request);
      deps.guards.portCrossSite(deps, request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, headers, ...response } = refusalResponse(error);
      const { judgedAs: rule } = error;
      const reason = rules[rule].requires;
      const { method } = request;
      deps.log({ method, path: pathOf(request), status, milliseconds: 0, sandbox: undefined, rules: [rule], reason });
      const withRule = { ...response, status, headers: { ...headers, ...refusalHeaders(deps, rule, reason) } };
      return Promise.resolve(protectedResponse(c, deps, withRule));
    }
    return next();
  };

/** For the control API and the console, because any page can make a browser send requests. @throws ControlRefusal */
export function guardControl(deps: Dependencies, request: Request): void {
  deps.guards.controlHost(deps, request);
  deps.guards.controlOrigin(deps, request);
}

/** For those that read or change data, too. @throws ControlRefusal */
export async function guardData(deps: Dependencies, request: Request, sandboxName: string | undefined): Promise<void> {
  guardControl(deps, request);
  await deps.guards.controlKey(deps, request, sandboxName);
}

// Hosts.

/** The Host header. A request in process has no header, so its URL has the host. */
const hostOf = ({ headers, url }: Request): string => (headers.get('host') ?? new URL(url).host).toLowerCase();

const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/;
/**
 * In a container the last two names lead to the machine that it runs on, and most clients in containers use them.
 * These names cannot be registered, though the DNS of a network could resolve them to another machine.
 */
export const ownMachine: readonly string[] = [
  'localhost',
  '127.0.0.1',
  '[::1]',
  'host.docker.internal',
  'host.containers.internal',
];

const isKnown = (name: string, allowedHosts: readonly string[]): boolean =>
  ownMachine.includes(name) || name.endsWith('.localhost') || allowedHosts.includes(name);

interface UnknownHost {
  readonly value: string;
  readonly isWellFormed: boolean;
}

/** The host of a request; undefined if it is known: loopback, or one of the allowed hosts. */
export function unknownHost(
  { allowedHosts }: Pick<Dependencies, 'allowedHosts'>,
  request: Request,
): UnknownHost | undefined {
  const host = hostOf(request);
  const name = hostForm.exec(host)?.[1];
  if (name === undefined) return { value: host, isWellFormed: false };
  return isKnown(name, allowedHosts) ? undefined : { value: name, isWellFormed: true };
}

/** The control API, MCP and the console have guards of their own; the health check is public. */
const exempt = new RegExp(`^(?:${healthPath}$|(?:${adminPath}|${mcpPath}|${consolePath})(?:/|$))`);
/** Pages may link to these and show them anywhere. The reference protects itself by its headers. */
const linkable = new RegExp(`^(?:${sandboxBase('[^/]+')})?(?:${storagePath}|${docsPath})(?:/|$)`);

/** Still encoded, unlike Hono's. */
const pathOf = ({ url }: Request): string => urlParts(url).path;

function requireKnownHost(deps: Dependencies, request: Request): void {
  if (deps.takesAnyHost) return;
  const host = unknownHost(deps, request);
  if (host && !exempt.test(pathOf(request)))
    throw new Refusal(host.isWellFormed ? 'unknown_host' : 'malformed_host', { value: host.value });
}

function requireKnownControlHost(deps: Dependencies, request: Request): void {
  const host = unknownHost(deps, request);
  if (!host) return;
  const { value, isWellFormed } = host;
  if (!isWellFormed) throw new ControlRefusal(400, rules.malformed_host.message({ value }));
  throw new ControlRefusal(
    403,
    `The control API does not accept the host "${value}". To allow it, use --allowed-hosts ${value}`,
  );
}

// Origins.

/**
 * Rejects requests of other sites, unless a user follows a link. Browsers state the site over TLS and on the server's
 * own machine.
 */
function rejectCrossSite(_: Dependencies, request: Request): void {
  const { headers } = request;
  const isCrossSite = headers.get('sec-fetch-site') === 'cross-site';
  // A browser opens the socket of a page without stating the page's site.
  const isSocket = headers.has('sec-websocket-key') && headers.has('origin');
  if (!(isCrossSite || isSocket) || isFollowedLink(request)) return;
  const path = pathOf(request);
  if (!exempt.test(path) && !linkable.test(path)) throw new Refusal('cross_site');
}

const isFollowedLink = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';

/** Rejects pages of other origins: browsers send their origin, or `null`. */
function requireOwnOrigin({ publicUrl }: Dependencies, request: Request): void {
  const origin = request.headers.get('origin');
  if (origin === null) return;
  const host = hostOf(request);
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  // A proxy may terminate TLS, so only the public URL shows the scheme of the own origin.
  const ownOrigins = own?.host === host ? [] : [`http://${host}`, `https://${host}`];
  if ([...ownOrigins, own?.origin].includes(origin.toLowerCase())) return;
  throw new ControlRefusal(
    403,
    `The control API does not answer pages of another origin: ${JSON.stringify(origin.slice(0, 200))}`,
  );
}

// Keys.

/** Requires the admin key, or on the routes of one sandbox that sandbox's own key, whose calls are limited. */
async function requireKey(deps: Dependencies, request: Request, sandboxName: string | undefined): Promise<void> {
  const key = bearerToken(request);
  const hash = hashOf(deps, key);
  if (isEqual(hash, deps.adminKeyHash)) return;
  const hasSandbox = sandboxName !== undefined && key !== undefined;
  const sandbox = hasSandbox ? await deps.sandboxes.get(sandboxName) : undefined;
  if (sandbox && isEqual(hash, sandbox.identity.ownKeyHash ?? '-')) return limitGuest(deps, sandbox, true);
  let message = 'The control API needs the admin key. Send it as `Authorization: Bearer <key>`';
  if (hasSandbox) message = 'The key is neither the admin key nor the key of this sandbox';
  else if (key !== undefined)
    message =
      'The key is not the admin key; use the key that the server printed when it started, or the one that you passed';
  throw new ControlRefusal(401, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/**
 * The sandbox whose own key a request of MCP has, which counts as a call of its guest; undefined for the admin key.
 * @throws ControlRefusal 401 for any other key; Refusal max_calls
 */
export async function keyOwner(deps: Dependencies, request: Request): Promise<string | undefined> {
  const key = bearerToken(request);
  const hash = hashOf(deps, key);
  if (isEqual(hash, deps.adminKeyHash)) return undefined;
  const sandboxes = key === undefined ? [] : await deps.sandboxes.list();
  const owner = sandboxes.find(({ identity }) => isEqual(hash, identity.ownKeyHash ?? '-'));
  if (owner) {
    limitGuest(deps, owner, true);
    return owner.name;
  }
  const problem = key === undefined ? 'MCP needs a key' : 'The key is neither the admin key nor the key of a sandbox';
  throw new ControlRefusal(
    401,
    `${problem}. Send the admin key that the server printed when it started, or a sandbox's own key, as ` +
      '`Authorization: Bearer <key>`',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}

/** Limits the calls to an invited sandbox. @param token of the call, not verified @throws Refusal max_calls */
export async function limitCall(deps: Dependencies, sandbox: HostedSandbox, token: string | undefined): Promise<void> {
  const { identity } = sandbox;
  if (!identity.invite) return;
  limitGuest(deps, sandbox, token !== undefined && (await deps.tokens.verify(identity, token)) !== undefined);
}

/**
 * One guest must not take the server from all. A stranger, who has no key or token of the sandbox, must not use up the
 * guest's calls, nor an earlier guest those of a later one: both count apart.
 */
function limitGuest(
  { guestCalls, sandboxes }: Dependencies,
  { identity }: Pick<HostedSandbox, 'identity'>,
  isGuest: boolean,
): void {
  if (!identity.invite) return;
  const counted = `${identity.invite.tokenHash} ${isGuest}`;
  const now = sandboxes.now();
  const retryAfterSeconds = guestCalls.secondsToWait(counted, now);
  if (retryAfterSeconds > 0) throw new Refusal('max_calls', { retryAfterSeconds });
  guestCalls.count(counted, now);
}

const hashOf = ({ hashes }: Dependencies, key: string | undefined): string =>
  key === undefined ? '' : hex(hashes.sha256(key));

/** Whether a request has the admin key. */
export const isAdmin = (deps: Dependencies, request: Request): boolean =>
  isEqual(hashOf(deps, bearerToken(request)), deps.adminKeyHash);

/** Compares hashes in constant time. */
export function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1)
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at % (other.length || 1));
  return difference === 0;
}
