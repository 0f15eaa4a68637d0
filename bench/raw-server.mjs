// The baseline: a node:http server without framework, validation or state. It parses each order and responds with JSON of the same shape. For
// each request it serializes the list, page or fulfillment, and signs each label URL with AWS Signature Version 4.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { products, pages } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const fulfillment = pages[0].fulfillments.find(({ label_url }) => label_url);
let turn = 0;

const server = createServer((request, response) => {
  const { method, url } = request;
  if (method === 'POST') return readBody(request, (body) => send(response, 201, orderResponse(JSON.parse(body))));
  if (url.startsWith('/v2/products')) return send(response, 200, products);
  if (url.startsWith('/v2/fulfillments/')) return send(response, 200, { fulfillment: sign(fulfillment) });
  const page = pages[turn++ % pages.length];
  send(response, 200, { ...page, fulfillments: page.fulfillments.map(sign) });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
process.once('SIGTERM', () => process.exit(0));

function orderResponse(order) {
  return { order: { id: randomUUID(), status: 'Pending', ...order } };
}

function readBody(request, done) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
}

function send(response, status, content) {
  const body = JSON.stringify(content);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

/** Returns the record with a newly signed label URL, with the same algorithm as the service. */
function sign(record) {
  if (!record.label_url) return record;
  const end = record.label_url.indexOf('?');
  const date = `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
  const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const address = record.label_url.slice(0, end);
  const query =
    `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=sachet%2F${encodeURIComponent(scope)}` +
    `&X-Amz-Date=${date}&X-Amz-Expires=604800&X-Amz-SignedHeaders=host`;
  const { host, pathname } = new URL(address);
  const canonical = `GET\n${pathname}\n${query}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`;
  const signature = createHmac('sha256', signingKey(scope)).update(text).digest('hex');
  return { ...record, label_url: `${address}?${query}&X-Amz-Signature=${signature}` };
}

let key;
function signingKey(scope) {
  if (key?.scope === scope) return key.bytes;
  const bytes = scope
    .split('/')
    .reduce((bytes, part) => createHmac('sha256', bytes).update(part).digest(), 'AWS4secret');
  key = { scope, bytes };
  return bytes;
}
