// A client that `sachet certify` certifies: for each line that comes one round of what it does, then the same line.
import { env } from 'node:process';
import { createInterface } from 'node:readline';
import { connect, sampleOrder } from 'sachet';

const sandbox = connect({ url: env.SACHET_URL, adminKey: env.SACHET_ADMIN_KEY }).sandbox(env.SACHET_SANDBOX);
const wait = (seconds) => sandbox.clock.advance({ seconds }); // by the sandbox's clock, so that no minute is waited out
// Here stands yours; this one logs in, and refreshes after a 401.
const service = sandbox.client({ username: env.SACHET_USERNAME, password: env.SACHET_PASSWORD });
const get = (path) => patiently(() => service.get(path));

async function patiently(send, pause = 2) {
  const response = await send();
  if (![429, 500].includes(response.status)) return response.json();
  await wait(response.status === 429 ? Number(response.headers.get('retry-after')) : pause);
  return patiently(send, 2 * pause);
}

async function order() {
  const before = (await get('/v2/orders')).orders.map(({ id }) => id);
  let isDoubtful = false;
  return patiently(async () => {
    const stored = isDoubtful && (await get('/v2/orders')).orders.find(({ id }) => !before.includes(id));
    if (stored) return Response.json({ order: stored });
    const response = await service.post('/v2/orders', sampleOrder()).catch(() => new Response(null, { status: 500 }));
    isDoubtful = response.status === 500; // or the answer was lost
    return response;
  });
}

async function round() {
  const { order: placed } = await order();
  if (placed) await get(`/v2/orders/${placed.id}/fulfillments`);
  let page = await get('/v2/fulfillments?limit=10');
  while (page.next_cursor) page = await get(`/v2/fulfillments?limit=10&cursor=${encodeURIComponent(page.next_cursor)}`);
  const { fulfillment } = await get(`/v2/fulfillments/${page.fulfillments[0].id}`);
  await fetch(fulfillment.label_url);
}

for await (const line of createInterface({ input: process.stdin })) {
  await round(); // order, read, download: whatever your client does
  console.log(line);
}
