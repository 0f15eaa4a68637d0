// The fields of a switch's form: numbers, ticks, and choices of PAGs and permissions.
import { drop } from '../../contract/admin/faults.ts';
import type { SwitchName } from '../../contract/admin/switch-names.ts';
import { switches } from '../../contract/admin/switches.ts';
import { permissions } from '../../contract/operation.ts';
import { MarkedCode } from '../parts/marked-code.tsx';
import type { ControlField, Entered } from './switch-controls.ts';

/** A PAG to choose. */
export interface Pag {
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

interface FieldsProps {
  readonly name: SwitchName;
  readonly fields: readonly ControlField[];
  readonly pags: readonly Pag[];
}

export const Fields = ({ name, fields, pags }: FieldsProps) =>
  fields.length === 0 ? null : (
    <div class="fields">
      {fields.map((field) => (
        <Field name={name} field={field} pags={pags} />
      ))}
    </div>
  );

function Field({
  name,
  field,
  pags,
}: {
  readonly name: SwitchName;
  readonly field: ControlField;
  readonly pags: readonly Pag[];
}) {
  const { key, label, as, min, step, isExplained } = field;
  const id = `${name}-${key}`;
  const input = `${name}.${key}${kinds[as]}`;
  const words = isExplained && wordsOf(name, key);
  if (as === 'yes') return <Tick id={id} input={input} value="1" label={label} words={words} />;
  if (as === 'permissions') return <Ticks id={id} input={input} label={label} of={permissions.map(byItself)} />;
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

const byItself = (name: string): Pag => ({ id: name, name });

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
