// One request, opened: what came beside what was answered, why, and how to send it again.
import { sandboxBase } from '../../contract/addresses.ts';
import type { RequestJson } from '../../contract/control/requests.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import { stages } from '../../http/stages.ts';
import { type StageName, sentenceOf } from '../../journal/decision.ts';
import type { Answer } from '../../journal/entry.ts';
import { Copy } from '../parts/action.tsx';
import { counted, Fact, PageLink, Table } from '../parts/page.tsx';
import { Rules, Status } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';
import { curlOf, testOf } from './request-as-code.ts';

type Shown = DeepReadonly<RequestJson>;

interface MessageProps {
  readonly title: string;
  readonly message: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown } | null;
}

/** Of a longer body the rest is left out here. */
const maxCharacters = 20_000;

/** One side of a call: its headers and its body. */
const Message = ({ title, message }: MessageProps) => (
  <section class="message">
    <h2>{title}</h2>
    {message ? (
      <>
        <Body body={message.body} />
        <details>
          <summary>{Object.keys(message.headers).length} headers</summary>
          <dl class="headers">
            {Object.entries(message.headers).map(([name, value]) => (
              <Fact name={name}>{value}</Fact>
            ))}
          </dl>
        </details>
      </>
    ) : (
      <p class="muted">None yet: the call is under way.</p>
    )}
  </section>
);

function Body({ body }: { readonly body: unknown }) {
  if (body === null || body === '') return <p class="muted">No body.</p>;
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const left = text.length - maxCharacters;
  return (
    <>
      <pre class="body" tabindex={0}>
        {left > 0 ? text.slice(0, maxCharacters) : text}
      </pre>
      {left > 0 && (
        <p class="muted">
          … and {left} characters more: GET …/requests/{'{id}'} of the control API has them.
        </p>
      )}
    </>
  );
}

interface SendAgainProps {
  readonly visit: Visit;
  readonly shown: Shown;
  readonly switches: Parameters<typeof testOf>[1];
}

/** How to send a request again: as a curl command, and as a case for vitest. */
function SendAgain({ visit: { sandbox, call }, shown, switches }: SendAgainProps) {
  const { id } = shown;
  const text = sandbox.journal.get(id)?.body ?? null;
  const sent = { ...shown, headers: shown.request.headers, text };
  const isLong = (text?.length ?? 0) > maxCharacters;
  return (
    <>
      <h2>Send it again</h2>
      {isLong ? (
        <p class="muted">Its body has {text?.length} characters, too many to copy from here.</p>
      ) : (
        <div class="sides">
          <Copy id={`curl-${id}`} title="curl" text={curlOf(sent, call.origin + sandboxBase(sandbox.name))} />
          <Copy id={`test-${id}`} title="A vitest case" text={testOf(sent, switches)} />
        </div>
      )}
    </>
  );
}

const words: Readonly<Record<StageName, string>> = {
  admission: 'maintenance, rate limit',
  route: 'path and method',
  fault: 'faults and switches',
  token: 'token',
  bodyFormat: 'body is JSON',
  permission: 'permission',
  path: 'path parameters',
  query: 'query',
  bodySchema: 'body by the schema',
  operation: 'business rules',
  storage: 'object storage',
  tracking: 'tracking page',
};

/** The stages that a call went through, in the order of the contract (HTTP-4), and the one that answered. */
function StagesPassed({ answeredBy, isRefused }: { readonly answeredBy: string; readonly isRefused: boolean }) {
  const names = stages.map(({ name }) => name);
  const at = names.indexOf(answeredBy as StageName);
  if (at < 0)
    return <p class="stages">Answered by the {words[answeredBy as StageName] ?? answeredBy}, beside the stages.</p>;
  const outcomeOf = (index: number) => {
    if (index < at) return ['passed', '✓'];
    if (index > at) return ['unreached', '·'];
    return isRefused ? ['stopped', '✕'] : ['answered', '✓'];
  };
  return (
    <ol class="stages" aria-label="Stages">
      {names.map((name, index) => {
        const [outcome = '', sign] = outcomeOf(index);
        return (
          <li class={outcome}>
            <span aria-hidden="true">{sign}</span> {words[name]}
            <span class="unseen">: {outcome === 'unreached' ? 'not reached' : outcome}</span>
          </li>
        );
      })}
    </ol>
  );
}

export async function requestPage(visit: Visit, id: string) {
  const shown = await visit.control('requests.get', { params: { id } });
  const switches = await visit.control('switches.get');
  const answer = visit.sandbox.journal.get(id)?.answer ?? undefined;
  return (
    <article class="one-request">
      <Title shown={shown} isLost={answer?.decision.isLost ?? false} />
      {answer && <Decision shown={shown} answer={answer} />}
      <div class="sides">
        <Message title="Request" message={shown.request} />
        <Message title="Answer" message={shown.response} />
      </div>
      <SendAgain visit={visit} shown={shown} switches={switches} />
    </article>
  );
}

const Title = ({ shown, isLost }: { readonly shown: Shown; readonly isLost: boolean }) => (
  <header>
    <h1>
      <span class="method">{shown.method}</span>{' '}
      <span class="target">
        {shown.path}
        {shown.query}
      </span>{' '}
      <Status status={shown.status} isOpen={!shown.completed} isLost={isLost} />
    </h1>
    <p class="muted">
      <Instant at={shown.received_at} />
      {shown.duration_ms !== null && ` · ${shown.duration_ms} ms`}
      {shown.operation && ` · ${shown.operation}`}
      {shown.caller && ` · ${shown.caller}`} · <code>{shown.id}</code>
    </p>
  </header>
);

function Decision({ shown, answer }: { readonly shown: Shown; readonly answer: Answer }) {
  const { decision, rules } = shown;
  if (!decision) return null;
  const { details, assumptions, faults, stage } = decision;
  return (
    <section class={rules.length > 0 ? 'decision refused' : 'decision'} aria-label="Why it was answered so">
      <p class="sentence">{sentenceOf(answer.decision, shown.status, shown.operation)}.</p>
      <Order {...shown} />
      {details.length > 1 && <Details details={details} />}
      {details.length === 1 && details[0]?.field && (
        <p class="muted">
          Field: <code>{details[0].field}</code>
        </p>
      )}
      {faults.length > 0 && details[0] && (
        <p class="muted">
          <Rules rules={[details[0].rule]} /> {details[0].allowed}
        </p>
      )}
      <StagesPassed answeredBy={stage} isRefused={rules.length > 0} />
      {Object.keys(assumptions).length > 0 && (
        <details id="assumed">
          <summary>{counted(Object.keys(assumptions).length, 'assumption')} asked for</summary>
          {Object.entries(assumptions).map(([id, choice]) => (
            <code class="assumed">
              {id}={choice}
            </code>
          ))}{' '}
          <PageLink to="assumptions?show=touched">Assumptions</PageLink>
        </details>
      )}
    </section>
  );
}

/** An order that was answered: the way to it, and why it may need changes. */
function Order({ response, status }: Shown) {
  const { order } = isRecord(response?.body) ? response.body : {};
  if (status === null || status >= 300 || !isRecord(order) || typeof order.id !== 'string') return null;
  return (
    <p>
      {order.status === 'Needs Changes' &&
        'It is taken, as Needs Changes: the packaging of a line is not Active (ORD-25). '}
      <PageLink to="orders" one={order.id}>
        The order
      </PageLink>
    </p>
  );
}

const Details = ({ details }: { readonly details: NonNullable<Shown['decision']>['details'] }) => (
  <Table titles={['Rule', 'Field', 'Came', 'Required']}>
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
);
