// The Hono app: guards, and the routes of the service, labels, tracking pages, landing page, reference, control API and
// console.
import { Hono } from 'hono';
import {
  consolePath,
  controlOpenApiPath,
  docsPath,
  filled,
  healthPath,
  mcpPath,
  openApiPath,
  sandboxBase,
  stage,
  storagePath,
  trackingPath,
} from '../contract/addresses.ts';
import { adminPath } from '../contract/control/control-operation.ts';
import { healthStatuses } from '../contract/health.ts';
import { operationList, type ServiceOperation } from '../contract/operations.ts';
import { Refusal } from '../contract/refusal.ts';
import { once } from '../contract/schema.ts';
import { isSandboxOver } from '../sandbox/hosted-sandbox.ts';
import { readBody } from './body.ts';
import type { AnswerMcp, Dependencies } from './dependencies.ts';
import { guardPort, limitCall } from './guards.ts';
import { locate, unknownSandbox as unknownSandboxRefusal } from './locate.ts';
import { type App, type AppContext, type Env, type ExtraRoute, RequestContext } from './request-context.ts';
import {
  BrokenConnection,
  failureResponse,
  protectedResponse,
  type RequestHandler,
  refusalResponse,
  type ServiceResponse,
} from './response.ts';
import { runStages } from './stages.ts';
import { isRecorded, unknownPaths } from './unknown-route.ts';
import { sandboxInPath, urlParts } from './urls.ts';

/** The plain base URL, and that of each sandbox. */
const bases = ['', sandboxBase(':sandbox')];

/** An app that is loaded with its first request. */
type LazyApp = () => Promise<RequestHandler>;

/** The parts in layers above this one, which send their own calls through the app. */
interface UpperParts {
  readonly console: LazyApp;
  /** Loads what answers calls of MCP. */
  readonly mcp: () => Promise<AnswerMcp>;
}

/** @param partsOver returns the parts of the layers above */
export function createApp(deps: Dependencies, partsOver: (app: App) => UpperParts): App {
  const app: App = new Hono<Env>();
  app.use(guardPort(deps));
  app.get(healthPath, (c) => protectedResponse(c, deps, healthResponse(deps)));
  for (const base of bases) {
    for (const operation of operationList)
      app.on(operation.method, base + routeOf(operation), recordCall(deps, operation, answerCall));
    app.all(`${base}${storagePath}/*`, recordCall(deps, undefined, answerExtra(labels)));
    app.get(`${base}${trackingPath}/:number`, recordCall(deps, undefined, answerExtra(trackingPages)));
    for (const path of base === '' ? ['/'] : [base, `${base}/`])
      app.get(path, async (c) => (await import('./docs/landing-page.ts')).serveLanding(deps, c));
    for (const path of [docsPath, `${docsPath}/`])
      app.get(base + path, async (c) => (await reference()).servePage(deps, c));
    app.get(base + openApiPath, async (c) => (await reference()).serveDocument(deps, c, 'service'));
    for (const name of referenceAssets)
      app.get(`${base}${docsPath}/${name}`, async (c) => (await reference()).serveAsset(deps, c, name));
  }
  app.get(controlOpenApiPath, async (c) => (await reference()).serveDocument(deps, c, 'control'));
  const upper = partsOver(app);
  const control = forwardTo(async () => (await import('./control/app.ts')).controlApp(deps, upper.mcp));
  app.all(`${adminPath}/*`, control);
  app.all(mcpPath, control);
  app.on(['GET', 'POST'], `${consolePath}/*`, forwardTo(upper.console));
  app.notFound(answerUnknownPath(deps));
  app.onError((error) => {
    throw error; // for the caller of fetch
  });
  return app;
}

function healthResponse({ health }: Dependencies): ServiceResponse {
  const report = health();
  const headers = { 'content-type': 'application/json' };
  return { kind: 'data', status: healthStatuses[report.status], headers, body: JSON.stringify(report) };
}

/** Scripts and styles of the API reference. One route each: Hono's RegExpRouter takes no parameter next to a name. */
const referenceAssets = ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js', 'page.css'];

