// Switches, faults and scenarios: their states, and the forms that turn them on and off.
import { z } from 'zod';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import { idSettings, type SwitchName, switchNames } from '../../contract/control/switch-names.ts';
import { type SwitchSettings, switches } from '../../contract/control/switches.ts';
import { operationList } from '../../contract/operations.ts';
import type { CollectionName } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import { type Counts, isSpent } from '../../sandbox/overrides.ts';
import { listRecords } from '../../sandbox/records.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action, Poll } from '../parts/action.tsx';
import { labelOf, Named } from '../parts/labels.tsx';
import { counted, Empty, Head, Select } from '../parts/layout.tsx';
import { Badge, MarkedCode } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import { countExpectedCalls, Scenarios } from './scenarios.tsx';

/** The most records of a collection to choose from. */
const maxChoices = 100;

export async function switchesPage(request: ConsoleRequest) {
  const { control, read } = request;
  const { now, frozen } = await control('clock.get');
  const current = await control('switches.get');
  const { faults } = await control('faults.list');
  const { scenarios } = await control('scenarios.list');
  const records = await read(recordChoices);
  const on = switchNames.filter((name) => current[name] && !isSpent(current[name], Date.parse(now)));
  const endsByClock = [...Object.values(current), ...faults].some((override) => override?.ends_at !== undefined);
  return (
    <section>
      <Head title="Switches and scenarios">
        {on.length === 0 ? (
          <span class="muted">All switches are off</span>
        ) : (
          <>
            <span class="muted">{counted(on.length, 'switch is on', 'switches are on')}</span>
            <Action operation="switches.clear" done="All switches are off" label="All off" quiet />
          </>
        )}
      </Head>
      <h2 class="unseen">Switches</h2>
      <div class="cards">
        {switchNames.map((name) => (
          <SwitchCard name={name} current={current[name]} now={now} records={records} />
        ))}
      </div>
      <Faults faults={faults} now={now} />
      {!frozen && endsByClock && <Poll page="switches" />}
      <Scenarios scenarios={scenarios} counts={await countExpectedCalls(request, scenarios)} />
    </section>
  );
}

interface SwitchTexts<Name extends SwitchName> {
  readonly effect: string;
  /** Buttons that turn the switch on with usual settings. */
  readonly presets: readonly (readonly [label: string, done: string, settings: SwitchSettings[Name]])[];
}

const match = { operation: 'orders.create' } as const;

const switchTexts: { readonly [Name in SwitchName]: SwitchTexts<Name> } = {
  token_expiry: {
    effect: 'Calls with an expired access token get 401 `Token expired`. A login or a refresh returns a valid token.',
    presets: [
      ['Expire all tokens', 'All access tokens are expired', { expire_issued: true }],
      ['Tokens valid for 60 s', 'New tokens are valid for 60 seconds', { lifetime_seconds: 60 }],
    ],
  },
  rate_limit: {
    effect: 'Calls over the limit get 429 with `Retry-After`.',
    presets: [
      ['Next 3 calls: 429', 'The next 3 calls get 429', { burst: 3 }],
      ['10 calls a minute', 'More than 10 calls of a user in a minute get 429', { limit: 10, window_seconds: 60 }],
    ],
  },
  inactive_pags: {
    effect: 'PAGs count as Inactive: an order that is created or modified with one is Needs Changes.',
    presets: [['All PAGs inactive', 'All PAGs count as inactive', { all: true }]],
  },
  label_expiry: {
    effect: 'The storage rejects expired label URLs.',
    presets: [
      ['Expire all label URLs', 'All label URLs are expired', { expire_issued: true }],
      ['URLs valid for 60 s', 'New label URLs are valid for 60 seconds', { lifetime_seconds: 60 }],
    ],
  },
  missing_permission: {
    effect: 'No user has the permissions that you choose. A call that needs one gets 403.',
    presets: [['Revoke orders:write', 'Calls that need orders:write get 403', { permissions: ['orders:write'] }]],
  },
  server_error: {
    effect: 'Calls fail with 500.',
    presets: [
      ['Next call: 500', 'The next call gets 500', { burst: 1 }],
      ['Next order: 500', 'The next order gets 500', { burst: 1, match }],
    ],
  },
  latency: {
    effect: 'Responses are delayed, in real time.',
    presets: [['Delay every call by 2 s', 'Calls take 2 s longer', { milliseconds: 2000 }]],
  },
  connection: {
    effect: 'The connection breaks: before the call is processed, after it, or in the middle of the response.',
    presets: [
      [
        'Next order: stored, response lost',
        'The next order is stored and its response lost',
        { drop: 'after_processing', burst: 1, match },
      ],
    ],
  },
  maintenance: {
    effect: "Every call fails with 500 for a time on the sandbox's clock.",
    presets: [['Maintenance for 60 s', 'Maintenance for 60 seconds', { for_seconds: 60 }]],
  },
};

