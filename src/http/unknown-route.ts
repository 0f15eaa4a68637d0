// A request that no route answers (HTTP-1): why, and the nearest route.
import { docsPath, healthPath, mcpPath, openApiPath, patternOf } from '../contract/addresses.ts';
import { nearestPath } from '../contract/nearest.ts';
import { operationList } from '../contract/operations.ts';
import { Refusal } from '../contract/refusal.ts';
import { once } from '../contract/schema.ts';
import type { ExtraRoute, RequestContext } from './request-context.ts';
import { failureResponse, refusalResponse } from './response.ts';

/** The routes that a client may have meant. */
const routes = once(() => {
  const others = [docsPath, openApiPath, healthPath].map((path) => ({ method: 'GET', path }));
  return [...operationList, ...others, { method: 'POST', path: mcpPath }].map(({ method, path }) => ({
    method,
    path,
    pattern: patternOf(path),
  }));
});

/** The routes of a path, with their methods. */
const routesOf = (path: string) => routes().filter(({ pattern }) => pattern.test(path));

/** HEAD has the headers of GET. */
export const unknownRoute = ({ method, shownPath }: RequestContext): Refusal =>
  new Refusal('HTTP-1', { problem: problemOf(method === 'HEAD' ? 'GET' : method, shownPath) });

const maxPathCharacters = 100;

function problemOf(method: string, path: string): string {
  const allowed = routesOf(path).map((route) => route.method);
  if (allowed.length > 0) return `${path} takes ${allowed.join(' or ')}, not ${method}`;
  const unknown = `no route ${method} ${path.slice(0, maxPathCharacters)}`;
  const nearest = nearestPath(
    path,
    routes().map((route) => route.path),
  );
  if (nearest === undefined) return `${unknown}; ${docsPath} lists the routes`;
  const methods = routesOf(nearest).map((route) => route.method);
  return `${unknown}; did you mean ${methods.includes(method) ? method : methods[0]} ${nearest}?`;
}

/**
 * Paths outside /v2 that browsers, crawlers and load balancers request on their own: they would fill the journal. Those
 * of Sachet itself are open to other sites (guards.ts), which must not write into the journal.
 */
const automatic =
  /^(?:\/sandboxes\/[^/]+)?\/_|^\/(?:favicon\.ico|robots\.txt|apple-touch-icon[^/]*|\.well-known\/.*|health(?:\/.*)?)?$/;

/** Whether the journal records a request outside /v2. */
export const isRecorded = (path: string): boolean => !automatic.test(path);

/** Answers a path outside /v2. */
export const unknownPaths: ExtraRoute = {
  name: 'route',
  answer: async (request) => {
    request.refusal = unknownRoute(request);
    return refusalResponse(request.refusal);
  },
  unknownSandbox: ({ refusal = new Refusal('unknown_sandbox') }) => refusalResponse(refusal),
  failed: failureResponse,
};
