// `sachet/msw`: what a client of another base URL gets from a Sachet behind msw, over fetch and over Node's http.
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Sachet } from '../../src/client/sachet.ts';
import { type MadeSandbox, ServiceClient } from '../../src/client/sandbox.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { handlers } from '../../src/msw/index.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { starts } from '../library/starts.ts';

const base = 'https://api.example.com';
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const clientOf = ({ login }: MadeSandbox, at = base) =>
  new ServiceClient((path, init) => fetch(at + path, init), login);

/** A sandbox behind the base URL. */
async function sandboxOf(sachet: Sachet, at = base): Promise<MadeSandbox> {
  // The own fetch of a server's handle goes through msw, too.
  server.use(...handlers(sachet, 'https://unused.example.com'));
  const sandbox = await sachet.createSandbox();
  server.use(...handlers(sandbox, at));
  return sandbox;
}

describe.each(starts)('%s', (_, open) => {
  test('a sandbox answers the calls of a client, and its label URL; its journal has them', async () => {
    const sandbox = await sandboxOf(await open());
    const client = clientOf(sandbox);
    const created = await client.post('/v2/orders', sampleOrder());
    expect([created.status, created.headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8']);
    const { fulfillments } = await (await client.get('/v2/fulfillments?limit=1')).json();
    expect(fulfillments[0].label_url).toContain(`${sandbox.baseUrl}/_storage/`);
    const label = await fetch(fulfillments[0].label_url);
    const bytes = new Uint8Array(await label.arrayBuffer());
    expect(bytes).toEqual(new Uint8Array(await (await sandbox.fetch(fulfillments[0].label_url)).arrayBuffer()));
    expect([label.headers.get('content-type'), String.fromCharCode(...bytes.slice(0, 5))]).toEqual([
      'application/pdf',
      '%PDF-',
    ]);
    expect(await sandbox.received({ operation: 'orders.create', status: 201 })).toBe(1);
  });

  test('the whole Sachet leads a login to its sandbox', async () => {
    const sachet = await open();
    const sandbox = await sandboxOf(sachet);
    server.use(...handlers(sachet, base));
    expect((await clientOf(sandbox).get('/v2/products')).status).toBe(200);
    expect(await sandbox.received({ operation: 'products.list' })).toBe(1);
  });

  test('headers and status are those of the sandbox, also without a body', async () => {
    const sandbox = await sandboxOf(await open({ clock: '2026-01-01T00:00:00Z' }));
    const path = '/v2/orders/%ff?limit=a%20b';
    const seen = async (answer: Response) => {
      const {
        date,
        'sandbox-request-id': id,
        'content-length': length,
        ...headers
      } = Object.fromEntries(answer.headers);
      expect([date, id]).toEqual([expect.stringMatching(/ GMT$/), expect.stringMatching(/./)]);
      return { status: answer.status, headers, text: await answer.text(), length };
    };
    for (const method of ['GET', 'HEAD', 'POST']) {
      const [ours, own] = await Promise.all([fetch(base + path, { method }), sandbox.fetch(path, { method })]);
      const { length, ...answer } = await seen(ours);
      expect(await seen(own)).toMatchObject(answer);
      expect(answer.headers['sandbox-rule']).toBeDefined();
      // In process, the own fetch omits a length that a server sends.
      expect(Number(length)).toBeGreaterThan(0);
      expect(answer.text).toHaveLength(method === 'HEAD' ? 0 : Number(length));
    }
    const { requests } = await sandbox.requests.list();
    expect(requests.map(({ method }) => method)).toContain('HEAD');
  });

  test('the control API has its own address, and streams its events', async () => {
    const sachet = await open();
    const sandbox = await sandboxOf(sachet);
    const headers = { authorization: `Bearer ${sachet.adminKey}` };
    const stream = await fetch(`${sachet.baseUrl}/_admin/sandboxes/${sandbox.name}/events`, { headers });
    const first = await stream.body?.getReader().read();
    expect([stream.status, first?.done]).toEqual([200, false]);
  });

  test.each(['before_processing', 'after_processing'] as const)('drop %s is a network error', async (drop) => {
    const sandbox = await sandboxOf(await open());
    const client = clientOf(sandbox);
    await client.get('/v2/products');
    await sandbox.switches.set({ connection: { drop, burst: 1, match: { operation: 'orders.create' } } });
    await expect(client.post('/v2/orders', sampleOrder())).rejects.toThrow('Failed to fetch');
    expect((await client.post('/v2/orders', sampleOrder())).status).toBe(201);
  });

  test('a drop in the middle of the body fails while the body is read', async () => {
    const sandbox = await sandboxOf(await open());
    await sandbox.switches.set({ connection: { drop: 'mid_body' } });
    const answer = await fetch(`${base}/v2/products`);
    expect(answer.status).toBe(401);
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  test('a delay lasts until the request is aborted', async () => {
    const sandbox = await sandboxOf(await open());
    await sandbox.switches.set({ latency: { milliseconds: 60_000 } });
    const began = performance.now();
    const call = fetch(`${base}/v2/products`, { signal: AbortSignal.timeout(50) });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('a client of the module http gets the same, with the headers of its connection', async () => {
    const sandbox = await sandboxOf(await open());
    const { login } = sandbox;
    const send = async (path: string, more: Record<string, string>, body = '') => {
      const headers = { connection: 'keep-alive', ...more };
      const call = http.request(`http://api.example.com:8080/base${path}`, { method: 'POST', headers });
      call.end(body);
      const [message] = (await once(call, 'response')) as [IncomingMessage];
      return { status: message.statusCode, headers: message.headers, text: await text(message) };
    };
    server.use(...handlers(sandbox, 'http://API.example.com:8080/base/'));
    const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const answer = await send('/v2/authentication/token', json, JSON.stringify(login));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toHaveProperty('access_token');
    expect(answer.headers['sandbox-request-id']).toBeDefined();
    expect((await send('/v2/orders', {})).status).toBe(401);
    await sandbox.switches.set({ connection: { drop: 'before_processing' } });
    await expect(send('/v2/orders', {})).rejects.toThrow('Network error');
  });
});

test('other hosts, and paths that only begin like the base URL, are not answered', async () => {
  const sandbox = await createSachet().createSandbox();
  server.use(...handlers(sandbox, `${base}/shop`));
  const unanswered = ['https://api.example.com.evil.test/shop/v2/products', `${base}/shopping`, `${base}/v2/products`];
  const { error } = console;
  console.error = () => undefined;
  try {
    for (const url of unanswered) await expect(fetch(url)).rejects.toThrow('[MSW] Cannot bypass');
  } finally {
    console.error = error;
  }
  expect((await fetch(`${base}/shop/v2/products`)).status).toBe(401);
});

test.each(['api.example.com', '/v2', 'ftp://api.example.com', ''])('"%s" is not a base URL', (wrong) => {
  const message = `"${wrong}" is not an http or https URL without query and credentials, such as http://localhost:4010`;
  expect(() => handlers(createSachet(), wrong)).toThrow(new TypeError(message));
});
