// The routes of the web console. Everything behind them is loaded with the first of its pages: most servers never show one.
import type { Hono } from 'hono';
import { consolePath } from '../contract/addresses.ts';
import type { Bindings } from '../http/arrival.ts';
import type { Edge } from '../http/edge.ts';
import { type ConsoleRoute, consoleRoutes } from './addresses.ts';
import type { Knock } from './knock.ts';

/** Adds them to the app that answers everything else: a sample order goes through it as any client's would. */
export function addConsoleRoutes(app: Hono, edge: Edge): void {
  const sentByConsole: Bindings = { isOverPort: false, isByConsole: true };
  const answer = (request: Request) => app.fetch(request, sentByConsole);
  for (const { method, path, to } of consoleRoutes)
    app.on(method, consolePath + path, ({ req }) => serve({ edge, answer, request: req.raw, params: req.param() }, to));
}

async function serve(knock: Knock, to: ConsoleRoute['to']): Promise<Response> {
  const { served } = await import('./serve.tsx');
  return served(knock, to);
}