/** A switch or a fault as the control API presents it. */
type Override = Counts & Readonly<Record<string, unknown>>;

interface SwitchCardProps {
  readonly name: SwitchName;
  /** Null if it is off. */
  readonly current: Override | null;
  /** The sandbox's time, ISO 8601. */
  readonly now: string;
  readonly records: RecordChoices;
}

const SwitchCard = ({ name, current, now, records }: SwitchCardProps) => (
  <article class={current && !isSpent(current, Date.parse(now)) ? 'on' : undefined} id={`switch-${name}`}>
    <div class="head">
      <h3>
        <Named id={name} />
      </h3>
      <OverrideBadge override={current} now={now} />
    </div>
    <p class="muted">
      <MarkedCode text={switchTexts[name].effect} />
    </p>
    {current && <OverrideState override={current} now={now} />}
    <div class="row">
      {switchTexts[name].presets.map(([label, done, settings]) => (
        <Action
          operation="switches.set"
          done={done}
          label={label}
          quiet
          fields={{ [`${name}:json`]: JSON.stringify(settings) }}
        />
      ))}
      {current && (
        <Action
          operation="switches.set"
          done={`${labelOf(name)} turned off`}
          label="Turn off"
          about={labelOf(name)}
          fields={{ [`${name}:json`]: 'null' }}
        />
      )}
    </div>
    <SwitchForm name={name} records={records} />
  </article>
);

type JsonSchema = z.core.JSONSchema.BaseSchema;

const schemas = new Map<SwitchName, JsonSchema>(
  switchNames.map((name) => [name, z.toJSONSchema(switches[name], { unrepresentable: 'any' })]),
);

/** A form with a field for each setting in the schema of the switch. */
function SwitchForm({ name, records }: Pick<SwitchCardProps, 'name' | 'records'>) {
  const { description = '', properties = {} } = schemas.get(name) ?? {};
  return (
    <details id={`${name}-own`}>
      <summary>Other settings</summary>
      <Action
        operation="switches.set"
        done={`${labelOf(name)} turned on`}
        label="Turn on"
        about={labelOf(name)}
        fields={{ [`${name}:json`]: '{}' }}
      >
        <small>
          <MarkedCode text={description} />
        </small>
        {Object.entries(properties).map(([setting, schema]) => (
          <SettingField name={name} setting={setting} schema={schema as JsonSchema} records={records} />
        ))}
      </Action>
    </details>
  );
}

/** By the name of the setting, or by switch and name. */
const settingLabels: Readonly<Record<string, string>> = {
  burst: 'Number of calls to affect',
  times: 'Number of calls to affect',
  after: 'Number of calls to skip first',
  probability: 'Probability (0 to 1)',
  expire_issued: 'Expire all issued so far',
  lifetime_seconds: 'Lifetime in seconds',
  for_seconds: 'Duration in seconds',
  limit: 'Calls per window',
  window_seconds: 'Window in seconds',
  retry_after: 'Retry-After in seconds',
  'inactive_pags.all': 'All PAGs',
  'inactive_pags.ids': 'Some PAGs',
  permissions: 'Revoked permissions',
  milliseconds: 'Delay in milliseconds',
  min: 'Shortest delay in milliseconds',
  max: 'Longest delay in milliseconds',
  drop: 'Drop the connection',
  match: 'Operation',
  'match.operation': 'Operation',
};

const settingLabel = (path: string): string => settingLabels[path] ?? labelOf(path);

type Choice = { readonly id: string; readonly name: string };
type RecordChoices = Partial<Record<CollectionName, readonly Choice[]>>;

/** The records that settings can name (`idSettings`). */
function recordChoices(state: State): RecordChoices {
  const collections = Object.values(idSettings).flatMap((settings) => Object.values(settings));
  const choicesOf = (collection: CollectionName) =>
    listRecords(state, collection, { limit: maxChoices }).records.map((record) => {
      if ('product_name' in record) return { id: record.id, name: record.product_name };
      return { id: record.id, name: 'name' in record ? record.name : record.id };
    });
  return Object.fromEntries(collections.map((collection) => [collection, choicesOf(collection)]));
}

type SettingFieldProps = Pick<SwitchCardProps, 'name' | 'records'> & { setting: string; schema: JsonSchema };

