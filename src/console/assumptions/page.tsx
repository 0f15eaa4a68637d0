// Assumptions: what the contract leaves open, the reading that is in force, and the others to choose from.

import { type AssumptionId, assumptionIds, profiles, type Readings } from '../../contract/assumptions.ts';
import { otherReadings } from '../../contract/readings.ts';
import { type Touch, touchedIn } from '../../control/journal/present.ts';
import { pageAt } from '../addresses.ts';
import { Action, Given } from '../parts/action.tsx';
import { Empty } from '../parts/page.tsx';
import type { Visit } from '../visit.ts';
import { Question } from './question.tsx';

/** What is shown of the register, by the word in the page's address. */
const shows = { all: 'all', touched: 'touched', changed: 'changed' } as const;
type Show = keyof typeof shows;

const showOf = (query: URLSearchParams): Show => {
  const asked = query.get('show') ?? '';
  return Object.hasOwn(shows, asked) ? (asked as Show) : 'all';
};

export async function assumptionsPage(visit: Visit) {
  const readings = await visit.control('assumptions.get');
  const { name, journal } = visit.sandbox;
  const touched = touchedIn(journal.newestFirst());
  const changed = Object.keys(otherReadings(readings)) as AssumptionId[];
  const show = showOf(visit.query);
  const counts = { all: assumptionIds.length, touched: touched.size, changed: changed.length };
  const isShown = (id: AssumptionId) => show === 'all' || (show === 'touched' ? touched.has(id) : changed.includes(id));
  const shown = assumptionIds.filter(isShown);
  const groups: [string, AssumptionId[]][] = [
    ['Touched by this client', shown.filter((id) => touched.has(id))],
    ['Not touched', shown.filter((id) => !touched.has(id))],
  ];
  return (
    <section class="told">
      <div class="head">
        <h1>Assumptions</h1>
        <Tools sandbox={name} changed={changed.length} />
      </div>
      <p class="lead">
        Where the contract is silent, the sandbox takes one reading and offers the others. Your client should bear every
        reading of those that its calls have touched: <code>sachet matrix</code> tries them one by one.
      </p>
      <Shown sandbox={name} show={show} counts={counts} />
      {shown.length === 0 && <Nothing show={show} sandbox={name} />}
      {groups.map(([title, ids]) => (
        <Group title={title} ids={ids} visit={visit} readings={readings} touched={touched} />
      ))}
    </section>
  );
}

const Tools = ({ sandbox, changed }: { readonly sandbox: string; readonly changed: number }) => (
  <div class="tools">
    <span class="muted">{changed === 0 ? 'all by default' : `${changed} changed`}</span>
    {(Object.keys(profiles) as (keyof typeof profiles)[]).map((profile) => (
      <Action
        sandbox={sandbox}
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

interface ShownProps {
  readonly sandbox: string;
  readonly show: Show;
  readonly counts: Readonly<Record<Show, number>>;
}

const Shown = ({ sandbox, show, counts }: ShownProps) => (
  <nav class="shows" aria-label="Which assumptions">
    {(Object.keys(shows) as Show[]).map((one) => (
      <a
        href={pageAt(sandbox, one === 'all' ? 'assumptions' : `assumptions?show=${one}`)}
        aria-current={one === show ? 'true' : undefined}
      >
        {one === 'all' ? 'All' : `Only ${shows[one]}`} <small>{counts[one]}</small>
      </a>
    ))}
  </nav>
);

interface GroupProps {
  readonly title: string;
  readonly ids: readonly AssumptionId[];
  readonly visit: Visit;
  readonly readings: Readings;
  readonly touched: ReadonlyMap<AssumptionId, Touch>;
}

const Group = ({ title, ids, visit, readings, touched }: GroupProps) =>
  ids.length === 0 ? null : (
    <>
      <h2>
        {title} <small>{ids.length}</small>
      </h2>
      <ul class="questions">
        {ids.map((id) => (
          <Question id={id} reading={readings[id]} touch={touched.get(id)} sandbox={visit.sandbox} />
        ))}
      </ul>
    </>
  );

const Nothing = ({ show, sandbox }: { readonly show: Show; readonly sandbox: string }) => (
  <Empty
    title={
      show === 'touched'
        ? 'No call has touched an assumption since the requests were last cleared.'
        : 'Every assumption is read by default.'
    }
  >
    <p>
      <a href={pageAt(sandbox, 'assumptions')}>Show all</a>
      {show === 'touched' && (
        <>
          , or <a href={pageAt(sandbox, 'start')}>let your client work</a>: what its answers hang on appears here.
        </>
      )}
    </p>
  </Empty>
);
