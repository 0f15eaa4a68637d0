// The parts of a request's URL.
import { sandboxBase } from '../contract/addresses.ts';

export interface UrlParts {
  /** Scheme and host. */
  readonly origin: string;
  /** Still encoded. */
  readonly path: string;
  /** With its question mark, or an empty string. */
  readonly search: string;
}

/** Splits an absolute, normalized URL. Costs a tenth of `new URL`. */
export function urlParts(url: string): UrlParts {
  const fragment = url.indexOf('#');
  const bare = fragment < 0 ? url : url.slice(0, fragment);
  const slash = bare.indexOf('/', bare.indexOf('://') + 3);
  const question = bare.indexOf('?', slash);
  const end = question < 0 ? bare.length : question;
  return { origin: bare.slice(0, slash), path: bare.slice(slash, end), search: bare.slice(end) };
}

const underSandbox = new RegExp(`^${sandboxBase('([^/]+)')}/`);

/** The sandbox in a path, decoded; undefined at the plain base URL. */
export function sandboxInPath(path: string): string | undefined {
  const name = underSandbox.exec(path)?.[1];
  return name && decoded(name);
}

/** A part of a path, decoded as Hono decodes path parameters. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A path without the base URL of its sandbox. */
export const localPath = (path: string): string => path.replace(/^\/[^/]+\/[^/]+/, '');

/** Whether the percent-encoding of a path is valid UTF-8. */
export function isDecodable(path: string): boolean {
  try {
    // The comparison keeps a bundler from dropping a call whose value is not used.
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
