// One request: the request and its response, the reasons, and code to send it again.
import { consolePath, labelIdIn, sandboxBase } from '../../contract/addresses.ts';
import type { RequestJson } from '../../contract/control/requests.ts';
import { operations } from '../../contract/operations.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import { stages } from '../../http/stages.ts';
import { type StageName, sentenceOf } from '../../journal/decision.ts';
import type { Answer } from '../../journal/entry.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { pageAt } from '../page-addresses.ts';
import { Copy, CopyButton } from '../parts/action.tsx';
import { Body, maxCharacters } from '../parts/body.tsx';
import { labelOf, Named, SmallId } from '../parts/labels.tsx';
import { counted, Fact, PageLink, Table, useSandbox } from '../parts/layout.tsx';
import { Rules, Status } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import { curlCommand, vitestCase } from './code-samples.ts';
import { SendAgain } from './send-again.tsx';

type RequestDetails = DeepReadonly<RequestJson>;

export async function requestPage({ control, sandbox, origin, read }: ConsoleRequest, id: string) {
  const details = await control('requests.get', { params: { id } });
  const switches = await control('switches.get');
  const entry = sandbox.journal.get(id);
  const records = await read((state) => recordsOf(state, details));
  const text = entry?.body ?? null;
  const recorded = { ...details, headers: details.request.headers, text };
  return (
    <section>
      <Title details={details} isLost={entry?.answer?.decision.isLost ?? false} origin={origin} />
      {entry?.answer && <Decision details={details} answer={entry.answer} />}
      <RecordLinks {...records} />
      {entry && <SendAgain entry={entry} />}
      <div class="sides">
        <Message title="Request" message={details.request} />
        <Message title="Response" message={details.response} />
      </div>
      <h2>As code</h2>
      {text !== null && text.length > maxCharacters ? (
        <p class="muted">The body is too long to copy from here: {text.length} characters.</p>
      ) : (
        <div class="sides">
          <Copy id={`curl-${id}`} title="curl" text={curlCommand(recorded, origin + sandboxBase(sandbox.name))} />
          <Copy id={`test-${id}`} title="Vitest test" text={vitestCase(recorded, switches)} />
        </div>
      )}
    </section>
  );
}

interface TitleProps {
  readonly details: RequestDetails;
  readonly isLost: boolean;
  readonly origin: string;
}

function Title({ details, isLost, origin }: TitleProps) {
  const { id, operation } = details;
  const permalink = `${origin}${consolePath}/${pageAt(useSandbox(), 'requests', id)}`;
  return (
    <header>
      <h1>
        <span class="id">{details.method}</span>{' '}
        <span class="target">
          {details.path}
          {details.query}
        </span>{' '}
        <Status status={details.status} isOpen={!details.completed} isLost={isLost} />
      </h1>
      <p class="muted">
        <Instant at={details.received_at} />
        {details.duration_ms !== null && ` · ${details.duration_ms} ms`}
        {operation && [' · ', labelOf(operation), ' ', <SmallId id={operation} />]}
        {details.caller && ` · ${details.caller}`} · <code>{id}</code>
      </p>
      <p class="row">
        <PageLink to="requests" item={id}>
          Permalink
        </PageLink>
        <CopyButton of={`link-${id}`} label="Copy the link to this request" />
        <span class="unseen" id={`link-${id}`} aria-hidden="true">
          {permalink}
        </span>
      </p>
    </header>
  );
}

const recordPath = /^\/v2\/(orders|fulfillments)\/([^/]+)/;

/** The order and the package that a request created, read or changed, if the sandbox has them. */
function recordsOf(state: State, { path, response }: RequestDetails) {
  const { order, fulfillment } = isRecord(response?.body) ? response.body : {};
  const [, kind, id = ''] = recordPath.exec(path) ?? [];
  const inPath = kind === 'fulfillments' ? id : (labelIdIn(path) ?? '');
  const shipped = state.table('fulfillments').get(idOf(fulfillment) ?? inPath);
  const orderId = idOf(order) ?? shipped?.order_id ?? (kind === 'orders' ? id : '');
  return { order: state.table('orders').get(orderId), fulfillment: shipped };
}

const idOf = (record: unknown): string | undefined =>
  isRecord(record) && typeof record.id === 'string' ? record.id : undefined;

const RecordLinks = ({ order, fulfillment }: ReturnType<typeof recordsOf>) =>
  (order || fulfillment) && (
    <p class="row">
      {order && (
        <PageLink to="orders" item={order.id}>
          Open the order
        </PageLink>
      )}
      {fulfillment && (
        <PageLink to="fulfillments" item={fulfillment.id}>
          Open the fulfillment {fulfillment.shipment_order_number}
        </PageLink>
      )}
    </p>
  );

