// What is told about a sandbox under /_docs. Looking at it is no call of the service: the journal does not record it, and no fault affects it.
import { stage } from '../../contract/addresses.ts';
import { stopwatch } from '../../control/clock.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { requestId } from '../../control/ids.ts';
import type { Edge } from '../edge.ts';
import type { ServiceResponse } from '../exchange.ts';
import { type AppContext, isSandboxOver } from '../request-context.ts';
import { protectedResponse } from '../response.ts';
import { urlParts } from '../urls.ts';

/** One way to tell it: as a page for people, or as a document. */
export interface Telling {
  readonly of: (sandbox: HostedSandbox) => Promise<ServiceResponse>;
  readonly unknownSandbox: (name: string) => ServiceResponse;
  readonly failed: () => ServiceResponse;
}

/** Answers, and leaves a line in the log. */
export async function serveUnrecorded(edge: Edge, c: AppContext, telling: Telling): Promise<Response> {
  const started = stopwatch();
  const name = c.req.param('sandbox') ?? stage;
  const response = await responseTo(edge, name, telling);
  const { status } = response;
  const sandbox = status === 404 ? undefined : name;
  const { path } = urlParts(c.req.url);
  edge.log({ method: c.req.raw.method, path, status, milliseconds: stopwatch() - started, sandbox });
  return protectedResponse(c, edge, response);
}

async function responseTo(edge: Edge, name: string, telling: Telling): Promise<ServiceResponse> {
  try {
    const sandbox = await edge.sandboxes.get(name);
    if (!sandbox) return telling.unknownSandbox(name);
    edge.sandboxes.use(sandbox, edge.sandboxes.now());
    return await telling.of(sandbox);
  } catch (error) {
    if (!isSandboxOver(error)) edge.onFailure(error, requestId());
    return telling.failed();
  }
}
