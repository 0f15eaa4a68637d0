// One thing that is to come: when, how long until then, and what it is, with the way to where it can be seen.
import type { TimelineStep } from '../../contract/order-progress.ts';
import type { Upcoming } from '../../control/upcoming.ts';
import { oneAt, pageAt } from '../addresses.ts';
import { Action, Given } from '../parts/action.tsx';
import { cut } from '../parts/cut.ts';
import { Instant } from '../parts/instant.tsx';
import { until } from './until.ts';

interface Props {
  readonly upcoming: Upcoming;
  /** The sandbox's time in milliseconds. */
  readonly now: number;
  readonly sandbox: string;
}

export const UpcomingRow = ({ upcoming, now, sandbox }: Props) => (
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
