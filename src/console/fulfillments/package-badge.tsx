// A package's status at a glance: its name in this sandbox, and a sign that tells the kind without its colour.
import type { FulfillmentStatus } from '../../contract/order-progress.ts';
import { isServiceStatus } from '../../domain/fulfillment-status.ts';

const kinds: Readonly<Record<FulfillmentStatus, readonly [kind: string, sign: string]>> = {
  label_created: ['waits', '…'],
  picked_up: ['goes', '▸'],
  in_transit: ['goes', '▸▸'],
  delayed: ['held', '▲'],
  delivered: ['there', '✓'],
  lost: ['over', '✕'],
  returned: ['over', '↩'],
};

interface Props {
  /** The status's own id. */
  readonly id: string;
  readonly name: string;
}

export function PackageBadge({ id, name }: Props) {
  const [kind, sign] = isServiceStatus(id) ? kinds[id] : ['waits', '·'];
  return (
    <span class={`badge ${kind}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}
