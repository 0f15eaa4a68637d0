// The benchmark's workload: fixtures of a fixed size, a valid order, and wrk scripts that send the requests.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const productCount = 20;
const pageSize = 20;
const pageCount = 50;
const shipped = new URL('../fixtures/', import.meta.url);

export const fixturesIn = (folder) => join(folder, 'fixtures');

/** Writes the shipped fixtures with 20 products and 51 pages of fulfillments of the first brand. */
export function writeFixtures(folder) {
  const files = readdirSync(shipped).filter((name) => name.endsWith('.json'));
  const fixtures = Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(new URL(name, shipped), 'utf8'))));
  extend(fixtures, 'products', '7a', productCount);
  extend(fixtures, 'fulfillments', '7c', (pageCount + 1) * pageSize);
  mkdirSync(fixturesIn(folder));
  writeFileSync(join(fixturesIn(folder), 'fixtures.json'), JSON.stringify(fixtures));
}

function extend(fixtures, name, idStart, count) {
  const own = fixtures[name].filter(({ brand_id }) => brand_id === fixtures.brands[0].id);
  const models = own.filter(({ active = true }) => active);
  for (let at = own.length; at < count; at += 1) {
    const id = `${idStart}000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    fixtures[name].push({ ...models[at % models.length], id });
  }
}

/**
 * Reads the workload from a running Sachet.
 * @returns `{ headers, order, products, pages, paths }`: headers with a token, the JSON text of an order, the responses of the product list and of
 * 50 pages of fulfillments, and the paths of these pages
 */
export async function readWorkload({ url, username, password }, count = pageCount) {
  const json = { 'content-type': 'application/json' };
  const login = { method: 'POST', headers: json, body: JSON.stringify({ username, password }) };
  const { access_token } = await call(`${url}/v2/authentication/token`, login);
  const headers = { ...json, authorization: `Bearer ${access_token}` };
  const products = await call(`${url}/v2/products`, { headers });
  const pages = [];
  const paths = [];
  for (let path = `/v2/fulfillments?limit=${pageSize}`; pages.length < count; ) {
    const page = await call(`${url}${path}`, { headers });
    pages.push(page);
    paths.push(path);
    path = `/v2/fulfillments?limit=${pageSize}&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  return { headers, order: await findOrder(url, headers, products.client_products), products, pages, paths };
}

/** Returns an order of two products. Tries each active product first, because its operator product may be discontinued. */
async function findOrder(url, headers, products) {
  const accepted = [];
  for (const product of products.filter(({ active }) => active)) {
    const response = await fetch(`${url}/v2/orders`, { method: 'POST', headers, body: orderOf([product]) });
    if (response.ok) accepted.push(product);
    if (accepted.length === 2) return orderOf(accepted);
  }
  throw new Error(`The benchmark needs two products that can be ordered; the catalog has ${accepted.length}`);
}

function orderOf(products) {
  const contents = products.map(({ id, serving_size }) => ({ client_product_id: id, serving_size }));
  const name = { first_name: 'Ada', last_name: 'Lovelace' };
  return JSON.stringify({
    consumer: { ...name, email: 'ada.lovelace@example.com', phone_number: '+14155550123' },
    shipping_address: {
      address1: '1 Market Street',
      city: 'San Francisco',
      province_name: 'California',
      country_name: 'United States',
      postal_code: '94105',
    },
    order_lines: [{ duration: 30, pouches: [{ time_of_administration: 'Morning', contents }] }],
  });
}

/** Sends a request and returns the parsed JSON. @throws Error with the response if it is not 2xx */
export async function call(url, init) {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init?.method ?? 'GET'} ${url} failed with ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Writes a Lua script that makes wrk send these paths in turn, and returns its path. */
export function writeScript(file, { method = 'GET', paths, headers, body }) {
  const quote = (text) => `[==[${text}]==]`;
  const lines = [
    `wrk.method = "${method}"`,
    ...Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = ${quote(value)}`),
    ...(body === undefined ? [] : [`wrk.body = ${quote(body)}`]),
    `local paths = {${paths.map(quote).join(', ')}}`,
    'local requests, turn = {}, 0',
    'init = function() for i, path in ipairs(paths) do requests[i] = wrk.format(nil, path) end end',
    'request = function() turn = turn % #requests + 1; return requests[turn] end',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
