// A mix of requests as test runs make it: nine reads of three kinds to one order.
import { bearer } from '../service/client.mjs';
import { acceptedOrder, orderRequest } from '../service/order.mjs';
import { pageRequest, readPages } from '../service/pages.mjs';

/** Ten requests to be sent in turn. */
export async function mixOf(sachet, token) {
  const [{ body }] = await readPages(sachet, token, 1);
  const one = { path: `/v2/fulfillments/${JSON.parse(body).fulfillments[0].id}`, headers: bearer(token) };
  const products = { path: '/v2/products', headers: bearer(token) };
  const order = orderRequest(token, await acceptedOrder(sachet, token));
  const page = pageRequest(token);
  return [order, products, one, page, products, one, page, products, one, page];
}
