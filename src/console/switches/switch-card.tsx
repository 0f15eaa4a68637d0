// A switch as a card: what it does, what became of it, and the buttons and fields that turn it.
import type { SwitchName } from '../../contract/admin/switch-names.ts';
import { isSpent } from '../../control/switches.ts';
import { Action, Given } from '../parts/action.tsx';
import { MarkedCode } from '../parts/marked-code.tsx';
import { LeverBadge } from './lever-badge.tsx';
import { LeverState, Settings, type Shown } from './lever-state.tsx';
import { switchControls } from './switch-controls.ts';
import type { Pag } from './switch-fields.tsx';
import { SwitchForm } from './switch-form.tsx';

interface Props {
  readonly name: SwitchName;
  /** null where it is off. */
  readonly shown: Shown | null;
  readonly sandbox: string;
  /** The sandbox's time, ISO 8601. */
  readonly now: string;
  readonly pags: readonly Pag[];
}

export const SwitchCard = ({ name, shown, sandbox, now, pags }: Props) => (
  <article class={shown && !isSpent(shown, Date.parse(now)) ? 'card on' : 'card'} id={`switch-${name}`}>
    <div class="card-head">
      <h3 class="id">{name}</h3>
      <LeverBadge shown={shown} now={now} />
    </div>
    <p class="effect">
      <MarkedCode text={switchControls[name].effect} />
    </p>
    {shown && <LeverState shown={shown} now={now} />}
    {shown && <Settings shown={shown} />}
    <div class="actions">
      {switchControls[name].usual.map(({ label, done, fields }) => (
        <Action sandbox={sandbox} of="switches.set" done={done} label={label} quiet>
          {Object.entries(fields).map(([key, value]) => (
            <Given name={`${name}.${key}`} value={value} />
          ))}
        </Action>
      ))}
      {shown && (
        <Action sandbox={sandbox} of="switches.set" done={`${name} turned off`} label="Turn off" about={name}>
          <Given name={`${name}:null`} />
        </Action>
      )}
    </div>
    <SwitchForm name={name} sandbox={sandbox} pags={pags} />
  </article>
);
