// What became of a switch or a fault that is on: what remains of it, how often it met a call, who set it, and its settings.
import { isRecord } from '../../contract/schema.ts';
import { type Counts, isSpent } from '../../control/switches.ts';
import { counted } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';

/** As the control API shows it. */
export type Shown = Counts & Readonly<Record<string, unknown>>;

interface LeverStateProps {
  readonly shown: Shown;
  /** The sandbox's time, ISO 8601. */
  readonly now: string;
}

const told = ['id', 'hits', 'remaining', 'ends_at', 'scenario'];

export const LeverState = ({ shown, now }: LeverStateProps) => (
  <p class="lever-state">
    <Remaining shown={shown} />
    <Ends shown={shown} now={now} />
    {typeof shown.hits === 'number' && <span>met {counted(shown.hits, 'call')}</span>}
    {typeof shown.scenario === 'string' && (
      <span>
        set by scenario <span class="id">{shown.scenario}</span>
      </span>
    )}
  </p>
);

function Remaining({ shown: { remaining, burst, times = burst, limit } }: { readonly shown: Shown }) {
  if (remaining === undefined) return null;
  const left = remaining.toLocaleString('en');
  if (limit !== undefined)
    return (
      <b>
        {left} of {counted(limit, 'call')} left in this window
      </b>
    );
  return <b>{`${left} of ${counted(Number(times), 'call')} left`}</b>;
}

/** The day is said where it is another than now. */
function Ends({ shown: { ends_at: at, limit }, now }: LeverStateProps) {
  if (at === undefined) return null;
  const words = at <= now ? 'ended' : limit === undefined ? 'ends' : 'the window ends';
  return (
    <b>
      {words} <Instant at={at} form={at.slice(0, 10) === now.slice(0, 10) ? 'time' : 'whole'} />
    </b>
  );
}

/** The settings, nested ones by their names: `match.operation: orders.create`. */
export const Settings = ({ shown }: { readonly shown: Shown }) => (
  <ul class="settings">
    {settingsOf(shown).map(([name, value]) => (
      <li>
        <span class="muted">{name}</span> <span class="id">{value}</span>
      </li>
    ))}
  </ul>
);

function settingsOf(shown: Shown): [name: string, value: string][] {
  const entries = Object.entries(shown).filter(([name, value]) => !told.includes(name) && value !== undefined);
  return entries.flatMap(([name, value]): [string, string][] =>
    isRecord(value)
      ? Object.entries(value).map(([inner, part]) => [`${name}.${inner}`, textOf(part)])
      : [[name, textOf(value)]],
  );
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : value === true ? 'yes' : String(value);
};

const states = { off: ['○', 'muted'], 'used up': ['◌', 'badge spent'], on: ['●', 'badge bends'] } as const;

/** Whether a switch or a fault is on, at a glance: one that is used up meets no call any more. */
export function LeverBadge({ shown, now }: { readonly shown: Shown | null; readonly now: string }) {
  const words = shown === null ? 'off' : isSpent(shown, Date.parse(now)) ? 'used up' : 'on';
  const [sign, kind] = states[words];
  return (
    <Badge sign={sign} class={kind}>
      {words}
    </Badge>
  );
}
