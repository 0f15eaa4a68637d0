// A client that does what a client should not: the certification must find all of it. It makes a round for each line of its input.
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';

const { SACHET_BASE_URL: baseUrl, SACHET_USERNAME: username, SACHET_PASSWORD: password } = process.env;
const mostTries = 6;
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
  if (line.startsWith('before ')) forget();
  await round().catch((error) => console.error(`${error}`));
  console.log(line);
}

/** The sandbox is as new before each scenario. */
function forget() {
  token = undefined;
  labelUrls.clear();
}

async function round() {
  // The contract names no such parameter.
  await call('GET', '/v2/products?sort=name');
  const placed = await place();
  if (placed) await call('GET', `/v2/orders/${placed.id}/fulfillments`);
  const { fulfillments } = (await call('GET', '/v2/fulfillments?limit=10')).body;
  // The second page is asked for by its number, and a refusal taken for the end.
  await call('GET', '/v2/fulfillments?limit=10&cursor=2');
  if (fulfillments) await download(fulfillments[0]);
}

/** Anything but a plain success is tried once more, whatever it is. */
async function place() {
  let answer = await call('POST', '/v2/orders', order).catch(() => undefined);
  if (answer?.body.order?.status !== 'Pending') answer = await call('POST', '/v2/orders', order);
  return answer.body.order;
}

/** A label URL is kept for good. */
async function download({ id, label_url }) {
  if (!labelUrls.has(id)) labelUrls.set(id, label_url);
  for (let tries = 0; tries < 2; tries++) {
    const response = await fetch(labelUrls.get(id));
    await response.arrayBuffer();
    if (response.ok) return;
  }
}

/** Logs in anew before each call, though the token that it has is used until it is refused twice. */
async function call(method, path, body) {
  const login = await hurried('POST', '/v2/authentication/token', { username, password });
  token ??= login.body.access_token;
  for (let tries = 0; tries < 2; tries++) {
    const answer = await hurried(method, path, body);
    if (answer.status !== 401) return answer;
  }
  token = login.body.access_token;
  return hurried(method, path, body);
}

/** What fails is tried again at once. */
async function hurried(method, path, body) {
  for (let tries = 1; ; tries++) {
    const answer = await sent(method, path, body);
    if ((answer.status !== 429 && answer.status !== 500) || tries === mostTries) return answer;
  }
}

async function sent(method, path, body) {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = { status: response.status, body: await response.json() };
  // By then its connection is free: all calls go by one, so that none can be taken for one that was under way beside another.
  await setImmediate();
  return answer;
}
