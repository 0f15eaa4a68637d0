// Fulfillments of all brands, newest first.
import type { RecordOf } from '../../contract/records.ts';
import { newestRecords } from '../../control/newest-records.ts';
import type { Draft } from '../../state/draft.ts';
import { pageAt } from '../addresses.ts';
import { beforeOf, Pager, pageRows } from '../orders/pager.tsx';
import { Empty } from '../parts/empty.tsx';
import { Instant } from '../parts/instant.tsx';
import type { Visit } from '../visit.ts';
import { PackageBadge } from './package-badge.tsx';

export async function fulfillmentsPage({ sandbox, call, query }: Visit) {
  const before = beforeOf(query);
  const { rows, total, next } = await sandbox.readAt(call.machineTime, (draft) => listed(draft, before));
  return (
    <section>
      <div class="head">
        <h1>Fulfillments</h1>
        <div class="tools muted">{total === 1 ? '1 package' : `${total.toLocaleString('en')} packages`}</div>
      </div>
      {rows.length > 0 && <Table rows={rows} sandbox={sandbox.name} />}
      {rows.length === 0 && <Nothing sandbox={sandbox.name} total={total} />}
      <Pager sandbox={sandbox.name} page="fulfillments" before={next} isFirst={before === undefined} />
    </section>
  );
}

interface Row {
  readonly record: RecordOf<'fulfillments'>;
  /** Its status by name. */
  readonly status: string;
}

function listed(draft: Draft, before: number | undefined) {
  const { records, before: next } = newestRecords(draft, 'fulfillments', { before, limit: pageRows });
  const names = draft.table('fulfillment_statuses');
  const rows: Row[] = records.map((record) => ({
    record,
    status: names.get(record.status_id)?.name ?? record.status_id,
  }));
  return { rows, total: draft.table('fulfillments').size, next };
}

const Table = ({ rows, sandbox }: { readonly rows: readonly Row[]; readonly sandbox: string }) => (
  <div class="table">
    <table class="records packages">
      <caption class="unseen">Fulfillments, newest first</caption>
      <thead>
        <tr>
          {['Fulfillment', 'Status', 'Order', 'Carrier', 'Created'].map((title) => (
            <th scope="col">{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PackageRow row={row} sandbox={sandbox} />
        ))}
      </tbody>
    </table>
  </div>
);

function PackageRow({ row: { record, status }, sandbox }: { readonly row: Row; readonly sandbox: string }) {
  const { id, order_id, status_id, tracking_info: tracking, created_at } = record;
  return (
    <tr id={`fulfillment-${id}`}>
      <th scope="row" class="id">
        <a href={pageAt(sandbox, `fulfillments/${id}`)}>{id}</a>
      </th>
      <td>
        <PackageBadge id={status_id} name={status} />
      </td>
      <td class="id">
        <a href={pageAt(sandbox, `orders/${order_id}`)} aria-label={`Order ${order_id}`}>
          {order_id.slice(0, 8)}…{order_id.slice(-4)}
        </a>
      </td>
      <td>
        {tracking ? tracking.shipping_carrier : <span class="muted">none assigned</span>}
        {tracking && <span class="id muted"> {tracking.tracking_number}</span>}
      </td>
      <td class="time">
        <Instant at={created_at} />
      </td>
    </tr>
  );
}

const Nothing = ({ sandbox, total }: { readonly sandbox: string; readonly total: number }) =>
  total === 0 ? (
    <Empty title="Nothing was shipped in this sandbox yet.">
      <p>
        An <a href={pageAt(sandbox, 'orders')}>order</a> in production can be shipped: its packages appear here.
      </p>
    </Empty>
  ) : (
    <Empty title="No packages are older.">
      <p>
        <a href={pageAt(sandbox, 'fulfillments')}>Show the newest</a>
      </p>
    </Empty>
  );
