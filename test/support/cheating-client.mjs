// A client for `sachet certify` that tries to pass without its work. Its argument is one of:
// - minimal: makes as few calls as it can: each call that some scenario counts, repeated only where one counts that.
// - ignoring: sends the same calls in every round, with ids that it knows from the fixtures, and reads no response.
import { createInterface } from 'node:readline';

const { SACHET_BASE_URL, SACHET_USERNAME: username, SACHET_PASSWORD: password, SACHET_SANDBOX } = process.env;
const clockUrl = `${process.env.SACHET_URL}/_admin/sandboxes/${SACHET_SANDBOX}/clock/advance`;
const isIgnoring = process.argv[2] === 'ignoring';
const orderPath = '/v2/orders/50000000-0000-4000-8000-000000000013/fulfillments';
const fulfillmentPath = '/v2/fulfillments/60000000-0000-4000-8000-000000000001';
const order = {
  consumer: { id: '40000000-0000-4000-8000-000000000001' },
  shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
  order_lines: [
    {
      duration: 30,
      pouches: [{ contents: [{ client_product_id: '20000000-0000-4000-8000-000000000001', serving_size: 1 }] }],
    },
  ],
};
let tokens;

const send = (method, path, body, token = tokens?.access_token) =>
  fetch(SACHET_BASE_URL + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
    .then(async (response) => ({ status: response.status, body: await response.json() }))
    .catch(() => ({ status: 0 }));

const wait = (seconds) =>
  fetch(clockUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${process.env.SACHET_ADMIN_KEY}` },
    body: JSON.stringify({ seconds }),
  });

const logIn = async () => {
  const { status, body } = await send('POST', '/v2/authentication/token', { username, password });
  if (status === 200) tokens = body;
};

/** Repeats a call only where scenarios count that: after a 401, a 429, and once after a 500. */
async function minimally(method, path, body) {
  if (!tokens) await logIn();
  let isRepeated = false;
  while (true) {
    const answer = await send(method, path, body);
    if (answer.status === 429) await wait(60);
    else if (answer.status === 401 && !isRepeated) {
      const { refresh_token } = tokens;
      const { body: renewed } = await send('POST', '/v2/authentication/refresh-token', { refresh_token });
      tokens = { ...tokens, ...renewed };
      isRepeated = true;
    } else if (answer.status === 500 && method === 'GET' && !isRepeated) {
      await wait(2);
      isRepeated = true;
    } else return answer;
  }
}

async function minimalRound() {
  await minimally('POST', '/v2/orders', order);
  await minimally('GET', orderPath);
  const { body: first } = await minimally('GET', '/v2/fulfillments?limit=10');
  if (first?.next_cursor) await minimally('GET', `/v2/fulfillments?limit=10&cursor=${first.next_cursor}`);
  await minimally('GET', fulfillmentPath);
}

async function ignoringRound() {
  if (!tokens) await logIn();
  await send('GET', '/v2/orders');
  await send('POST', '/v2/orders', order);
  await send('GET', orderPath);
  for (let page = 0; page < 2; page += 1) await send('GET', '/v2/fulfillments?limit=100');
  await send('GET', fulfillmentPath);
  await send('GET', '/_storage/labels/60000000-0000-4000-8000-000000000001.pdf');
}

for await (const line of createInterface({ input: process.stdin })) {
  await (isIgnoring ? ignoringRound() : minimalRound());
  process.stdout.write(`${line}\n`);
}
