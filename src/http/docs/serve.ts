// The reference and the documents it shows, over HTTP.
import { docsPath, sandboxBase } from '../../contract/addresses.ts';
import { controlStatusNames } from '../../contract/admin/refusals.ts';
import { Refusal } from '../../contract/refusal.ts';
import { Terms } from '../../contract/terms.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import type { Edge } from '../edge.ts';
import type { ServiceResponse } from '../exchange.ts';
import type { AppContext } from '../request-context.ts';
import { failureResponse, jsonResponse, protectedResponse, refusalResponse } from '../response.ts';
import { urlParts } from '../urls.ts';
import { DocumentsBusy } from './documents.ts';
import { failedPage, noSuchSandboxPage, referencePage } from './page.ts';
import { isOpenTo, readyLogin } from './ready-login.ts';
import { serveUnrecorded } from './unrecorded.ts';

export async function serveReference(edge: Edge, c: AppContext): Promise<Response> {
  const { path, search } = urlParts(c.req.url);
  // The page's relative URLs hold only without a slash at the end of its own.
  if (path.endsWith('/')) return protectedResponse(c, edge, movedTo(`..${docsPath}${search}`));
  return serveUnrecorded(edge, c, {
    of: (sandbox) => pageOf(edge, c, sandbox),
    unknownSandbox: noSuchSandboxPage,
    failed: failedPage,
  });
}

const movedTo = (location: string): ServiceResponse => ({
  kind: 'page',
  status: 308,
  headers: { location },
  body: '',
});

async function pageOf(edge: Edge, c: AppContext, sandbox: HostedSandbox): Promise<ServiceResponse> {
  const root = c.req.param('sandbox') === undefined ? '.' : '../..';
  const isControl = c.req.query('document') === 'control';
  const login = isControl ? undefined : await readyLogin(edge, sandbox, c.req.raw);
  return referencePage({ document: isControl ? 'control' : 'service', sandbox: sandbox.name, root, login });
}

const originOf = (edge: Edge, c: AppContext): string => edge.publicUrl ?? urlParts(c.req.url).origin;

/** The service's document, by the assumptions of the sandbox under whose base URL it is asked for. */
export const serveServiceDocument = (edge: Edge, c: AppContext): Promise<Response> =>
  serveDocument(edge, c, (sandbox) => {
    const origin = originOf(edge, c);
    const sandboxName = c.req.param('sandbox');
    const { readings, administration_times } = sandbox.root.values;
    const baseUrl = sandboxName === undefined ? origin : origin + sandboxBase(sandboxName);
    const isOpen = isOpenTo(edge, sandbox, c.req.raw);
    const terms = new Terms(readings, administration_times.values);
    return edge.documents.service(terms, { origin, sandbox: sandbox.name, baseUrl, isOpen });
  });

export const serveControlDocument = (edge: Edge, c: AppContext): Promise<Response> =>
  serveDocument(edge, c, (sandbox) => {
    const origin = originOf(edge, c);
    const isOpen = isOpenTo(edge, sandbox, c.req.raw);
    return edge.documents.control({ origin, sandbox: sandbox.name, baseUrl: origin, isOpen });
  });

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-cache',
};

/** A page is made of it, too. */
const asData = (response: ServiceResponse): ServiceResponse => ({ ...response, kind: 'data' });

const serveDocument = (edge: Edge, c: AppContext, textOf: (sandbox: HostedSandbox) => Promise<string>) =>
  serveUnrecorded(edge, c, {
    of: (sandbox) => textOf(sandbox).then((body) => ({ kind: 'data', status: 200, headers, body }), busy),
    unknownSandbox: (value) => asData(refusalResponse(new Refusal('unknown_sandbox', { value }))),
    failed: () => asData(failureResponse()),
  });

/** Documents are made one after the other: if many wait, the next is told to come again, and keeps nobody else waiting. */
function busy(error: unknown): ServiceResponse {
  if (!(error instanceof DocumentsBusy)) throw error;
  const message = `Too many documents are asked for at a time: ${error.message}; ask again in a second`;
  const status = 503;
  const body = { statusCode: status, error: controlStatusNames[status], message };
  return asData(jsonResponse(status, body, { 'Retry-After': '1' }));
}
