// The sandbox's clock: what time it is there, how it goes on, and what expires next by it.
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { TimelineStep } from '../../contract/records.ts';
import { isAutomatic } from '../../sandbox/timeline.ts';
import { Action, Given, LookAgain } from '../parts/action.tsx';
import { cut, Empty, Head, PageLink, Table } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import { ClockNow, Instant } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';
import { type Upcoming, upcoming } from './upcoming.ts';

export async function clockPage({ control, sandbox, call, deps: { hashes } }: Visit) {
  const clock = await control('clock.get');
  const next = await sandbox.readAt(call.machineTime, (state, now) => ({
    all: upcoming(state, { now, hashes }, sandbox.journal.newestFirst()),
    now,
    isAutomatic: isAutomatic(state),
  }));
  return (
    <section class="clock-page">
      <Head title="Clock">
        <div class="tools">
          <Action of="clock.set" done="The clock shows real time" label="Back to real time" quiet>
            <Given name="now:null" />
          </Action>
        </div>
      </Head>
      <Face clock={clock} />
      <div class="clock-fields">
        <Action of="clock.set" done="The clock was set" label="Set time" quiet>
          <label for="clock-now">
            Set to an instant
            <input id="clock-now" name="now" class="id" placeholder="2026-01-31T09:00:00Z" size={24} required />
          </label>
        </Action>
        <Action of="clock.set" done="The clock has another rate" label="Set rate" quiet>
          <label for="clock-rate">
            Rate, in sandbox seconds per second
            <input
              type="number"
              id="clock-rate"
              name="rate:number"
              value={clock.rate}
              min="0"
              step="any"
              inputmode="decimal"
              required
            />
          </label>
        </Action>
      </div>
      <h2>What expires next</h2>
      {next.all.length === 0 ? (
        <Empty title="Nothing expires.">
          <p>
            No switch or fault ends by the clock, and of the tokens and label URLs that were given out in the requests
            kept here none is good still; those of requests that were cleared are not known. Log in, and the token's
            expiry stands here.
          </p>
        </Empty>
      ) : (
        <Table
          class="upcoming"
          caption="What expires next by the sandbox's clock, the soonest first"
          titles={['In', 'What', 'At', 'Clock']}
        >
          {next.all.map((one) => (
            <UpcomingRow upcoming={one} now={next.now} />
          ))}
        </Table>
      )}
      <p class="muted">
        {next.isAutomatic
          ? 'Orders go on by the clock, too; of their steps the next ten stand here. '
          : 'Orders stand still until somebody moves them. '}
        <PageLink to="assumptions">
          Assumption <span class="id">fulfillment_timeline</span>
        </PageLink>
      </p>
      {!clock.frozen && <LookAgain page="clock" />}
    </section>
  );
}

/** Durations by one button each. */
const steps = [
  ['+15 min', 'PT15M'],
  ['+24 h', 'PT24H'],
  ['+7 d', 'P7D'],
] as const;

/** What time it is, and what moves it on. */
const Face = ({ clock }: { readonly clock: ControlReplyOf<'clock.get'>['body'] }) => {
  const { frozen, rate } = clock;
  return (
    <div class={frozen ? 'card face on' : 'card face'}>
      <p class="face-now">
        <ClockNow clock={clock} /> <small>UTC</small>
      </p>
      <div class="face-state">
        <Badge sign={frozen ? '❚❚' : '▶'} class={frozen ? 'badge bends' : 'badge runs'} id="clock-state">
          {frozen ? 'frozen' : rate === 1 ? 'running' : `running, ${rate} × as fast`}
        </Badge>
        <Action
          of="clock.set"
          done={frozen ? 'The clock runs' : 'The clock is frozen'}
          label={frozen ? 'Run' : 'Freeze'}
          about="the clock"
        >
          <Given name={frozen ? 'frozen:no' : 'frozen:yes'} />
        </Action>
      </div>
      <div class="actions">
        {steps.map(([label, by]) => (
          <Action of="clock.advance" done={`The clock was moved on: ${label}`} label={label}>
            <Given name="by" value={by} />
          </Action>
        ))}
        <Action of="clock.advance" done="The clock was moved on" label="Move on" quiet>
          <label for="clock-by">
            <span class="unseen">Move on by an ISO 8601 duration</span>
            <input id="clock-by" name="by" class="id" placeholder="PT90M" size={9} required />
          </label>
        </Action>
      </div>
    </div>
  );
};

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Of milliseconds, rounded up to whole seconds: the two largest units. @example until(90_061_000); // '1 d 1 h' */
export function until(milliseconds: number): string {
  let seconds = Math.ceil(milliseconds / 1000);
  const counts = units.map(([unit, length]) => {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    return { count, text: `${count} ${unit}` };
  });
  const first = counts.findIndex(({ count }) => count > 0);
  if (first < 0) return '0 s';
  const shown = counts.slice(first, first + 2).filter(({ count }) => count > 0);
  return shown.map(({ text }) => text).join(' ');
}

/** One thing that is to come: when, how long until then, and what it is, with the way to where it can be seen. */
const UpcomingRow = ({ upcoming, now }: { readonly upcoming: Upcoming; readonly now: number }) => {
  const at = new Date(upcoming.at).toISOString();
  return (
    <tr>
      <td class="number in">in {until(upcoming.at - now)}</td>
      <th scope="row" class="what">
        <What upcoming={upcoming} />
      </th>
      <td class="number">
        <Instant at={at} />
      </td>
      <td>
        <Action
          of="clock.advance"
          done={`The clock was moved on by ${until(upcoming.at - now)}`}
          label="Move there"
          about={`to ${at}`}
          quiet
        >
          <Given name="seconds:number" value={String((upcoming.at - now) / 1000)} />
        </Action>
      </td>
    </tr>
  );
};

const becomes: Readonly<Record<TimelineStep, string>> = {
  accepted: 'is accepted',
  in_production: 'goes into production',
  shipped: 'is shipped',
  picked_up: 'is picked up',
  delivered: 'is delivered',
};

const tokens = { access_token: 'Access token', refresh_token: 'Refresh token' } as const;
const overrides = { switch: 'Switch', window: 'The window of switch', fault: 'Fault' } as const;
/** Names come from callers: a long one is cut. */
const maxName = 80;

function What({ upcoming: it }: { readonly upcoming: Upcoming }) {
  switch (it.kind) {
    case 'step':
      return (
        <>
          {it.of === 'order' ? 'Order' : 'Package'} <Record to={`${it.of}s`} id={it.id} /> {becomes[it.step]}
        </>
      );
    case 'label':
      return (
        <>
          The last label URL of fulfillment <Record to="fulfillments" id={it.fulfillment} /> expires
        </>
      );
    case 'access_token':
    case 'refresh_token':
      return (
        <>
          {tokens[it.kind]} of <Caller name={it.caller} /> expires
        </>
      );
    default:
      return (
        <>
          {overrides[it.kind]}{' '}
          <PageLink class="id" to="switches">
            {it.name}
          </PageLink>{' '}
          ends
        </>
      );
  }
}

const Caller = ({ name }: { readonly name: string | null }) =>
  name === null ? <>a caller whose login is not kept</> : <span class="id">{cut(name, maxName)}</span>;

const Record = ({ to, id }: { readonly to: string; readonly id: string }) => (
  <PageLink class="id" to={to} one={id}>
    {cut(id, maxName)}
  </PageLink>
);
