// The console's own Hono app: guards first, then what the route is for. Errors become words on the page.
import { Hono } from 'hono';
import { consolePath, sandboxName, stage } from '../contract/addresses.ts';
import { adminPath, ControlRefusal } from '../contract/control/control-operation.ts';
import { controlOperations } from '../contract/control/operations.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { boundedBytes } from '../http/body.ts';
import { toRefusal } from '../http/control/app.ts';
import { type HandledId, requireSandbox } from '../http/control/call.ts';
import { runGuards } from '../http/guards.ts';
import { Assets, type Markup } from '../http/markup.ts';
import { requireMemoryForResponse } from '../http/memory.ts';
import type { App, AppContext, Env } from '../http/request-context.ts';
import { protectedResponse, protectedStream, type ServiceResponse } from '../http/response.ts';
import { urlParts } from '../http/urls.ts';
import { stopwatch } from '../system/time.ts';
import { assetTexts } from './asset-texts.ts';
import { bodyOf, doneField } from './form-body.ts';
import { live } from './live.tsx';
import { assumptionsPage } from './pages/assumptions.tsx';
import { catalogPage } from './pages/catalog.tsx';
import { clockPage } from './pages/clock.tsx';
import { conductPage } from './pages/conduct.tsx';
import { fulfillmentPage, fulfillmentsPage } from './pages/fulfillments.tsx';
import { orderPage, ordersPage } from './pages/orders.tsx';
import { requestPage } from './pages/request.tsx';
import { requestsPage } from './pages/requests.tsx';
import { sampleOrder } from './pages/sample-order.tsx';
import { startPage } from './pages/start.tsx';
import { switchesPage } from './pages/switches.tsx';
import { type ConsoleRoute, consoleRoutes, type ListId, type PageId, pageAt, pageIn } from './pages.ts';
import { fragment } from './parts/page.tsx';
import { refusedPage, shell, top } from './shell.tsx';
import { type ConsoleDependencies, type ConsoleRequest, type Visit, visitOf } from './visit.ts';

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
  const { deps, context, request, params } = consoleRequest;
  const started = stopwatch();
  const answer = await (isPublic(to) ? servePublic(consoleRequest, to) : serveWithKey(consoleRequest, to));
  const { sandbox } = params;
  const { path } = urlParts(request.url);
  // Pages fetch their content whenever something changes: logging that would bury the calls.
  if (request.method !== 'GET' || answer.status >= 400)
    deps.log({ method: request.method, path, status: answer.status, milliseconds: stopwatch() - started, sandbox });
  return answer instanceof Response ? protectedStream(deps, 'page', answer) : protectedResponse(context, deps, answer);
}

const assets = new Assets('page', async () => assetTexts);

/** Parts of the console without data. */
async function servePublic(consoleRequest: ConsoleRequest, to: PublicPurpose): Promise<ServiceResponse> {
  const { deps, request, params } = consoleRequest;
  try {
    await runGuards(deps.guards.browser, { deps, request, sandboxName: undefined });
    if (to === 'entry' && sandboxName.test(params.sandbox ?? stage)) return toLiveRequests(consoleRequest);
    if (to === 'entry' || to === 'shell') return shell(params.sandbox ?? '', params.page ?? '', urlParts(request.url));
    const asset = await assets.serve(deps.hashes, params.name ?? '', request);
    if (asset) return asset;
    throw new ControlRefusal(404, `The console has no ${urlParts(request.url).path.slice(0, 200)}`);
  } catch (error) {
    return refusedPage(toRefusal(deps, error), urlParts(request.url).path);
  }
}

/** Parts of the console that show or change data. */
async function serveWithKey(
  consoleRequest: ConsoleRequest,
  to: Exclude<Purpose, PublicPurpose>,
): Promise<ServiceResponse | Response> {
  const { deps, request, params } = consoleRequest;
  const { sandbox: name = '' } = params;
  try {
    await runGuards([...deps.guards.browser, ...deps.guards.key], { deps, request, sandboxName: name });
    const visit = visitOf(consoleRequest, await requireSandbox(deps, name));
    await visit.sandbox.journal.catchUp();
    const answer = await { top, content, act, live, sampleOrder }[to](visit);
    if (!(answer instanceof Response)) requireMemoryForResponse(deps, request.method, answer);
    return answer;
  } catch (error) {
    const refusal = toRefusal(deps, error);
    // The page itself says that there is no such sandbox.
    if (to === 'top' && refusal.status === 404) return { kind: 'page', status: 204, headers: {}, body: null };
    return fragment(name, <Refused refusal={refusal} sandbox={name} isPage={to === 'content'} />, refusal);
  }
}

