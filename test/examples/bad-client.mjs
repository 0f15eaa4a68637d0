// A client with many mistakes. The certification must find all of them. For each line of its input it makes its calls, then prints the line back.
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';

const { SACHET_BASE_URL: baseUrl, SACHET_USERNAME: username, SACHET_PASSWORD: password } = process.env;
const maxAttempts = 6;
const order = {
  consumer: { first_name: 'Ada', last_name: 'Lovelace' },
  shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
  order_lines: [
    {
      duration: 30,
      pouches: [{ contents: [{ client_product_id: '20000000-0000-4000-8000-000000000001', serving_size: 1 }] }],
    },
  ],
};
let token;
const labelUrls = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('before ')) clear();
  await makeCalls().catch((error) => console.error(`${error}`));
  console.log(line);
}

/** The sandbox is reset before each scenario. */
function clear() {
  token = undefined;
  labelUrls.clear();
}

async function makeCalls() {
  // Mistake: the contract does not have this parameter.
  await call('GET', '/v2/products?sort=name');
  const placed = await place();
  if (placed) await call('GET', `/v2/orders/${placed.id}/fulfillments`);
  const { fulfillments } = (await call('GET', '/v2/fulfillments?limit=10')).body;
  // Mistake: requests the second page by its number, and treats the error as the end of the list.
  await call('GET', '/v2/fulfillments?limit=10&cursor=2');
  if (fulfillments) await download(fulfillments[0]);
}

/** Mistake: sends the order again unless its status is Pending. */
async function place() {
  let response = await call('POST', '/v2/orders', order).catch(() => undefined);
  if (response?.body.order?.status !== 'Pending') response = await call('POST', '/v2/orders', order);
  return response.body.order;
}

/** Mistake: keeps a label URL forever. */
async function download({ id, label_url }) {
  if (!labelUrls.has(id)) labelUrls.set(id, label_url);
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await fetch(labelUrls.get(id));
    await response.arrayBuffer();
    if (response.ok) return;
  }
}

/** Mistakes: logs in before each call, and sends the old token until it was rejected twice. */
async function call(method, path, body) {
  const login = await retryImmediately('POST', '/v2/authentication/token', { username, password });
  token ??= login.body.access_token;
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await retryImmediately(method, path, body);
    if (response.status !== 401) return response;
  }
  token = login.body.access_token;
  return retryImmediately(method, path, body);
}

/** Mistake: retries a failure immediately. */
async function retryImmediately(method, path, body) {
  for (let attempt = 1; ; attempt++) {
    const response = await send(method, path, body);
    if ((response.status !== 429 && response.status !== 500) || attempt === maxAttempts) return response;
  }
}

async function send(method, path, body) {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  const result = { status: response.status, body: await response.json() };
  // Wait until the connection is free. All requests use one connection, so that no two of them are concurrent.
  await setImmediate();
  return result;
}
