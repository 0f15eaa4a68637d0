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

/** The host that a request came under; none where it is known. */
export function strangeHost(allowing: Allowing, request: Pick<Request, 'headers' | 'url'>): StrangeHost | undefined {
  const given = hostOf(request);
  if (lastKnown.get(allowing.allowedHosts) === given) return undefined;
  const strange = strangeIn(allowing, given);
  if (!strange) lastKnown.set(allowing.allowedHosts, given);
  return strange;
}

function strangeIn(allowing: Allowing, given: string): StrangeHost | undefined {
  const name = nameIn(given);
  if (name === undefined) return { value: given, isName: false };
  return isKnown(name, allowing) ? undefined : { value: name, isName: true };
}
