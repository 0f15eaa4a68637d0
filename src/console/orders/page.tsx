// Orders of all brands, newest first.
import { type OrderStatus, orderStatuses, type RecordOf } from '../../contract/records.ts';
import { newestRecords } from '../../control/newest-records.ts';
import type { Draft } from '../../state/draft.ts';
import { pageAt } from '../addresses.ts';
import { Empty } from '../parts/empty.tsx';
import { Instant } from '../parts/instant.tsx';
import type { Visit } from '../visit.ts';
import { consumerName } from './consumer-name.ts';
import { OrderBadge } from './order-badge.tsx';
import { beforeOf, mostLooked, Pager, pageRows } from './pager.tsx';

export async function ordersPage({ sandbox, call, query }: Visit) {
  const status = orderStatuses.find((known) => known === query.get('status'));
  const before = beforeOf(query);
  const { rows, total, ...page } = await sandbox.readAt(call.machineTime, (draft) => listed(draft, status, before));
  return (
    <section>
      <div class="head">
        <h1>Orders</h1>
        <div class="tools muted">{total === 1 ? '1 order' : `${total.toLocaleString('en')} orders`}</div>
      </div>
      <search>
        <StatusFilter status={status} />
      </search>
      {rows.length > 0 && <Table rows={rows} sandbox={sandbox.name} />}
      {rows.length === 0 && <Nothing sandbox={sandbox.name} total={total} status={status} />}
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

interface Row {
  readonly order: RecordOf<'orders'>;
  readonly consumer: string;
}

function listed(draft: Draft, status: OrderStatus | undefined, before: number | undefined) {
  const isWanted = (order: RecordOf<'orders'>): boolean => status === undefined || order.status === status;
  const { records, ...page } = newestRecords(draft, 'orders', { before, limit: pageRows, isWanted, most: mostLooked });
  const rows: Row[] = records.map((order) => ({ order, consumer: consumerName(draft, order.consumer_id) }));
  return { rows, total: draft.table('orders').size, before: page.before, isCut: page.isCut };
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

const Table = ({ rows, sandbox }: { readonly rows: readonly Row[]; readonly sandbox: string }) => (
  <div class="table">
    <table class="records">
      <caption class="unseen">Orders, newest first</caption>
      <thead>
        <tr>
          {['Order', 'Status', 'Consumer', 'Lines', 'Created'].map((title) => (
            <th scope="col">{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ order: { id, status, order_lines, created_at }, consumer }) => (
          <tr id={`order-${id}`}>
            <th scope="row" class="id">
              <a href={pageAt(sandbox, `orders/${id}`)}>{id}</a>
            </th>
            <td>
              <OrderBadge status={status} />
            </td>
            <td>{consumer}</td>
            <td class="number">{order_lines.length === 1 ? '1 line' : `${order_lines.length} lines`}</td>
            <td class="time">
              <Instant at={created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

interface NothingProps {
  readonly sandbox: string;
  readonly total: number;
  readonly status: OrderStatus | undefined;
}

const Nothing = ({ sandbox, total, status }: NothingProps) =>
  total === 0 ? (
    <Empty title="This sandbox has no orders.">
      <p>
        <a href={pageAt(sandbox, 'start')}>Send a sample order</a>, or let a client create one: it appears here at once.
      </p>
    </Empty>
  ) : (
    <Empty title={status ? `No order here is ${status}.` : 'No orders are older.'}>
      <p>
        <a href={pageAt(sandbox, 'orders')}>Show all orders</a>
      </p>
    </Empty>
  );