/** A redirection relative to the request's path. Browsers keep the fragment, and with it the key. */
function toLiveRequests({ request, params: { sandbox } }: ConsoleRequest): ServiceResponse {
  const { path } = urlParts(request.url);
  const last = path.slice(path.lastIndexOf('/') + 1);
  const location = [last, sandbox ? '' : stage, 'requests'].filter((part) => part !== '').join('/');
  return { kind: 'page', status: 302, headers: { location }, body: '' };
}

type Shown = Markup | Promise<Markup>;

const ofPage: Readonly<Record<PageId, (visit: Visit) => Shown>> = {
  requests: requestsPage,
  switches: switchesPage,
  clock: clockPage,
  orders: ordersPage,
  fulfillments: fulfillmentsPage,
  catalog: catalogPage,
  conduct: conductPage,
  assumptions: assumptionsPage,
  start: startPage,
};

/** The pages of one of what a page lists, by its id. */
const ofOne: Readonly<Record<ListId, (visit: Visit, id: string) => Shown>> = {
  requests: requestPage,
  orders: orderPage,
  fulfillments: fulfillmentPage,
};

async function content(visit: Visit): Promise<ServiceResponse> {
  const { page: path = '', sandbox = '' } = visit.params;
  const page = pageIn(path);
  if (!page) throw new ControlRefusal(404, `The console has no page ${path.slice(0, 80)}`);
  const shown = page.one === undefined ? ofPage[page.id](visit) : ofOne[page.id](visit, page.one);
  return fragment(sandbox, await shown);
}

/** Whether this is an operation that changes one sandbox: the only ones that the sandbox's own key allows. */
function isAct(id: string): id is HandledId {
  if (!Object.hasOwn(controlOperations, id)) return false;
  const { method, path } = controlOperations[id as HandledId];
  return method !== 'GET' && path.startsWith(`${adminPath}/sandboxes/{sandbox}`);
}

/** Changes a sandbox: runs the operation of the control API that a form submits. */
async function act(visit: Visit): Promise<ServiceResponse> {
  const { operation = '', sandbox = '' } = visit.params;
  if (!isAct(operation)) throw new ControlRefusal(404, `The console does nothing called ${operation.slice(0, 80)}`);
  const form = await formOf(visit);
  await visit.control(operation, { params: Object.fromEntries(visit.query), body: bodyOf(form) });
  const words = form.get(doneField) ?? 'Done';
  return fragment(sandbox, <p class="done">{words}.</p>, { headers: { 'hx-trigger': 'changed' } });
}

/** @throws ControlRefusal 400, 413 or 415 */
async function formOf({ context, request }: Visit): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new ControlRefusal(415, 'The console takes forms: application/x-www-form-urlencoded');
  const bytes = await boundedBytes(context, limits.bodyBytes).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    return null;
  });
  if (bytes === null) throw new ControlRefusal(400, 'The form did not come whole');
  if (bytes) return new URLSearchParams(new TextDecoder().decode(bytes));
  throw new ControlRefusal(413, `A form has at most ${limits.bodyBytes} bytes`);
}

interface RefusedProps {
  readonly refusal: ControlRefusal;
  readonly sandbox: string;
  /** Whether it stands in the place of a page. */
  readonly isPage: boolean;
}

const headings: Partial<Record<number, string>> = { 404: 'Not there', 500: 'Something went wrong' };

/** What could not be shown or done, in words: what failed, and what to do next. */
function Refused({ refusal: { status, message, details = [] }, sandbox, isPage }: RefusedProps) {
  const heading = headings[status] ?? 'That is not possible';
  // The message is that of the first.
  const more = details.slice(1);
  return (
    <div class="refused" role="alert">
      {isPage ? <h1>{heading}</h1> : <b>{heading}.</b>}
      <p>{message}</p>
      {more.length > 0 && (
        <ul>
          {more.map(({ field, message: words }) => (
            <li>
              <code>{field}</code> {words}
            </li>
          ))}
        </ul>
      )}
      {isPage && status === 404 && <a href={pageAt(stage, 'requests')}>To the sandbox {stage}</a>}
      {status === 500 && <a href={pageAt(sandbox, 'requests')}>Try again</a>}
    </div>
  );
}
