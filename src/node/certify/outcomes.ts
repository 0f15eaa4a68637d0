// Whether a client has reached the outcomes of a scenario, by the calls that it made.
import { storagePath } from '../../contract/addresses.ts';
import type { OutcomeId } from '../../contract/control/outcomes.ts';
import type { RequestJson } from '../../contract/control/requests.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';

type Call = DeepReadonly<RequestJson>;

/** A fulfillment that existed when the scenario began. */
export interface ExistingFulfillment {
  readonly id: string;
  readonly brand_id: string;
}

/** What outcomes are judged by. */
export interface Evidence {
  /** The completed calls since the scenario was applied, oldest first. */
  readonly calls: readonly Call[];
  readonly existing: readonly ExistingFulfillment[];
  readonly brandOfUser: ReadonlyMap<string, string>;
}

/** Whether each outcome is reached. Each needs what only a response has: the id of an order, a cursor, a label_url. */
export const isReached: Readonly<Record<OutcomeId, (evidence: Evidence) => boolean>> = {
  order_followed: ({ calls }) => {
    const placed = calls.flatMap((call, at) => placedOrders(call).map((id) => ({ id, at })));
    return placed.length > 0 && placed.every(({ id, at }) => calls.slice(at + 1).some((call) => isReadOf(call, id)));
  },
  order_delivered: ({ calls }) => {
    const placed = calls.flatMap(placedOrders);
    return calls
      .flatMap(readFulfillments)
      .some(({ order_id, delivery_date }) => placed.includes(String(order_id)) && typeof delivery_date === 'string');
  },
  all_fulfillments_read: ({ calls, existing, brandOfUser }) => {
    const lists = calls.filter(({ operation, status }) => operation === 'fulfillments.list' && status === 200);
    const brands = lists.map(({ caller }) => brandOfUser.get(caller ?? ''));
    const read = new Set(lists.flatMap(readFulfillments).map(({ id }) => id));
    const wanted = existing.filter(({ brand_id }) => brands.includes(brand_id));
    // Otherwise a user of a brand without fulfillments would have read all.
    const isPossible = wanted.length > 0 || existing.length === 0;
    return lists.length > 0 && isPossible && wanted.every(({ id }) => read.has(id));
  },
  label_downloaded: ({ calls }) =>
    calls.some(({ method, path, status }) => method === 'GET' && status === 200 && path.startsWith(`${storagePath}/`)),
};

/** The id of the order that a call placed, also if its response was lost. */
function placedOrders({ operation, status, response }: Call): string[] {
  if (operation !== 'orders.create' || (status !== 201 && status !== 200)) return [];
  return Object.values(fieldsOf(response)).flatMap((order) => (isRecord(order) ? [String(order.id)] : []));
}

const orderReads: readonly (string | null)[] = ['orders.get', 'orders.fulfillments', 'fulfillments.list'];

/** Whether a call read the order or its fulfillments, by the id of the order in its URL. */
const isReadOf = ({ operation, path, query, status }: Call, orderId: string): boolean =>
  status === 200 && orderReads.includes(operation) && `${path}${query}`.includes(orderId);

function readFulfillments({ status, response }: Call): Readonly<Record<string, unknown>>[] {
  const { fulfillment, fulfillments } = fieldsOf(status === 200 ? response : null);
  return [fulfillment, ...(Array.isArray(fulfillments) ? fulfillments : [])].filter(isRecord);
}

const fieldsOf = (response: Call['response']): Readonly<Record<string, unknown>> =>
  isRecord(response?.body) ? response.body : {};
