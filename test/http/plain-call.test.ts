// A plain call in process is read without a Request, to the same answer, the same error and the same words in the journal.
import { expect, test } from 'vitest';
import type { Entry } from '../../src/control/journal/entry.ts';
import { createEngine } from '../../src/engine.ts';
import type { Engine } from '../../src/engine-options.ts';
import { newConsumer, orderWith, validOrder } from '../cases/requests.ts';
import { fixtures, noon, passwordOf } from '../support/sachet.ts';

type Given = readonly [path: string, init?: RequestInit];

const json = { 'content-type': 'application/json' };
const post = (body: string, headers: RequestInit['headers'] = json): Given => [
  '/v2/orders',
  { method: 'POST', headers, body },
];
const order = JSON.stringify(validOrder);

const calls: Readonly<Record<string, Given>> = {
  'a list': ['/v2/products'],
  'a page': ['/v2/fulfillments?limit=2&order_id='],
  'a query that is escaped': ['/v2/fulfillments?limit=%32&ä=ö x'],
  'a path that is escaped': ['/v2/products/%E2%82%AC 1'],
  'a fragment': ['/v2/products#x'],
  'dots in the path': ['/v2/./orders/../products'],
  'a backslash': ['\\v2\\products'],
  'no such path': ['/v3'],
  'no init of any use': ['/v2/products', {}],
  HEAD: ['/v2/products', { method: 'HEAD' }],
  OPTIONS: ['/v2/products', { method: 'OPTIONS' }],
  'a method in small letters': ['/v2/orders', { method: 'post', headers: json, body: order }],
  'patch in small letters': ['/v2/orders', { method: 'patch', body: order }],
  'a method that is none': ['/v2/orders', { method: 'a b' }],
  'a method that is forbidden': ['/v2/orders', { method: 'TRACE' }],
  'an order': post(order),
  'an order without a type': post(order, {}),
  'an order of another type': post(order, { 'Content-Type': 'text/plain' }),
  'headers as pairs': post(order, [
    ['Content-Type', 'application/json'],
    ['x-a', '1'],
    ['X-A', '2'],
  ]),
  'headers as Headers': post(order, new Headers(json)),
  'a header that is none': post(order, { 'a b': 'c' }),
  'a value that is none': post(order, { a: 'b\nc' }),
  'an empty body': post(''),
  'no body': ['/v2/orders', { method: 'POST', body: null }],
  'no JSON': post('{'),
  'other letters': post(JSON.stringify(orderWith({ 'consumer.first_name': 'Zoë 😀' }))),
  'half a letter': post(order.replace('Ada', '\ud800')),
  'a byte order mark': post(`\ufeff${order}`),
  'a long body': post(order.padEnd(30_000)),
  'too long a body': post(order.padEnd(1_048_577)),
  'a body to GET': ['/v2/products', { body: 'x' }],
  'bytes for a body': ['/v2/orders', { method: 'POST', headers: json, body: new TextEncoder().encode(order) }],
  'a form': ['/v2/orders', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }],
  'an encoding that is told': post(order, { ...json, 'content-encoding': 'gzip' }),
  'a length that is told': post(order, { ...json, 'content-length': '2000000' }),
  'a consumer': ['/v2/consumers', { method: 'POST', headers: json, body: JSON.stringify(newConsumer) }],
  'a redirection': ['/v2/products', { redirect: 'manual' }],
};

type Fetch = Engine['fetch'];

/** What comes of all calls, one after the other, and what the journal says of them; `as` makes each. */
async function told(as: (fetch: Fetch, url: string, init?: RequestInit) => Promise<Response>): Promise<unknown[]> {
  const engine = createEngine({ fixtures, clock: noon, randomSeed: 'test' });
  const at = (path: string) => `http://localhost:4010${path}`;
  const login = JSON.stringify({ username: 'demo', password: passwordOf('demo') });
  const { access_token } = await (
    await engine.fetch(at('/v2/authentication/token'), { method: 'POST', headers: json, body: login })
  ).json();
  const outcomes: unknown[] = [];
  for (const [name, [path, init]] of Object.entries(calls)) {
    const outcome = as(engine.fetch, at(path), withToken(init, access_token));
    outcomes.push([name, await outcome.then(shownAnswer, String)]);
  }
  const sandbox = await engine.sandboxes.get('stage');
  return [...outcomes, ...[...(sandbox?.journal.list() ?? [])].map(shownEntry)];
}

/** Where a header cannot be added, the call has no token. */
function withToken(init: RequestInit | undefined, token: string): RequestInit | undefined {
  if (init === undefined) return undefined;
  try {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return { ...init, headers };
  } catch {
    return init;
  }
}

async function shownAnswer(response: Response): Promise<unknown> {
  const { status, url, redirected, type } = response;
  const headers = [...response.headers].filter(([name]) => name !== 'sandbox-request-id');
  return { status, url, redirected, type, headers, text: await response.text() };
}

/** But for what is by chance. */
function shownEntry(entry: Entry): unknown {
  const { id: _, startedAt: __, answer, ...came } = entry;
  const { headers: ___, durationMilliseconds: ____, ...given } = JSON.parse(JSON.stringify(answer));
  return JSON.parse(JSON.stringify({ ...came, given }));
}

test('a call is answered and kept the same, whether or not it is given as a Request', async () => {
  const plain = await told((fetch, url, init) => fetch(url, init));
  const whole = await told(async (fetch, url, init) => fetch(new Request(url, init)));
  expect(plain).toEqual(whole);
  expect(plain.length).toBeGreaterThan(1.5 * Object.keys(calls).length);
});

test('headers that iterate only once are read, and no init is none', async () => {
  const engine = createEngine({ fixtures, clock: noon, randomSeed: 'test', adminKey: 'the-key-of-this-test' });
  const headers = function* () {
    yield ['authorization', 'Bearer the-key-of-this-test'];
  };
  const once = { headers: headers() } as unknown as RequestInit;
  expect((await engine.fetch('http://localhost:4010/_admin/sandboxes', once)).status).toBe(200);
  expect((await engine.fetch('http://localhost:4010/health', null as unknown as RequestInit)).status).toBe(200);
});

test('a Request that is given as the init is looked at whole', async () => {
  const engine = createEngine({ fixtures, clock: noon, randomSeed: 'test' });
  const url = 'http://localhost:4010/v2/products';
  const aborted = new Request(url, { signal: AbortSignal.abort() });
  await expect(engine.fetch(url, aborted)).rejects.toThrow(/abort/);
});

test('it is read as it was when it was made: a URL object, and headers, that are changed afterwards', async () => {
  const engine = createEngine({ fixtures, clock: noon, randomSeed: 'test' });
  const url = new URL('http://localhost:4010/v2/products');
  const answer = engine.fetch(url);
  url.pathname = '/v3';
  expect((await answer).url).toBe('http://localhost:4010/v2/products');
});
