// Orders of all brands, newest first, with a search.
import { orderStatuses, type RecordOf } from '../../contract/records.ts';
import { lineName } from '../../domain/fulfillments.ts';
import { consumerName, orderNumber } from '../../sandbox/records.ts';
import { type FirstCalls, orderCommands } from '../../sandbox/sample-calls.ts';
import { operatorWorld } from '../../sandbox/sandbox-world.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { newOrderItem } from '../page-addresses.ts';
import { Empty } from '../parts/card.tsx';
import { counted, PageLink, truncate } from '../parts/layout.tsx';
import { RecordList, recordPage } from '../parts/record-list.tsx';
import { SeedDemo } from '../parts/seed-demo.tsx';
import { OrderBadge } from '../parts/status.tsx';
import { firstCallsFor } from './code-samples.ts';

type Order = RecordOf<'orders'>;

const statuses = Object.fromEntries(orderStatuses.map((status) => [status, status]));

/** The most characters of the names of the products. */
const maxProducts = 60;

export async function ordersPage(request: ConsoleRequest) {
  const { read, query } = request;
  return read((state, writing) => {
    const world = operatorWorld(state, writing);
    const productsOf = ({ brand_id, order_lines }: Order): string =>
      [...new Set(order_lines.map((line) => lineName(world, brand_id, line)))].join(', ');
    const textsOf = (order: Order) => [
      order.id,
      orderNumber(state, order.id),
      consumerName(state, order.consumer_id),
      state.table('consumers').get(order.consumer_id)?.email,
      productsOf(order),
    ];
    return (
      <RecordList
        {...recordPage(state, 'orders', query, { statuses, statusOf: ({ status }) => status, textsOf })}
        title="Orders"
        description="The orders of all brands, newest first. Each has the number of its shipment, or its id until it is shipped."
        noun="order"
        nameOf={({ id }) => orderNumber(state, id)}
        titles={['Status', 'Consumer', 'Products']}
        cells={(order) => {
          const products = productsOf(order);
          return (
            <>
              <td>
                <OrderBadge status={order.status} />
              </td>
              <td>{consumerName(state, order.consumer_id)}</td>
              <td title={products}>
                {truncate(products, maxProducts)} <small class="nowrap">{describeLines(order)}</small>
              </td>
            </>
          );
        }}
        empty={<NoOrders calls={firstCallsFor(request, state)} />}
        searched="Number, id, consumer, email or product"
      >
        <PageLink to="orders" item={newOrderItem} class="button">
          New order
        </PageLink>
      </RecordList>
    );
  });
}

/** @example '2 lines, duration 30' */
function describeLines({ order_lines: lines }: Order): string {
  const durations = new Set(lines.flatMap(({ duration }) => duration ?? []));
  return [counted(lines.length, 'line'), ...(durations.size > 0 ? [`duration ${[...durations].join(', ')}`] : [])].join(
    ', ',
  );
}

const NoOrders = ({ calls }: { readonly calls: FirstCalls | undefined }) => (
  <>
    <Empty title="This sandbox has no orders." call={calls && orderCommands(calls)}>
      <PageLink to="orders" item={newOrderItem}>
        Create an order
      </PageLink>
      , or let a client create one: it appears here at once. Or add a brand with orders in every status:
    </Empty>
    <SeedDemo />
  </>
);
