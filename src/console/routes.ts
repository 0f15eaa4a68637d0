// Leads to the web console. Everything behind this is loaded with the first of its requests: most servers never show a page.
import type { Context, Hono } from 'hono';
import { consolePath } from '../contract/addresses.ts';
import type { Bindings } from '../http/arrival.ts';
import type { Edge } from '../http/edge.ts';

/**
 * Adds it to the app that answers everything else: a sample order goes through it as any client's would. Its own routes are not the app's: the
 * app finds the service's by one regular expression, which theirs would not fit into.
 */
export function addConsoleRoutes(app: Hono, edge: Edge): void {
  const sentByConsole: Bindings = { isOverPort: false, isByConsole: true };
  const door = { edge, answer: (request: Request) => app.fetch(request, sentByConsole) };
  const serve = async ({ req }: Context): Promise<Response> => (await import('./door.ts')).answered(req.raw, door);
  for (const path of [consolePath, `${consolePath}/*`]) app.on(['GET', 'POST'], path, serve);
}
