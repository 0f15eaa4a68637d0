// Sends a sample order as a client would: both calls go the way of every call, and stand in Live requests. Says what became of it.
import { sandboxBase } from '../../contract/addresses.ts';
import { type OperationId, operations } from '../../contract/operations.ts';
import { isRecord } from '../../contract/schema.ts';
import { BrokenConnection, type ServiceResponse } from '../../http/response.ts';
import { urlParts } from '../../http/urls.ts';
import type { Entry } from '../../journal/entry.ts';
import { fieldsOf } from '../../journal/entry.ts';
import { type Ordering, orderFor, orderingIn } from '../../sandbox/sample-calls.ts';
import { requestId } from '../../system/random.ts';
import { fragment, PageLink } from '../parts/page.tsx';
import { RequestLink, Rules, Status } from '../parts/status.tsx';
import type { Visit } from '../visit.ts';

/** What came of a call. */
interface Sent {
  /** null where the connection broke. */
  readonly status: number | null;
  /** The answer's, as far as it is an object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** As the journal has it; it forgets, and a reset forgets everything. */
  readonly entry: Entry | undefined;
  /** Why it was answered so, in a sentence. */
  readonly why: string | undefined;
}

interface OutcomeProps {
  /** What was sent, such as `The order`. */
  readonly of: string;
  readonly sent: Sent;
  /** What the answer has of the order. */
  readonly order?: Readonly<Record<string, unknown>>;
}

/** What became of a sample order: the answer, why it is so, and where to look further. */
function Outcome({ of, sent, order = {} }: OutcomeProps) {
  const { status, entry } = sent;
  const isTaken = status !== null && status < 400;
  return (
    <div class={isTaken ? 'outcome-of taken' : 'outcome-of'}>
      <p>
        <b>
          {of} {wordsFor(status)}
        </b>{' '}
        <Status status={status} /> {isTaken ? <Made order={order} /> : <Why sent={sent} />}
      </p>
      <p>
        {entry && <RequestLink entry={entry} />} <PageLink to="requests">Live requests</PageLink>
      </p>
    </div>
  );
}

function wordsFor(status: number | null): string {
  if (status === null) return 'got no answer';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'is refused' : 'is taken';
}

const Made = ({ order: { id, status } }: { readonly order: Sent['body'] }) =>
  typeof id === 'string' ? (
    <>
      {typeof status === 'string' && `It is ${status}: `}
      <PageLink to="orders" one={id}>
        order <span class="id">{id}</span>
      </PageLink>
    </>
  ) : null;

const Why = ({ sent: { entry, why } }: { readonly sent: Sent }) => (
  <>
    <Rules rules={entry?.answer?.decision.rules ?? []} /> {why && `${why.charAt(0).toUpperCase()}${why.slice(1)}.`}
  </>
);

/** Why there is no order to send. @param ordering undefined where nobody may log in, else without a product */
export const whyNoOrder = (ordering: Ordering | undefined): string =>
  ordering
    ? `The brand of ${ordering.user.username} has no product that can be ordered: each is inactive or discontinued, or there is none.`
    : 'Nobody may log in to this sandbox: no user is active in an active account.';

export async function sampleOrder(visit: Visit): Promise<ServiceResponse> {
  const { sandbox, call } = visit;
  const ordering = await sandbox.readAt(call.machineTime, orderingIn);
  if (!ordering?.product)
    return fragment(
      sandbox.name,
      <div class="refused" role="alert">
        {whyNoOrder(ordering)}
      </div>,
    );
  const { username, password } = ordering.user;
  const login = await sent(visit, 'authentication.token', { username, password });
  const { access_token: token } = login.body;
  if (typeof token !== 'string') return fragment(sandbox.name, <Outcome of="The login" sent={login} />);
  const order = orderFor(ordering.product.id, sandbox.state.value('administration_times').values);
  const created = await sent(visit, 'orders.create', order, token);
  const made = created.body.order;
  return fragment(sandbox.name, <Outcome of="The order" sent={created} order={isRecord(made) ? made : {}} />);
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
  return { ...arrived, entry, why };
}

/** A connection that a switch or a fault breaks is an outcome like others. */
async function answerTo({ fetch }: Visit, request: Request): Promise<Pick<Sent, 'status' | 'body'>> {
  try {
    const response = await fetch(request);
    return { status: response.status, body: fieldsOf(await response.text()) };
  } catch (error) {
    if (!isBroken(error)) throw error;
    return { status: null, body: {} };
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