/** The names of the inputs say their types (form-body.ts). */
function SettingField({ name, setting, schema, records }: SettingFieldProps) {
  const id = `${name}-${setting}`;
  const field = `${name}.${setting}`;
  const label = settingLabels[field] ?? settingLabel(setting);
  if (schema.type === 'array') {
    const values = (schema.items as JsonSchema).enum as string[] | undefined;
    const collection = idSettings[name]?.[setting];
    const choices = values?.map((value) => ({ id: value, name: value })) ?? (collection && records[collection]) ?? [];
    return (
      <fieldset class="ticks" id={id}>
        <legend>{label}</legend>
        {choices.map((choice) => (
          <label>
            <input type="checkbox" id={`${id}-${choice.id}`} name={`${field}:list`} value={choice.id} /> {choice.name}
          </label>
        ))}
        {choices.length === 0 && <small>This sandbox has no such records.</small>}
      </fieldset>
    );
  }
  return (
    <label for={id}>
      {schema.const !== true && label} <SettingInput id={id} field={field} schema={schema} />
      {schema.const === true && label}
      <small>
        <MarkedCode text={schema.description ?? ''} />
      </small>
    </label>
  );
}

const everyCall = {
  '': 'Every call',
  ...Object.fromEntries(operationList.map(({ id, summary }) => [id, `${summary} (${id})`])),
};

function SettingInput({ id, field, schema }: { id: string; field: string; schema: JsonSchema }) {
  if (schema.const === true) return <input type="checkbox" id={id} name={`${field}:json`} value="true" />;
  // `match` is the only object.
  if (schema.type === 'object') return <Select id={id} name={`${field}.operation`} options={everyCall} />;
  const values = schema.enum as string[] | undefined;
  if (values) {
    const options = Object.fromEntries(values.map((value) => [value, labelOf(value)]));
    return <Select id={id} name={field} options={options} />;
  }
  const step = schema.type === 'integer' ? undefined : 'any';
  return <input type="number" id={id} name={`${field}:number`} min={schema.minimum} step={step} inputmode="decimal" />;
}

type FaultList = ControlReplyOf<'faults.list'>['body']['faults'];

const Faults = ({ faults, now }: { readonly faults: FaultList; readonly now: string }) => (
  <section aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    {faults.length === 0 ? (
      <Empty title="No faults are on.">
        A fault gives matching calls a status, a delay or a broken connection. Add one with <code>POST …/faults</code>{' '}
        of the control API, in a test, or with a scenario.
      </Empty>
    ) : (
      <div class="cards">
        {faults.map((fault) => (
          <article id={`fault-${fault.id}`}>
            <div class="head">
              <h3 class="id">{fault.id}</h3>
              {isSpent(fault, Date.parse(now)) && <OverrideBadge override={fault} now={now} />}
              <Action
                operation="faults.delete"
                params={{ id: fault.id }}
                done={`Fault ${fault.id} removed`}
                label="Remove"
                about={`the fault ${fault.id}`}
                quiet
              />
            </div>
            <OverrideState override={fault} now={now} />
          </article>
        ))}
      </div>
    )}
  </section>
);

type OverrideProps = { readonly override: Override; readonly now: string };

const badges = { off: ['○', 'muted'], 'used up': ['◌', 'muted'], on: ['●', 'warning'] } as const;

function OverrideBadge({ override, now }: { readonly override: Override | null; readonly now: string }) {
  const state = override === null ? 'off' : isSpent(override, Date.parse(now)) ? 'used up' : 'on';
  const [sign, tone] = badges[state];
  return <Badge sign={sign} tone={tone} text={state} />;
}

/** The rest of a switch or a fault, the number of affected calls, its scenario, and its settings. */
const OverrideState = ({ override, now }: OverrideProps) => (
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
      {settingsOf(override).map(([name, value]) => (
        <li>
          <span class="muted" title={name}>
            {settingLabel(name)}:
          </span>{' '}
          <span class="id">{value}</span>
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

/** Nested settings by their paths: `match.operation`. */
function settingsOf(override: Override): [path: string, value: string][] {
  const entries = Object.entries(override).filter(
    ([name, value]) => !stateFields.includes(name) && value !== undefined,
  );
  return entries.flatMap(([name, value]) => {
    const parts: [string, unknown][] = isRecord(value)
      ? Object.entries(value).map(([inner, part]) => [`${name}.${inner}`, part])
      : [[name, value]];
    return parts.map(([path, part]): [string, string] => [path, formatValue(path, part)]);
  });
}

/** Settings with ids as their values. */
const withIds = ['match.operation', 'drop'];

function formatValue(path: string, value: unknown): string {
  if (withIds.includes(path)) return `${labelOf(String(value))} (${value})`;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : value === true ? 'yes' : String(value);
}
