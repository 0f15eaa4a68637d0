// Links between requests and records: from a request to its order and package, from an order to its request.
import { labelIdIn } from '../../contract/addresses.ts';
import type { RequestJson } from '../../contract/control/requests.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import { type Entry, fieldsOf } from '../../journal/entry.ts';
import type { Journal } from '../../journal/journal.ts';
import type { State } from '../../state/state.ts';
import { PageLink } from './layout.tsx';
import { RequestLink } from './status.tsx';

const recordPath = /^\/v2\/(orders|fulfillments)\/([^/]+)/;

/** The order and the package that a request created, read or changed, if the sandbox has them. */
export function recordsOf(state: State, { path, response }: DeepReadonly<Pick<RequestJson, 'path' | 'response'>>) {
  const { order, fulfillment } = isRecord(response?.body) ? response.body : {};
  const [, kind, id = ''] = recordPath.exec(path) ?? [];
  const inPath = kind === 'fulfillments' ? id : (labelIdIn(path) ?? '');
  const shipped = state.table('fulfillments').get(idOf(fulfillment) ?? inPath);
  const orderId = idOf(order) ?? shipped?.order_id ?? (kind === 'orders' ? id : '');
  return { order: state.table('orders').get(orderId), fulfillment: shipped };
}

const idOf = (record: unknown): string | undefined =>
  isRecord(record) && typeof record.id === 'string' ? record.id : undefined;

export const RecordLinks = ({ order, fulfillment }: ReturnType<typeof recordsOf>) =>
  (order || fulfillment) && (
    <p class="row">
      {order && (
        <PageLink to="orders" item={order.id}>
          Open the order
        </PageLink>
      )}
      {fulfillment && (
        <PageLink to="fulfillments" item={fulfillment.id}>
          Open the fulfillment {fulfillment.shipment_order_number}
        </PageLink>
      )}
    </p>
  );

/** The request that created an order; nothing if the journal no longer has it. */
export function CreatedBy({ journal, orderId }: { readonly journal: Journal; readonly orderId: string }) {
  const entry = journal.newestFirst().find((one) => hasCreated(one, orderId));
  return (
    entry && (
      <p>
        Created by <RequestLink entry={entry} />
      </p>
    )
  );
}

function hasCreated({ operation, answer }: Entry, orderId: string): boolean {
  if (operation !== 'orders.create' || answer?.status !== 201) return false;
  return idOf(fieldsOf(answer.sentBody).order) === orderId;
}
