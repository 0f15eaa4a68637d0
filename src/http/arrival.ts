// What came in, as the router hands it on.
import type { ServiceOperation } from '../contract/operations.ts';
import type { Incoming } from './incoming.ts';

/** What is told of a request beside itself. */
export interface Bindings {
  /** Whether it came over a port, or in process. */
  readonly isOverPort: boolean;
  /** Whether the console sends it, for whoever looks through it. */
  readonly isByConsole: boolean;
}

export interface Arrival extends Bindings {
  readonly request: Incoming;
  readonly operation: ServiceOperation | undefined;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The sandbox named in the path; none at the plain base URL. */
  readonly sandboxName: string | undefined;
  /** What stands before the path in the absolute URLs of answers: the public URL, or the request's own origin. */
  readonly origin: string;
  /** The path as it came, still encoded. */
  readonly path: string;
  /** The query with its question mark, or nothing. */
  readonly search: string;
}

/** What a router finds: the operation, and what the names of its path stand for, among them the sandbox's. */
interface Found {
  readonly operation?: ServiceOperation | undefined;
  readonly names: Readonly<Record<string, string>>;
}

export function arrivalOf(
  { publicUrl }: { readonly publicUrl: string | undefined },
  request: Incoming,
  { origin, path, search }: UrlParts,
  { operation, names }: Found,
  { isOverPort, isByConsole }: Bindings,
): Arrival {
  const { sandbox: sandboxName } = names;
  return {
    request,
    operation,
    params: sandboxName === undefined ? names : withoutSandbox(names),
    sandboxName,
    origin: publicUrl ?? origin,
    path,
    search,
    isOverPort,
    isByConsole,
  };
}

function withoutSandbox({ sandbox: _, ...params }: Found['names']): Found['names'] {
  return params;
}

/** The path without the base URL that it came under. */
export const localPath = ({ path, sandboxName }: Arrival): string =>
  sandboxName === undefined ? path : path.replace(/^\/[^/]+\/[^/]+/, '');

type UrlParts = Pick<Arrival, 'origin' | 'path' | 'search'>;

/** The parts of a request's URL, which is absolute and normalized. Costs a tenth of parsing it anew. */
export function urlParts(url: string): UrlParts {
  const fragment = url.indexOf('#');
  const bare = fragment < 0 ? url : url.slice(0, fragment);
  const slash = bare.indexOf('/', bare.indexOf('://') + 3);
  const question = bare.indexOf('?', slash);
  const end = question < 0 ? bare.length : question;
  return { origin: bare.slice(0, slash), path: bare.slice(slash, end), search: bare.slice(end) };
}

/** Whether each `%` of a path begins bytes of UTF-8. */
export function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    // Asked for its value: a bundler leaves out a call whose value nobody wants.
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
