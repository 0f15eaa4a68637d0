// Assumptions: what the contract leaves open, the reading that is in force, and the others to choose from.
import { type AssumptionId, assumptionIds, assumptionRegister, profiles } from '../../contract/assumptions.ts';
import { isDefaultChoice, nonDefaultChoices } from '../../contract/resolved-assumptions.ts';
import { type AssumptionUse, assumptionUses } from '../../journal/present.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import { doneField } from '../form-body.ts';
import { actAt } from '../pages.ts';
import { Action, Given } from '../parts/action.tsx';
import { counted, Empty, Head, PageLink, useSandbox } from '../parts/page.tsx';
import { MarkedCode, RequestLink } from '../parts/status.tsx';
import type { Visit } from '../visit.ts';

/** What is shown of the register, by the word in the page's address. */
const shows = ['all', 'touched', 'changed'] as const;
type Show = (typeof shows)[number];

export async function assumptionsPage({ control, sandbox, query }: Visit) {
  const choices = await control('assumptions.get');
  const touched = assumptionUses(sandbox.journal.newestFirst());
  const changed = Object.keys(nonDefaultChoices(choices)) as AssumptionId[];
  const show = shows.find((one) => one === query.get('show')) ?? 'all';
  const isShown = (id: AssumptionId) => show === 'all' || (show === 'touched' ? touched.has(id) : changed.includes(id));
  const shown = assumptionIds.filter(isShown);
  const groups: [string, AssumptionId[]][] = [
    ['Touched by this client', shown.filter((id) => touched.has(id))],
    ['Not touched', shown.filter((id) => !touched.has(id))],
  ];
  return (
    <section class="told">
      <Head title="Assumptions">
        <Tools changed={changed.length} />
      </Head>
      <p class="lead">
        Where the contract is silent, the sandbox takes one reading and offers the others. Your client should bear every
        reading of those that its calls have touched: <code>sachet matrix</code> tries them one by one.
      </p>
      <Shown show={show} counts={{ all: assumptionIds.length, touched: touched.size, changed: changed.length }} />
      {shown.length === 0 && <Nothing show={show} />}
      {groups
        .filter(([, ids]) => ids.length > 0)
        .map(([title, ids]) => (
          <>
            <h2>
              {title} <small>{ids.length}</small>
            </h2>
            <ul class="questions">
              {ids.map((id) => (
                <Question id={id} choice={choices[id]} touch={touched.get(id)} sandbox={sandbox} />
              ))}
            </ul>
          </>
        ))}
    </section>
  );
}

const Tools = ({ changed }: { readonly changed: number }) => (
  <div class="tools">
    <span class="muted">{changed === 0 ? 'all by default' : `${changed} changed`}</span>
    {(Object.keys(profiles) as (keyof typeof profiles)[]).map((profile) => (
      <Action
        of="assumptions.set"
        label={profile === 'default' ? 'Back to the defaults' : `Profile ${profile}`}
        done={profile === 'default' ? 'All assumptions are back to their defaults' : `The profile ${profile} holds`}
        quiet
      >
        <Given name="profile" value={profile} />
      </Action>
    ))}
  </div>
);

const Shown = ({ show, counts }: { readonly show: Show; readonly counts: Readonly<Record<Show, number>> }) => (
  <nav class="shows" aria-label="Which assumptions">
    {shows.map((one) => (
      <PageLink
        to={one === 'all' ? 'assumptions' : `assumptions?show=${one}`}
        aria-current={one === show ? 'true' : undefined}
      >
        {one === 'all' ? 'All' : `Only ${one}`} <small>{counts[one]}</small>
      </PageLink>
    ))}
  </nav>
);

const Nothing = ({ show }: { readonly show: Show }) => (
  <Empty
    title={
      show === 'touched'
        ? 'No call has touched an assumption since the requests were last cleared.'
        : 'Every assumption is read by default.'
    }
  >
    <p>
      <PageLink to="assumptions">Show all</PageLink>
      {show === 'touched' && [
        ', or ',
        <PageLink to="start">let your client work</PageLink>,
        ': what its answers hang on appears here.',
      ]}
    </p>
  </Empty>
);

interface ReadingProps {
  readonly id: AssumptionId;
  /** The one in force. */
  readonly choice: string;
}

interface QuestionProps extends ReadingProps {
  /** undefined where no call has asked for it. */
  readonly touch: AssumptionUse | undefined;
  readonly sandbox: HostedSandbox;
}

/** One assumption: its question, and its readings as buttons with their glosses. */
function Question({ id, choice, touch, sandbox }: QuestionProps) {
  const isDefault = isDefaultChoice(id, choice);
  return (
    <li id={`assumption-${id}`} class={isDefault ? undefined : 'changed'}>
      <div class="question">
        <code class="id">{id}</code>
        {!isDefault && [' ', <span class="badge turned">changed</span>]}
        <p>
          <MarkedCode text={assumptionRegister[id].question} />
        </p>
        {!isDefault && <TurnedBy id={id} sandbox={sandbox} />}
        {touch && (
          <p class="muted touch">
            {counted(touch.calls, 'call')}, last <RequestLink entry={touch.newest} />
          </p>
        )}
      </div>
      <ReadingForm id={id} choice={choice} />
    </li>
  );
}

/** Each reading is a button of one form, so that the focus stays where it was pressed. */
const ReadingForm = ({ id, choice }: ReadingProps) => (
  <form
    class="readings"
    hx-post={actAt(useSandbox(), 'assumptions.set')}
    hx-target="#notice"
    autocomplete="off"
    aria-label={`Readings of ${id}`}
  >
    <input type="hidden" name={doneField} value={`The reading of ${id} is chosen`} />
    {assumptionRegister[id].choices.map(([name, gloss], index) => (
      <div class="reading">
        <button
          type="submit"
          class={name === choice ? 'small chosen' : 'small outline secondary'}
          id={`reading-${id}-${index}`}
          name={id}
          value={name}
          aria-pressed={name === choice ? 'true' : 'false'}
        >
          {name === choice && <span aria-hidden="true">✓ </span>}
          {name}
        </button>
        <span class="gloss">
          <MarkedCode text={gloss} />
          {index === 0 && <small class="by-default"> default</small>}
        </span>
      </div>
    ))}
  </form>
);

function TurnedBy({ id, sandbox }: Pick<QuestionProps, 'id' | 'sandbox'>) {
  const by = sandbox.state.value('scenarios').findLast((layer) => layer.assumptions[id] !== undefined);
  return by ? (
    <p class="muted">
      Turned by the scenario <code>{by.name}</code>.
    </p>
  ) : null;
}
