// The dialog that creates a sandbox with an invite link, for pages that are shown with the admin key.
import { newSandboxAt } from '../page-addresses.ts';
import { DialogButton } from './dialog.tsx';
import { labelOf } from './labels.tsx';
import { counted, LabeledSelect, useSandbox } from './layout.tsx';

export const daySeconds = 86_400;
const daysToLive = [1, 7, 14, 30, 90];
const defaultDays = 14;

/** A button, and the dialog that it opens. */
export const NewSandbox = ({ scenarios }: { readonly scenarios: Iterable<string> }) => (
  <DialogButton id="new-sandbox" label="New sandbox" title="New sandbox for a guest">
    <form hx-post={newSandboxAt(useSandbox())} hx-target="#new-sandbox-link" hx-sync="drop" autocomplete="off">
      <input type="hidden" name="invite:json" value="{}" />
      <label for="new-sandbox-name">
        Name
        <input id="new-sandbox-name" name="name" maxlength={63} placeholder="Such as acme; a random one if empty" />
      </label>
      <LabeledSelect
        id="new-sandbox-scenario"
        label="Scenario"
        name="scenario"
        options={{
          '': 'As the server starts',
          ...Object.fromEntries(Array.from(scenarios, (id) => [id, labelOf(id)])),
        }}
      />
      <LabeledSelect
        id="new-sandbox-days"
        label="Deleted after this time without use"
        name="ttl_seconds:number"
        options={Object.fromEntries(daysToLive.map((days) => [days * daySeconds, counted(days, 'day')]))}
        selected={String(defaultDays * daySeconds)}
      />
      <button type="submit">Create and get the link</button>
    </form>
    {/* The link stays when the page is fetched again. */}
    <div id="new-sandbox-link" role="status" hx-morph-skip-children="true" />
  </DialogButton>
);
