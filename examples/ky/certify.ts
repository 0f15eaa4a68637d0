// Runs the client under `sachet certify`: for each line of standard input it makes its calls, then prints the line back.
import { createInterface } from 'node:readline';
import { isHTTPError } from 'ky';
import { connect, sampleOrder } from 'sachet';
import { ServiceClient } from './src/service-client.ts';
import type { Fulfillment } from './src/wire.ts';

const { SACHET_URL, SACHET_SANDBOX, SACHET_ADMIN_KEY } = process.env;
const { SACHET_BASE_URL, SACHET_USERNAME, SACHET_PASSWORD } = process.env;
if (!SACHET_URL || !SACHET_SANDBOX || !SACHET_ADMIN_KEY || !SACHET_BASE_URL || !SACHET_USERNAME || !SACHET_PASSWORD)
  throw new Error('Start this program with `npm run certify`: sachet certify sets its environment variables.');

const { clock } = connect({ url: SACHET_URL, adminKey: SACHET_ADMIN_KEY }).sandbox(SACHET_SANDBOX);
const realTimeout = globalThis.setTimeout;
// ky waits with the global setTimeout. For a delay of a minute or more, advance the sandbox's clock instead. Node's timers for idle connections
// pass extra arguments and stay in real time. Do not copy this into your client: it is for the certification only.
globalThis.setTimeout = ((callback: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) =>
  milliseconds < 60_000 || args.length > 0
    ? realTimeout(callback, milliseconds, ...args)
    : realTimeout(() => clock.advance({ seconds: milliseconds / 1000 }).then(callback))) as typeof setTimeout;
const login = { username: SACHET_USERNAME, password: SACHET_PASSWORD };
const placed = new Set<string>();
const client = new ServiceClient({ baseUrl: SACHET_BASE_URL, ...login, placed });

for await (const line of createInterface({ input: process.stdin })) {
  // The sandbox is reset before each scenario, and its order ids repeat.
  if (line.startsWith('before ')) placed.clear();
  await makeCalls();
  console.log(line);
}

async function makeCalls(): Promise<void> {
  await attempt('products', () => untilItAnswers(() => client.products()));
  const order = await attempt('order', () => client.placeOrder(sampleOrder()));
  if (order) await attempt("the order's fulfillments", () => client.orderFulfillments(order.id));
  const fulfillments = await attempt('fulfillments', allFulfillments);
  const [id] = fulfillments?.keys() ?? [];
  if (id) await attempt('label', async () => client.label(await client.fulfillment(id)));
}

/** While the service is down, tries again after one, two and four minutes. */
async function untilItAnswers<Result>(call: () => Promise<Result>): Promise<Result> {
  for (const minutes of [1, 2, 4]) {
    try {
      return await call();
    } catch (error) {
      if (!isServerError(error)) throw error;
      await clock.advance({ seconds: 60 * minutes });
    }
  }
  return call();
}

function isServerError(error: unknown): boolean {
  return isHTTPError(error) && error.response.status >= 500;
}

/** Prints a failure and continues with the next call. */
async function attempt<Result>(name: string, call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await call();
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
