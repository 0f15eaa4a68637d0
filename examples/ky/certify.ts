// The client as `sachet certify` walks it: for each line that comes one round of what it does, then the same line.
import { createInterface } from 'node:readline';
import { connect, sampleOrder } from 'sachet';
import { ServiceClient } from './src/service-client.ts';
import type { Fulfillment } from './src/wire.ts';

const { SACHET_URL, SACHET_SANDBOX, SACHET_ADMIN_KEY } = process.env;
const { SACHET_BASE_URL, SACHET_USERNAME, SACHET_PASSWORD } = process.env;
if (!SACHET_URL || !SACHET_SANDBOX || !SACHET_ADMIN_KEY || !SACHET_BASE_URL || !SACHET_USERNAME || !SACHET_PASSWORD)
  throw new Error('To be started by sachet certify.');

const { clock } = connect({ url: SACHET_URL, adminKey: SACHET_ADMIN_KEY }).sandbox(SACHET_SANDBOX);
const realTimeout = globalThis.setTimeout;
// ky waits by this function. A wait of a minute or more goes by the sandbox's clock; Node's own, for a connection that lies idle, which come with
// something to hand on, go by the real one. For the certification only, and nothing to copy: a client leaves the globals alone.
globalThis.setTimeout = ((act: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
  milliseconds < 60_000 || given.length > 0
    ? realTimeout(act, milliseconds, ...given)
    : realTimeout(() => clock.advance({ seconds: milliseconds / 1000 }).then(act))) as typeof setTimeout;
const login = { username: SACHET_USERNAME, password: SACHET_PASSWORD };
const placed = new Set<string>();
const client = new ServiceClient({ baseUrl: SACHET_BASE_URL, ...login, placed });

for await (const line of createInterface({ input: process.stdin })) {
  // The sandbox is as new before each scenario, and numbers its orders anew.
  if (line.startsWith('before ')) placed.clear();
  await round();
  console.log(line);
}

async function round(): Promise<void> {
  await step('products', () => client.products());
  const order = await step('order', () => client.placeOrder(sampleOrder()));
  if (order) await step("the order's fulfillments", () => client.orderFulfillments(order.id));
  const fulfillments = await step('fulfillments', allFulfillments);
  const [known] = fulfillments?.keys() ?? [];
  if (known) await step('label', async () => client.label(await client.fulfillment(known)));
}

/** What fails is told, and the round goes on. */
async function step<Result>(name: string, act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    console.error(`${name}: ${error}`);
    return undefined;
  }
}

async function allFulfillments(): Promise<Map<string, Fulfillment>> {
  const byId = new Map<string, Fulfillment>();
  for await (const fulfillment of client.fulfillments({ limit: 10 })) byId.set(fulfillment.id, fulfillment);
  return byId;
}
