// Conduct: the client's behavior, rule by rule, with requests as evidence.
import { filled } from '../../contract/addresses.ts';
import { type ConductOutcome, type ConductReport, reportOperations } from '../../contract/control/conduct.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import { loginCommand } from '../../sandbox/sample-calls.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Empty } from '../parts/card.tsx';
import { labelOf, Named } from '../parts/labels.tsx';
import { Head, PageLink } from '../parts/layout.tsx';
import { Badge, RequestLink, type Tone } from '../parts/status.tsx';
import { firstCallsFor } from './code-samples.ts';

/** In the order of the page: failures first. */
const outcomes: Readonly<Record<ConductOutcome, readonly [sign: string, words: string, tone: Tone]>> = {
  fail: ['✕', 'fail', 'error'],
  pass: ['✓', 'pass', 'good'],
  not_exercised: ['–', 'not exercised', 'muted'],
};
const outcomeIds = Object.keys(outcomes) as ConductOutcome[];

export async function conductPage(request: ConsoleRequest) {
  const { control, sandbox, read } = request;
  const { rules } = await control('report.get');
  const { method, path } = reportOperations['report.get'];
  const [newest] = sandbox.journal.newestFirst();
  const calls = await read((state) => firstCallsFor(request, state));
  return (
    <section>
      <Head
        title="Conduct"
        description="How a correct client behaves, besides sending valid requests. The report covers the calls since the requests were last cleared."
      >
        <p class="row">
          {outcomeIds.map((outcome) => (
            <Outcome outcome={outcome} count={rules.filter((rule) => rule.outcome === outcome).length} />
          ))}
        </p>
      </Head>
      {!newest && (
        <Empty
          title="Nothing has called this sandbox yet, or its requests were cleared."
          call={calls && loginCommand(calls)}
        >
          <PageLink to="start">Point your client</PageLink> at it. A{' '}
          <PageLink to="switches">switch or scenario</PageLink> creates the situations that some rules need, such as a
          429 or an expired token. Demo data makes no requests.
        </Empty>
      )}
      <ul class="rows">
        {outcomeIds.map((outcome) =>
          rules.filter((rule) => rule.outcome === outcome).map((rule) => <Ruling rule={rule} sandbox={sandbox} />),
        )}
      </ul>
      <p class="muted">
        You can also get this report with <code>sachet report --sandbox {sandbox.name}</code> on the command line, and
        with{' '}
        <code>
          {method} {filled(path, () => sandbox.name)}
        </code>{' '}
        in the control API.
      </p>
    </section>
  );
}

function Outcome({ outcome, count }: { readonly outcome: ConductOutcome; readonly count?: number }) {
  const [sign, words, tone] = outcomes[outcome];
  return (
    <Badge sign={sign} tone={count === 0 ? 'muted' : tone} text={count === undefined ? words : `${count} ${words}`} />
  );
}

/** The most requests behind a pass; of a failure, all are listed. */
const maxPassed = 4;

type RulingProps = { readonly rule: DeepReadonly<ConductReport['rules'][number]>; readonly sandbox: HostedSandbox };

/** A rule with its evidence. The journal may have evicted some of the requests. */
function Ruling({ rule: { id, outcome, advice, evidence }, sandbox: { journal } }: RulingProps) {
  const listed = outcome === 'pass' ? evidence.slice(0, maxPassed) : evidence;
  return (
    <li class={outcome === 'fail' ? 'failed' : undefined} id={`conduct-${id}`}>
      <Outcome outcome={outcome} /> <Named id={id} />
      <p class={outcome === 'not_exercised' ? 'muted' : undefined}>{advice}</p>
      {evidence.length > 0 && (
        <ul class="row" aria-label={`Evidence for ${labelOf(id)}`}>
          {listed.map((request) => {
            const entry = journal.get(request);
            return <li>{entry ? <RequestLink entry={entry} /> : [<code>{request}</code>, ' is no longer stored']}</li>;
          })}
          {listed.length < evidence.length && <li class="muted">and {evidence.length - listed.length} more</li>}
        </ul>
      )}
    </li>
  );
}
