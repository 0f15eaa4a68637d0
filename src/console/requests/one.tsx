// One request, opened: what came beside what was answered, why, and how to send it again.

import type { RequestShown } from '../../contract/admin/requests.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import { sentenceOf } from '../../control/journal/decision.ts';
import type { Answer } from '../../control/journal/entry.ts';
import { oneAt, pageAt } from '../addresses.ts';
import { counted } from '../parts/counted.ts';
import { Instant } from '../parts/instant.tsx';
import { Rules } from '../parts/rules.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import type { Visit } from '../visit.ts';
import { Message } from './message.tsx';
import { SendAgain } from './send-again.tsx';
import { StagesPassed } from './stages-passed.tsx';

type Shown = DeepReadonly<RequestShown>;

export async function requestPage(visit: Visit, id: string) {
  const shown = await visit.control('requests.get', { params: { id } });
  const switches = await visit.control('switches.get');
  const answer = visit.sandbox.journal.get(id)?.answer ?? undefined;
  return (
    <article class="one-request">
      <Title shown={shown} isLost={answer?.decision.isLost ?? false} />
      {answer && <Decision shown={shown} answer={answer} sandbox={visit.sandbox.name} />}
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

interface DecisionProps {
  readonly shown: Shown;
  readonly answer: Answer;
  readonly sandbox: string;
}

function Decision({ shown, answer, sandbox }: DecisionProps) {
  const { decision, rules } = shown;
  if (!decision) return null;
  const { details, assumptions, faults, stage } = decision;
  return (
    <section class={rules.length > 0 ? 'decision refused' : 'decision'} aria-label="Why it was answered so">
      <p class="sentence">{sentenceOf(answer.decision, shown.status, shown.operation)}.</p>
      <Order shown={shown} sandbox={sandbox} />
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
          {Object.entries(assumptions).map(([id, reading]) => (
            <code class="assumed">
              {id}={reading}
            </code>
          ))}{' '}
          <a href={pageAt(sandbox, 'assumptions?show=touched')}>Assumptions</a>
        </details>
      )}
    </section>
  );
}

/** An order that was answered: the way to it, and why it may need changes. */
function Order({ shown: { response, status }, sandbox }: { readonly shown: Shown; readonly sandbox: string }) {
  const { order } = isRecord(response?.body) ? response.body : {};
  if (status === null || status >= 300 || !isRecord(order) || typeof order.id !== 'string') return null;
  return (
    <p>
      {order.status === 'Needs Changes' &&
        'It is taken, as Needs Changes: the packaging of a line is not Active (ORD-25). '}
      <a href={oneAt(sandbox, 'orders', order.id)}>The order</a>
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
