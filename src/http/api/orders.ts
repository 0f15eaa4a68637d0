// Handlers of the order endpoints.
import { orderOperations } from '../../contract/orders.ts';
import { cancelOrder, createOrder, getOrder, listOrders, updateOrder } from '../../domain/orders.ts';
import { presentOrder } from '../../domain/present.ts';
import { whole } from './fragments.ts';
import type { HandlersFor } from './handlers-for.ts';
import { listed } from './listed.ts';

type Ids = 'orders.create' | 'orders.list' | 'orders.get' | 'orders.update' | 'orders.cancel';

export const orderHandlers: HandlersFor<Ids> = {
  'orders.create': (call, { body }) =>
    call.write((world) => {
      const order = presentOrder(world, createOrder(world, body));
      return { status: orderOperations['orders.create'].answersWith(world.terms), body: { order } };
    }),
  'orders.list': (call, { query }) =>
    call.read((world) => {
      const page = listOrders(world, query);
      return listed(call, world, page, (beside) =>
        whole({ orders: page.rows.map((order) => presentOrder(world, order)), ...beside }),
      );
    }),
  'orders.get': (call, { params }) =>
    call.read((world) => ({ status: 200, body: { order: presentOrder(world, getOrder(world, params.orderId)) } })),
  'orders.update': (call, { params, body }) =>
    call.write((world) => ({
      status: 200,
      body: { order: presentOrder(world, updateOrder(world, params.orderId, body)) },
    })),
  'orders.cancel': (call, { params }) =>
    call.write((world) => ({ status: 200, body: { order: presentOrder(world, cancelOrder(world, params.orderId)) } })),
};
