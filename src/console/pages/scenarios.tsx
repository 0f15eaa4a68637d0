// Scenarios as rows: the situation in one line, what it sets as tags, a button that applies or removes it, and details.
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import { boundsOf } from '../../contract/control/match.ts';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import { outcomes } from '../../contract/control/outcomes.ts';
import type { Scenario as ScenarioSource } from '../../contract/scenarios.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action } from '../parts/action.tsx';
import { Empty } from '../parts/card.tsx';
import { labelOf, Named } from '../parts/labels.tsx';
import {
  counted,
  Fact,
  FilterForm,
  FilterSearch,
  Head,
  includesText,
  PageLink,
  searchedText,
} from '../parts/layout.tsx';
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

/** What the file of a scenario sets. */
const settingsOf = ({ switches, faults, assumptions, clock, data }: ScenarioSource) => ({
  switches,
  faults,
  assumptions,
  clock,
  data,
});

/** @example ['Rate limit', 'Data: PAGs'] */
function tagsOf(source: ScenarioSource): string[] {
  const { switches = {}, faults = [], assumptions = {}, clock, data = {} } = source;
  return [
    ...Object.keys(switches).map(labelOf),
    ...(faults.length > 0 ? [counted(faults.length, 'fault')] : []),
    ...Object.keys(assumptions).map((id) => `Assumption: ${labelOf(id)}`),
    ...(clock ? ['Clock'] : []),
    ...Object.keys(data).map((collection) => `Data: ${labelOf(collection)}`),
  ];
}

export async function scenariosPage(request: ConsoleRequest) {
  const { scenarios } = await request.control('scenarios.list');
  const counts = await countExpectedCalls(request, scenarios);
  const applied = scenarios.filter(({ applied_at }) => applied_at !== null).length;
  const text = searchedText(request.query);
  const rows = scenarios.flatMap((scenario): RowProps[] => {
    const source = request.deps.scenarios.get(scenario.name);
    if (!source) return [];
    const row = { scenario, source, tags: tagsOf(source), counts };
    return isFound(row, text) ? [row] : [];
  });
  return (
    <section>
      <Head
        title="Scenarios"
        description="Prepared situations. Apply one, run your client, and compare it with a correct client."
      >
        <span class="muted">{applied === 0 ? 'No scenario is applied' : `${applied} applied`}</span>
      </Head>
      <FilterForm>
        <FilterSearch label="Search name, intent, tags and correct client" text={text} />
      </FilterForm>
      <h2 class="unseen">All scenarios</h2>
      {scenarios.length === 0 && <Empty title="This server has no scenarios.">Its folder of scenarios is empty.</Empty>}
      {scenarios.length > 0 && rows.length === 0 && (
        <Empty title={`No scenario matches “${text}”.`}>
          <PageLink to="scenarios">Show all</PageLink>
        </Empty>
      )}
      {rows.length > 0 && <ul class="rows">{rows.map(ScenarioRow)}</ul>}
    </section>
  );
}

interface RowProps {
  readonly scenario: Scenario;
  /** The file. */
  readonly source: ScenarioSource;
  readonly tags: readonly string[];
  readonly counts: CallCounts;
}

function isFound({ scenario: { name, intent, right_client }, tags }: RowProps, text: string): boolean {
  return includesText([name, labelOf(name), intent, right_client, ...tags], text);
}

const ScenarioRow = ({ scenario, source, tags, counts }: RowProps) => {
  const { name, intent, applied_at } = scenario;
  const isApplied = applied_at !== null;
  return (
    <li class={isApplied ? 'on' : undefined}>
      <article id={`scenario-${name}`}>
        <div class="head">
          <h3>
            <Named id={name} />
          </h3>
          <div class="row">
            {isApplied && (
              <small>
                since <Instant at={applied_at} />
              </small>
            )}
            {isApplied && <Badge sign="●" tone="warning" text="applied" />}
            <Action
              operation={isApplied ? 'scenarios.take_back' : 'scenarios.apply'}
              params={{ name }}
              done={`Scenario ${labelOf(name)} ${isApplied ? 'removed' : 'applied'}`}
              label={isApplied ? 'Remove' : 'Apply'}
              about={`the scenario ${labelOf(name)}`}
              quiet
            />
          </div>
        </div>
        <p>{firstSentence(intent)}</p>
        <p class="row">
          {tags.map((tag) => (
            <span class="badge muted">{tag}</span>
          ))}
        </p>
        <details id={`scenario-${name}-details`}>
          <summary>Details</summary>
          <Details scenario={scenario} source={source} counts={counts} />
        </details>
      </article>
    </li>
  );
};

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

const Details = ({ scenario, source, counts }: Omit<RowProps, 'tags'>) => {
  const { intent, right_client, expect, conduct, outcomes: required, advance } = scenario;
  return (
    <dl class="facts">
      <Fact name="Situation">{intent}</Fact>
      <Fact name="A correct client">{right_client}</Fact>
      {expect.length > 0 && (
        <Fact name="Expected calls">
          {expect.map((call) => (
            <div>
              {describeCount(call.count)} <MatchedCalls match={call.match} />
              {describeProgress(counts.get(call))}
            </div>
          ))}
        </Fact>
      )}
      {conduct.length > 0 && (
        <Fact name="Conduct">
          {conduct.map((id, index) => [
            index > 0 && ', ',
            <PageLink to="conduct">{labelOf(id)}</PageLink>,
            ' ',
            <code>{id}</code>,
          ])}
        </Fact>
      )}
      {required.length > 0 && (
        <Fact name="Certification">
          <code>sachet certify</code> requires that the client {required.map(({ id }) => outcomes[id]).join('; and ')}
          {advance && `, also after ${advance} on the clock`}.
        </Fact>
      )}
      <Fact name="It sets">
        <pre tabindex={0}>{JSON.stringify(settingsOf(source), null, 2)}</pre>
      </Fact>
    </dl>
  );
};

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
