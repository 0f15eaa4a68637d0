// Switches and scenarios: what is bent, what remains of it, and how to bend it.

import type { ControlReplyOf } from '../../contract/control/operations.ts';
import { switchNames } from '../../contract/control/switches.ts';
import { isSpent } from '../../sandbox/overrides.ts';
import { Action, LookAgain } from '../parts/action.tsx';
import { counted, Empty, Head } from '../parts/page.tsx';
import type { Visit } from '../visit.ts';
import { cameFor, Scenarios } from './scenarios.tsx';
import { OverrideBadge, OverrideState, Settings, SwitchCard } from './switch-card.tsx';

interface FaultsProps {
  readonly faults: ControlReplyOf<'faults.list'>['body']['faults'];
  readonly now: string;
}

/** The faults that are on, each with what it does and a button that takes it out. */
const Faults = ({ faults, now }: FaultsProps) => (
  <section aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    {faults.length === 0 ? (
      <Empty title="No faults are on.">
        <p>
          A fault is a rule of one's own: a status, a delay or a broken connection for the calls it matches. Tests and{' '}
          <code>POST …/faults</code> of the control API add them, scenarios do, too.
        </p>
      </Empty>
    ) : (
      <ul class="faults">
        {faults.map((fault) => (
          <li id={`fault-${fault.id}`} class="card">
            <div class="card-head">
              <h3 class="id">{fault.id}</h3>
              {isSpent(fault, Date.parse(now)) && <OverrideBadge shown={fault} now={now} />}
              <Action
                of="faults.delete"
                names={{ id: fault.id }}
                done={`Fault ${fault.id} taken out`}
                label="Take out"
                about={fault.id}
                quiet
              />
            </div>
            <OverrideState shown={fault} now={now} />
            <Settings shown={fault} />
          </li>
        ))}
      </ul>
    )}
  </section>
);

/** PAGs to choose among, at most. */
const maxPags = 100;

export async function switchesPage(visit: Visit) {
  const { control } = visit;
  const { now, frozen } = await control('clock.get');
  const shown = await control('switches.get');
  const { faults } = await control('faults.list');
  const { scenarios } = await control('scenarios.list');
  const { pags } = await control('records.pags.list', { query: { limit: String(maxPags) } });
  return (
    <section class="levers">
      <Head title="Switches and scenarios">
        <div class="tools">
          <AllOff count={switchNames.filter((name) => shown[name] && !isSpent(shown[name], Date.parse(now))).length} />
        </div>
      </Head>
      <h2 class="unseen">Switches</h2>
      <div class="cards">
        {switchNames.map((name) => (
          <SwitchCard name={name} shown={shown[name]} now={now} pags={pags} />
        ))}
      </div>
      <Faults faults={faults} now={now} />
      {!frozen && hasEnds([...Object.values(shown), ...faults]) && <LookAgain page="switches" />}
      <Scenarios scenarios={scenarios} came={await cameFor(visit, scenarios)} />
    </section>
  );
}

/** Whether any of them ends by the clock. */
const hasEnds = (overrides: readonly ({ readonly ends_at?: string | undefined } | null)[]): boolean =>
  overrides.some((override) => override?.ends_at !== undefined);

const AllOff = ({ count }: { readonly count: number }) =>
  count === 0 ? (
    <span class="muted">All switches are off</span>
  ) : (
    <>
      <span class="muted">{counted(count, 'switch is on', 'switches are on')}</span>
      <Action of="switches.clear" done="All switches are off" label="All off" quiet />
    </>
  );
