// Assumptions: for each gap of the contract, the active choice and the other choices.
import { type AssumptionId, assumptionIds, assumptionRegister, profiles } from '../../contract/assumptions.ts';
import { isDefaultChoice, nonDefaultChoices } from '../../contract/resolved-assumptions.ts';
import type { Entry } from '../../journal/entry.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { doneField } from '../form-body.ts';
import { operationAt } from '../page-addresses.ts';
import { Action } from '../parts/action.tsx';
import { Empty } from '../parts/card.tsx';
import { labelOf, Named } from '../parts/labels.tsx';
import {
  counted,
  FilterForm,
  FilterSearch,
  Head,
  includesText,
  PageLink,
  pageWith,
  searchedText,
  useSandbox,
} from '../parts/layout.tsx';
import { MarkedCode, RequestLink } from '../parts/status.tsx';

/** Which assumptions to show: the values of `?show=`. */
const filters = ['all', 'touched', 'changed'] as const;
type Filter = (typeof filters)[number];

export async function assumptionsPage({ control, sandbox, query }: ConsoleRequest) {
  const choices = await control('assumptions.get');
  const touched = assumptionUses(sandbox.journal.newestFirst());
  const changed = new Set(Object.keys(nonDefaultChoices(choices)));
  const filter = filters.find((known) => known === query.get('show')) ?? 'all';
  const text = searchedText(query);
  const matches = { all: () => true, touched: touched.has.bind(touched), changed: changed.has.bind(changed) }[filter];
  const ids = assumptionIds.filter((id) => matches(id) && hasText(id, text));
  const counts = { all: assumptionIds.length, touched: touched.size, changed: changed.size };
  const groups: [string, AssumptionId[]][] = [
    ['Changed', ids.filter((id) => changed.has(id))],
    ['Touched by this client', ids.filter((id) => !changed.has(id) && touched.has(id))],
    ['Not touched', ids.filter((id) => !changed.has(id) && !touched.has(id))],
  ];
  return (
    <section>
      <Head
        title="Assumptions"
        description={
          <>
            Where the contract is silent, the sandbox makes one choice and offers the others. Your client should work
            with every choice of the assumptions that its calls have touched: <code>sachet matrix</code> tries them one
            by one.
          </>
        }
      >
        <span class="muted">{changed.size === 0 ? 'All defaults' : `${changed.size} changed`}</span>
        {Object.keys(profiles).map((profile) => (
          <Action
            operation="assumptions.set"
            label={profile === 'default' ? 'Restore the defaults' : `Apply profile ${profile}`}
            done={profile === 'default' ? 'All assumptions have their defaults' : `Profile ${profile} is active`}
            quiet
            fields={{ profile }}
          />
        ))}
      </Head>
      <nav class="tabs" aria-label="Which assumptions">
        {filters.map((name) => (
          <PageLink
            to={pageWith('assumptions', { show: name === 'all' ? '' : name, q: text })}
            aria-current={name === filter ? 'true' : undefined}
          >
            {name === 'all' ? 'All' : `Only ${name}`} <small>{counts[name]}</small>
          </PageLink>
        ))}
      </nav>
      <FilterForm>
        {filter !== 'all' && <input type="hidden" name="show" value={filter} />}
        <FilterSearch label="Search id, question and choices" text={text} />
      </FilterForm>
      {ids.length === 0 && <NoAssumptions filter={filter} text={text} />}
      {groups
        .filter(([, group]) => group.length > 0)
        .map(([title, group]) => (
          <>
            <h2>
              {title} <small>{group.length}</small>
            </h2>
            <ul class="rows">
              {group.map((id) => (
                <Assumption id={id} choice={choices[id]} touch={touched.get(id)} sandbox={sandbox} />
              ))}
            </ul>
          </>
        ))}
    </section>
  );
}

function hasText(id: AssumptionId, text: string): boolean {
  const { question, choices } = assumptionRegister[id];
  return includesText([id, labelOf(id), question, ...choices.flat()], text);
}

