// An order's status at a glance.
import type { OrderStatus } from '../../contract/records.ts';
import { Badge } from '../parts/badge.tsx';

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
    <Badge sign={sign} class={`badge ${kind}`}>
      {status}
    </Badge>
  );
}
