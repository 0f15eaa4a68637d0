// What is told about a sandbox under /_docs. To look at it is no call of the service: the journal has nothing of it, and no fault meets it.
import { stage } from '../../contract/addresses.ts';
import { stopwatch } from '../../control/clock.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { requestId } from '../../control/ids.ts';
import type { Arrival } from '../arrival.ts';
import { isLifeOver } from '../call.ts';
import type { Edge } from '../edge.ts';
import type { Rendered } from '../rendered.ts';
import { report } from '../report.ts';
import { responseOf } from '../response.ts';

/** One way to tell it: as a page for people, or as a document. */
export interface Telling {
  readonly of: (sandbox: HostedSandbox) => Promise<Rendered>;
  readonly unknownSandbox: (name: string) => Rendered;
  readonly failed: () => Rendered;
}

/** Answers, and leaves a line in the log. */
export async function serveUnrecorded(edge: Edge, arrival: Arrival, telling: Telling): Promise<Response> {
  const started = stopwatch();
  const answer = await answerOf(edge, arrival, telling);
  report(edge, arrival, started, answer.status, answer.status === 404 ? undefined : (arrival.sandboxName ?? stage));
  return responseOf(edge, arrival.request, answer);
}

async function answerOf(edge: Edge, { sandboxName = stage }: Arrival, telling: Telling): Promise<Rendered> {
  try {
    const sandbox = await edge.sandboxes.get(sandboxName);
    if (!sandbox) return telling.unknownSandbox(sandboxName);
    edge.sandboxes.use(sandbox, edge.sandboxes.now());
    return await telling.of(sandbox);
  } catch (error) {
    if (!isLifeOver(error)) edge.onFailure(error, requestId());
    return telling.failed();
  }
}
