// The routes: the contract's operations at both base URLs, beside them the storage, the tracking pages and the reference with its documents;
// the control API, and health. Web APIs only.
import { type Context, Hono } from 'hono';
import {
  controlOpenApiPath,
  docsPath,
  healthPath,
  openApiPath,
  sandboxBase,
  storagePath,
  trackingPath,
} from '../contract/addresses.ts';
import { operationList, type ServiceOperation } from '../contract/operations.ts';
import { Refusal } from '../contract/refusal.ts';
import { stopwatch } from '../control/clock.ts';
import { type Awaitable, andThen } from '../state/store.ts';
import { addControlRoutes } from './admin/app.ts';
import { type Arrival, arrivalOf, type Bindings, urlParts } from './arrival.ts';
import { assetNames, assets } from './docs/assets.ts';
import { serveControlDocument, serveReference, serveServiceDocument } from './docs/serve.ts';
import type { Edge } from './edge.ts';
import { refusalReply } from './refuse.ts';
import { report } from './report.ts';
import { respond } from './respond.ts';
import { rendered, responseOf, sent } from './response.ts';
import { bases, routeOf } from './service.ts';
import { serveLabel } from './storage/labels.ts';
import { serveTracking } from './tracking/serve.ts';

export function createApp(edge: Edge): Hono {
  const app = new Hono();
  app.get(healthPath, ({ req }) => responseOf(edge, req.raw, edge.health.answer()));
  for (const base of bases) {
    for (const operation of operationList) {
      app.on(operation.method, base + routeOf(operation), (context) =>
        responded(edge, arrived(edge, context, operation)),
      );
    }
    app.all(`${base}${storagePath}/*`, (context) => serveLabel(edge, arrived(edge, context)));
    app.get(`${base}${trackingPath}/:number`, (context) => serveTracking(edge, arrived(edge, context)));
    app.on('GET', [base + docsPath, `${base}${docsPath}/`], (context) => serveReference(edge, arrived(edge, context)));
    app.get(base + openApiPath, (context) => serveServiceDocument(edge, arrived(edge, context)));
    for (const name of assetNames)
      app.get(`${base}${docsPath}/${name}`, async ({ req: { raw } }) =>
        responseOf(edge, raw, await assets.serve(edge, name, raw)),
      );
  }
  app.get(controlOpenApiPath, (context) => serveControlDocument(edge, arrived(edge, context)));
  addControlRoutes(app, edge);
  app.onError((error) => {
    throw error; // what is not answered by now shall be seen by the caller of fetch
  });
  app.notFound((context) => unrouted(edge, arrived(edge, context)));
  return app;
}

const underBase = new RegExp(`^(?:${sandboxBase('([^/]+)')})?/v2(?:/|$)`);

function arrived(edge: Edge, { req, env }: Context, operation?: ServiceOperation): Arrival {
  const { isOverPort = false, isByConsole = false } = (env ?? {}) as Partial<Bindings>;
  const found = { operation, names: req.param() as Record<string, string> };
  return arrivalOf(edge, req.raw, urlParts(req.url), found, { isOverPort, isByConsole });
}

const responded = (edge: Edge, arrival: Arrival): Awaitable<Response> =>
  andThen(respond(edge, arrival), (answer) => sent(arrival.request, answer));

/** A path of /v2 that is no operation still belongs to the sandbox whose base URL it stands under. */
function unrouted(edge: Edge, arrival: Arrival): Awaitable<Response> {
  const found = underBase.exec(arrival.path);
  if (!found) return elsewhere(edge, arrival);
  return responded(edge, { ...arrival, sandboxName: found[1] });
}

/** A path outside every base URL. */
function elsewhere(edge: Edge, arrival: Arrival): Response {
  const reply = refusalReply(new Refusal('HTTP-1'));
  report(edge, arrival, stopwatch(), reply.status, undefined);
  return responseOf(edge, arrival.request, rendered(reply));
}
