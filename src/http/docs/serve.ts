// The reference of a sandbox. To look at it is no call of the service: the journal has nothing of it, and no fault meets it.
import { docsPath, stage } from '../../contract/addresses.ts';
import { machineTime, stopwatch } from '../../control/clock.ts';
import { requestId } from '../../control/ids.ts';
import type { Arrival } from '../arrival.ts';
import { isLifeOver } from '../call.ts';
import type { Edge } from '../edge.ts';
import { type Rendered, toResponse } from '../passage.ts';
import { report } from '../report.ts';
import { failedPage, noSuchSandboxPage, referencePage } from './page.ts';
import { readyLogin } from './ready-login.ts';

interface Answer {
  readonly page: Rendered;
  /** The sandbox it is of, for the log. */
  readonly sandbox?: string;
}

export async function serveReference(edge: Edge, arrival: Arrival): Promise<Response> {
  // The page's relative URLs hold only without a slash behind its own.
  if (arrival.path.endsWith('/')) return movedTo(`..${docsPath}${arrival.search}`);
  const started = stopwatch();
  const { page, sandbox } = await answerOf(edge, arrival);
  report(edge, arrival, started, page.status, sandbox);
  return toResponse(page);
}

const movedTo = (location: string): Response => new Response(null, { status: 308, headers: { location } });

async function answerOf(edge: Edge, arrival: Arrival): Promise<Answer> {
  try {
    return await referenceOf(edge, arrival);
  } catch (error) {
    if (!isLifeOver(error)) edge.onFailure(error, requestId());
    return { page: failedPage() };
  }
}

async function referenceOf(edge: Edge, { request, sandboxName, search }: Arrival): Promise<Answer> {
  const sandbox = await edge.sandboxes.get(sandboxName ?? stage);
  if (!sandbox) return { page: noSuchSandboxPage(sandboxName ?? stage) };
  edge.sandboxes.use(sandbox, machineTime());
  const { name } = sandbox;
  const root = sandboxName === undefined ? '.' : '../..';
  const isControl = new URLSearchParams(search).get('document') === 'control';
  const page = isControl
    ? referencePage({ document: 'control', sandbox: name, root, login: undefined })
    : referencePage({ document: 'service', sandbox: name, root, login: await readyLogin(edge, sandbox, request) });
  return { page, sandbox: name };
}
