// Switches and scenarios: what is bent, what remains of it, and how to bend it.

import { switchNames } from '../../contract/admin/switch-names.ts';
import type { ControlReplyOf } from '../../contract/admin.ts';
import { isSpent } from '../../control/switches.ts';
import { Action, LookAgain } from '../parts/action.tsx';
import { counted, Empty } from '../parts/page.tsx';
import type { Visit } from '../visit.ts';
import { cameFor, LeverBadge, LeverState, Settings } from './lever-state.tsx';
import { Scenarios } from './scenarios.tsx';
import { SwitchCard } from './switch-form.tsx';

// The faults that are on, each with what it does and a button that takes it out.

interface FaultsProps {
  readonly faults: ControlReplyOf<'faults.list'>['body']['faults'];
  readonly sandbox: string;
  readonly now: string;
}

const Faults = ({ faults, sandbox, now }: FaultsProps) => (
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
              {isSpent(fault, Date.parse(now)) && <LeverBadge shown={fault} now={now} />}
              <Action
                sandbox={sandbox}
                of="faults.delete"
                names={{ id: fault.id }}
                done={`Fault ${fault.id} taken out`}
                label="Take out"
                about={fault.id}
                quiet
              />
            </div>
            <LeverState shown={fault} now={now} />
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
  const { name: sandbox } = visit.sandbox;
  const { now, frozen } = await visit.control('clock.get');
  const shown = await visit.control('switches.get');
  const { faults } = await visit.control('faults.list');
  const { scenarios } = await visit.control('scenarios.list');
  const { pags } = await visit.control('records.pags.list', { query: { limit: String(maxPags) } });
  return (
    <section class="levers">
      <div class="head">
        <h1>Switches and scenarios</h1>
        <div class="tools">
          <AllOff
            sandbox={sandbox}
            count={switchNames.filter((name) => shown[name] && !isSpent(shown[name], Date.parse(now))).length}
          />
        </div>
      </div>
      <h2 class="unseen">Switches</h2>
      <div class="cards">
        {switchNames.map((name) => (
          <SwitchCard name={name} shown={shown[name]} sandbox={sandbox} now={now} pags={pags} />
        ))}
      </div>
      <Faults faults={faults} sandbox={sandbox} now={now} />
      {!frozen && hasEnds([...Object.values(shown), ...faults]) && <LookAgain sandbox={sandbox} page="switches" />}
      <Scenarios scenarios={scenarios} came={await cameFor(visit, scenarios)} sandbox={sandbox} />
    </section>
  );
}

/** Whether any of them ends by the clock. */
const hasEnds = (levers: readonly ({ readonly ends_at?: string | undefined } | null)[]): boolean =>
  levers.some((lever) => lever?.ends_at !== undefined);

const AllOff = ({ sandbox, count }: { readonly sandbox: string; readonly count: number }) =>
  count === 0 ? (
    <span class="muted">All switches are off</span>
  ) : (
    <>
      <span class="muted">{counted(count, 'switch is on', 'switches are on')}</span>
      <Action sandbox={sandbox} of="switches.clear" done="All switches are off" label="All off" quiet />
    </>
  );
