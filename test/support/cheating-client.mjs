// A client for `sachet certify` that tries to pass without its work. Its argument is one of:
// - minimal: makes as few calls as it can: each call that some scenario counts, repeated only where one counts that.
// - ignoring: sends the same calls in every round, with ids that it knows from the fixtures, and reads no response.
import { createInterface } from 'node:readline';
import { connect, sampleOrder } from 'sachet';

const { SACHET_URL: url, SACHET_ADMIN_KEY: adminKey, SACHET_SANDBOX, SACHET_USERNAME, SACHET_PASSWORD } = process.env;
const sandbox = connect({ url, adminKey }).sandbox(SACHET_SANDBOX);
const service = sandbox.client({ username: SACHET_USERNAME, password: SACHET_PASSWORD });
const orderPath = '/v2/orders/50000000-0000-4000-8000-000000000013/fulfillments';
const fulfillmentPath = '/v2/fulfillments/60000000-0000-4000-8000-000000000001';

/** Repeats a call only where scenarios count that: after a 429, and once after a 500. */
async function minimally(method, path, body) {
  for (let isRepeated = false; ; ) {
    const response = await service.call(method, path, body).catch(() => undefined);
    const isFailedRead = response?.status === 500 && method === 'GET';
    if (response?.status === 429) await sandbox.clock.advance({ seconds: 60 });
    else if (isFailedRead && !isRepeated) {
      await sandbox.clock.advance({ seconds: 2 });
      isRepeated = true;
    } else return response?.ok ? response.json() : undefined;
  }
}

async function minimalRound() {
  await minimally('POST', '/v2/orders', sampleOrder());
  await minimally('GET', orderPath);
  const first = await minimally('GET', '/v2/fulfillments?limit=10');
  if (first?.next_cursor) await minimally('GET', `/v2/fulfillments?limit=10&cursor=${first.next_cursor}`);
  await minimally('GET', fulfillmentPath);
}

let authorization;
async function ignoringRound() {
  const send = (method, path, body) =>
    fetch(process.env.SACHET_BASE_URL + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
  if (!authorization) {
    const login = { username: SACHET_USERNAME, password: SACHET_PASSWORD };
    const response = await send('POST', '/v2/authentication/token', login);
    if (response?.ok) authorization = `Bearer ${(await response.json()).access_token}`;
  }
  await send('GET', '/v2/orders');
  await send('POST', '/v2/orders', sampleOrder());
  await send('GET', orderPath);
  for (let page = 0; page < 2; page += 1) await send('GET', '/v2/fulfillments?limit=100');
  await send('GET', fulfillmentPath);
  await send('GET', '/_storage/labels/60000000-0000-4000-8000-000000000001.pdf');
}

for await (const line of createInterface({ input: process.stdin })) {
  await (process.argv[2] === 'ignoring' ? ignoringRound() : minimalRound());
  process.stdout.write(`${line}\n`);
}
