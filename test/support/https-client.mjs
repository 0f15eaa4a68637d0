// A client that verifies certificates: logs in, places an order, and downloads a label. Prints the statuses and the label's URL. The
// argument is a ready record with an order.
const { url, username, password, order } = JSON.parse(process.argv[2]);
const json = { 'content-type': 'application/json' };
const post = (path, body, headers) =>
  fetch(url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

const login = await post('/v2/authentication/token', { username, password });
const authorization = `Bearer ${(await login.json()).access_token}`;
const placed = await post('/v2/orders', order, { authorization });
const list = await fetch(`${url}/v2/fulfillments`, { headers: { authorization } });
const [{ label_url: labelUrl }] = (await list.json()).fulfillments;
const label = await fetch(labelUrl);
const bytes = Buffer.from(await label.arrayBuffer());
const statuses = [login.status, placed.status, label.status];
console.log(JSON.stringify({ statuses, labelUrl, form: bytes.toString('latin1', 0, 5) }));
