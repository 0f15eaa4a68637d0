// The shortest way of a call of the service: its operation is found by method and path, and its answer is no Response yet. What is not
// found here (another path, HEAD, a path with escapes) takes the routes of the app, to the same answer.
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { sandboxBase } from '../contract/addresses.ts';
import { operationList, type ServiceOperation } from '../contract/operations.ts';
import { filled } from '../contract/path-template.ts';
import type { Awaitable } from '../state/store.ts';
import { arrivalOf, type Bindings, urlParts } from './arrival.ts';
import type { Edge } from './edge.ts';
import type { Incoming } from './incoming.ts';
import type { Sent } from './rendered.ts';
import { respond } from './respond.ts';

/** Where {base_url} may stand: the plain one, and one per sandbox. */
export const bases = ['', sandboxBase(':sandbox')];

/** `/v2/orders/{orderId}` → `/v2/orders/:orderId` */
export const routeOf = ({ path }: Pick<ServiceOperation, 'path'>): string => filled(path, (name) => `:${name}`);

/** Answers a call of the service; undefined for what it does not find. */
export type Service = (request: Incoming, bindings: Bindings) => Awaitable<Sent> | undefined;

export function serviceOf(edge: Edge): Service {
  const router = new RegExpRouter<ServiceOperation>();
  for (const base of bases)
    for (const operation of operationList) router.add(operation.method, base + routeOf(operation), operation);
  return (request, bindings) => {
    const parts = urlParts(request.url);
    if (parts.path.includes('%')) return undefined;
    const [[found] = [], stash] = router.match(request.method, parts.path);
    if (!found) return undefined;
    const names = namesIn(found[1], stash);
    return respond(edge, arrivalOf(edge, request, parts, { operation: found[0], names }, bindings));
  };
}

/** The router gives the names with where their values stand. */
function namesIn(places: Readonly<Record<string, number | string>>, stash: readonly string[] = []) {
  const names: Record<string, string> = {};
  for (const name of Object.keys(places)) names[name] = stash[places[name] as number] ?? '';
  return names;
}
