// The scenarios as cards: what each is for, what a right client does, and the button that applies it or takes it back.
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import { boundsOf } from '../../contract/control/match.ts';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import { Action } from '../parts/action.tsx';
import { Empty, PageLink } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';

type Scenario = ControlReplyOf<'scenarios.list'>['body']['scenarios'][number];
type ExpectedCall = Scenario['expect'][number];

/** The calls that came of one that is expected; undefined where the journal cannot tell any more. */
type Came = { readonly count: number; readonly satisfied: boolean } | undefined;

/** How many of the calls that the applied scenarios expect have come since. */
export async function cameFor(visit: Visit, scenarios: readonly Scenario[]): Promise<ReadonlyMap<ExpectedCall, Came>> {
  const came = new Map<ExpectedCall, Came>();
  for (const { applied_at: since, expect } of scenarios)
    for (const expected of since === null ? [] : expect) came.set(expected, await cameOf(visit, expected, since));
  return came;
}

async function cameOf(visit: Visit, { match, count }: ExpectedCall, since: string | null): Promise<Came> {
  try {
    return await visit.control('requests.verify', { body: { match, count, since } });
  } catch (error) {
    if (error instanceof ControlRefusal && error.status === 409) return undefined;
    throw error;
  }
}

interface ScenariosProps {
  readonly scenarios: readonly Scenario[];
  readonly came: ReadonlyMap<ExpectedCall, Came>;
}

export const Scenarios = ({ scenarios, came }: ScenariosProps) => (
  <section aria-labelledby="scenarios">
    <h2 id="scenarios">Scenarios</h2>
    {scenarios.length === 0 && (
      <Empty title="This server has no scenarios.">
        <p>It was started with a folder of scenarios in which there are none.</p>
      </Empty>
    )}
    <div class="cards">
      {scenarios.map((scenario) => (
        <ScenarioCard scenario={scenario} came={came} />
      ))}
    </div>
  </section>
);

type CardProps = Pick<ScenariosProps, 'came'> & { readonly scenario: Scenario };

const ScenarioCard = ({ scenario, came }: CardProps) => {
  const { name, intent, right_client, applied_at } = scenario;
  const isApplied = applied_at !== null;
  return (
    <article class={isApplied ? 'card on' : 'card'} id={`scenario-${name}`}>
      <div class="card-head">
        <h3 class="id">{name}</h3>
        <Badge sign={isApplied ? '●' : '○'} class={isApplied ? 'badge bends' : 'muted'}>
          {isApplied ? 'applied' : 'not applied'}
        </Badge>
      </div>
      <p>{intent}</p>
      <p class="right">
        <b>A right client:</b> {right_client}
      </p>
      <div class="actions">
        <Action
          of={isApplied ? 'scenarios.take_back' : 'scenarios.apply'}
          names={{ name }}
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
      <Expected scenario={scenario} came={came} />
    </article>
  );
};

const Expected = ({ scenario: { expect, conduct }, came }: CardProps) => (
  <small class="expected">
    {expect.length > 0 && (
      <span>
        Expected calls:{' '}
        {expect.map((expected, index) => (
          <>
            {index > 0 && ', '}
            {timesOf(expected.count)} <span class="id">{matchText(expected.match)}</span>
            {cameWords(came.get(expected))}
          </>
        ))}
      </span>
    )}
    {conduct.length > 0 && (
      <span>
        <PageLink to="conduct">Conduct</PageLink>: <span class="id">{conduct.join(', ')}</span>
      </span>
    )}
  </small>
);

/** A sign for what has come as it is expected. */
const cameWords = (came: Came): string => (came ? ` (${came.count} came${came.satisfied ? ' ✓' : ''})` : '');

function timesOf(count: ExpectedCall['count']): string {
  const { least, most } = boundsOf(count);
  if (least === most) return least === 0 ? 'no' : `${least} ×`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} ×`;
  return least === 0 ? `at most ${most} ×` : `${least} to ${most} ×`;
}

/** `orders.create 429`, and whatever else is matched by its name. */
function matchText({ operation, method, path, status, rule, body }: ExpectedCall['match']): string {
  const said = [operation, method, path, status, rule, body === undefined ? undefined : `with ${JSON.stringify(body)}`];
  const words = said.filter((part) => part !== undefined).join(' ');
  return words === '' ? 'any call' : words;
}
