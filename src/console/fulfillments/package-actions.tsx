// What can become of a package, as buttons; what its status does not allow stands apart, by force.
import { type FulfillmentAction, fulfillmentActions } from '../../contract/order-progress.ts';
import type { ShownFulfillment } from '../../control/shown-fulfillment.ts';
import { Action, Given } from '../parts/action.tsx';

const words: Readonly<Record<FulfillmentAction, readonly [label: string, done: string]>> = {
  pick_up: ['Pick up', 'Package picked up'],
  depart: ['Depart', 'Package on its way'],
  delay: ['Delay', 'Package delayed'],
  deliver: ['Deliver', 'Package delivered'],
  lose: ['Lose', 'Package lost'],
  return: ['Return', 'Package returned'],
};

interface Props {
  readonly sandbox: string;
  readonly shown: ShownFulfillment;
}

export function PackageActions({ sandbox, shown: { record, status, possible } }: Props) {
  const others = fulfillmentActions.filter((action) => !possible.includes(action));
  const button = (action: FulfillmentAction, isForced: boolean) => {
    const [label, done] = words[action];
    return (
      <Action
        sandbox={sandbox}
        of={`fulfillments.${action}`}
        names={{ id: record.id }}
        label={label}
        about={isForced ? 'the package by force' : 'the package'}
        done={isForced ? `${done}, by force` : done}
        quiet={isForced || action === 'lose' || action === 'return'}
      >
        {isForced && <Given name="force:yes" />}
      </Action>
    );
  };
  return (
    <section aria-label="What can become of the package">
      {possible.length === 0 && <p class="muted">The package is {status}: nothing follows from there by itself.</p>}
      <div class="actions">{possible.map((action) => button(action, false))}</div>
      {others.length > 0 && (
        <details id="by-force">
          <summary>By force</summary>
          <p class="muted">
            What its status does not allow: an update that comes twice, too late, or in the wrong order.
          </p>
          <div class="actions">{others.map((action) => button(action, true))}</div>
        </details>
      )}
    </section>
  );
}
