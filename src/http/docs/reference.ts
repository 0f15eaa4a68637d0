// The API reference over HTTP: a page around swagger-ui, its scripts and styles, and the OpenAPI documents.
// Faults do not affect these requests, and the journal does not record them.
import { html } from 'hono/html';
import {
  consoleStartPath,
  controlOpenApiPath,
  docsPath,
  openApiPath,
  openApiVersions,
  sandboxBase,
  stage,
} from '../../contract/addresses.ts';
import { bearerScheme } from '../../contract/authentication.ts';
import { controlStatusNames, keyScheme } from '../../contract/control/control-operation.ts';
import { Refusal } from '../../contract/refusal.ts';
import { type HostedSandbox, isSandboxOver } from '../../sandbox/hosted-sandbox.ts';
import { claimsFor, readyUser } from '../../sandbox/sample-calls.ts';
import { resolvedAssumptions } from '../../sandbox/sandbox-world.ts';
import { requestId } from '../../system/random.ts';
import { stopwatch } from '../../system/time.ts';
import type { Dependencies } from '../dependencies.ts';
import { unknownHost } from '../guards.ts';
import { assetsOf, htmlPage, type Markup, mark, type Page, timeElement } from '../markup.ts';
import { failedPage, noSuchSandboxPage } from '../plain-page.ts';
import type { AppContext } from '../request-context.ts';
import {
  failureResponse,
  jsonResponse,
  protectedResponse,
  refusalResponse,
  type ServiceResponse,
} from '../response.ts';
import { urlParts } from '../urls.ts';
import { DocumentsBusy } from './documents.ts';

/** How a request about a sandbox is answered. */
interface SandboxRoute {
  readonly found: (sandbox: HostedSandbox) => Promise<ServiceResponse>;
  readonly unknownSandbox: (name: string) => ServiceResponse;
  readonly failed: () => ServiceResponse;
}

/** Answers a request about the sandbox in the path, and logs it. */
export async function serve(deps: Dependencies, c: AppContext, answers: SandboxRoute): Promise<Response> {
  const started = stopwatch();
  const name = c.req.param('sandbox') ?? stage;
  let response: ServiceResponse;
  try {
    const sandbox = await deps.sandboxes.get(name);
    if (sandbox) deps.sandboxes.use(sandbox, deps.sandboxes.now());
    response = sandbox ? await answers.found(sandbox) : answers.unknownSandbox(name);
  } catch (error) {
    if (!isSandboxOver(error)) deps.onFailure(error, requestId());
    response = answers.failed();
  }
  const { status } = response;
  const { path } = urlParts(c.req.url);
  const sandbox = status === 404 ? undefined : name;
  deps.log({ method: c.req.raw.method, path, status, milliseconds: stopwatch() - started, sandbox });
  return protectedResponse(c, deps, response);
}

/**
 * Whether the caller may see the fixtures' data and a login without a key. Not under an unknown host (DNS rebinding by
 * a page of another site), not if passwords are secret, and not for a sandbox with its own key.
 */
const isOpenTo = (deps: Dependencies, { identity }: HostedSandbox, request: Request): boolean =>
  unknownHost(deps, request) === undefined && deps.showFixtures && identity.ownKeyHash === null;

/**
 * The first user who can log in: null without one, undefined if the caller may not see the login. A password that was
 * set in this sandbox may be a secret; those of the server's fixtures are not.
 */
export async function openUser(deps: Dependencies, sandbox: HostedSandbox, request: Request) {
  if (!isOpenTo(deps, sandbox, request)) return undefined;
  return sandbox.read((state) => {
    const user = readyUser(state)?.user;
    if (!user) return null;
    const ownName = state.table('users').get(user.id)?.username ?? '';
    return deps.sandboxes.canLogIn(ownName, user.password) ? user : undefined;
  });
}

// The OpenAPI documents.

const documentHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-cache',
};

/** Errors in place of a document are protected as the document is. */
const protectedAsData = (response: ServiceResponse): ServiceResponse => ({ ...response, kind: 'data' });

/**
 * Serves the service's document, under the assumptions of the sandbox in the path, or the control API's; with
 * `?version=3.0` in the form of OpenAPI 3.0.
 */
export const serveDocument = (deps: Dependencies, c: AppContext, document: 'service' | 'control') =>
  serve(deps, c, {
    found: async (sandbox) => {
      const asked = c.req.queries('version')?.join(', ') ?? openApiVersions[0];
      const version = openApiVersions.find((one) => one === asked);
      if (!version) return unknownVersion(asked);
      const origin = deps.publicUrl ?? urlParts(c.req.url).origin;
      const inPath = c.req.param('sandbox');
      const baseUrl = inPath === undefined ? origin : origin + sandboxBase(inPath);
      const isOpen = isOpenTo(deps, sandbox, c.req.raw);
      const request = { origin, sandbox: sandbox.name, baseUrl, isOpen, version };
      try {
        const body = await (document === 'service'
          ? deps.documents.service(resolvedAssumptions(sandbox.state), request)
          : deps.documents.control(request));
        return { kind: 'data', status: 200, headers: documentHeaders, body };
      } catch (error) {
        if (error instanceof DocumentsBusy) return busyResponse(error);
        throw error;
      }
    },
    unknownSandbox: (value) => protectedAsData(refusalResponse(new Refusal('unknown_sandbox', { value }))),
    failed: () => protectedAsData(failureResponse()),
  });

