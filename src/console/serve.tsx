// The console's own Hono app: guards first, then what the route is for. Errors become words on the page.
import { Hono } from 'hono';
import { consolePath, sandboxName, stage } from '../contract/addresses.ts';
import { ControlRefusal } from '../contract/admin/control-operation.ts';
import { stopwatch } from '../control/clock.ts';
import { toRefusal } from '../http/admin/app.ts';
import { requireSandbox } from '../http/admin/call.ts';
import { pass } from '../http/admin/guards.ts';
import type { ServiceResponse } from '../http/exchange.ts';
import { requireRoomForResponse } from '../http/memory.ts';
import type { App, AppContext, Env } from '../http/request-context.ts';
import { protectedAnswer, protectedResponse } from '../http/response.ts';
import { urlParts } from '../http/urls.ts';
import { act } from './act.tsx';
import { type ConsoleRoute, consoleRoutes } from './addresses.ts';
import { assets, isAsset } from './assets.ts';
import { content } from './content.tsx';
import { fragment } from './fragment.ts';
import { refusedPage } from './frame.tsx';
import { live } from './live.tsx';
import { Refused } from './parts/action.tsx';
import { shell } from './shell.tsx';
import { sampleOrder } from './start/sample-order.tsx';
import { top } from './top.tsx';
import { type ConsoleDependencies, type ConsoleRequest, visitOf } from './visit.ts';

/** What a request is for; `nowhere` for an unknown path. */
type Purpose = ConsoleRoute['to'] | 'nowhere';
type PublicPurpose = 'entry' | 'shell' | 'asset' | 'nowhere';
const isPublic = (to: Purpose): to is PublicPurpose => ['entry', 'shell', 'asset', 'nowhere'].includes(to);

export function createConsole(dependencies: ConsoleDependencies): App {
  const app: App = new Hono<Env>();
  const handlerFor = (to: Purpose) => (context: AppContext) => {
    const params = context.req.param() as Record<string, string>;
    return served({ ...dependencies, context, request: context.req.raw, params }, to);
  };
  for (const { method, path, to } of consoleRoutes) app.on(method, consolePath + path, handlerFor(to));
  app.notFound(handlerFor('nowhere'));
  app.onError((error) => {
    throw error; // for the caller of fetch
  });
  return app;
}

async function served(consoleRequest: ConsoleRequest, to: Purpose): Promise<Response> {
  const { edge, context, request, params } = consoleRequest;
  const started = stopwatch();
  const answer = await (isPublic(to) ? servePublic(consoleRequest, to) : serveWithKey(consoleRequest, to));
  const { sandbox } = params;
  const { path } = urlParts(request.url);
  // Pages fetch their content whenever something changes: logging that would bury the calls.
  if (request.method !== 'GET' || answer.status >= 400)
    edge.log({ method: request.method, path, status: answer.status, milliseconds: stopwatch() - started, sandbox });
  return answer instanceof Response ? protectedAnswer(edge, 'page', answer) : protectedResponse(context, edge, answer);
}

/** Parts of the console without data. */
async function servePublic(consoleRequest: ConsoleRequest, to: PublicPurpose): Promise<ServiceResponse> {
  const { edge, request, params } = consoleRequest;
  try {
    await pass(edge.guards.browser, { edge, request, sandboxName: undefined });
    if (to === 'entry' && sandboxName.test(params.sandbox ?? stage)) return toLiveRequests(consoleRequest);
    if (to === 'entry' || to === 'shell') return shell(params.sandbox ?? '', params.page ?? '', urlParts(request.url));
    const { name = '' } = params;
    if (isAsset(name)) return await assets.serve(edge, name, request);
    throw new ControlRefusal(404, `The console has no ${urlParts(request.url).path.slice(0, 200)}`);
  } catch (error) {
    return refusedPage(toRefusal(edge, error), urlParts(request.url).path);
  }
}

/** Parts of the console that show or change data. */
async function serveWithKey(
  consoleRequest: ConsoleRequest,
  to: Exclude<Purpose, PublicPurpose>,
): Promise<ServiceResponse | Response> {
  const { edge, request, params } = consoleRequest;
  const { sandbox: name = '' } = params;
  try {
    await pass([...edge.guards.browser, ...edge.guards.key], { edge, request, sandboxName: name });
    const visit = visitOf(consoleRequest, await requireSandbox(edge, name));
    await visit.sandbox.journal.catchUp();
    const answer = await { top, content, act, live, sampleOrder }[to](visit);
    if (!(answer instanceof Response)) requireRoomForResponse(edge, request.method, answer);
    return answer;
  } catch (error) {
    const refusal = toRefusal(edge, error);
    // The page itself says that there is no such sandbox.
    if (to === 'top' && refusal.status === 404) return { kind: 'page', status: 204, headers: {}, body: null };
    return fragment(<Refused refusal={refusal} sandbox={name} isPage={to === 'content'} />, {
      status: refusal.status,
      headers: refusal.headers,
    });
  }
}

/** A redirection relative to the request's path. Browsers keep the fragment, and with it the key. */
function toLiveRequests({ request, params: { sandbox } }: ConsoleRequest): ServiceResponse {
  const { path } = urlParts(request.url);
  const last = path.slice(path.lastIndexOf('/') + 1);
  const location = [last, sandbox ? '' : stage, 'requests'].filter((part) => part !== '').join('/');
  return { kind: 'page', status: 302, headers: { location }, body: '' };
}
