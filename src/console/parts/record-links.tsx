// Links from a request to its order and its package.
import { labelIdIn } from '../../contract/addresses.ts';
import type { RequestJson } from '../../contract/control/requests.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import type { State } from '../../state/state.ts';
import { PageLink } from './layout.tsx';

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
