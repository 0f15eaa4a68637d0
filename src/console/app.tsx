// The console's Hono app. Pages, redirections and assets are public and hold no data; all other routes need the key.
import { Hono } from 'hono';
import htmx from 'htmx.org/dist/htmx.min.js?raw&packed';
import { consolePath, stage } from '../contract/addresses.ts';
import { adminPath, ControlRefusal } from '../contract/control/control-operation.ts';
import { controlOperations } from '../contract/control/operations.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { toRefusal } from '../http/control/app.ts';
import { type HandledId, requireSandbox } from '../http/control/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { guardControl, guardData } from '../http/guards.ts';
import { assetsOf, type Markup } from '../http/markup.ts';
import { hasMemoryForResponse } from '../http/memory.ts';
import type { App, AppContext, Env } from '../http/request-context.ts';
import { protectedResponse, protectedStream, type ServiceResponse } from '../http/response.ts';
import tokens from '../http/style/tokens.css?raw';
import { urlParts } from '../http/urls.ts';
import { stopwatch } from '../system/time.ts';
import claimScript from './browser/claim.js?raw';
import copyScript from './browser/copy.js?raw';
import keyScript from './browser/key.js?raw';
import liveScript from './browser/live.js?raw';
import pageScript from './browser/page.js?raw';
import shortcutsScript from './browser/shortcuts.js?raw';
import { type ConsoleDependencies, type ConsoleRequest, consoleRequest } from './console-request.ts';
import { bodyOf, doneField, formBytes } from './form-body.ts';
import { live } from './live.ts';
import { type ListId, newOrderItem, type PageId, pageAt, parsePagePath } from './page-addresses.ts';
import { assumptionsPage } from './pages/assumptions.tsx';
import { catalogPage } from './pages/catalog.tsx';
import { claimPage } from './pages/claim.tsx';
import { clockPage } from './pages/clock.tsx';
import { conductPage } from './pages/conduct.tsx';
import { fidelityPage, readRecording } from './pages/fidelity.tsx';
import { fulfillmentPage, fulfillmentsPage } from './pages/fulfillments.tsx';
import { createOrder, newOrderPage } from './pages/new-order.tsx';
import { orderPage } from './pages/order.tsx';
import { ordersPage } from './pages/orders.tsx';
import { requestPage } from './pages/request.tsx';
import { requestsPage } from './pages/requests.tsx';
import { createInvited, sandboxesPage } from './pages/sandboxes.tsx';
import { scenariosPage } from './pages/scenarios.tsx';
import { sendAgain } from './pages/send-again.tsx';
import { startPage } from './pages/start.tsx';
import { switchesPage } from './pages/switches.tsx';
import { fragment } from './parts/layout.tsx';
import { refusedPage, requireSandboxName, shell, top } from './shell.tsx';
import base from './style/base.css?raw';
import forms from './style/forms.css?raw';
import parts from './style/parts.css?raw';
import shellStyle from './style/shell.css?raw';
import tables from './style/tables.css?raw';
import text from './style/text.css?raw';

type Handler = (request: ConsoleRequest) => Promise<ServiceResponse | Response>;
type FormHandler = (request: ConsoleRequest, form: URLSearchParams) => Promise<ServiceResponse>;
type RefusalHandler = (refusal: ControlRefusal, context: AppContext) => ServiceResponse;

