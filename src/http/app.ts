// The Hono app: middleware, the routes of the service, the object storage, tracking pages, documents, the control API and the console.
import { Hono, type MiddlewareHandler } from 'hono';
import {
  consolePath,
  controlOpenApiPath,
  docsPath,
  healthPath,
  openApiPath,
  sandboxBase,
  stage,
  storagePath,
  trackingPath,
} from '../contract/addresses.ts';
import { adminPath } from '../contract/admin/control-operation.ts';
import { healthStatuses } from '../contract/health.ts';
import { once } from '../contract/lazily.ts';
import { operationList, type ServiceOperation } from '../contract/operations.ts';
import { filled } from '../contract/path-template.ts';
import { Refusal } from '../contract/refusal.ts';
import { readBody } from './body.ts';
import { assetNames, assets } from './docs/assets.ts';
import type { Edge } from './edge.ts';
import type { RequestHandler, ServiceResponse } from './exchange.ts';
import { locate } from './locate.ts';
import { requireRoom } from './memory.ts';
import { guardPort } from './port-guards.ts';
import {
  type App,
  type AppContext,
  type Env,
  type ExtraRoute,
  isSandboxOver,
  RequestContext,
} from './request-context.ts';
import { BrokenConnection, failureResponse, protectedResponse, refusalResponse } from './response.ts';
import { runStages } from './stages.ts';
import { urlParts } from './urls.ts';

/** Where {base_url} may stand: the plain one, and one per sandbox. */
const bases = ['', sandboxBase(':sandbox')];

/** An app that is loaded with the first of its requests: most servers get none. */
export type LazyApp = () => Promise<RequestHandler>;

/**
 * @param consoleApp makes the console, which stands above this layer and sends calls of its own through the app
 */
export function createApp(edge: Edge, consoleApp: (app: App) => LazyApp): App {
  const app: App = new Hono<Env>();
  app.use(guardPort(edge));
  app.get(healthPath, (c) => protectedResponse(c, edge, healthResponse(edge)));
  for (const base of bases) {
    for (const operation of operationList)
      app.on(operation.method, base + routeOf(operation), recordCall(edge, operation), answerCall);
    app.all(`${base}${storagePath}/*`, recordCall(edge), async (c) => {
      const { labels } = await import('./storage/labels.ts');
      return answerBeside(c, labels);
    });
    app.get(`${base}${trackingPath}/:number`, recordCall(edge), async (c) => {
      const { trackingPages } = await import('./tracking/serve.ts');
      return answerBeside(c, trackingPages);
    });
    for (const path of [docsPath, `${docsPath}/`])
      app.get(base + path, async (c) => (await docs()).serveReference(edge, c));
    app.get(base + openApiPath, async (c) => (await docs()).serveServiceDocument(edge, c));
    for (const name of assetNames)
      app.get(`${base}${docsPath}/${name}`, async (c) =>
        protectedResponse(c, edge, await assets.serve(edge, name, c.req.raw)),
      );
  }
  app.get(controlOpenApiPath, async (c) => (await docs()).serveControlDocument(edge, c));
  const controlApp = async () => (await import('./admin/app.ts')).controlApp(edge);
  app.all(`${adminPath}/*`, handOn(controlApp));
  app.on(['GET', 'POST'], `${consolePath}/*`, handOn(consoleApp(app)));
  app.notFound((c) => answerUnknownPath(edge, c));
  app.onError((error) => {
    throw error; // What is not answered by now is for the caller of fetch.
  });
  return app;
}

function healthResponse({ health }: Edge): ServiceResponse {
  const told = health();
  const headers = { 'content-type': 'application/json' };
  return { kind: 'data', status: healthStatuses[told.status], headers, body: JSON.stringify(told) };
}

const docs = () => import('./docs/serve.ts');

/** `/v2/orders/{orderId}` → `/v2/orders/:orderId` */
const routeOf = ({ path }: Pick<ServiceOperation, 'path'>): string => filled(path, (name) => `:${name}`);

function handOn(load: LazyApp): (c: AppContext) => Promise<Response> {
  const loaded = once(load);
  return async (c) => (await loaded()).fetch(c.req.raw, c.env);
}

/** The journal: opens the context of a request, and completes its entry, whatever comes of it. */
const recordCall =
  (edge: Edge, operation?: ServiceOperation): MiddlewareHandler<Env> =>
  async (c, next) => {
    const request = new RequestContext(c, edge, operation);
    c.set('request', request);
    try {
      await next();
    } finally {
      await request.record();
    }
  };

/** Answers a call of the service: its body, its sandbox, the stages, the operation. */
async function answerCall(c: AppContext): Promise<Response> {
  const request = c.get('request');
  let response: ServiceResponse;
  try {
    // Only an operation that takes a body has it read.
    if (request.operation?.body) {
      requireRoom(request.edge);
      request.body = await readBody(c);
    }
    await request.enter(await locate(request));
    response = await runStages(request);
  } catch (error) {
    if (error instanceof BrokenConnection) throw error;
    response = rejected(request, error);
  }
  return request.respond(response);
}

function rejected(request: RequestContext, error: unknown): ServiceResponse {
  if (error instanceof Refusal) {
    request.refusal = error;
    return refusalResponse(error, request.terms);
  }
  request.refusal = new Refusal('HTTP-3');
  const response = failureResponse();
  if (!isSandboxOver(error)) request.fail(error, response);
  return response;
}

async function answerBeside(c: AppContext, { name, answer, unknownSandbox, failed }: ExtraRoute): Promise<Response> {
  const request = c.get('request');
  const { edge, sandboxName = stage } = request;
  try {
    const sandbox = await edge.sandboxes.get(sandboxName);
    if (!sandbox) return request.respond(unknownSandbox(request));
    await request.enter({ sandbox });
    request.stage = name;
    return request.respond(await answer(request));
  } catch (error) {
    const response = failed(request);
    if (!isSandboxOver(error)) request.fail(error, response);
    return request.respond(response);
  }
}

const servicePath = new RegExp(`^(?:${sandboxBase('[^/]+')})?/v2(?:/|$)`);

/** A path of /v2 that is no operation is recorded by the sandbox under whose base URL it stands; another path by none. */
async function answerUnknownPath(edge: Edge, c: AppContext): Promise<Response> {
  if (!servicePath.test(urlParts(c.req.url).path)) {
    const response = refusalResponse(new Refusal('HTTP-1'));
    new RequestContext(c, edge, undefined).log(response.status);
    return protectedResponse(c, edge, response);
  }
  await recordCall(edge)(c, async () => {
    c.res = await answerCall(c);
  });
  return c.res;
}
