// The state of a switch or a fault: whether it is on, its remaining calls and time, and its settings.
import { isRecord } from '../../contract/schema.ts';
import { type Counts, isSpent } from '../../sandbox/overrides.ts';
import { labelOf, Named } from './labels.tsx';
import { counted } from './layout.tsx';
import { Badge } from './status.tsx';
import { Instant } from './time.tsx';

/** A switch or a fault as the control API presents it. */
export type Override = Counts & Readonly<Record<string, unknown>>;

/** By the name of the setting, or by switch and name. */
export const settingLabels: Readonly<Record<string, string>> = {
  burst: 'Number of calls to affect',
  times: 'Number of calls to affect',
  after: 'After',
  'connection.after': 'Only after a success',
  probability: 'Probability (0 to 1)',
  expire_issued: 'Expire all issued so far',
  lifetime_seconds: 'Lifetime in seconds',
  for_seconds: 'Duration in seconds',
  limit: 'Calls per window',
  window_seconds: 'Window in seconds',
  retry_after: 'Retry-After in seconds',
  'inactive_pags.all': 'All PAGs',
  'inactive_pags.ids': 'Some PAGs',
  ids: 'Only',
  permissions: 'Revoked permissions',
  milliseconds: 'Delay in milliseconds',
  min: 'Shortest delay in milliseconds',
  max: 'Longest delay in milliseconds',
  drop: 'Drop the connection',
  match: 'Operation',
  'match.operation': 'Operation',
};

/** @example settingLabel('match.operation') // 'Operation' */
export const settingLabel = (path: string): string => settingLabels[path] ?? labelOf(path);

interface OverrideProps {
  readonly override: Override;
  readonly now: string;
  /** Of the records that settings name, by id. */
  readonly names?: ReadonlyMap<string, string>;
}

const badges = { off: ['○', 'muted'], 'used up': ['◌', 'active'], on: ['●', 'warning'] } as const;

/** Whether a switch or fault is off (null), used up or on. */
export function OverrideBadge({ override, now }: { readonly override: Override | null; readonly now: string }) {
  const state = override === null ? 'off' : isSpent(override, Date.parse(now)) ? 'used up' : 'on';
  const [sign, tone] = badges[state];
  return <Badge sign={sign} tone={tone} text={state} />;
}

/** The rest of a switch or a fault, the number of affected calls, its scenario, and its settings. */
export const OverrideState = ({ override, now, names }: OverrideProps) => (
  <>
    <p class="row">
      <Remaining {...override} />
      <End override={override} now={now} />
      {typeof override.hits === 'number' && <span>{counted(override.hits, 'call')} affected</span>}
      {typeof override.scenario === 'string' && (
        <span>
          set by the scenario <Named id={override.scenario} />
        </span>
      )}
    </p>
    <ul class="row">
      {flattenSettings(override).map(([name, value]) => (
        <li>
          <span class="muted" title={name}>
            {settingLabel(name)}:
          </span>{' '}
          <span class="id" title={withIds.includes(name) ? String(value) : undefined}>
            {formatValue(name, value, names)}
          </span>
        </li>
      ))}
    </ul>
  </>
);

function Remaining({ remaining, burst, times = burst, limit }: Override) {
  if (remaining === undefined) return null;
  const left = `${remaining.toLocaleString('en')} of ${counted(limit ?? Number(times), 'call')} left`;
  return <b>{limit === undefined ? left : `${left} in this window`}</b>;
}

/** With the date, unless it is today's. */
function End({ override: { ends_at: at, limit }, now }: OverrideProps) {
  if (at === undefined) return null;
  const words = at <= now ? 'ended' : limit === undefined ? 'ends' : 'the window ends';
  return (
    <b>
      {words} <Instant at={at} format={at.slice(0, 10) === now.slice(0, 10) ? 'time' : 'whole'} />
    </b>
  );
}

/** The fields that are not settings. */
const stateFields = ['id', 'hits', 'remaining', 'ends_at', 'scenario'];

/** The settings of a switch or a fault, without its state. */
export const settingsOf = (override: Override): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(override).filter(([name, value]) => !stateFields.includes(name) && value !== undefined),
  );

/** By their paths, such as `match.operation`. Without the number of calls to affect, which `Remaining` shows. */
function flattenSettings(override: Override): [path: string, value: unknown][] {
  const { burst, times, ...settings } = settingsOf(override);
  return Object.entries(settings).flatMap(([name, value]) =>
    isRecord(value)
      ? Object.entries(value).map(([inner, part]): [string, unknown] => [`${name}.${inner}`, part])
      : [[name, value]],
  );
}

/** Settings with ids as their values; the id is the title of its label. */
const withIds = ['match.operation', 'drop'];

function formatValue(path: string, value: unknown, names?: ReadonlyMap<string, string>): string {
  if (path === 'after' && typeof value === 'number') return counted(value, 'call');
  if (withIds.includes(path)) return labelOf(String(value));
  if (Array.isArray(value) && value.every((part) => typeof part === 'string'))
    return value.map((part) => names?.get(part) ?? part).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : value === true ? 'yes' : String(value);
}
