// Finds an order that Sachet accepts, by trying the active products of its own catalog, and makes the request of it.
import { call, jsonHeaders, UnexpectedStatus } from '../load/call.mjs';
import { logIn, read } from './client.mjs';

/** The request that makes the order `body` (JSON text). */
export function orderRequest(token, body) {
  return { method: 'POST', path: '/v2/orders', headers: jsonHeaders(token), body };
}

/** Orders to a server as one side of `compareRates`, with its token; one is checked. */
export async function ordersOf(server) {
  const token = await logIn(server);
  const body = await acceptedOrder(server, token);
  await checkOrder(server, token, body);
  return { server, token, requests: [orderRequest(token, body)] };
}

/** The JSON text of an order of two products that Sachet accepts. @throws where the catalog has none. */
export async function acceptedOrder(ready, token) {
  const products = JSON.parse((await read(ready, token, '/v2/products')).body).client_products;
  const orderable = [];
  for (const product of products.filter(({ active }) => active)) {
    if (await isAccepted(ready, token, [product])) orderable.push(product);
    if (orderable.length === 2) return orderBody(orderable);
  }
  throw new Error(`two orderable products are needed, the catalog has ${orderable.length}`);
}

/** Places the order, and sees to it that the answer is one: with an id of its own, and the consumer that was sent. */
export async function checkOrder({ url }, token, body) {
  const { order } = JSON.parse((await call(`${url}/v2/orders`, orderRequest(token, body))).body);
  const { first_name: sent } = JSON.parse(body).consumer;
  if (!/^[0-9a-f-]{36}$/.test(order.id) || order.consumer.first_name !== sent || order.status !== 'Pending') {
    throw new Error(`no order as it was sent: ${JSON.stringify(order)}`);
  }
}

// An active product may stand for one that the operator discontinued: a 422 that only an order brings to light.
async function isAccepted(ready, token, products) {
  try {
    await call(`${ready.url}/v2/orders`, orderRequest(token, orderBody(products)));
    return true;
  } catch (error) {
    if (error instanceof UnexpectedStatus && error.status === 422) return false;
    throw error;
  }
}

function orderBody(products) {
  const contents = products.map(({ id, serving_size }) => ({ client_product_id: id, serving_size }));
  return JSON.stringify({
    consumer: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada.lovelace@example.com',
      phone_number: '+14155550123',
    },
    shipping_address: {
      address1: '1 Market Street',
      city: 'San Francisco',
      province_name: 'California',
      country_name: 'United States',
      postal_code: '94105',
    },
    order_lines: [{ duration: 30, pouches: [{ time_of_administration: 'Morning', contents }] }],
  });
}
