// What came in, as the router hands it on.
import type { ServiceOperation } from '../contract/operations.ts';

/** What is told of a request beside itself. */
export interface Bindings {
  /** Whether it came over a port, or in process. */
  readonly isOverPort: boolean;
  /** Whether the console sends it, for whoever looks through it. */
  readonly isByConsole: boolean;
}

export interface Arrival extends Bindings {
  readonly request: Request;
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

/** The path without the base URL that it came under. */
export const localPath = ({ path, sandboxName }: Arrival): string =>
  sandboxName === undefined ? path : path.replace(/^\/[^/]+\/[^/]+/, '');

/** The parts of a request's URL, which is absolute and normalized. Costs a tenth of parsing it anew. */
export function urlParts(url: string): Pick<Arrival, 'origin' | 'path' | 'search'> {
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
