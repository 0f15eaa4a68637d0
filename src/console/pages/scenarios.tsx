// Scenarios as cards: the intent, what a correct client does, and the button that applies the scenario or takes it
// back.
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import { boundsOf } from '../../contract/control/match.ts';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action } from '../parts/action.tsx';
import { Empty, PageLink } from '../parts/layout.tsx';
import { Badge } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';

type Scenario = ControlReplyOf<'scenarios.list'>['body']['scenarios'][number];
type ExpectedCall = Scenario['expect'][number];

/** Counts of calls by what was expected. */
type CallCounts = ReadonlyMap<ExpectedCall, { readonly count: number; readonly satisfied: boolean }>;

/** Counts the expected calls of each applied scenario. Leaves out those whose period the journal no longer covers. */
export async function countExpectedCalls(
  { control }: ConsoleRequest,
  scenarios: readonly Scenario[],
): Promise<CallCounts> {
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

export const Scenarios = ({ scenarios, counts }: { scenarios: readonly Scenario[]; counts: CallCounts }) => (
  <section aria-labelledby="scenarios">
    <h2 id="scenarios">Scenarios</h2>
    {scenarios.length === 0 && (
      <Empty title="This server has no scenarios.">It was started with an empty folder of scenarios.</Empty>
    )}
    <div class="cards">
      {scenarios.map((scenario) => (
        <ScenarioCard scenario={scenario} counts={counts} />
      ))}
    </div>
  </section>
);

type CardProps = { readonly scenario: Scenario; readonly counts: CallCounts };

const ScenarioCard = ({ scenario, counts }: CardProps) => {
  const { name, intent, right_client, applied_at } = scenario;
  const isApplied = applied_at !== null;
  return (
    <article class={isApplied ? 'on' : undefined} id={`scenario-${name}`}>
      <div class="head">
        <h3 class="id">{name}</h3>
        <Badge
          sign={isApplied ? '●' : '○'}
          tone={isApplied ? 'warning' : 'muted'}
          text={isApplied ? 'applied' : 'not applied'}
        />
      </div>
      <p>{intent}</p>
      <p>
        <b>A correct client:</b> {right_client}
      </p>
      <div class="row">
        <Action
          operation={isApplied ? 'scenarios.take_back' : 'scenarios.apply'}
          params={{ name }}
          done={`Scenario ${name} ${isApplied ? 'taken back' : 'applied'}`}
          label={isApplied ? 'Take back' : 'Apply'}
          about={name}
          quiet={isApplied}
        />
        {isApplied && (
          <small>
            since <Instant at={applied_at} />
          </small>
        )}
      </div>
      <Expected scenario={scenario} counts={counts} />
    </article>
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
            {describeCount(call.count)} <span class="id">{describeMatch(call.match)}</span>
            {describeProgress(counts.get(call))}
          </>
        ))}
      </p>
    )}
    {conduct.length > 0 && (
      <p>
        <PageLink to="conduct">Conduct</PageLink>: <span class="id">{conduct.join(', ')}</span>
      </p>
    )}
  </small>
);

const describeProgress = (progress: ReturnType<CallCounts['get']>): string =>
  progress ? ` (${progress.count} came${progress.satisfied ? ' ✓' : ''})` : '';

function describeCount(count: ExpectedCall['count']): string {
  const { least, most } = boundsOf(count);
  if (least === most) return least === 0 ? 'no' : `${least} ×`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} ×`;
  return least === 0 ? `at most ${most} ×` : `${least} to ${most} ×`;
}

/** @example 'orders.create 429' */
function describeMatch({ operation, method, path, status, rule, body }: ExpectedCall['match']): string {
  const parts = [operation, method, path, status, rule, body && `with ${JSON.stringify(body)}`];
  return parts.filter((part) => part !== undefined).join(' ') || 'any call';
}
