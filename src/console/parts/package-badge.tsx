// A package's status at a glance, by its name in this sandbox.
import type { FulfillmentStatus } from '../../contract/order-progress.ts';
import { isServiceStatus } from '../../domain/fulfillment-status.ts';
import { Badge } from './badge.tsx';

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
    <Badge sign={sign} class={`badge ${kind}`}>
      {name}
    </Badge>
  );
}
