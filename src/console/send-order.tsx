// Sends an order through the service, as a client does, and presents the outcome.
import { sandboxBase } from '../contract/addresses.ts';
import { type OperationId, operations } from '../contract/operations.ts';
import type { RecordOf } from '../contract/records.ts';
import { isRecord } from '../contract/schema.ts';
import type { Markup } from '../http/markup.ts';
import { BrokenConnection } from '../http/response.ts';
import { urlParts } from '../http/urls.ts';
import { sentenceOf } from '../journal/decision.ts';
import { type Entry, fieldsOf } from '../journal/entry.ts';
import { requestId } from '../system/random.ts';
import type { ConsoleRequest } from './console-request.ts';
import { PageLink } from './parts/layout.tsx';
import { RequestLink, Rules, Status } from './parts/status.tsx';

/** Logs in as the user and creates an order. @param body of the order, sent as it is: it may be invalid */
export async function sendOrder(request: ConsoleRequest, user: RecordOf<'users'>, body: string): Promise<Markup> {
  const { username, password } = user;
  const login = await sendCall(request, 'authentication.token', JSON.stringify({ username, password }));
  const { access_token: token } = login.body;
  if (typeof token !== 'string') return <Outcome what="The login" call={login} />;
  return <Outcome what="The order" call={await sendCall(request, 'orders.create', body, token)} />;
}

interface SentCall {
  readonly id: OperationId;
  /** Null if the connection broke. */
  readonly status: number | null;
  /** Empty if it isn't an object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Undefined if a reset cleared the journal meanwhile. */
  readonly entry: Entry | undefined;
}

async function sendCall(request: ConsoleRequest, id: OperationId, body: string, token?: string): Promise<SentCall> {
  const { sandbox, fetch } = request;
  const { method, path } = operations[id];
  // Unique, so that the call is found in the journal.
  const agent = `Sachet console (${requestId()})`;
  const call = new Request(urlParts(request.request.url).origin + sandboxBase(sandbox.name) + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'user-agent': agent,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body,
  });
  const answer = await fetch(call)
    .then(async (response) => ({ status: response.status, body: fieldsOf(await response.text()) }))
    .catch((error: unknown) => {
      if (!isBrokenConnection(error)) throw error;
      return { status: null, body: {} };
    });
  await sandbox.journal.catchUp();
  const isOfCall = ({ headers }: Entry) => headers.some(([name, value]) => name === 'user-agent' && value === agent);
  return { id, ...answer, entry: [...sandbox.journal.newestFirst()].find(isOfCall) };
}

/** The connection can break before the response or in its body. */
const isBrokenConnection = (error: unknown): boolean =>
  error instanceof BrokenConnection || (error instanceof TypeError && error.message === 'terminated');

function Outcome({ what, call }: { readonly what: string; readonly call: SentCall }) {
  const { status, entry } = call;
  const isAccepted = status !== null && status < 400;
  return (
    <article class={isAccepted ? 'card' : 'card on'}>
      <p>
        <b>
          {what} {describeStatus(status)}
        </b>{' '}
        <Status status={status} /> {isAccepted ? <CreatedOrder body={call.body} /> : <Reason call={call} />}
      </p>
      <p>
        {entry && <RequestLink entry={entry} />} <PageLink to="requests">Live requests</PageLink>
      </p>
    </article>
  );
}

function describeStatus(status: number | null): string {
  if (status === null) return 'got no response';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'was rejected' : 'was accepted';
}

function CreatedOrder({ body: { order } }: Pick<SentCall, 'body'>) {
  if (!isRecord(order) || typeof order.id !== 'string') return null;
  return (
    <>
      {typeof order.status === 'string' && `It is ${order.status}: `}
      <PageLink to="orders" item={order.id}>
        order <span class="id">{order.id}</span>
      </PageLink>
    </>
  );
}

function Reason({ call: { id, status, entry } }: { readonly call: SentCall }) {
  const decision = entry?.answer?.decision;
  if (!decision) return null;
  return (
    <>
      <Rules rules={decision.rules} /> {sentenceOf(decision, status, id)}
    </>
  );
}
