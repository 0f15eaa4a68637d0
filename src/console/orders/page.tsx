// Orders of all brands, newest first.

import { type OrderStatus, orderStatuses } from '../../contract/records.ts';
import { type ListedOrder, listedOrders, type ShownPouch } from '../../control/shown-orders.ts';
import { oneAt, pageAt } from '../addresses.ts';
import { beforeOf, counted, Empty, mostLooked, Pager, pageRows, Table } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';

// An order's status at a glance.

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

export async function ordersPage({ sandbox, call, query }: Visit) {
  const status = orderStatuses.find((known) => known === query.get('status'));
  const before = beforeOf(query);
  const asked = { before, limit: pageRows, most: mostLooked };
  const { rows, total, ...page } = await sandbox.readAt(call.machineTime, (state) =>
    listedOrders(state, status, asked),
  );
  return (
    <section>
      <div class="head">
        <h1>Orders</h1>
        <div class="tools muted">{counted(total, 'order')}</div>
      </div>
      <search>
        <StatusFilter status={status} />
      </search>
      {rows.length > 0 && <Orders rows={rows} sandbox={sandbox.name} />}
      {rows.length === 0 && <Nothing sandbox={sandbox.name} total={total} status={status} isCut={page.isCut} />}
      <Pager
        sandbox={sandbox.name}
        page="orders"
        before={page.before}
        isFirst={before === undefined}
        isCut={page.isCut}
        filter={status ? { status } : {}}
      />
    </section>
  );
}

const StatusFilter = ({ status }: { readonly status: OrderStatus | undefined }) => (
  <form id="filter" autocomplete="off" data-filter>
    <label>
      <span class="unseen">Status</span>
      <select name="status" id="filter-status">
        <option value="">Any status</option>
        {orderStatuses.map((one) => (
          <option selected={one === status}>{one}</option>
        ))}
      </select>
    </label>
  </form>
);

interface OrdersProps {
  readonly rows: readonly ListedOrder[];
  readonly sandbox: string;
}

const Orders = ({ rows, sandbox }: OrdersProps) => (
  <Table class="records" caption="Orders, newest first" titles={['Order', 'Status', 'Consumer', 'Lines', 'Created']}>
    {rows.map(({ order: { id, status, order_lines, created_at }, consumer }) => (
      <tr id={`order-${id}`}>
        <th scope="row" class="id">
          <a href={oneAt(sandbox, 'orders', id)}>{id}</a>
        </th>
        <td>
          <OrderBadge status={status} />
        </td>
        <td>{consumer}</td>
        <td class="number">{counted(order_lines.length, 'line')}</td>
        <td class="time">
          <Instant at={created_at} />
        </td>
      </tr>
    ))}
  </Table>
);

interface NothingProps {
  readonly sandbox: string;
  readonly total: number;
  readonly status: OrderStatus | undefined;
  /** Whether there are more that were not looked at. */
  readonly isCut: boolean;
}

const Nothing = ({ sandbox, total, status, isCut }: NothingProps) =>
  total === 0 ? (
    <Empty title="This sandbox has no orders.">
      <p>
        <a href={pageAt(sandbox, 'start')}>Send a sample order</a>, or let a client create one: it appears here at once.
      </p>
    </Empty>
  ) : (
    <Empty title={nothingWords(status, isCut)}>
      <p>
        <a href={pageAt(sandbox, 'orders')}>Show all orders</a>
      </p>
    </Empty>
  );

function nothingWords(status: OrderStatus | undefined, isCut: boolean): string {
  if (isCut) return `Of the orders that were looked at none is ${status}.`;
  return status ? `No order here is ${status}.` : 'No orders are older.';
}

// A pouch in words.

/** @example 'Morning: 2 × Bright Vitamin C, Omega 3' */
export function pouchWords({ time, pack, contents }: ShownPouch): string {
  const packs = pack === undefined ? [] : [`pack ${pack}`];
  const products = contents.map(({ name, size }) => (size === undefined ? name : `${size} × ${name}`));
  const held = [...packs, ...products].join(', ') || 'empty';
  return time === undefined ? held : `${time}: ${held}`;
}
