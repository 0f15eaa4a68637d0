// The Host of a request, and which names of hosts are known: those of loopback, and those that were allowed.
import { ControlRefusal } from '../contract/admin/refusals.ts';

/** Names that are known beside those of loopback. */
interface Allowing {
  readonly allowedHosts: readonly string[];
}

/** The host as it was asked for; in process there is no header, and the URL says it. */
export const hostOf = ({ headers, url }: Request): string => (headers.get('host') ?? new URL(url).host).toLowerCase();

const bareHost = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/;
/** The last two are the names by which containers call the machine that they run on; nobody else can own them. */
const ownMachine = ['localhost', '127.0.0.1', '[::1]', 'host.docker.internal', 'host.containers.internal'];

const nameIn = (host: string): string | undefined => bareHost.exec(host)?.[1];
const isKnown = (name: string, { allowedHosts }: Allowing): boolean =>
  ownMachine.includes(name) || name.endsWith('.localhost') || allowedHosts.includes(name);

/** Whether a request came under a host that is known. */
export function isUnderKnownHost(allowing: Allowing, request: Request): boolean {
  const name = nameIn(hostOf(request));
  return name !== undefined && isKnown(name, allowing);
}

/** The name that a request came under, where it is none that is known. @throws ControlRefusal 400 for what is not one host */
export function unknownHost(allowing: Allowing, request: Request): string | undefined {
  const given = hostOf(request);
  const name = nameIn(given);
  if (name !== undefined) return isKnown(name, allowing) ? undefined : name;
  throw new ControlRefusal(400, `A request has exactly one Host header; found ${JSON.stringify(given.slice(0, 200))}`);
}
