// The reference's page: a frame for swagger-ui, which start.js starts with what stands in its data. No inline script, no inline style.
import { html } from 'hono/html';
import { controlOpenApiPath, docsPath, openApiPath } from '../../contract/addresses.ts';
import { bearerScheme } from '../../contract/authentication.ts';
import { keyScheme } from '../../contract/control/control-operation.ts';
import { htmlPage, type Markup, type Page, toTheMinute } from '../markup.ts';
import type { AssetName } from './assets.ts';

/** What is described: the contract's operations, or the control API's. */
type DocumentName = 'service' | 'control';

/** A login that the page comes with. */
export interface ReadyLogin {
  readonly username: string;
  readonly token: string;
  /** ISO 8601, by the sandbox's clock. */
  readonly goodUntil: string;
}

export interface ReferencePage {
  readonly document: DocumentName;
  readonly sandbox: string;
  /** From the page to the server's root: `.` at the plain base URL. */
  readonly root: string;
  readonly login: ReadyLogin | undefined;
}

const policy = ["script-src 'self'", "style-src 'self'", "connect-src 'self'"];

/** URLs are relative, so that they hold behind a proxy's prefix, too. Seen from the page, what is its own begins so. */
const own = docsPath.slice(1);
const asset = (name: AssetName): string => `${own}/${name}`;

function page(status: number, title: string, body: Markup): Page {
  const head = html`<link rel="stylesheet" href="${asset('swagger-ui.css')}">
<link rel="stylesheet" href="${asset('page.css')}">`;
  return htmlPage({ status, title, policy, head, body });
}

const documents: readonly { readonly name: DocumentName; readonly title: string; readonly href: string }[] = [
  { name: 'service', title: 'Service', href: own },
  { name: 'control', title: 'Control API', href: `${own}?document=control` },
];

export function referencePage({ document, sandbox, root, login }: ReferencePage): Page {
  const links = documents.map(
    ({ name, title, href }) =>
      html`<a href="${href}"${name === document ? html` aria-current="page"` : ''}>${title}</a>\n`,
  );
  const isService = document === 'service';
  const url = isService ? openApiPath.slice(1) : root + controlOpenApiPath;
  const scheme = isService ? bearerScheme : keyScheme;
  const ready = login ? html` data-token="${login.token}"` : '';
  const body = html`<header>
<nav aria-label="API reference">
${links}</nav>
<p>${isService ? serviceCalls(sandbox, login) : controlCalls(sandbox)}</p>
</header>
<div id="reference" data-document="${url}" data-server="${isService ? '.' : root}" data-sandbox="${sandbox}" data-scheme="${scheme}"${ready}>
<noscript>This page needs JavaScript. What it shows stands in <a href="${url}">${url}</a>.</noscript>
</div>
<script src="${asset('swagger-ui-bundle.js')}" defer></script>
<script src="${asset('start.js')}" type="module"></script>`;
  return page(200, `${isService ? 'Service' : 'Control API'} – API reference of ${sandbox}`, body);
}

function serviceCalls(sandbox: string, login: ReadyLogin | undefined): Markup {
  const where = html`Calls go to the sandbox <b>${sandbox}</b>`;
  if (!login)
    return html`${where}. This page has no token ready: log in by the operation “Log in”, and enter its <code>access_token</code> by the button “Authorize”.`;
  const { username, goodUntil } = login;
  return html`${where} as <b>${username}</b>, with a token that is good until <time datetime="${goodUntil}">${toTheMinute(goodUntil)}</time> by the sandbox’s clock. Load the page again for a new one.`;
}

const controlCalls = (sandbox: string): Markup =>
  html`Calls are tried on the sandbox <b>${sandbox}</b>, and need the admin key, or the sandbox’s own: enter it by the button “Authorize”. It is kept while this tab is open.`;

/** A page without swagger-ui: what there is to say. */
const plainPage = (status: number, heading: string, words: Markup): Page =>
  page(status, heading, html`<main>\n<h1>${heading}</h1>\n${words}\n</main>`);

export const noSuchSandboxPage = (name: string): Page =>
  plainPage(404, 'Sandbox not found', html`<p>There is no sandbox with this name:</p>\n<p>${name}</p>`);

export const failedPage = (): Page =>
  plainPage(500, 'Something went wrong', html`<p>The sandbox could not be looked at. Try again.</p>`);
