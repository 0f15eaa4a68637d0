// The API reference and its OpenAPI documents over HTTP. Looking at them is no call of the service: they are not in the journal, and faults
// do not affect them.
import { docsPath, sandboxBase, stage } from '../../contract/addresses.ts';
import { controlStatusNames } from '../../contract/admin/control-operation.ts';
import { Refusal } from '../../contract/refusal.ts';
import { stopwatch } from '../../control/clock.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { requestId } from '../../control/ids.ts';
import { readyClaims } from '../../control/ready-login.ts';
import { termsOf } from '../../control/sandbox-world.ts';
import type { Edge } from '../edge.ts';
import type { ServiceResponse } from '../exchange.ts';
import { strangeHost } from '../port-guards.ts';
import { type AppContext, isSandboxOver } from '../request-context.ts';
import { failureResponse, jsonResponse, protectedResponse, refusalResponse } from '../response.ts';
import { urlParts } from '../urls.ts';
import { DocumentsBusy } from './documents.ts';
import { failedPage, noSuchSandboxPage, type ReadyLogin, referencePage } from './page.ts';

/** How something about a sandbox is answered: as a page, or as a document. */
interface Answers {
  readonly found: (sandbox: HostedSandbox) => Promise<ServiceResponse>;
  readonly unknownSandbox: (name: string) => ServiceResponse;
  readonly failed: () => ServiceResponse;
}

/** Answers with something about the sandbox in the path, and logs it. */
async function serve(edge: Edge, c: AppContext, answers: Answers): Promise<Response> {
  const started = stopwatch();
  const name = c.req.param('sandbox') ?? stage;
  const response = await responseTo(edge, name, answers);
  const { status } = response;
  const { path } = urlParts(c.req.url);
  const sandbox = status === 404 ? undefined : name;
  edge.log({ method: c.req.raw.method, path, status, milliseconds: stopwatch() - started, sandbox });
  return protectedResponse(c, edge, response);
}

async function responseTo(edge: Edge, name: string, answers: Answers): Promise<ServiceResponse> {
  try {
    const sandbox = await edge.sandboxes.get(name);
    if (!sandbox) return answers.unknownSandbox(name);
    edge.sandboxes.use(sandbox, edge.sandboxes.now());
    return await answers.found(sandbox);
  } catch (error) {
    if (!isSandboxOver(error)) edge.onFailure(error, requestId());
    return answers.failed();
  }
}

export async function serveReference(edge: Edge, c: AppContext): Promise<Response> {
  const { path, search } = urlParts(c.req.url);
  // The page's relative URLs need a path without a slash at its end.
  if (path.endsWith('/')) return protectedResponse(c, edge, movedTo(`..${docsPath}${search}`));
  return serve(edge, c, {
    found: (sandbox) => pageOf(edge, c, sandbox),
    unknownSandbox: noSuchSandboxPage,
    failed: failedPage,
  });
}

const movedTo = (location: string): ServiceResponse => ({ kind: 'page', status: 308, headers: { location }, body: '' });

async function pageOf(edge: Edge, c: AppContext, sandbox: HostedSandbox): Promise<ServiceResponse> {
  const root = c.req.param('sandbox') === undefined ? '.' : '../..';
  const isControl = c.req.query('document') === 'control';
  const login = isControl ? undefined : await readyLogin(edge, sandbox, c.req.raw);
  return referencePage({ document: isControl ? 'control' : 'service', sandbox: sandbox.name, root, login });
}

/**
 * Whether the fixtures' data and a login may be shown without a key. Not under an unknown host (a page of another site may have given the
 * name to this server), not if passwords are secret, and not for a sandbox with its own key.
 */
const isOpenTo = (edge: Edge, { identity }: HostedSandbox, request: Request): boolean =>
  strangeHost(edge, request) === undefined && edge.showFixtures && identity.ownKeyHash === null;

/** The first user of the sandbox who may log in, with a token, if it may be shown. */
async function readyLogin(edge: Edge, sandbox: HostedSandbox, request: Request): Promise<ReadyLogin | undefined> {
  if (!isOpenTo(edge, sandbox, request)) return undefined;
  const found = await sandbox.read((state) => readyClaims(state, edge.hashes, edge.sandboxes.now()));
  if (!found) return undefined;
  const { username, claims } = found;
  const token = await edge.tokens.sign(sandbox.identity, claims);
  return { username, token, goodUntil: new Date((claims.exp ?? claims.iat) * 1000).toISOString() };
}

const originOf = (edge: Edge, c: AppContext): string => edge.publicUrl ?? urlParts(c.req.url).origin;

/** The service's document, by the assumptions of the sandbox under whose base URL it is asked for. */
export const serveServiceDocument = (edge: Edge, c: AppContext): Promise<Response> =>
  serveDocument(edge, c, (sandbox) => {
    const origin = originOf(edge, c);
    const sandboxName = c.req.param('sandbox');
    const baseUrl = sandboxName === undefined ? origin : origin + sandboxBase(sandboxName);
    const isOpen = isOpenTo(edge, sandbox, c.req.raw);
    return edge.documents.service(termsOf(sandbox.state), { origin, sandbox: sandbox.name, baseUrl, isOpen });
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

/** Errors in place of a document are protected as the document is. */
const asData = (response: ServiceResponse): ServiceResponse => ({ ...response, kind: 'data' });

const serveDocument = (edge: Edge, c: AppContext, textOf: (sandbox: HostedSandbox) => Promise<string>) =>
  serve(edge, c, {
    found: (sandbox) => textOf(sandbox).then((body) => ({ kind: 'data', status: 200, headers, body }), busy),
    unknownSandbox: (value) => asData(refusalResponse(new Refusal('unknown_sandbox', { value }))),
    failed: () => asData(failureResponse()),
  });

/** Documents are made one at a time. Requests beyond a few that wait are refused, so that they do not delay the others. */
function busy(error: unknown): ServiceResponse {
  if (!(error instanceof DocumentsBusy)) throw error;
  const message = `Too many documents are asked for at a time: ${error.message}; ask again in a second`;
  const status = 503;
  const body = { statusCode: status, error: controlStatusNames[status], message };
  return asData(jsonResponse(status, body, { 'Retry-After': '1' }));
}
