// A client for `sachet certify`: for each line of standard input it makes its calls, then prints the line back.
import { env } from 'node:process';
import { createInterface } from 'node:readline';
import { connect, sampleOrder } from 'sachet';

const sandbox = connect({ url: env.SACHET_URL, adminKey: env.SACHET_ADMIN_KEY }).sandbox(env.SACHET_SANDBOX);
const wait = (seconds) => sandbox.clock.advance({ seconds }); // advances the sandbox's clock, so a minute takes no real time
// Replace this with your own client. This one logs in, and refreshes its token after a 401.
const service = sandbox.client({ username: env.SACHET_USERNAME, password: env.SACHET_PASSWORD });
const get = (path) => withRetries(() => service.get(path));

async function withRetries(send, delay = 2) {
  const response = await send();
  if (![429, 500].includes(response.status)) return response.json();
  await wait(response.status === 429 ? Number(response.headers.get('retry-after')) : delay);
  return withRetries(send, 2 * delay);
}

// The contract does not show GET /v2/orders. Without it, the result is undefined.
const newestOrders = async () => (await get('/v2/orders')).orders;

async function placeOrder() {
  const before = (await newestOrders())?.map(({ id }) => id);
  let mayBeStored = false;
  return withRetries(async () => {
    const stored = mayBeStored && (await newestOrders())?.find(({ id }) => !before.includes(id));
    if (stored) return Response.json({ order: stored });
    // Nothing tells whether the order is stored, so do not send it again.
    if (mayBeStored && !before) return Response.json({});
    const response = await service.post('/v2/orders', sampleOrder()).catch(() => new Response(null, { status: 500 }));
    mayBeStored = response.status === 500; // the service failed, or the response was lost
    return response;
  });
}

async function makeCalls() {
  const { order } = await placeOrder();
  if (order) await get(`/v2/orders/${order.id}/fulfillments`);
  let page = await get('/v2/fulfillments?limit=10');
  while (page.next_cursor) page = await get(`/v2/fulfillments?limit=10&cursor=${encodeURIComponent(page.next_cursor)}`);
  const { fulfillment } = await get(`/v2/fulfillments/${page.fulfillments[0].id}`);
  await fetch(fulfillment.label_url);
}

for await (const line of createInterface({ input: process.stdin })) {
  await makeCalls(); // place an order, read it, download its label: whatever your client does
  console.log(line);
}
