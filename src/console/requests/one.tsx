// One request, opened: what came beside what was answered, why, and how to send it again.

import type { RequestShown } from '../../contract/admin/requests.ts';
import type { DeepReadonly } from '../../contract/records.ts';
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
  return (
    <article class="one-request">
      <Title shown={shown} />
      <Decision shown={shown} />
      <div class="sides">
        <Message title="Request" message={shown.request} />
        <Message title="Answer" message={shown.response} />
      </div>
      <SendAgain visit={visit} shown={shown} switches={switches} />
    </article>
  );
}

const Title = ({ shown }: { readonly shown: Shown }) => (
  <header>
    <h1>
      <span class="method">{shown.method}</span>{' '}
      <span class="target">
        {shown.path}
        {shown.query}
      </span>{' '}
      <Status status={shown.status} isOpen={!shown.completed} />
    </h1>
    <p class="muted">
      <Instant at={shown.received_at} />
      {shown.duration_ms !== null && ` · ${shown.duration_ms} ms`}
      {shown.operation && ` · ${shown.operation}`}
      {shown.caller && ` · ${shown.caller}`} · <code>{shown.id}</code>
    </p>
  </header>
);

function Decision({ shown: { decision, rules } }: { readonly shown: Shown }) {
  if (!decision) return null;
  const { sentence, details, assumptions, faults, stage } = decision;
  return (
    <section class={rules.length > 0 ? 'decision refused' : 'decision'} aria-label="Why it was answered so">
      <p class="sentence">{sentence}.</p>
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
        <p class="muted">
          Assumed:{' '}
          {Object.entries(assumptions).map(([id, reading]) => (
            <code class="assumed">
              {id}={reading}
            </code>
          ))}
        </p>
      )}
    </section>
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
