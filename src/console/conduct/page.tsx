// Conduct: how whoever called this sandbox behaved, rule by rule, with the requests that show it.

import type { ConductOutcome, ConductReport } from '../../contract/admin/report.ts';
import { reportOperations } from '../../contract/admin/report.ts';
import { filled } from '../../contract/path-template.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { pageAt } from '../addresses.ts';
import { Empty } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import type { Visit } from '../visit.ts';
import { Evidence } from './evidence.tsx';

type Ruled = DeepReadonly<ConductReport['rules'][number]>;

/** In the order in which a reader wants them: a sign that tells the outcome without its colour, and words. */
const outcomes: Readonly<Record<ConductOutcome, readonly [sign: string, words: string, kind: string]>> = {
  fail: ['✕', 'fail', 'fails'],
  pass: ['✓', 'pass', 'passes'],
  not_exercised: ['–', 'not exercised', 'muted'],
};
const inOrder = Object.keys(outcomes) as ConductOutcome[];

export async function conductPage(visit: Visit) {
  const { rules } = await visit.control('report.get');
  const { name } = visit.sandbox;
  const [newest] = visit.sandbox.journal.newestFirst();
  return (
    <section class="told">
      <div class="head">
        <h1>Conduct</h1>
        <Counts rules={rules} />
      </div>
      <p class="lead">
        What a right client does beside sending good requests, judged by the calls that came since the requests were
        last cleared.
      </p>
      {!newest && <Unheard sandbox={name} />}
      <ul class="rulings">
        {inOrder.map((outcome) =>
          rules.filter((rule) => rule.outcome === outcome).map((rule) => <Ruling rule={rule} visit={visit} />),
        )}
      </ul>
      <Elsewhere sandbox={name} />
    </section>
  );
}

const Counts = ({ rules }: { readonly rules: readonly Ruled[] }) => (
  <p class="counts" id="conduct-counts">
    {inOrder.map((outcome) => (
      <Outcome outcome={outcome} count={rules.filter((rule) => rule.outcome === outcome).length} />
    ))}
  </p>
);

function Outcome({ outcome, count }: { readonly outcome: ConductOutcome; readonly count?: number }) {
  const [sign, words, kind] = outcomes[outcome];
  return (
    <Badge sign={sign} class={`outcome ${count === 0 ? 'muted' : kind}`}>
      {count === undefined ? words : `${count} ${words}`}
    </Badge>
  );
}

const Ruling = ({
  rule: { id, outcome, advice, evidence },
  visit,
}: {
  readonly rule: Ruled;
  readonly visit: Visit;
}) => (
  <li class={outcome === 'fail' ? 'failed' : undefined} id={`conduct-${id}`}>
    <Outcome outcome={outcome} />
    <div>
      <code class="id">{id}</code>
      <p class={outcome === 'not_exercised' ? 'muted' : undefined}>{advice}</p>
      {evidence.length > 0 && <Evidence rule={id} ids={evidence} sandbox={visit.sandbox} />}
    </div>
  </li>
);

const Unheard = ({ sandbox }: { readonly sandbox: string }) => (
  <Empty title="Nothing has called this sandbox yet, or its requests were cleared: there is nothing to judge.">
    <p>
      <a href={pageAt(sandbox, 'start')}>Let your client work</a> against it. Each rule is judged once a call puts it to
      the test: a <a href={pageAt(sandbox, 'switches')}>switch or scenario</a> makes the occasions, such as a 429 or an
      expired token.
    </p>
  </Empty>
);

const Elsewhere = ({ sandbox }: { readonly sandbox: string }) => {
  const { method, path } = reportOperations['report.get'];
  return (
    <p class="muted">
      The same elsewhere: <code>sachet report --sandbox {sandbox}</code> on the command line,{' '}
      <code>
        {method} {filled(path, () => sandbox)}
      </code>{' '}
      over the control API.
    </p>
  );
};
