// Orders of all brands, newest first.
import { type OrderStatus, orderStatuses } from '../../contract/records.ts';
import { type ListedOrder, listedOrders, type ShownPouch } from '../../control/shown-orders.ts';
import { beforeOf, counted, Empty, Head, mostLooked, PageLink, Pager, pageRows, Table } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';

const kinds: Readonly<Record<OrderStatus, readonly [kind: string, sign: string]>> = {
  Pending: ['waits', '…'],
  'On Hold': ['held', '‖'],
  'Needs Changes': ['held', '▲'],
  Accepted: ['goes', '▸'],
  'In Production': ['goes', '▸▸'],
  Canceled: ['over', '✕'],
};

/** An order's status at a glance. */
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
      <Head title="Orders">
        <div class="tools muted">{counted(total, 'order')}</div>
      </Head>
      <search>
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
      </search>
      {rows.length === 0 ? (
        <Nothing total={total} status={status} isCut={page.isCut} />
      ) : (
        <Table
          class="records"
          caption="Orders, newest first"
          titles={['Order', 'Status', 'Consumer', 'Lines', 'Created']}
        >
          {rows.map(OrderRow)}
        </Table>
      )}
      <Pager
        page="orders"
        before={page.before}
        isFirst={before === undefined}
        isCut={page.isCut}
        filter={status ? { status } : {}}
      />
    </section>
  );
}

const OrderRow = ({ order: { id, status, order_lines, created_at }, consumer }: ListedOrder) => (
  <tr id={`order-${id}`}>
    <th scope="row" class="id">
      <PageLink to="orders" one={id}>
        {id}
      </PageLink>
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
);

interface NothingProps {
  readonly total: number;
  readonly status: OrderStatus | undefined;
  /** Whether there are more that were not looked at. */
  readonly isCut: boolean;
}

const Nothing = ({ total, status, isCut }: NothingProps) =>
  total === 0 ? (
    <Empty title="This sandbox has no orders.">
      <p>
        <PageLink to="start">Send a sample order</PageLink>, or let a client create one: it appears here at once.
      </p>
    </Empty>
  ) : (
    <Empty title={nothingWords(status, isCut)}>
      <p>
        <PageLink to="orders">Show all orders</PageLink>
      </p>
    </Empty>
  );

function nothingWords(status: OrderStatus | undefined, isCut: boolean): string {
  if (isCut) return `Of the orders that were looked at none is ${status}.`;
  return status ? `No order here is ${status}.` : 'No orders are older.';
}

/** A pouch in words. @example 'Morning: 2 × Bright Vitamin C, Omega 3' */
export function pouchWords({ time, pack, contents }: ShownPouch): string {
  const packs = pack === undefined ? [] : [`pack ${pack}`];
  const products = contents.map(({ name, size }) => (size === undefined ? name : `${size} × ${name}`));
  const held = [...packs, ...products].join(', ') || 'empty';
  return time === undefined ? held : `${time}: ${held}`;
}
