// Switches and faults: their states, and the forms that turn them on and off.
import { z } from 'zod';
import { idSettings, type SwitchName, switchNames } from '../../contract/control/switch-names.ts';
import { type SwitchSettings, switches } from '../../contract/control/switches.ts';
import { operationList } from '../../contract/operations.ts';
import type { CollectionName } from '../../contract/records.ts';
import { isSpent } from '../../sandbox/overrides.ts';
import { listRecords } from '../../sandbox/records.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action, Poll } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { labelOf, Named } from '../parts/labels.tsx';
import { counted, Head, Select } from '../parts/layout.tsx';
import {
  type Override,
  OverrideBadge,
  OverrideState,
  settingLabel,
  settingLabels,
  settingsOf,
} from '../parts/override.tsx';
import { MarkedCode } from '../parts/status.tsx';
import { Faults } from './faults.tsx';

/** The most records of a collection to choose from. */
const maxChoices = 100;

export async function switchesPage({ control, read }: ConsoleRequest) {
  const { now, frozen } = await control('clock.get');
  const current = await control('switches.get');
  const { faults } = await control('faults.list');
  const records = await read(recordChoices);
  const on = switchNames.filter((name) => current[name] && !isSpent(current[name], Date.parse(now)));
  const endsByClock = [...Object.values(current), ...faults].some((override) => override?.ends_at !== undefined);
  return (
    <section>
      <Head
        title="Switches and faults"
        description="Make the service fail, wait or expire things on purpose, and see how your client reacts."
      >
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
      <div class="cards aligned">
        {switchNames.map((name) => (
          <SwitchCard name={name} current={current[name]} now={now} records={records} />
        ))}
      </div>
      <Faults faults={faults} now={now} />
      {!frozen && endsByClock && <Poll page="switches" />}
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
    effect: 'Calls over the limit get 429 with `Retry-After`: the seconds left, or 60 for a burst.',
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
        { drop: 'after_processing', after: 'success', burst: 1, match },
      ],
    ],
  },
  maintenance: {
    effect: "Every call fails with 500 for a time on the sandbox's clock.",
    presets: [['Maintenance for 60 s', 'Maintenance for 60 seconds', { for_seconds: 60 }]],
  },
};

interface SwitchCardProps {
  readonly name: SwitchName;
  /** Null if it is off. */
  readonly current: Override | null;
  /** The sandbox's time, ISO 8601. */
  readonly now: string;
  readonly records: RecordChoices;
}

/** Equally high, on or off: its rows are those of the grid, and the row of the state is never empty. */
function SwitchCard({ name, current, now, records }: SwitchCardProps) {
  const label = labelOf(name);
  const isUsedUp = current !== null && isSpent(current, Date.parse(now));
  return (
    <Card
      id={`switch-${name}`}
      title={<Named id={name} />}
      aside={<OverrideBadge override={current} now={now} />}
      isOn={current !== null && !isUsedUp}
      isUsedUp={isUsedUp}
    >
      <p class="muted">
        <MarkedCode text={switchTexts[name].effect} />
      </p>
      <div class="state">{current && <OverrideState override={current} now={now} names={namesIn(records)} />}</div>
      <div class="row">
        {switchTexts[name].presets.map(([text, done, settings], index) => (
          <Action
            operation="switches.set"
            done={done}
            label={text}
            quiet={isUsedUp || index > 0}
            fields={{ [`${name}:json`]: JSON.stringify(settings) }}
          />
        ))}
      </div>
      <div class="row">
        <DialogButton id={`${name}-own`} label="Other settings" about={label} title={label}>
          <SwitchForm name={name} records={records} />
        </DialogButton>
        {isUsedUp && (
          <Action
            operation="switches.set"
            done={`${label} set again`}
            label="Set again"
            about={label}
            fields={{ [`${name}:json`]: JSON.stringify(settingsOf(current)) }}
          />
        )}
        {current && (
          <Action
            operation="switches.set"
            done={`${label} turned off`}
            label="Turn off"
            about={label}
            quiet
            fields={{ [`${name}:json`]: 'null' }}
          />
        )}
      </div>
    </Card>
  );
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

const schemas = new Map<SwitchName, JsonSchema>(
  switchNames.map((name) => [name, z.toJSONSchema(switches[name], { unrepresentable: 'any' })]),
);

/** A form with a field for each setting in the schema of the switch. */
function SwitchForm({ name, records }: Pick<SwitchCardProps, 'name' | 'records'>) {
  const { description = '', properties = {} } = schemas.get(name) ?? {};
  return (
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
  );
}

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

const namesIn = (records: RecordChoices): ReadonlyMap<string, string> =>
  new Map(Object.values(records).flatMap((choices) => choices.map(({ id, name }) => [id, name] as const)));

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
      {schema.const === undefined && label} <SettingInput id={id} field={field} schema={schema} />
      {schema.const !== undefined && label}{' '}
      {schema.description?.toLowerCase() !== label.toLowerCase() && (
        <small>
          <MarkedCode text={schema.description ?? ''} />
        </small>
      )}
    </label>
  );
}

const everyCall = {
  '': 'Every call',
  ...Object.fromEntries(operationList.map(({ id, summary }) => [id, `${summary} (${id})`])),
};

function SettingInput({ id, field, schema }: { id: string; field: string; schema: JsonSchema }) {
  if (schema.const !== undefined)
    return <input type="checkbox" id={id} name={`${field}:json`} value={JSON.stringify(schema.const)} />;
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
