// POST /v2/orders against a JSON echo of the same body.
import { acceptedOrder, checkOrder, orderRequest } from '../service/order.mjs';
import { againstRaw } from './against-raw.mjs';

export async function measureOrders(context) {
  const figures = await againstRaw(context, [], async (sachet, token) => {
    const body = await acceptedOrder(sachet, token);
    return { requests: [orderRequest(token, body)], check: () => checkOrder(sachet, token, body) };
  });
  return { orders: figures };
}