export function createConsole(dependencies: ConsoleDependencies): App {
  const { deps } = dependencies;

  const route =
    (handle: (context: AppContext) => Promise<ServiceResponse | Response>, refused: RefusalHandler) =>
    async (context: AppContext): Promise<Response> => {
      const started = stopwatch();
      const answer = await handle(context).catch((error: unknown) => refused(toRefusal(deps, error), context));
      logUnlessRead(deps, context, answer.status, stopwatch() - started);
      return answer instanceof Response
        ? protectedStream(deps, 'page', answer)
        : protectedResponse(context, deps, answer);
    };
  const publicRoute = (handle: (context: AppContext) => ServiceResponse | Promise<ServiceResponse>) =>
    route(async (context) => {
      guardControl(deps, context.req.raw);
      return handle(context);
    }, refusedPage);
  const keyRoute = (handle: Handler, refused: RefusalHandler = notice) =>
    route(async (context) => {
      const request = context.req.raw;
      const name = context.req.param('sandbox') ?? '';
      await guardData(deps, request, name);
      const sandbox = await requireSandbox(deps, name);
      await sandbox.journal.catchUp();
      const answer = await handle(consoleRequest(dependencies, context, sandbox));
      if (!(answer instanceof Response) && !hasMemoryForResponse(deps, request.method, answer))
        throw new Refusal('max_memory');
      return answer;
    }, refused);
  const formRoute = (handle: FormHandler) =>
    keyRoute(async (request) => handle(request, await readForm(request.context)));

  const app: App = new Hono<Env>();
  const roots = ['', '/', '/:sandbox', '/:sandbox/'].map((path) => consolePath + path);
  app.on('GET', roots, publicRoute(toStart));
  const asset = publicRoute((context) => serveAsset(deps, context));
  app.get(`${consolePath}/_assets/:name`, asset);
  app.get(`${consolePath}/_top/:sandbox`, keyRoute(top, topRefused));
  app.get(`${consolePath}/_content/:sandbox/:page{.+}`, keyRoute(content, contentRefused));
  app.get(`${consolePath}/_live/:sandbox`, keyRoute(live));
  app.post(`${consolePath}/_do/:sandbox/:operation`, formRoute(submitOperation));
  app.post(`${consolePath}/_again/:sandbox/:id`, formRoute(sendAgain));
  app.post(`${consolePath}/_new-order/:sandbox`, formRoute(createOrder));
  app.post(`${consolePath}/_new/:sandbox`, formRoute(createInvited));
  app.post(`${consolePath}/_recording/:sandbox`, keyRoute(readRecording));
  app.get(`${consolePath}/:sandbox/claim`, publicRoute(claimPage));
  app.get(`${consolePath}/:sandbox/:page{.+}`, publicRoute(shell));
  app.notFound(publicRoute(unknownPath));
  app.onError((error) => {
    throw error; // for the caller of fetch
  });
  return app;
}

/** Open pages fetch their content after every change; in the log, these requests would bury the others. */
function logUnlessRead({ log }: Dependencies, { req }: AppContext, status: number, milliseconds: number): void {
  if (req.method === 'GET' && status < 400) return;
  log({ method: req.method, path: urlParts(req.url).path, status, milliseconds, sandbox: req.param('sandbox') });
}

function unknownPath({ req }: AppContext): never {
  throw new ControlRefusal(404, `The console has no page ${urlParts(req.url).path.slice(0, 200)}`);
}

/** Redirects relative to the request's path. Browsers keep the fragment, and with it the key. */
function toStart(context: AppContext): ServiceResponse {
  const sandbox = context.req.param('sandbox');
  requireSandboxName(sandbox ?? stage);
  const { path } = urlParts(context.req.url);
  const last = path.slice(path.lastIndexOf('/') + 1);
  const location = [last, sandbox ? '' : stage, 'start'].filter((part) => part !== '').join('/');
  return { kind: 'page', status: 302, headers: { location }, body: '' };
}

const assets = assetsOf('page', async () => ({
  'htmx.js': htmx,
  'console.css': [tokens, base, shellStyle, text, parts, forms, tables].join('\n'),
  'claim.js': claimScript,
  'copy.js': copyScript,
  'key.js': keyScript,
  'live.js': liveScript,
  'page.js': pageScript,
  'shortcuts.js': shortcutsScript,
}));

async function serveAsset(deps: Dependencies, context: AppContext): Promise<ServiceResponse> {
  const asset = await assets(deps.hashes, context.req.param('name') ?? '', context.req.raw);
  return asset ?? unknownPath(context);
}

type Content = Markup | Promise<Markup>;

