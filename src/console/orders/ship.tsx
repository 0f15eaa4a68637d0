// Ships an order: all that is left of it, or chosen lines, by a carrier that is drawn or chosen.
import type { ShownLine, ShownOrder } from '../../control/shown-order.ts';
import { Action } from '../parts/action.tsx';

interface Props {
  readonly sandbox: string;
  readonly shown: ShownOrder;
}

export function ShipForm({ sandbox, shown: { order, possible, lines, carriers } }: Props) {
  if (possible.shippable.length === 0) return null;
  const choices = lines.filter(({ line }) => possible.shippable.some(({ id }) => id === line.id));
  const isAgain = possible.unshipped.length === 0;
  return (
    <Action
      sandbox={sandbox}
      of="orders.ship"
      names={{ id: order.id }}
      label="Ship"
      done="Package made"
      class="card ship"
    >
      <fieldset>
        <legend>
          {isAgain ? 'Lost or returned: choose what is shipped again' : 'Lines (choose none to ship all that is left)'}
        </legend>
        {choices.map((choice) => (
          <LineChoice choice={choice} isAgain={!possible.unshipped.some(({ id }) => id === choice.line.id)} />
        ))}
      </fieldset>
      <label>
        Carrier
        <select name="carrier:json" id="ship-carrier">
          <option value="">As the service chooses</option>
          {carriers.map(({ id, name }) => (
            <option value={JSON.stringify(id)}>{name}</option>
          ))}
          <option value="null">None yet</option>
        </select>
      </label>
    </Action>
  );
}

const LineChoice = ({ choice: { line, name }, isAgain }: { readonly choice: ShownLine; readonly isAgain: boolean }) => (
  <label>
    <input type="checkbox" name="order_lines:list" value={line.id} id={`ship-${line.id}`} />
    {name}
    {isAgain && <span class="muted"> (again)</span>}
  </label>
);
