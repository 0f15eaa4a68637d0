// The API reference and its OpenAPI documents over HTTP. Looking at them is no call of the service: they are not in the journal, and faults
// do not affect them.
import { docsPath, sandboxBase, stage } from '../../contract/addresses.ts';
import { controlStatusNames } from '../../contract/control/control-operation.ts';
import { Refusal } from '../../contract/refusal.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import { readyClaims } from '../../sandbox/ready-login.ts';
import { resolvedAssumptions } from '../../sandbox/sandbox-world.ts';
import { requestId } from '../../system/random.ts';
import { stopwatch } from '../../system/time.ts';
import type { Dependencies } from '../dependencies.ts';
import { strangeHost } from '../port-guards.ts';
import { type AppContext, isSandboxOver } from '../request-context.ts';
import {
  failureResponse,
  jsonResponse,
  protectedResponse,
  refusalResponse,
  type ServiceResponse,
} from '../response.ts';
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
async function serve(deps: Dependencies, c: AppContext, answers: Answers): Promise<Response> {
  const started = stopwatch();
  const name = c.req.param('sandbox') ?? stage;
  const response = await responseTo(deps, name, answers);
  const { status } = response;
  const { path } = urlParts(c.req.url);
  const sandbox = status === 404 ? undefined : name;
  deps.log({ method: c.req.raw.method, path, status, milliseconds: stopwatch() - started, sandbox });
  return protectedResponse(c, deps, response);
}

async function responseTo(deps: Dependencies, name: string, answers: Answers): Promise<ServiceResponse> {
  try {
    const sandbox = await deps.sandboxes.get(name);
    if (!sandbox) return answers.unknownSandbox(name);
    deps.sandboxes.use(sandbox, deps.sandboxes.now());
    return await answers.found(sandbox);
  } catch (error) {
    if (!isSandboxOver(error)) deps.onFailure(error, requestId());
    return answers.failed();
  }
}

export async function serveReference(deps: Dependencies, c: AppContext): Promise<Response> {
  const { path, search } = urlParts(c.req.url);
  // The page's relative URLs need a path without a slash at its end.
  if (path.endsWith('/')) return protectedResponse(c, deps, movedTo(`..${docsPath}${search}`));
  return serve(deps, c, {
    found: (sandbox) => pageOf(deps, c, sandbox),
    unknownSandbox: noSuchSandboxPage,
    failed: failedPage,
  });
}

const movedTo = (location: string): ServiceResponse => ({ kind: 'page', status: 308, headers: { location }, body: '' });

async function pageOf(deps: Dependencies, c: AppContext, sandbox: HostedSandbox): Promise<ServiceResponse> {
  const root = c.req.param('sandbox') === undefined ? '.' : '../..';
  const isControl = c.req.query('document') === 'control';
  const login = isControl ? undefined : await readyLogin(deps, sandbox, c.req.raw);
  return referencePage({ document: isControl ? 'control' : 'service', sandbox: sandbox.name, root, login });
}

/**
 * Whether the fixtures' data and a login may be shown without a key. Not under an unknown host (a page of another site may have given the
 * name to this server), not if passwords are secret, and not for a sandbox with its own key.
 */
const isOpenTo = (deps: Dependencies, { identity }: HostedSandbox, request: Request): boolean =>
  strangeHost(deps, request) === undefined && deps.showFixtures && identity.ownKeyHash === null;

/** The first user of the sandbox who may log in, with a token, if it may be shown. */
async function readyLogin(
  deps: Dependencies,
  sandbox: HostedSandbox,
  request: Request,
): Promise<ReadyLogin | undefined> {
  if (!isOpenTo(deps, sandbox, request)) return undefined;
  const found = await sandbox.read((state) => readyClaims(state, deps.hashes, deps.sandboxes.now()));
  if (!found) return undefined;
  const { username, claims } = found;
  const token = await deps.tokens.sign(sandbox.identity, claims);
  return { username, token, goodUntil: new Date((claims.exp ?? claims.iat) * 1000).toISOString() };
}

const originOf = (deps: Dependencies, c: AppContext): string => deps.publicUrl ?? urlParts(c.req.url).origin;

/** The service's document, by the assumptions of the sandbox under whose base URL it is asked for. */
export const serveServiceDocument = (deps: Dependencies, c: AppContext): Promise<Response> =>
  serveDocument(deps, c, (sandbox) => {
    const origin = originOf(deps, c);
    const sandboxName = c.req.param('sandbox');
    const baseUrl = sandboxName === undefined ? origin : origin + sandboxBase(sandboxName);
    const isOpen = isOpenTo(deps, sandbox, c.req.raw);
    return deps.documents.service(resolvedAssumptions(sandbox.state), {
      origin,
      sandbox: sandbox.name,
      baseUrl,
      isOpen,
    });
  });

export const serveControlDocument = (deps: Dependencies, c: AppContext): Promise<Response> =>
  serveDocument(deps, c, (sandbox) => {
    const origin = originOf(deps, c);
    const isOpen = isOpenTo(deps, sandbox, c.req.raw);
    return deps.documents.control({ origin, sandbox: sandbox.name, baseUrl: origin, isOpen });
  });

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-cache',
};

/** Errors in place of a document are protected as the document is. */
const asData = (response: ServiceResponse): ServiceResponse => ({ ...response, kind: 'data' });

const serveDocument = (deps: Dependencies, c: AppContext, textOf: (sandbox: HostedSandbox) => Promise<string>) =>
  serve(deps, c, {
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
