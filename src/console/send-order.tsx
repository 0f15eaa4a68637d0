// Sends an order through the service, as a client does, and presents the outcome.
import { type OperationId, operations } from '../contract/operations.ts';
import type { RecordOf } from '../contract/records.ts';
import { isRecord } from '../contract/schema.ts';
import type { Markup } from '../http/markup.ts';
import { sentenceOf } from '../journal/decision.ts';
import { fieldsOf } from '../journal/entry.ts';
import type { ConsoleRequest } from './console-request.ts';
import { PageLink } from './parts/layout.tsx';
import { RequestLink, Rules, Status } from './parts/status.tsx';
import { type SentCall, sendCall } from './send-call.ts';

/** Logs in as the user and creates an order. @param body of the order, sent as it is: it may be invalid */
export async function sendOrder(request: ConsoleRequest, user: RecordOf<'users'>, body: string): Promise<Markup> {
  const { username, password } = user;
  const login = await sendJson(request, 'authentication.token', JSON.stringify({ username, password }));
  const { access_token: token } = login.body;
  if (typeof token !== 'string') return <Outcome what="The login" call={login} />;
  return <Outcome what="The order" call={await sendJson(request, 'orders.create', body, token)} />;
}

interface Sent extends SentCall {
  readonly id: OperationId;
  /** Empty if it isn't an object. */
  readonly body: Readonly<Record<string, unknown>>;
}

async function sendJson(request: ConsoleRequest, id: OperationId, body: string, token?: string): Promise<Sent> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const { method, path } = operations[id];
  const sent = await sendCall(request, { method, target: path, headers, body });
  return { id, ...sent, body: fieldsOf(sent.text) };
}

function Outcome({ what, call }: { readonly what: string; readonly call: Sent }) {
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

function CreatedOrder({ body: { order } }: Pick<Sent, 'body'>) {
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

function Reason({ call: { id, status, entry } }: { readonly call: Sent }) {
  const decision = entry?.answer?.decision;
  if (!decision) return null;
  return (
    <>
      <Rules rules={decision.rules} /> {sentenceOf(decision, status, id)}
    </>
  );
}
