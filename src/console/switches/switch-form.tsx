// A switch turned by settings of one's own: its fields, and the operation that is meant.
import type { SwitchName } from '../../contract/admin/switch-names.ts';
import { operationList } from '../../contract/operations.ts';
import { Action, Given } from '../parts/action.tsx';
import { type SwitchControl, switchControls } from './switch-controls.ts';
import { Fields, type Pag } from './switch-fields.tsx';

interface Props {
  readonly name: SwitchName;
  readonly sandbox: string;
  readonly pags: readonly Pag[];
}

export function SwitchForm({ name, sandbox, pags }: Props) {
  const control: SwitchControl = switchControls[name];
  const { first = [], ways, more } = control;
  return (
    <details id={`${name}-own`} class="own">
      <summary>Other settings</summary>
      <Action
        sandbox={sandbox}
        of="switches.set"
        done={`${name} turned on`}
        label="Turn on"
        about={name}
        class="switch-form"
      >
        <Given name={`${name}:object`} />
        <Fields name={name} fields={first} pags={pags} />
        {ways.length > 0 && <Ways name={name} control={control} pags={pags} />}
        <Fields name={name} fields={more} pags={pags} />
        <Operation name={name} />
      </Action>
    </details>
  );
}

interface WaysProps {
  readonly name: SwitchName;
  readonly control: SwitchControl;
  readonly pags: readonly Pag[];
}

const Ways = ({ name, control: { ways, elseEveryCall }, pags }: WaysProps) => (
  <fieldset class="ways">
    <legend>{elseEveryCall ? 'One of these, or every call' : 'One of these'}</legend>
    {ways.map((fields, index) => (
      <>
        {index > 0 && <p class="or">or</p>}
        <Fields name={name} fields={fields} pags={pags} />
      </>
    ))}
  </fieldset>
);

const Operation = ({ name }: { readonly name: SwitchName }) => (
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
);
