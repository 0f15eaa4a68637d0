// The console's own routes.
import { type Context, Hono } from 'hono';
import { consolePath } from '../contract/addresses.ts';
import { consoleRoutes } from './addresses.ts';
import type { Door } from './knock.ts';
import { type Purpose, served } from './serve.tsx';

type Bound = { readonly Bindings: Door };

const routes = new Hono<Bound>();
const to = (purpose: Purpose) => {
  return ({ env, req }: Context<Bound>) => served({ ...env, request: req.raw, params: req.param() }, purpose);
};
for (const { method, path, to: purpose } of consoleRoutes) routes.on(method, consolePath + path, to(purpose));
routes.notFound(to('nowhere'));
routes.onError((error) => {
  throw error; // what is not answered by now shall be seen by the caller of fetch
});

export const answered = (request: Request, door: Door): Response | Promise<Response> => routes.fetch(request, door);