const noDocument = (status: 400 | 503, message: string, headers: Readonly<Record<string, string>> = {}) =>
  protectedAsData(jsonResponse(status, { statusCode: status, error: controlStatusNames[status], message }, headers));

const busyResponse = ({ message }: DocumentsBusy): ServiceResponse =>
  noDocument(503, `Too many documents are requested at a time: ${message}. Try again in a second`, {
    'Retry-After': '1',
  });

const unknownVersion = (asked: string): ServiceResponse =>
  noDocument(
    400,
    `Unknown OpenAPI version ${JSON.stringify(asked.slice(0, 80))}. Use one of: ${openApiVersions.join(', ')}`,
  );

// The page. It has no inline script and no inline style; start.js starts swagger-ui with the page's data attributes.

const assets = assetsOf('data', async () => (await import('./asset-texts.ts')).assetTexts);

/** Serves a script or style of the page. */
export async function serveAsset(deps: Dependencies, c: AppContext, name: string): Promise<Response> {
  const response = await assets(deps.hashes, name, c.req.raw);
  return response ? protectedResponse(c, deps, response) : c.notFound();
}

const policy = ["script-src 'self'", "style-src 'self'", "connect-src 'self'"];

/** URLs are relative, so that they also work behind a proxy's path prefix. */
const docsFolder = docsPath.slice(1);

function page(status: number, title: string, body: Markup): Page {
  const head = html`<link rel="stylesheet" href="${docsFolder}/swagger-ui.css">
<link rel="stylesheet" href="${docsFolder}/page.css">`;
  return htmlPage({ status, title, policy, head, body });
}

/** For a failing store. */
export const notRead = 'The sandbox could not be read. Try again.';

export async function servePage(deps: Dependencies, c: AppContext): Promise<Response> {
  const { path, search } = urlParts(c.req.url);
  // The page's relative URLs need a path without a slash at its end.
  if (path.endsWith('/')) {
    const headers = { location: `..${docsPath}${search}` };
    return protectedResponse(c, deps, { kind: 'page', status: 308, headers, body: '' });
  }
  return serve(deps, c, {
    found: (sandbox) => referencePage(deps, c, sandbox),
    unknownSandbox: noSuchSandboxPage,
    failed: () => failedPage(notRead),
  });
}

/** A login that the page is ready to use. */
interface ReadyLogin {
  readonly username: string;
  readonly token: string;
  /** ISO 8601, on the sandbox's clock. */
  readonly validUntil: string;
}

async function readyLogin(deps: Dependencies, sandbox: HostedSandbox, request: Request) {
  const user = await openUser(deps, sandbox, request);
  if (!user) return undefined;
  const claims = await sandbox.read((state) => claimsFor(user, state, deps.hashes, deps.sandboxes.now()));
  const token = await deps.tokens.sign(sandbox.identity, claims);
  return { username: user.username, token, validUntil: new Date((claims.exp ?? claims.iat) * 1000).toISOString() };
}

async function referencePage(deps: Dependencies, c: AppContext, sandbox: HostedSandbox): Promise<Page> {
  const isService = c.req.query('document') !== 'control';
  const login = isService ? await readyLogin(deps, sandbox, c.req.raw) : undefined;
  /** From the page to the server's root. */
  const root = c.req.param('sandbox') === undefined ? '.' : '../..';
  const url = isService ? openApiPath.slice(1) : root + controlOpenApiPath;
  const scheme = isService ? bearerScheme : keyScheme;
  const token = login ? html` data-token="${login.token}"` : '';
  const current = html` aria-current="page"`;
  const body = html`<header>
<div class="bar">
<a class="brand" href="${root}${consoleStartPath(sandbox.name)}">${mark} Sachet</a>
<nav aria-label="API reference">
<a href="${docsFolder}"${isService ? current : ''}>Service</a>
<a href="${docsFolder}?document=control"${isService ? '' : current}>Control API</a>
</nav>
<p><a href="${root}${consoleStartPath(sandbox.name)}">Console</a> <a href="${url}">OpenAPI document</a></p>
</div>
<p>${isService ? serviceIntroduction(sandbox.name, login) : controlIntroduction(sandbox.name)}</p>
</header>
<div id="reference" data-document="${url}" data-server="${isService ? '.' : root}"
  data-sandbox="${sandbox.name}" data-scheme="${scheme}"${token}>
<noscript>This page needs JavaScript. Its content is in <a href="${url}">${url}</a>.</noscript>
</div>
<script src="${docsFolder}/swagger-ui-bundle.js" defer></script>
<script src="${docsFolder}/start.js" type="module"></script>`;
  return page(200, `${isService ? 'Service' : 'Control API'} – API reference of ${sandbox.name}`, body);
}

function serviceIntroduction(sandbox: string, login: ReadyLogin | undefined): Markup {
  const where = html`Calls go to the sandbox <b>${sandbox}</b>`;
  if (!login)
    return html`${where}. This page has no token: send “Log in”, click “Authorize”,
and enter the <code>access_token</code> of the response.`;
  const { username, validUntil } = login;
  return html`${where} as <b>${username}</b>, with a token that is valid until ${timeElement(validUntil)} on the
sandbox’s clock. Reload the page for a new one.`;
}

const controlIntroduction = (sandbox: string): Markup =>
  html`Calls go to the sandbox <b>${sandbox}</b>, and need the admin key or the sandbox’s own key. Click “Authorize” to
enter it. It is stored while this tab is open.`;
