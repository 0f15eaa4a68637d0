// The reference and the documents it shows, over HTTP.
import { docsPath, sandboxBase } from '../../contract/addresses.ts';
import { controlStatusNames } from '../../contract/admin/refusals.ts';
import { Refusal } from '../../contract/refusal.ts';
import { Terms } from '../../contract/terms.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import type { Arrival } from '../arrival.ts';
import type { Reply } from '../call.ts';
import type { Edge } from '../edge.ts';
import { failureReply, refusalReply } from '../refuse.ts';
import type { Rendered } from '../rendered.ts';
import { rendered, responseOf } from '../response.ts';
import { DocumentsBusy } from './documents.ts';
import { failedPage, noSuchSandboxPage, referencePage } from './page.ts';
import { isOpenTo, readyLogin } from './ready-login.ts';
import { serveUnrecorded } from './unrecorded.ts';

export async function serveReference(edge: Edge, arrival: Arrival): Promise<Response> {
  // The page's relative URLs hold only without a slash behind its own.
  if (arrival.path.endsWith('/')) return responseOf(edge, arrival.request, movedTo(`..${docsPath}${arrival.search}`));
  return serveUnrecorded(edge, arrival, {
    of: (sandbox) => pageOf(edge, arrival, sandbox),
    unknownSandbox: noSuchSandboxPage,
    failed: failedPage,
  });
}

const movedTo = (location: string): Rendered => ({ kind: 'page', status: 308, headers: { location }, body: '' });

async function pageOf(
  edge: Edge,
  { request, sandboxName, search }: Arrival,
  sandbox: HostedSandbox,
): Promise<Rendered> {
  const root = sandboxName === undefined ? '.' : '../..';
  const isControl = new URLSearchParams(search).get('document') === 'control';
  const login = isControl ? undefined : await readyLogin(edge, sandbox, request);
  return referencePage({ document: isControl ? 'control' : 'service', sandbox: sandbox.name, root, login });
}

/** The service's document, by the readings of the sandbox whose base URL it was asked under. */
export const serveServiceDocument = (edge: Edge, arrival: Arrival): Promise<Response> =>
  serveDocument(edge, arrival, (sandbox) => {
    const { origin, sandboxName } = arrival;
    const { readings, administration_times } = sandbox.root.values;
    const baseUrl = sandboxName === undefined ? origin : origin + sandboxBase(sandboxName);
    const isOpen = isOpenTo(edge, sandbox, arrival.request);
    const terms = new Terms(readings, administration_times.values);
    return edge.documents.service(terms, { origin, sandbox: sandbox.name, baseUrl, isOpen });
  });

export const serveControlDocument = (edge: Edge, arrival: Arrival): Promise<Response> =>
  serveDocument(edge, arrival, (sandbox) => {
    const { origin, request } = arrival;
    const isOpen = isOpenTo(edge, sandbox, request);
    return edge.documents.control({ origin, sandbox: sandbox.name, baseUrl: origin, isOpen });
  });

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-cache',
};

/** In place of a document it is what a page is made of, too. */
const asData = (reply: Reply): Rendered => ({ ...rendered(reply), kind: 'data' });

const serveDocument = (edge: Edge, arrival: Arrival, textOf: (sandbox: HostedSandbox) => Promise<string>) =>
  serveUnrecorded(edge, arrival, {
    of: (sandbox) => textOf(sandbox).then((body) => ({ kind: 'data', status: 200, headers, body }), busy),
    unknownSandbox: (value) => asData(refusalReply(new Refusal('unknown_sandbox', { value }))),
    failed: () => asData(failureReply()),
  });

/** Documents take turns: whoever comes when many wait is told to come again, and keeps nobody else waiting. */
function busy(error: unknown): Rendered {
  if (!(error instanceof DocumentsBusy)) throw error;
  const message = `Too many documents are asked for at a time: ${error.message}; ask again in a second`;
  const status = 503;
  return asData({
    status,
    headers: { 'Retry-After': '1' },
    body: { statusCode: status, error: controlStatusNames[status], message },
  });
}
