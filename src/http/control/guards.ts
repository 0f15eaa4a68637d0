// Who may call the control API and the console. Guards run before anything of a request is parsed; their order is part of the behavior.
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import { rules } from '../../contract/rules.ts';
import { hex } from '../../domain/hashes.ts';
import type { Dependencies, Guard, GuardInput } from '../dependencies.ts';
import { hostOf, strangeHost } from '../port-guards.ts';
import { bearerToken } from '../tokens.ts';

/** Refuses unknown host names: a page of another site may have made its own name lead to this server. */
async function host({ deps, request }: GuardInput): Promise<void> {
  const strange = strangeHost(deps, request);
  if (!strange) return;
  const { value, isName } = strange;
  if (!isName) throw new ControlRefusal(400, rules.malformed_host.message({ value }));
  throw new ControlRefusal(
    403,
    `The control API does not answer under the host "${value}"; allow it by --allowed-hosts ${value}`,
  );
}

/** Refuses pages of other sites: their requests carry their origin, or `null`. */
async function origin({ request, deps: { publicUrl } }: GuardInput): Promise<void> {
  const given = request.headers.get('origin');
  if (given === null) return;
  const found = URL.canParse(given) ? new URL(given) : undefined;
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  // TLS may end in front of this server, so the scheme of its own origin is only known from the public URL.
  const isOwn = known && found?.host === known.host ? found.origin === known.origin : found?.host === hostOf(request);
  if (isOwn && found && isBare(found)) return;
  throw new ControlRefusal(
    403,
    `The control API does not answer pages of another origin: ${JSON.stringify(given.slice(0, 200))}`,
  );
}

/** Whether the URL is an origin as browsers send it: scheme, host and port only. */
const isBare = ({ protocol, username, password, pathname, search, hash }: URL): boolean =>
  /^https?:$/.test(protocol) && username + password + search + hash === '' && pathname === '/';

/** Requires the admin key, or on the routes of one sandbox that sandbox's own key. */
async function key({ deps, request, sandboxName }: GuardInput): Promise<void> {
  const given = bearerToken(request);
  const hash = hashOf(deps, given);
  if (isEqual(hash, deps.adminKeyHash)) return;
  const isFound = sandboxName !== undefined && given !== undefined;
  const sandbox = isFound ? await deps.sandboxes.get(sandboxName) : undefined;
  if (isEqual(hash, sandbox?.identity.ownKeyHash ?? '-')) return;
  throw new ControlRefusal(401, given === undefined ? missing : wrong, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

const hashOf = ({ hashes }: Dependencies, given: string | undefined): string =>
  given === undefined ? '' : hex(hashes.sha256(given));

/** Whether a request has the admin key. */
export const isAdmin = (deps: Dependencies, request: Request): boolean =>
  isEqual(hashOf(deps, bearerToken(request)), deps.adminKeyHash);

const missing = 'The control API needs the admin key: send it as `Authorization: Bearer <key>`';
const wrong = 'The key is neither the admin key nor the key of this sandbox';

/** Compares hashes in constant time. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1)
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at % (other.length || 1));
  return difference === 0;
}

/** For every request, because any page can make a browser send one. */
export const browserGuards: readonly Guard[] = [
  { name: 'host', run: host }, //      400, 403
  { name: 'origin', run: origin }, //  403
];

/** For requests that read or change data. */
export const keyGuards: readonly Guard[] = [
  { name: 'key', run: key }, //        401
];

/** Runs the guards in their order. @throws ControlRefusal of the first that refuses the request */
export async function pass(guards: readonly Guard[], guarded: GuardInput): Promise<void> {
  for (const guard of guards) await guard.run(guarded);
}
