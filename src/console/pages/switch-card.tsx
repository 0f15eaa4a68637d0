// A switch as a card: what it does, what became of it, and the buttons and fields that turn it.

import type { SwitchName } from '../../contract/control/switches.ts';
import { drop, switches } from '../../contract/control/switches.ts';
import { permissions } from '../../contract/operation.ts';
import { operationList } from '../../contract/operations.ts';
import { isRecord } from '../../contract/schema.ts';
import { type Counts, isSpent } from '../../sandbox/overrides.ts';
import { Action, Given } from '../parts/action.tsx';
import { counted } from '../parts/page.tsx';
import { Badge, MarkedCode } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import { type ControlField, type Entered, type SwitchControl, switchControls } from './switch-controls.ts';

/** A PAG to choose. */
interface Pag {
  readonly id: string;
  readonly name: string;
}

/** The kinds of form-body.ts. */
const kinds: Readonly<Record<Entered, string>> = {
  number: ':number',
  yes: ':yes',
  drop: '',
  permissions: ':list',
  pags: ':list',
};

interface SwitchProps {
  readonly name: SwitchName;
  readonly pags: readonly Pag[];
}

const Fields = ({ name, fields, pags }: SwitchProps & { readonly fields: readonly ControlField[] }) =>
  fields.length === 0 ? null : (
    <div class="fields">
      {fields.map((field) => (
        <Field name={name} field={field} pags={pags} />
      ))}
    </div>
  );

function Field({ name, field, pags }: SwitchProps & { readonly field: ControlField }) {
  const { key, label, as, min, step, isExplained } = field;
  const id = `${name}-${key}`;
  const input = `${name}.${key}${kinds[as]}`;
  const words = isExplained && wordsOf(name, key);
  if (as === 'yes') return <Tick id={id} input={input} value="1" label={label} words={words} />;
  if (as === 'permissions')
    return <Ticks id={id} input={input} label={label} of={permissions.map((one) => ({ id: one, name: one }))} />;
  if (as === 'pags') return <Ticks id={id} input={input} label={label} of={pags} />;
  if (as === 'drop')
    return (
      <label for={id}>
        {label}
        <select id={id} name={input}>
          {drop.options.map((one) => (
            <option value={one}>{one.replaceAll('_', ' ')}</option>
          ))}
        </select>
        <Words words={words} />
      </label>
    );
  return (
    <label for={id}>
      {label}
      <input type="number" id={id} name={input} min={min} step={step} inputmode="decimal" />
      <Words words={words} />
    </label>
  );
}

interface TickProps {
  readonly id: string;
  readonly input: string;
  readonly value: string;
  readonly label: string;
  readonly words?: string | undefined;
}

const Tick = ({ id, input, value, label, words }: TickProps) => (
  <label class="tick" for={id}>
    <input type="checkbox" id={id} name={input} value={value} /> {label}
    <Words words={words} />
  </label>
);

const Words = ({ words }: { readonly words?: string | undefined }) =>
  words === undefined ? null : (
    <small>
      <MarkedCode text={words} />
    </small>
  );

interface TicksProps {
  readonly id: string;
  readonly input: string;
  readonly label: string;
  readonly of: readonly Pag[];
}

const Ticks = ({ id, input, label, of }: TicksProps) => (
  <fieldset class="ticks" id={id}>
    <legend>{label}</legend>
    {of.map(({ id: value, name }) => (
      <Tick id={`${id}-${value}`} input={input} value={value} label={name} />
    ))}
    {of.length === 0 && <small>There are none in this sandbox.</small>}
  </fieldset>
);

/** What the schema says of a setting. */
function wordsOf(name: SwitchName, key: string): string | undefined {
  const shape: Readonly<Record<string, { readonly description?: string | undefined }>> = switches[name].shape;
  return shape[key]?.description;
}

function SwitchForm({ name, pags }: SwitchProps) {
  const { first = [], ways = [], elseEveryCall, more = [] }: SwitchControl = switchControls[name];
  return (
    <details id={`${name}-own`} class="own">
      <summary>Other settings</summary>
      <Action of="switches.set" done={`${name} turned on`} label="Turn on" about={name} class="switch-form">
        <Given name={`${name}:object`} />
        <Fields name={name} fields={first} pags={pags} />
        {ways.length > 0 && (
          <fieldset class="ways">
            <legend>{elseEveryCall ? 'One of these, or every call' : 'One of these'}</legend>
            {ways.map((fields, index) => (
              <>
                {index > 0 && <p class="or">or</p>}
                <Fields name={name} fields={fields} pags={pags} />
              </>
            ))}
          </fieldset>
        )}
        <Fields name={name} fields={more} pags={pags} />
        <div class="fields">
          <label for={`${name}-operation`}>
            Calls that are meant
            <select id={`${name}-operation`} name={`${name}.match.operation`}>
              <option value="">Every call</option>
              {operationList.map(({ id }) => (
                <option value={id}>{id}</option>
              ))}
            </select>
          </label>
        </div>
      </Action>
    </details>
  );
}

interface SwitchCardProps extends SwitchProps {
  /** null where it is off. */
  readonly shown: Shown | null;
  /** The sandbox's time, ISO 8601. */
  readonly now: string;
}

export const SwitchCard = ({ name, shown, now, pags }: SwitchCardProps) => (
  <article class={shown && !isSpent(shown, Date.parse(now)) ? 'card on' : 'card'} id={`switch-${name}`}>
    <div class="card-head">
      <h3 class="id">{name}</h3>
      <OverrideBadge shown={shown} now={now} />
    </div>
    <p class="effect">
      <MarkedCode text={switchControls[name].effect} />
    </p>
    {shown && <OverrideState shown={shown} now={now} />}
    {shown && <Settings shown={shown} />}
    <div class="actions">
      {switchControls[name].usual.map(([label, done, fields]) => (
        <Action of="switches.set" done={done} label={label} quiet>
          {Object.entries(fields).map(([key, value]) => (
            <Given name={`${name}.${key}`} value={value} />
          ))}
        </Action>
      ))}
      {shown && (
        <Action of="switches.set" done={`${name} turned off`} label="Turn off" about={name}>
          <Given name={`${name}:null`} />
        </Action>
      )}
    </div>
    <SwitchForm name={name} pags={pags} />
  </article>
);

/** As the control API shows it. */
type Shown = Counts & Readonly<Record<string, unknown>>;

interface LeverStateProps {
  readonly shown: Shown;
  /** The sandbox's time, ISO 8601. */
  readonly now: string;
}

const told = ['id', 'hits', 'remaining', 'ends_at', 'scenario'];

/** What became of a switch or a fault that is on: what remains of it, how often it met a call, and who set it. */
export const OverrideState = ({ shown, now }: LeverStateProps) => (
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
export function OverrideBadge({ shown, now }: { readonly shown: Shown | null; readonly now: string }) {
  const words = shown === null ? 'off' : isSpent(shown, Date.parse(now)) ? 'used up' : 'on';
  const [sign, kind] = states[words];
  return (
    <Badge sign={sign} class={kind}>
      {words}
    </Badge>
  );
}