const contentOf: Readonly<Record<PageId, (request: ConsoleRequest) => Content>> = {
  start: startPage,
  requests: requestsPage,
  conduct: conductPage,
  orders: ordersPage,
  fulfillments: fulfillmentsPage,
  catalog: catalogPage,
  switches: switchesPage,
  scenarios: scenariosPage,
  clock: clockPage,
  assumptions: assumptionsPage,
  fidelity: fidelityPage,
  sandboxes: sandboxesPage,
};
const itemContentOf: Readonly<Record<ListId, (request: ConsoleRequest, id: string) => Content>> = {
  requests: requestPage,
  orders: (request, id) => (id === newOrderItem ? newOrderPage(request) : orderPage(request, id)),
  fulfillments: fulfillmentPage,
};

async function content(request: ConsoleRequest): Promise<ServiceResponse> {
  const path = request.context.req.param('page') ?? '';
  const page = parsePagePath(path);
  if (!page) throw new ControlRefusal(404, `The console has no page ${path.slice(0, 80)}`);
  const markup = page.item === undefined ? contentOf[page.id](request) : itemContentOf[page.id](request, page.item);
  return fragment(request.sandbox.name, await markup);
}

/** Whether the operation changes one sandbox. Only these work with the sandbox's own key. */
function changesSandbox(id: string): id is HandledId {
  if (!Object.hasOwn(controlOperations, id)) return false;
  const { method, path } = controlOperations[id as HandledId];
  return method !== 'GET' && path.startsWith(`${adminPath}/sandboxes/{sandbox}`);
}

/** Runs the operation of the control API that a form submits. */
async function submitOperation(request: ConsoleRequest, form: URLSearchParams): Promise<ServiceResponse> {
  const { context, query, control, sandbox } = request;
  const operation = context.req.param('operation') ?? '';
  if (!changesSandbox(operation)) throw new ControlRefusal(404, `The console has no action ${operation.slice(0, 80)}`);
  await control(operation, { params: Object.fromEntries(query), body: bodyOf(form) });
  const message = form.get(doneField) ?? 'Done';
  return fragment(sandbox.name, <article class="done">{message}.</article>, { headers: { 'hx-trigger': 'changed' } });
}

/** @throws ControlRefusal 400, 413 or 415 */
async function readForm(context: AppContext): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(context.req.header('content-type') ?? ''))
    throw new ControlRefusal(415, 'Send the form as application/x-www-form-urlencoded');
  const bytes = await formBytes(context, limits.bodyBytes);
  if (bytes) return new URLSearchParams(new TextDecoder().decode(bytes));
  throw new ControlRefusal(413, `A form has at most ${limits.bodyBytes} bytes`);
}

/** A refusal as a message over the page. */
const notice: RefusalHandler = (refusal, context) => refusedFragment(refusal, context, false);
const contentRefused: RefusalHandler = (refusal, context) => refusedFragment(refusal, context, true);

/** The content says that the sandbox is missing. The head of the page does not change. */
const topRefused: RefusalHandler = (refusal, context) =>
  refusal.status === 404 ? { kind: 'page', status: 204, headers: {}, body: null } : notice(refusal, context);

const headings: Partial<Record<number, string>> = { 404: 'Not found', 500: 'Something went wrong' };

function refusedFragment(refusal: ControlRefusal, context: AppContext, isPage: boolean): ServiceResponse {
  const { status, message, details = [] } = refusal;
  const sandbox = context.req.param('sandbox') ?? '';
  const heading = headings[status] ?? 'This is not possible';
  // The first detail has the same message.
  const more = details.slice(1);
  return fragment(
    sandbox,
    <article class={isPage ? 'card' : undefined}>
      <div role="alert">
        {isPage ? <h1>{heading}</h1> : <b>{heading}.</b>}
        <p>{message}</p>
        {more.length > 0 && (
          <ul>
            {more.map((detail) => (
              <li>
                <code>{detail.field}</code> {detail.message}
              </li>
            ))}
          </ul>
        )}
        {isPage && status === 404 && <a href={pageAt(stage, 'start')}>Open the sandbox {stage}</a>}
        {status === 500 && <a href={pageAt(sandbox, 'start')}>Try again</a>}
      </div>
    </article>,
    refusal,
  );
}
