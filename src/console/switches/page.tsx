// Switches and scenarios: what is bent, what remains of it, and how to bend it.
import { switchNames } from '../../contract/admin/switch-names.ts';
import { isSpent } from '../../control/switches.ts';
import { Action } from '../parts/action.tsx';
import { counted } from '../parts/counted.ts';
import { LookAgain } from '../parts/look-again.tsx';
import type { Visit } from '../visit.ts';
import { cameFor } from './expected-calls.ts';
import { Faults } from './faults.tsx';
import { Scenarios } from './scenarios.tsx';
import { SwitchCard } from './switch-card.tsx';

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
