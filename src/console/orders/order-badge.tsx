// An order's status at a glance: its name, and a sign that tells the kind without its colour.
import type { OrderStatus } from '../../contract/records.ts';

const kinds: Readonly<Record<OrderStatus, readonly [kind: string, sign: string]>> = {
  Pending: ['waits', '…'],
  'On Hold': ['held', '‖'],
  'Needs Changes': ['held', '▲'],
  Accepted: ['goes', '▸'],
  'In Production': ['goes', '▸▸'],
  Canceled: ['over', '✕'],
};

export function OrderBadge({ status }: { readonly status: OrderStatus }) {
  const [kind, sign] = kinds[status];
  return (
    <span class={`badge ${kind}`}>
      <span aria-hidden="true">{sign}</span> {status}
    </span>
  );
}
