// What became of a switch or a fault that is on: what remains of it, how often it met a call, who set it, and its settings.
import { Instant } from '../parts/instant.tsx';

/** As the control API shows it. */
export type Shown = Readonly<Record<string, unknown>>;

interface Props {
  readonly shown: Shown;
  /** The sandbox's time, ISO 8601. */
  readonly now: string;
}

const told = ['id', 'hits', 'remaining', 'ends_at', 'scenario'];
const calls = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

/** Whether it meets no call any more. A window that is full lets calls pass again when it ends. */
export function isSpent({ remaining, ends_at, limit }: Shown, now: string): boolean {
  if (limit !== undefined) return false;
  return remaining === 0 || (typeof ends_at === 'string' && ends_at <= now);
}

export const LeverState = ({ shown, now }: Props) => (
  <p class="lever-state">
    <Remaining shown={shown} />
    <Ends shown={shown} now={now} />
    {typeof shown.hits === 'number' && <span>met {calls(shown.hits)}</span>}
    {typeof shown.scenario === 'string' && (
      <span>
        set by scenario <span class="id">{shown.scenario}</span>
      </span>
    )}
  </p>
);

function Remaining({ shown: { remaining, burst, times = burst, limit } }: { readonly shown: Shown }) {
  if (typeof remaining !== 'number') return null;
  if (typeof limit === 'number')
    return (
      <b>
        {remaining} of {calls(limit)} left in this window
      </b>
    );
  return <b>{`${remaining} of ${calls(Number(times))} left`}</b>;
}

/** The day is said where it is another than now. */
function Ends({ shown: { ends_at: at, limit }, now }: Props) {
  if (typeof at !== 'string') return null;
  const words = at <= now ? 'ended' : limit === undefined ? 'ends' : 'the window ends';
  return (
    <b>
      {words}{' '}
      {at.slice(0, 10) === now.slice(0, 10) ? <time datetime={at}>{at.slice(11, 19)}</time> : <Instant at={at} />}
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

const isFields = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function settingsOf(shown: Shown): [name: string, value: string][] {
  const entries = Object.entries(shown).filter(([name, value]) => !told.includes(name) && value !== undefined);
  return entries.flatMap(([name, value]): [string, string][] =>
    isFields(value)
      ? Object.entries(value).map(([inner, part]) => [`${name}.${inner}`, textOf(part)])
      : [[name, textOf(value)]],
  );
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : value === true ? 'yes' : String(value);
};
