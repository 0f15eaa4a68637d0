// Scenarios as cards: the intent, the behavior of a correct client, and a button that applies or removes the scenario.
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import { boundsOf } from '../../contract/control/match.ts';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action } from '../parts/action.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { labelOf, Named } from '../parts/labels.tsx';
import { Head, PageLink } from '../parts/layout.tsx';
import { Badge } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';

type Scenario = ControlReplyOf<'scenarios.list'>['body']['scenarios'][number];
type ExpectedCall = Scenario['expect'][number];

/** The number of matching calls for each expected call. */
type CallCounts = ReadonlyMap<ExpectedCall, { readonly count: number; readonly satisfied: boolean }>;

/** Counts the expected calls of each applied scenario. Omits those from a period that the journal no longer covers. */
async function countExpectedCalls({ control }: ConsoleRequest, scenarios: readonly Scenario[]): Promise<CallCounts> {
  const counts = new Map<ExpectedCall, { count: number; satisfied: boolean }>();
  for (const { applied_at: since, expect } of scenarios) {
    for (const call of since === null ? [] : expect) {
      const { match, count } = call;
      try {
        counts.set(call, await control('requests.verify', { body: { match, count, since } }));
      } catch (error) {
        if (!(error instanceof ControlRefusal && error.status === 409)) throw error;
      }
    }
  }
  return counts;
}

export async function scenariosPage(request: ConsoleRequest) {
  const { scenarios } = await request.control('scenarios.list');
  const counts = await countExpectedCalls(request, scenarios);
  const applied = scenarios.filter(({ applied_at }) => applied_at !== null).length;
  return (
    <section>
      <Head
        title="Scenarios"
        description="Prepared situations. Apply one, run your client, and compare it with a correct client."
      >
        <span class="muted">{applied === 0 ? 'No scenario is applied' : `${applied} applied`}</span>
      </Head>
      {scenarios.length === 0 && <Empty title="This server has no scenarios.">Its folder of scenarios is empty.</Empty>}
      <h2 class="unseen">All scenarios</h2>
      <div class="cards">
        {scenarios.map((scenario) => (
          <ScenarioCard scenario={scenario} counts={counts} />
        ))}
      </div>
    </section>
  );
}

type CardProps = { readonly scenario: Scenario; readonly counts: CallCounts };

const ScenarioCard = ({ scenario, counts }: CardProps) => {
  const { name, intent, right_client, applied_at } = scenario;
  const isApplied = applied_at !== null;
  return (
    <Card
      id={`scenario-${name}`}
      title={<Named id={name} />}
      aside={
        <Badge
          sign={isApplied ? '●' : '○'}
          tone={isApplied ? 'warning' : 'muted'}
          text={isApplied ? 'applied' : 'not applied'}
        />
      }
      isOn={isApplied}
    >
      <p>{intent}</p>
      <p>
        <b>A correct client:</b> {right_client}
      </p>
      <div class="row">
        <Action
          operation={isApplied ? 'scenarios.take_back' : 'scenarios.apply'}
          params={{ name }}
          done={`Scenario ${labelOf(name)} ${isApplied ? 'removed' : 'applied'}`}
          label={isApplied ? 'Remove' : 'Apply'}
          about={`the scenario ${labelOf(name)}`}
          quiet={isApplied}
        />
        {isApplied && (
          <small>
            since <Instant at={applied_at} />
          </small>
        )}
      </div>
      <Expected scenario={scenario} counts={counts} />
    </Card>
  );
};

const Expected = ({ scenario: { expect, conduct }, counts }: CardProps) => (
  <small>
    {expect.length > 0 && (
      <p>
        Expected calls:{' '}
        {expect.map((call, index) => (
          <>
            {index > 0 && ', '}
            {describeCount(call.count)} <MatchedCalls match={call.match} />
            {describeProgress(counts.get(call))}
          </>
        ))}
      </p>
    )}
    {conduct.length > 0 && (
      <p>
        <PageLink to="conduct">Conduct</PageLink>:{' '}
        {conduct.map((id, index) => [index > 0 && ', ', labelOf(id), ' ', <code>{id}</code>])}
      </p>
    )}
  </small>
);

const describeProgress = (progress: ReturnType<CallCounts['get']>): string =>
  progress ? ` (${progress.count} received${progress.satisfied ? ' ✓' : ''})` : '';

function describeCount(count: ExpectedCall['count']): string {
  const { least, most } = boundsOf(count);
  if (least === most) return least === 0 ? 'no' : `${least} ×`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} ×`;
  return least === 0 ? `at most ${most} ×` : `${least} to ${most} ×`;
}

/** @example 'Create an order orders.create 429' */
function MatchedCalls({ match: { operation, method, path, status, rule, body } }: Pick<ExpectedCall, 'match'>) {
  const parts = [method, path, status, rule, body && `with ${JSON.stringify(body)}`];
  const text = parts.filter((part) => part !== undefined).join(' ');
  return (
    <>
      {operation && [labelOf(operation), ' ', <code>{operation}</code>, ' ']}
      {text === '' && operation === undefined ? 'any call' : <span class="id">{text}</span>}
    </>
  );
}
