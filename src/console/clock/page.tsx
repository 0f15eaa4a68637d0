// The sandbox's clock: what time it is there, how it goes on, and what expires next by it.
import type { Child } from 'hono/jsx';
import type { ControlReplyOf } from '../../contract/admin.ts';
import type { TimelineStep } from '../../contract/order-progress.ts';
import { isAutomatic } from '../../control/timeline.ts';
import { type Upcoming, upcoming } from '../../control/upcoming.ts';
import { oneAt, pageAt } from '../addresses.ts';
import { Action, Given, LookAgain } from '../parts/action.tsx';
import { cut, Empty, Table } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import { ClockNow, Instant } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';

// What turns the clock: frozen or running, how fast, on by so much, to an instant, back to real time.

type ClockShown = ControlReplyOf<'clock.get'>['body'];

interface StepsProps {
  readonly clock: ClockShown;
  readonly sandbox: string;
}

/** Durations by one button each. */
const steps = [
  ['+15 min', 'PT15M'],
  ['+24 h', 'PT24H'],
  ['+7 d', 'P7D'],
] as const;

const Steps = ({ sandbox }: Pick<StepsProps, 'sandbox'>) => (
  <div class="actions">
    {steps.map(([label, by]) => (
      <Action sandbox={sandbox} of="clock.advance" done={`The clock was moved on: ${label}`} label={label}>
        <Given name="by" value={by} />
      </Action>
    ))}
    <Field sandbox={sandbox} of="clock.advance" done="The clock was moved on" label="Move on">
      <label for="clock-by">
        <span class="unseen">Move on by an ISO 8601 duration</span>
        <input id="clock-by" name="by" class="id" placeholder="PT90M" size={9} required />
      </label>
    </Field>
  </div>
);

const Freeze = ({ clock: { frozen }, sandbox }: StepsProps) => (
  <Action
    sandbox={sandbox}
    of="clock.set"
    done={frozen ? 'The clock runs' : 'The clock is frozen'}
    label={frozen ? 'Run' : 'Freeze'}
    about="the clock"
  >
    <Given name={frozen ? 'frozen:no' : 'frozen:yes'} />
  </Action>
);

const RealTime = ({ sandbox }: Pick<StepsProps, 'sandbox'>) => (
  <Action sandbox={sandbox} of="clock.set" done="The clock shows real time" label="Back to real time" quiet>
    <Given name="now:null" />
  </Action>
);

const SetTo = ({ sandbox }: Pick<StepsProps, 'sandbox'>) => (
  <Field sandbox={sandbox} of="clock.set" done="The clock was set" label="Set time">
    <label for="clock-now">
      Set to an instant
      <input id="clock-now" name="now" class="id" placeholder="2026-01-31T09:00:00Z" size={24} required />
    </label>
  </Field>
);

const Rate = ({ clock: { rate }, sandbox }: StepsProps) => (
  <Field sandbox={sandbox} of="clock.set" done="The clock has another rate" label="Set rate">
    <label for="clock-rate">
      Rate, in sandbox seconds per second
      <input
        type="number"
        id="clock-rate"
        name="rate:number"
        value={rate}
        min="0"
        step="any"
        inputmode="decimal"
        required
      />
    </label>
  </Field>
);

interface FieldProps {
  readonly sandbox: string;
  readonly of: 'clock.set' | 'clock.advance';
  readonly done: string;
  readonly label: string;
  readonly children: Child;
}

const Field = ({ children, ...action }: FieldProps) => (
  <Action {...action} quiet>
    {children}
  </Action>
);

// How long it is until something, in words: the two largest units.

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Of milliseconds, rounded up to whole seconds. @example until(90_061_000); // '1 d 1 h' */
export function until(milliseconds: number): string {
  let seconds = Math.ceil(milliseconds / 1000);
  const counted = units.map(([unit, length]) => {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    return { count, text: `${count} ${unit}` };
  });
  const first = counted.findIndex(({ count }) => count > 0);
  if (first < 0) return '0 s';
  return counted
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ');
}

// One thing that is to come: when, how long until then, and what it is, with the way to where it can be seen.

interface UpcomingRowProps {
  readonly upcoming: Upcoming;
  /** The sandbox's time in milliseconds. */
  readonly now: number;
  readonly sandbox: string;
}

const UpcomingRow = ({ upcoming, now, sandbox }: UpcomingRowProps) => (
  <tr>
    <td class="number in">in {until(upcoming.at - now)}</td>
    <th scope="row" class="what">
      <What upcoming={upcoming} sandbox={sandbox} />
    </th>
    <td class="number">
      <Instant at={new Date(upcoming.at).toISOString()} />
    </td>
    <td>
      <Action
        sandbox={sandbox}
        of="clock.advance"
        done={`The clock was moved on by ${until(upcoming.at - now)}`}
        label="Move there"
        about={`to ${new Date(upcoming.at).toISOString()}`}
        quiet
      >
        <Given name="seconds:number" value={String((upcoming.at - now) / 1000)} />
      </Action>
    </td>
  </tr>
);

const becomes: Readonly<Record<TimelineStep, string>> = {
  accepted: 'is accepted',
  in_production: 'goes into production',
  shipped: 'is shipped',
  picked_up: 'is picked up',
  delivered: 'is delivered',
};

const tokens = { access_token: 'Access token', refresh_token: 'Refresh token' } as const;
/** Names come from callers: a long one is cut. */
const maxName = 80;

function What({ upcoming: it, sandbox }: { readonly upcoming: Upcoming; readonly sandbox: string }) {
  switch (it.kind) {
    case 'step':
      return (
        <>
          {it.of === 'order' ? 'Order' : 'Package'} <Record to={`${it.of}s`} id={it.id} sandbox={sandbox} />{' '}
          {becomes[it.step]}
        </>
      );
    case 'label':
      return (
        <>
          The last label URL of fulfillment <Record to="fulfillments" id={it.fulfillment} sandbox={sandbox} /> expires
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
      return <Lever kind={it.kind} name={it.name} sandbox={sandbox} />;
  }
}

const Caller = ({ name }: { readonly name: string | null }) =>
  name === null ? <>a caller whose login is not kept</> : <span class="id">{cut(name, maxName)}</span>;

const Record = ({ to, id, sandbox }: { readonly to: string; readonly id: string; readonly sandbox: string }) => (
  <a class="id" href={oneAt(sandbox, to, id)}>
    {cut(id, maxName)}
  </a>
);

interface LeverProps {
  readonly kind: 'switch' | 'window' | 'fault';
  readonly name: string;
  readonly sandbox: string;
}

const levers = { switch: 'Switch', window: 'The window of switch', fault: 'Fault' } as const;

const Lever = ({ kind, name, sandbox }: LeverProps) => (
  <>
    {levers[kind]}{' '}
    <a class="id" href={pageAt(sandbox, 'switches')}>
      {name}
    </a>{' '}
    ends
  </>
);

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
  sandbox.readAt(call.machineTime, (state, now) => ({
    all: upcoming(state, { now, hashes }, sandbox.journal.newestFirst()),
    now,
    isAutomatic: isAutomatic(state),
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
