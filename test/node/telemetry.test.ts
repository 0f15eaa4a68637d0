// The span of a call: its name and attributes, for each kind of answer, and without secrets.
import { expect, test } from 'vitest';
import type { SwitchesPatch } from '../../src/contract/control/switches.ts';
import { spanOf } from '../../src/node/telemetry.ts';
import { bareSachet, type Client, send, type TestSachet, testSachet } from '../support/sachet.ts';

/** The spans of the calls to a sandbox with these switches, without the login before. */
async function spansOf(calls: (client: Client, sachet: TestSachet) => Promise<unknown>, switches: SwitchesPatch = {}) {
  const spans: ReturnType<typeof spanOf>[] = [];
  const sachet = testSachet({ onCompleted: (entry, sandbox) => spans.push(spanOf(entry, sandbox, 'https')) });
  const client = await sachet.login();
  await sachet.control.sandbox('stage').switches.set(switches);
  spans.length = 0;
  await calls(client, sachet);
  return spans;
}

const served = { 'url.scheme': 'https', 'sachet.sandbox': 'stage', 'sachet.request_id': expect.any(String) };

test('a success has the HTTP attributes and the assumptions of the call', async () => {
  const headers = { host: 'api.example:8443' };
  const [span] = await spansOf((client) => client.get('/v2/products?limit=1', { headers }));
  const { 'sachet.assumption': assumptions, ...attributes } = span?.attributes ?? {};
  expect(span?.name).toBe('GET /v2/products');
  expect(attributes).toEqual({
    ...served,
    'http.request.method': 'GET',
    'http.route': '/v2/products',
    'http.response.status_code': 200,
    'url.path': '/v2/products',
    'server.address': 'api.example',
    'server.port': 8443,
    'sachet.operation': 'products.list',
  });
  expect(assumptions).toContain('product_list=all');
});

test('a rejection has each rule once and the reason, and is not an error of the server', async () => {
  const [span] = await spansOf((client) =>
    client.post('/v2/orders', { shipping_address: {}, consumer: {}, order_lines: [] }),
  );
  const { attributes } = span ?? {};
  const rules = attributes?.['sachet.rule'] as string[];
  expect(rules).toContain('ORD-4');
  expect(new Set(rules).size).toBe(rules.length);
  expect(attributes).toMatchObject({
    'http.response.status_code': 422,
    'sachet.reason': expect.stringMatching(/more errors$/),
  });
  expect(attributes?.['error.type']).toBeUndefined();
});

test.each<[string, SwitchesPatch, string, number | undefined]>([
  ['a failure of the service', { server_error: {} }, '500', 500],
  [
    'a connection that breaks before the answer',
    { connection: { drop: 'before_processing' } },
    'connection_broken',
    undefined,
  ],
  ['a connection that breaks amid the answer', { connection: { drop: 'mid_body' } }, 'connection_broken', 200],
])('%s is an error, with the switch that caused it', async (_, switches, type, status) => {
  const [span] = await spansOf((client) => client.get('/v2/products').catch(() => undefined), switches);
  const [name] = Object.keys(switches);
  expect(span?.attributes).toMatchObject({ 'error.type': type, 'sachet.fault': [name] });
  expect(span?.attributes['http.response.status_code']).toBe(status);
  expect(span?.attributes['sachet.reason']).toContain(`the ${name} switch`);
});

test('the name is the route, not the path; a path or method without a route is not part of it', async () => {
  const spans = await spansOf(async (client, sachet) => {
    await client.get('/v2/orders/5f0c5a0e-0000-4000-8000-000000000000');
    await client.get('/v2/nothing');
    await sachet.call('PROPFIND', '/v2/products');
  });
  expect(spans.map(({ name }) => name)).toEqual(['GET /v2/orders/{orderId}', 'GET', 'HTTP']);
  expect(spans.at(-1)?.attributes).toMatchObject({
    'http.request.method': '_OTHER',
    'http.request.method_original': 'PROPFIND',
  });
});

test('delayed calls that a reset, a deletion or the end of the server ends have a span', async () => {
  const statuses: unknown[] = [];
  const sachet = bareSachet({ onCompleted: ({ answer }) => statuses.push(answer?.status) });
  const sandbox = sachet.control.sandbox('w1');
  for (const end of [() => sandbox.reset(), () => sandbox.delete(), () => sachet.close()]) {
    await sachet.control.create({ name: 'w1' }).catch(() => undefined);
    await sandbox.switches.set({ latency: { milliseconds: 3_600_000 } });
    const delayed = send(sachet, 'GET', '/sandboxes/w1/v2/products');
    await expect.poll(async () => (await sachet.sandboxes.get('w1'))?.delays.size).toBe(1);
    await end();
    await delayed;
  }
  expect(statuses).toEqual([500, 500, 401]);
});

test('spans have no secret of a request, its path or its response', async () => {
  let secrets: readonly string[] = [];
  const spans = await spansOf(async (client, sachet) => {
    const { body } = await client.get('/v2/fulfillments?limit=1');
    const label = new URL(body.fulfillments[0].label_url);
    await sachet.call('GET', label.pathname + label.search);
    await client.get(`/v2/products?token=in-the-query`);
    await client.get(`/v2/token=in-the-path/${client.token}`);
    await client.post('/v2/authentication/token', { username: 'demo', password: 'in-the-body' });
    const signature = label.searchParams.get('X-Amz-Signature') ?? '';
    secrets = [signature, client.token, client.refreshToken, 'in-the-query', 'in-the-path', 'in-the-body'];
  });
  expect(spans).toHaveLength(5);
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(JSON.stringify(spans)).not.toContain(secret);
});
