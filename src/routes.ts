// What is asked beside the calls of the service and the health: loaded with the first such request, since a server that has just started answers without.
import { addConsoleRoutes } from './console/routes.ts';
import type { createApp } from './http/app.ts';
import type { Bindings } from './http/arrival.ts';
import type { Edge } from './http/edge.ts';
import type { Awaitable } from './state/store.ts';

type App = ReturnType<typeof createApp>;

/** The routes of the app. */
export interface Routes {
  /** Answers; only the first request waits until they are loaded. */
  readonly answer: (request: Request, bindings: Bindings) => Awaitable<Response>;
  readonly load: () => Promise<unknown>;
}

export function routesOf(edge: Edge): Routes {
  let app: App | undefined;
  const load = async (): Promise<App> => {
    const made = await import('./http/app.ts');
    if (app) return app;
    app = made.createApp(edge);
    addConsoleRoutes(app, edge);
    return app;
  };
  const answer: Routes['answer'] = (request, bindings) =>
    app ? app.fetch(request, bindings) : load().then((loaded) => loaded.fetch(request, bindings));
  return { answer, load };
}
