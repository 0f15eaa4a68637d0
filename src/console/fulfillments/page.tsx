// Fulfillments of all brands, newest first.
import { type ListedFulfillment, listedFulfillments } from '../../control/shown-fulfillment.ts';
import { oneAt, pageAt } from '../addresses.ts';
import { counted } from '../parts/counted.ts';
import { Empty } from '../parts/empty.tsx';
import { Instant } from '../parts/instant.tsx';
import { PackageBadge } from '../parts/package-badge.tsx';
import { beforeOf, Pager, pageRows } from '../parts/pager.tsx';
import { Table } from '../parts/table.tsx';
import type { Visit } from '../visit.ts';

export async function fulfillmentsPage({ sandbox, call, query }: Visit) {
  const before = beforeOf(query);
  const asked = { before, limit: pageRows };
  const { rows, total, ...page } = await sandbox.readAt(call.machineTime, (draft) => listedFulfillments(draft, asked));
  return (
    <section>
      <div class="head">
        <h1>Fulfillments</h1>
        <div class="tools muted">{counted(total, 'package')}</div>
      </div>
      {rows.length > 0 && <Packages rows={rows} sandbox={sandbox.name} />}
      {rows.length === 0 && <Nothing sandbox={sandbox.name} total={total} />}
      <Pager sandbox={sandbox.name} page="fulfillments" before={page.before} isFirst={before === undefined} />
    </section>
  );
}

interface PackagesProps {
  readonly rows: readonly ListedFulfillment[];
  readonly sandbox: string;
}

const Packages = ({ rows, sandbox }: PackagesProps) => (
  <Table
    class="records packages"
    caption="Fulfillments, newest first"
    titles={['Fulfillment', 'Status', 'Order', 'Carrier', 'Created']}
  >
    {rows.map((row) => (
      <PackageRow row={row} sandbox={sandbox} />
    ))}
  </Table>
);

interface RowProps {
  readonly row: ListedFulfillment;
  readonly sandbox: string;
}

function PackageRow({ row: { record, status }, sandbox }: RowProps) {
  const { id, order_id, status_id, tracking_info: tracking, created_at } = record;
  return (
    <tr id={`fulfillment-${id}`}>
      <th scope="row" class="id">
        <a href={oneAt(sandbox, 'fulfillments', id)}>{id}</a>
      </th>
      <td>
        <PackageBadge id={status_id} name={status} />
      </td>
      <td class="id">
        <a href={oneAt(sandbox, 'orders', order_id)} title={order_id}>
          <span class="unseen">Order </span>
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
