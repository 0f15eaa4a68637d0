// Sends requests to a server. `visit.mjs order URL` places an order and prints its status, `visit.mjs orders URL` prints the ids of all orders, and
// `visit.mjs control URL KEY` prints the status code of the control API.
const [task, url, key] = process.argv.slice(2);

const json = { 'Content-Type': 'application/json' };

async function post(path, body, headers = {}) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function token() {
  const { access_token } = await post('/v2/authentication/token', { username: 'demo', password: 'sachet-demo' });
  return { Authorization: `Bearer ${access_token}` };
}

async function orders() {
  const response = await fetch(`${url}/v2/orders?limit=100`, { headers: await token() });
  const { orders: found } = await response.json();
  return found.map(({ id }) => id).join(' ');
}

async function order() {
  const contents = [{ client_product_id: '20000000-0000-4000-8000-000000000001' }];
  const placed = await post(
    '/v2/orders',
    {
      consumer: { id: '40000000-0000-4000-8000-000000000001' },
      shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
      order_lines: [{ duration: 30, pouches: [{ contents }] }],
    },
    await token(),
  );
  return placed.order.status;
}

async function control() {
  const { status } = await fetch(`${url}/_admin/sandboxes`, { headers: { Authorization: `Bearer ${key}` } });
  return status;
}

console.log(await { order, orders, control }[task]());
