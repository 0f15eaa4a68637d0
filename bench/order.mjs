// Logs in to Sachet and finds an order that it accepts, by trying the active products of its own catalog.
import { call, jsonHeaders, UnexpectedStatus } from './call.mjs';

export async function logIn({ url, username, password }) {
  const body = JSON.stringify({ username, password });
  const answer = await call(`${url}/v2/authentication/token`, { method: 'POST', headers: jsonHeaders(), body });
  return JSON.parse(answer.body).access_token;
}

export function readProducts({ url }, token) {
  return call(`${url}/v2/products`, { headers: jsonHeaders(token) });
}

export async function acceptedOrder(ready, token) {
  const products = JSON.parse((await readProducts(ready, token)).body).client_products;
  const orderable = [];
  for (const product of products.filter(({ active }) => active)) {
    if (await isAccepted(ready, token, [product])) orderable.push(product);
    if (orderable.length === 2) return orderBody(orderable);
  }
  throw new Error(`two orderable products are needed, the catalog has ${orderable.length}`);
}

// An active product may stand for one that the operator discontinued: a 422 that only an order brings to light.
async function isAccepted({ url }, token, products) {
  try {
    await call(`${url}/v2/orders`, { method: 'POST', headers: jsonHeaders(token), body: orderBody(products) });
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