// Loaded with the first request.
const reference = () => import('./docs/reference.ts');
const labels = async () => (await import('./storage/label-route.ts')).labels;
const trackingPages = async () => (await import('./tracking.ts')).trackingPages;

/** `/v2/orders/{orderId}` → `/v2/orders/:orderId` */
const routeOf = ({ path }: Pick<ServiceOperation, 'path'>): string => filled(path, (name) => `:${name}`);

function forwardTo(load: LazyApp): (c: AppContext) => Promise<Response> {
  const loaded = once(load);
  return async (c) => (await loaded()).fetch(c.req.raw, c.env);
}

/** Creates the context of a request, and completes its journal entry in any case. */
const recordCall =
  (
    deps: Dependencies,
    operation: ServiceOperation | undefined,
    answer: (request: RequestContext) => Promise<Response>,
  ) =>
  async (c: AppContext): Promise<Response> => {
    const name = c.req.param('sandbox') ?? (operation ? undefined : sandboxInPath(urlParts(c.req.url).path));
    const request = new RequestContext(c, deps, operation, name);
    try {
      return await answer(request);
    } finally {
      await request.record();
    }
  };

/** Answers a call of the service: reads its body, locates its sandbox, and runs the stages. */
async function answerCall(request: RequestContext): Promise<Response> {
  const { deps, operation } = request;
  let response: ServiceResponse;
  try {
    // As in hapi, also if the operation has no use for a body.
    if (operation && operation.method !== 'GET') {
      if (!deps.hasMemory()) throw new Refusal('max_memory');
      request.body = await readBody(request.c);
    }
    await request.enter(await locate(request));
    await limitCall(deps, request.sandbox, request.bearer);
    response = await runStages(request);
    await request.evaluateFaultsAfterSuccess();
  } catch (error) {
    if (error instanceof BrokenConnection) throw error;
    response = rejected(request, error);
  }
  return request.respond(response);
}

function rejected(request: RequestContext, error: unknown): ServiceResponse {
  if (error instanceof Refusal) {
    request.refusal = error;
    return refusalResponse(error, request.assumptions);
  }
  request.refusal = new Refusal('HTTP-3');
  const response = failureResponse();
  if (!isSandboxOver(error)) request.fail(error, response);
  return response;
}

/** Answers a request to another route of a sandbox. */
const answerExtra =
  (load: () => Promise<ExtraRoute>) =>
  async (request: RequestContext): Promise<Response> => {
    const { name, answer, unknownSandbox, failed } = await load();
    const { deps, sandboxName } = request;
    try {
      const sandbox = await (sandboxName === undefined ? locate(request) : deps.sandboxes.get(sandboxName));
      if (!sandbox) {
        request.refusal = unknownSandboxRefusal(sandboxName ?? stage);
        return request.respond(unknownSandbox(request));
      }
      await request.enter(sandbox);
      await limitCall(deps, sandbox, request.bearer);
      request.stage = name;
      return request.respond(await answer(request));
    } catch (error) {
      if (error instanceof Refusal) return request.respond(rejected(request, error));
      const response = failed(request);
      if (!isSandboxOver(error)) request.fail(error, response);
      return request.respond(response);
    }
  };

const servicePath = new RegExp(`^(?:${sandboxBase('[^/]+')})?/v2(?:/|$)`);

/**
 * Unknown paths are recorded in the journal of their sandbox. Those below /v2 go through the stages; no fault affects
 * the others, and requests that browsers send on their own are only logged.
 */
function answerUnknownPath(deps: Dependencies): (c: AppContext) => Promise<Response> {
  const belowV2 = recordCall(deps, undefined, answerCall);
  const outside = recordCall(
    deps,
    undefined,
    answerExtra(async () => unknownPaths),
  );
  return async (c) => {
    const { path } = urlParts(c.req.url);
    if (servicePath.test(path)) return belowV2(c);
    if (isRecorded(path)) return outside(c);
    const request = new RequestContext(c, deps, undefined, undefined);
    return request.respond(await unknownPaths.answer(request));
  };
}
