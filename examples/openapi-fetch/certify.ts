// Runs the client under `sachet certify`: for each line of standard input it makes its calls, then prints the line back.
import { createInterface } from 'node:readline';
import { connect, sampleOrder } from 'sachet';
import { ServiceError } from './src/result.ts';
import { realSleep } from './src/retry-fetch.ts';
import { ServiceClient } from './src/service-client.ts';
import type { Fulfillment } from './src/wire.ts';

const { SACHET_URL, SACHET_SANDBOX, SACHET_ADMIN_KEY } = process.env;
const { SACHET_BASE_URL, SACHET_USERNAME, SACHET_PASSWORD } = process.env;
if (!SACHET_URL || !SACHET_SANDBOX || !SACHET_ADMIN_KEY || !SACHET_BASE_URL || !SACHET_USERNAME || !SACHET_PASSWORD)
  throw new Error('Start this program with `npm run certify`: sachet certify sets its environment variables.');

const { clock } = connect({ url: SACHET_URL, adminKey: SACHET_ADMIN_KEY }).sandbox(SACHET_SANDBOX);
// Do not wait a minute or more in real time: advance the sandbox's clock.
const sleep = (seconds: number): Promise<unknown> => (seconds < 60 ? realSleep(seconds) : clock.advance({ seconds }));
const login = { username: SACHET_USERNAME, password: SACHET_PASSWORD };
const placed = new Set<string>();
const client = new ServiceClient({ baseUrl: SACHET_BASE_URL, ...login, placed }, sleep);

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
      await sleep(60 * minutes);
    }
  }
  return call();
}

function isServerError(error: unknown): boolean {
  return error instanceof ServiceError && error.status >= 500;
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
