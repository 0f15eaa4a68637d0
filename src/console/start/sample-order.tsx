// Sends a sample order as a client would: both calls go the way of every call, and stand in Live requests. Says what became of it.

import { sandboxBase } from '../../contract/addresses.ts';
import type { OperationId } from '../../contract/operations.ts';
import { operations } from '../../contract/operations.ts';
import { isRecord } from '../../contract/schema.ts';
import { fieldsOf } from '../../control/answered-json.ts';
import { requestId } from '../../control/ids.ts';
import type { Entry } from '../../control/journal/entry.ts';
import { orderFor, orderingIn } from '../../control/sample-order.ts';
import type { ServiceResponse } from '../../http/exchange.ts';
import { BrokenConnection } from '../../http/response.ts';
import { urlParts } from '../../http/urls.ts';
import { fragment } from '../fragment.ts';
import type { Visit } from '../visit.ts';
import { Outcome, type Sent } from './outcome.tsx';
import { whyNoOrder } from './why-no-order.ts';

export async function sampleOrder(visit: Visit): Promise<ServiceResponse> {
  const { sandbox, call } = visit;
  const ordering = await sandbox.readAt(call.machineTime, orderingIn);
  if (!ordering?.product)
    return fragment(
      <div class="refused" role="alert">
        {whyNoOrder(ordering)}
      </div>,
    );
  const { username, password } = ordering.user;
  const login = await sent(visit, 'authentication.token', { username, password });
  const token = textAt(login.body, 'access_token');
  if (token === undefined) return fragment(<Outcome of="The login" sent={login} sandbox={sandbox.name} />);
  const order = orderFor(ordering.product.id, sandbox.root.values.administration_times.values);
  const created = await sent(visit, 'orders.create', order, token);
  const made = created.body.order;
  return fragment(<Outcome of="The order" sent={created} order={isRecord(made) ? made : {}} sandbox={sandbox.name} />);
}

/** One call to the sandbox's own base URL, as it was answered and as the journal has it. */
async function sent(visit: Visit, id: OperationId, body: object, token?: string): Promise<Sent> {
  const { method, path } = operations[id];
  const agent = `Sachet console (${requestId()})`;
  const request = new Request(urlParts(visit.request.url).origin + sandboxBase(visit.sandbox.name) + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'user-agent': agent,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const arrived = await answerTo(visit, request);
  await visit.sandbox.journal.catchUp();
  const entry = entryBy(agent, visit.sandbox.journal.newestFirst());
  const why = entry && (await visit.control('requests.get', { params: { id: entry.id } })).decision?.sentence;
  return { ...arrived, method, path, entry, why };
}

type Arrived = Pick<Sent, 'status' | 'body'>;

/** A connection that a switch or a fault breaks is an outcome like others. */
async function answerTo({ fetch }: Visit, request: Request): Promise<Arrived> {
  let status: number | null = null;
  try {
    const response = await fetch(request);
    const body = fieldsOf(await response.text());
    status = response.status;
    return { status, body };
  } catch (error) {
    if (!isBroken(error)) throw error;
    return { status, body: {} };
  }
}

/** Thrown before the response, or while its body is read. */
const isBroken = (error: unknown): boolean =>
  error instanceof BrokenConnection || (error instanceof TypeError && error.message === 'terminated');

/** The agent's name is this call's alone. */
function entryBy(agent: string, newestFirst: Iterable<Entry>): Entry | undefined {
  for (const entry of newestFirst)
    if (entry.headers.some(([name, value]) => name === 'user-agent' && value === agent)) return entry;
  return undefined;
}

function textAt(body: Sent['body'], name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' ? value : undefined;
}
