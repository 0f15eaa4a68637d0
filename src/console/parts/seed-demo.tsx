// The form that adds a demo brand.
import { personaNames } from '../../contract/control/demo.ts';
import { personas } from '../../sandbox/personas.ts';
import { Action } from './action.tsx';
import { LabeledSelect } from './layout.tsx';

/** Adds a brand of the tester's choice, with a login, a catalog, and orders in every status. */
export const SeedDemo = () => (
  <div class="row">
    <Action
      operation="sandboxes.seed"
      label="Add demo data"
      done="Added 200 orders over 90 days; the page Start here has the login of their brand"
    >
      <LabeledSelect
        id="persona"
        label="Brand"
        name="persona"
        options={Object.fromEntries(personaNames.map((name) => [name, personas[name].brand]))}
      />
    </Action>
  </div>
);