function emptyTitle(filter: Filter, text: string): string {
  if (text !== '') return `No assumption here matches “${text}”.`;
  return filter === 'touched'
    ? 'No call has touched an assumption since the requests were cleared.'
    : 'Every assumption has its default.';
}

const NoAssumptions = ({ filter, text }: { readonly filter: Filter; readonly text: string }) => (
  <Empty title={emptyTitle(filter, text)}>
    <PageLink to="assumptions">Show all</PageLink>
    {filter === 'touched' &&
      text === '' && [
        ', or ',
        <PageLink to="start">point your client at the sandbox</PageLink>,
        ': the assumptions behind its answers appear here.',
      ]}
  </Empty>
);

interface AssumptionProps {
  readonly id: AssumptionId;
  /** The active one. */
  readonly choice: string;
  /** Undefined if no call has touched it. */
  readonly touch: AssumptionUse | undefined;
  readonly sandbox: HostedSandbox;
}

function Assumption({ id, choice, touch, sandbox }: AssumptionProps) {
  const isDefault = isDefaultChoice(id, choice);
  return (
    <li id={`assumption-${id}`} class={isDefault ? 'sides' : 'sides on'}>
      <div>
        <Named id={id} />
        {!isDefault && [' ', <span class="badge warning">changed</span>]}
        <p>
          <MarkedCode text={assumptionRegister[id].question} />
        </p>
        {!isDefault && <SetByScenario id={id} sandbox={sandbox} />}
        {touch && (
          <p class="muted">
            {counted(touch.calls, 'call')}, last <RequestLink entry={touch.newest} />
          </p>
        )}
      </div>
      <Choices id={id} choice={choice} />
    </li>
  );
}

/** The applied scenario that decides the choice, if one does. */
export function SetByScenario({ id, sandbox }: Pick<AssumptionProps, 'id' | 'sandbox'>) {
  const scenario = sandbox.state.value('scenarios').findLast((layer) => layer.assumptions[id] !== undefined);
  if (!scenario) return null;
  return (
    <p class="muted">
      Set by the scenario <Named id={scenario.name} />.
    </p>
  );
}

/** All buttons are in one form, so that the focus stays on the pressed one after a refresh. */
const Choices = ({ id, choice }: Pick<AssumptionProps, 'id' | 'choice'>) => (
  <form
    hx-post={operationAt(useSandbox(), 'assumptions.set')}
    hx-target="#notice"
    autocomplete="off"
    aria-label={`Choices of ${labelOf(id)}`}
  >
    <input type="hidden" name={doneField} value={`${labelOf(id)} changed`} />
    {assumptionRegister[id].choices.map(([name, meaning], index) => (
      <p>
        <button
          type="submit"
          class={name === choice ? 'small' : 'quiet small'}
          id={`choice-${id}-${index}`}
          name={id}
          value={name}
          aria-pressed={name === choice ? 'true' : 'false'}
        >
          {name === choice && <span aria-hidden="true">✓ </span>}
          {name}
        </button>{' '}
        <MarkedCode text={meaning} />
        {index === 0 && <small> default</small>}
      </p>
    ))}
  </form>
);

/** The calls that used an assumption. */
interface AssumptionUse {
  calls: number;
  readonly newest: Entry;
}

/** By assumption; without those that no call used. */
function assumptionUses(newestFirst: Iterable<Entry>): ReadonlyMap<AssumptionId, Readonly<AssumptionUse>> {
  const uses = new Map<AssumptionId, AssumptionUse>();
  for (const entry of newestFirst) {
    const used = entry.received.isByConsole ? undefined : entry.answer?.decision.assumptions?.used;
    for (const id of used ?? []) {
      const use = uses.get(id);
      if (use) use.calls += 1;
      else uses.set(id, { calls: 1, newest: entry });
    }
  }
  return uses;
}
