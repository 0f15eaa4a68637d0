// The OpenAPI documents over HTTP: under every base URL that of its sandbox, at the server's root that of the control API.
import { sandboxBase, stage } from '../../contract/addresses.ts';
import { Refusal } from '../../contract/refusal.ts';
import { machineTime, stopwatch } from '../../control/clock.ts';
import type { Arrival } from '../arrival.ts';
import type { Edge } from '../edge.ts';
import { rendered, toResponse } from '../passage.ts';
import { refusalReply } from '../refuse.ts';
import { report } from '../report.ts';

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
};

export const serveServiceDocument = (edge: Edge, arrival: Arrival): Promise<Response> =>
  answered(edge, arrival, () => serviceText(edge, arrival));

export const serveControlDocument = (edge: Edge, arrival: Arrival): Promise<Response> =>
  answered(edge, arrival, () => edge.documents.control(arrival.origin));

async function answered(edge: Edge, arrival: Arrival, textOf: () => Promise<string | undefined>): Promise<Response> {
  const started = stopwatch();
  const text = await textOf();
  const response = text === undefined ? unknownSandbox(arrival) : new Response(text, { headers });
  report(edge, arrival, started, response.status, arrival.sandboxName);
  return response;
}

async function serviceText({ sandboxes, documents }: Edge, arrival: Arrival): Promise<string | undefined> {
  const { origin, sandboxName } = arrival;
  const sandbox = await sandboxes.get(sandboxName ?? stage);
  if (!sandbox) return undefined;
  sandboxes.use(sandbox, machineTime());
  const { readings, administration_times } = sandbox.root.values;
  const base = sandboxName === undefined ? '' : sandboxBase(sandboxName);
  return documents.service(readings, administration_times.values, origin + base);
}

const unknownSandbox = ({ sandboxName }: Arrival): Response =>
  toResponse(rendered(refusalReply(new Refusal('unknown_sandbox', { value: sandboxName }))));