/** The reasons for the response: the refusal or the fault, the stages, the assumptions. */
function Decision({ details: request, answer }: { readonly details: RequestDetails; readonly answer: Answer }) {
  const { decision, rules, status, operation, response } = request;
  if (!decision) return null;
  const { details, assumptions, faults, stage } = decision;
  const [first] = details;
  const choices = Object.entries(assumptions);
  const needsToken = operation !== null && operations[operation].permission !== null;
  return (
    <article class={rules.length > 0 ? 'card on' : 'card'} aria-label="Reasons for the response">
      <p>{sentenceOf(answer.decision, status, operation)}</p>
      {status !== null && status < 300 && <NeedsChanges body={response?.body} />}
      {details.length > 1 && (
        <Table titles={['Rule', 'Field', 'Received', 'Required']}>
          {details.map(({ rule, field, came, allowed }) => (
            <tr>
              <td>
                <Rules rules={[rule]} />
              </td>
              <td>
                <code>{field}</code>
              </td>
              <td>
                <code>{came}</code>
              </td>
              <td>{allowed}</td>
            </tr>
          ))}
        </Table>
      )}
      {details.length === 1 && first?.field && (
        <p class="muted">
          Field: <code>{first.field}</code>
        </p>
      )}
      {faults.length > 0 && first && (
        <p class="muted">
          <Rules rules={[first.rule]} /> {first.allowed}
        </p>
      )}
      <Stages answeredBy={stage} isRefused={rules.length > 0} needsToken={needsToken} />
      {choices.length > 0 && (
        <details id="assumed">
          <summary>{counted(choices.length, 'assumption')} used</summary>
          {choices.map(([id, choice]) => (
            <>
              <Named id={id} />: {choice}
              <br />
            </>
          ))}
          <PageLink to="assumptions?show=touched">Assumptions</PageLink>
        </details>
      )}
    </article>
  );
}

function NeedsChanges({ body }: { readonly body: unknown }) {
  const { order } = isRecord(body) ? body : {};
  if (!isRecord(order) || order.status !== 'Needs Changes') return null;
  return <p>The order is accepted as Needs Changes, because the packaging of a line is not Active (ORD-25).</p>;
}

const stageTexts: Readonly<Record<StageName, string>> = {
  admission: 'Maintenance and rate limit',
  route: 'Path and method',
  fault: 'Faults and switches',
  token: 'Token',
  bodyFormat: 'JSON body',
  permission: 'Permission',
  path: 'Path parameters',
  query: 'Query',
  bodySchema: 'Body schema',
  operation: 'Business rules',
  storage: 'Object storage',
  tracking: 'Tracking page',
};

interface StagesProps {
  readonly answeredBy: string;
  readonly isRefused: boolean;
  readonly needsToken: boolean;
}

/** The stages in the order of the contract (HTTP-4), with the one that answered. */
function Stages({ answeredBy, isRefused, needsToken }: StagesProps) {
  const names = stages.map(({ name }) => name);
  const last = names.indexOf(answeredBy as StageName);
  if (last < 0) return <p>Answered by: {stageTexts[answeredBy as StageName] ?? answeredBy}</p>;
  return (
    <ol class="row" aria-label="Stages">
      {names.map((name, index) => {
        const isSkipped = index < last && !needsToken && (name === 'token' || name === 'permission');
        const [sign, tone, outcome] = isSkipped ? ['·', 'muted', 'not needed'] : stageOutcome(index - last, isRefused);
        return (
          <li class={tone}>
            <span aria-hidden="true">{sign}</span> {stageTexts[name]}
            <span class="unseen">: {outcome}</span>
          </li>
        );
      })}
    </ol>
  );
}

function stageOutcome(distance: number, isRefused: boolean): readonly [sign: string, tone: string, outcome: string] {
  if (distance < 0) return ['✓', 'good', 'passed'];
  if (distance > 0) return ['·', 'muted', 'not reached'];
  return isRefused ? ['✕', 'error', 'stopped'] : ['✓', 'good', 'answered'];
}

interface MessageProps {
  readonly title: string;
  readonly message: RequestDetails['request' | 'response'];
}

const Message = ({ title, message }: MessageProps) => (
  <section>
    <h2>{title}</h2>
    {message ? (
      <>
        <Body body={message.body} />
        <details>
          <summary>{Object.keys(message.headers).length} headers</summary>
          <dl class="facts">
            {Object.entries(message.headers).map(([name, value]) => (
              <Fact name={name}>{value}</Fact>
            ))}
          </dl>
        </details>
      </>
    ) : (
      <p class="muted">The call is in progress.</p>
    )}
  </section>
);
