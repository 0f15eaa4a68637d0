// The console's own routes.
import { Hono } from 'hono';
import { consolePath } from '../contract/addresses.ts';
import type { App, AppContext, Env } from '../http/request-context.ts';
import { consoleRoutes } from './addresses.ts';
import type { Door } from './knock.ts';
import { type Purpose, served } from './serve.tsx';

export function appOf(door: Door): App {
  const app: App = new Hono<Env>();
  const to = (purpose: Purpose) => (c: AppContext) =>
    served({ ...door, c, request: c.req.raw, params: c.req.param() as Record<string, string> }, purpose);
  for (const { method, path, to: purpose } of consoleRoutes) app.on(method, consolePath + path, to(purpose));
  app.notFound(to('nowhere'));
  app.onError((error) => {
    throw error; // What is not answered by now is for the caller of fetch.
  });
  return app;
}
