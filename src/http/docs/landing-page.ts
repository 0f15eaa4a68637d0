// The response at a base URL: a login and links, as a page for browsers and as JSON for programs.
import { accepts } from 'hono/accepts';
import { html } from 'hono/html';
import { consoleStartPath, docsPath, healthPath, mcpPath, openApiPath, sandboxBase } from '../../contract/addresses.ts';
import { Refusal } from '../../contract/refusal.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import { loginCommand } from '../../sandbox/sample-calls.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Markup, Page } from '../markup.ts';
import { failedPage, noSuchSandboxPage, plainPage } from '../plain-page.ts';
import type { AppContext } from '../request-context.ts';
import { failureResponse, jsonResponse, refusalResponse, type ServiceResponse } from '../response.ts';
import { urlParts } from '../urls.ts';
import { notRead, openUser, serve } from './reference.ts';

export function serveLanding(deps: Dependencies, c: AppContext): Promise<Response> {
  const types = ['application/json', 'text/html'];
  const isPage = accepts(c, { header: 'Accept', supports: types, default: 'application/json' }) === 'text/html';
  const varying = (response: ServiceResponse): ServiceResponse => ({
    ...response,
    kind: isPage ? 'page' : 'data',
    headers: { ...response.headers, vary: 'Accept', 'cache-control': 'no-store' },
  });
  return serve(deps, c, {
    found: async (sandbox) => varying(isPage ? await landingPage(deps, c, sandbox) : addresses(deps, c, sandbox)),
    unknownSandbox: (value) =>
      varying(isPage ? noSuchSandboxPage(value) : refusalResponse(new Refusal('unknown_sandbox', { value }))),
    failed: () => varying(isPage ? failedPage(notRead) : failureResponse()),
  });
}

interface Bases {
  readonly origin: string;
  /** Of the sandbox, as the request names it. */
  readonly base: string;
}

function absolute(deps: Dependencies, c: AppContext): Bases {
  const origin = deps.publicUrl ?? urlParts(c.req.url).origin;
  const inPath = c.req.param('sandbox');
  return { origin, base: inPath === undefined ? origin : origin + sandboxBase(inPath) };
}

/** Relative URLs also work behind a proxy's path prefix. */
function relative(c: AppContext): Bases {
  const inPath = c.req.param('sandbox');
  if (inPath === undefined) return { origin: '.', base: '.' };
  const origin = urlParts(c.req.url).path.endsWith('/') ? '../..' : '..';
  return { origin, base: origin + sandboxBase(inPath) };
}

function addresses(deps: Dependencies, c: AppContext, { name }: HostedSandbox): ServiceResponse {
  const { origin, base } = absolute(deps, c);
  return jsonResponse(200, {
    name: 'sachet',
    version: deps.version,
    sandbox: name,
    base_url: base,
    console_url: origin + consoleStartPath(name),
    docs_url: base + docsPath,
    openapi_url: base + openApiPath,
    health_url: origin + healthPath,
    mcp_url: origin + mcpPath,
  });
}

async function landingPage(deps: Dependencies, c: AppContext, sandbox: HostedSandbox): Promise<Page> {
  const { base: baseUrl } = absolute(deps, c);
  const { origin, base } = relative(c);
  const user = await openUser(deps, sandbox, c.req.raw);
  const { username, password } = user ?? { username: 'USERNAME', password: 'PASSWORD' };
  const command = loginCommand({ baseUrl, login: { username, password } });
  const main = html`<p>This is a sandbox of the Order and Fulfillment Service. Point your client at the base URL: it gets the
status codes, error bodies and messages of the service, and nothing is shipped.</p>
<dl>
<div class="wide"><dt>Base URL</dt><dd><code>${baseUrl}</code></dd></div>
<div class="wide"><dt>Login</dt><dd>${describeLogin(user)}</dd></div>
</dl>
<h2>Log in</h2>
<pre tabindex="0">${command}</pre>
<h2>Links</h2>
<ul role="list" class="links">
<li><a href="${origin}${consoleStartPath(sandbox.name)}">Console</a>: each request, and the reason for its response.
It needs the admin key or the sandbox’s own key.</li>
<li><a href="${base}${docsPath}">API reference</a>: each endpoint, to try out</li>
<li><a href="${base}${openApiPath}">OpenAPI document</a>: for generators and API clients</li>
<li><a href="${base}${docsPath}?document=control">Control API</a>: switches, faults, the clock, records</li>
</ul>`;
  const footer = html`<p>Sachet ${deps.version}. Its documentation starts at docs/index.md in the repository.</p>`;
  const [title, brand] = [`Sachet – sandbox ${sandbox.name}`, `Sandbox ${sandbox.name}`];
  return plainPage({ status: 200, title, heading: 'Sachet', brand, main, footer });
}

function describeLogin(user: Awaited<ReturnType<typeof openUser>>): Markup {
  if (user === undefined) return html`The operator of this server hands out the logins of this sandbox.`;
  if (user === null) return html`No user of this sandbox can log in.`;
  return html`<code>${user.username}</code> / <code>${user.password}</code>`;
}
