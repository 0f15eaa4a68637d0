// The sandbox's clock: what time it is there, how it goes on, and what expires next by it.
import { isAutomatic } from '../../control/due.ts';
import { type Upcoming, upcoming } from '../../control/upcoming.ts';
import { pageAt } from '../addresses.ts';
import { Badge } from '../parts/badge.tsx';
import { ClockNow } from '../parts/clock-now.tsx';
import { Empty } from '../parts/empty.tsx';
import { LookAgain } from '../parts/look-again.tsx';
import { Table } from '../parts/table.tsx';
import type { Visit } from '../visit.ts';
import { type ClockShown, Freeze, Rate, RealTime, SetTo, Steps } from './controls.tsx';
import { UpcomingRow } from './upcoming-row.tsx';

export async function clockPage(visit: Visit) {
  const { sandbox } = visit;
  const clock = await visit.control('clock.get');
  const next = await upcomingIn(visit);
  return (
    <section class="clock-page">
      <div class="head">
        <h1>Clock</h1>
        <div class="tools">
          <RealTime sandbox={sandbox.name} />
        </div>
      </div>
      <Face clock={clock} sandbox={sandbox.name} />
      <div class="clock-fields">
        <SetTo sandbox={sandbox.name} />
        <Rate clock={clock} sandbox={sandbox.name} />
      </div>
      <h2>What expires next</h2>
      {next.all.length === 0 ? <Nothing /> : <Coming {...next} sandbox={sandbox.name} />}
      <Timeline isAutomatic={next.isAutomatic} sandbox={sandbox.name} />
      {!clock.frozen && <LookAgain sandbox={sandbox.name} page="clock" />}
    </section>
  );
}

interface Next {
  readonly all: readonly Upcoming[];
  /** The sandbox's time in milliseconds. */
  readonly now: number;
  readonly isAutomatic: boolean;
}

const upcomingIn = async ({ sandbox, call, edge: { hashes } }: Visit): Promise<Next> =>
  sandbox.readAt(call.machineTime, (draft, now) => ({
    all: upcoming(draft, { now, hashes }, sandbox.journal.newestFirst()),
    now,
    isAutomatic: isAutomatic(draft.value('readings')),
  }));

const Face = ({ clock, sandbox }: { readonly clock: ClockShown; readonly sandbox: string }) => (
  <div class={clock.frozen ? 'card face on' : 'card face'}>
    <p class="face-now">
      <ClockNow clock={clock} /> <small>UTC</small>
    </p>
    <div class="face-state">
      <State clock={clock} />
      <Freeze clock={clock} sandbox={sandbox} />
    </div>
    <Steps sandbox={sandbox} />
  </div>
);

const State = ({ clock: { frozen, rate } }: { readonly clock: ClockShown }) => (
  <Badge sign={frozen ? '❚❚' : '▶'} class={frozen ? 'badge bends' : 'badge runs'} id="clock-state">
    {frozen ? 'frozen' : rate === 1 ? 'running' : `running, ${rate} × as fast`}
  </Badge>
);

const Coming = ({ all, now, sandbox }: Next & { readonly sandbox: string }) => (
  <Table
    class="upcoming"
    caption="What expires next by the sandbox's clock, the soonest first"
    titles={['In', 'What', 'At', 'Clock']}
  >
    {all.map((one) => (
      <UpcomingRow upcoming={one} now={now} sandbox={sandbox} />
    ))}
  </Table>
);

const Nothing = () => (
  <Empty title="Nothing expires.">
    <p>
      No switch or fault ends by the clock, and of the tokens and label URLs that were given out in the requests kept
      here none is good still; those of requests that were cleared are not known. Log in, and the token's expiry stands
      here.
    </p>
  </Empty>
);

/** Why orders are among what comes, or are not. */
const Timeline = ({ isAutomatic, sandbox }: { readonly isAutomatic: boolean; readonly sandbox: string }) => (
  <p class="muted">
    {isAutomatic
      ? 'Orders go on by the clock, too; of their steps the next ten stand here. '
      : 'Orders stand still until somebody moves them. '}
    <a href={pageAt(sandbox, 'assumptions')}>
      Assumption <span class="id">fulfillment_timeline</span>
    </a>
  </p>
);
