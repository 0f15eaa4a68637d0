// A recorded request as a Vitest test: pasted, it passes. And as a curl command, which asks for secrets.
import { expect, test } from 'vitest';
import { curlCommand, vitestCase } from '../../src/console/pages/code-samples.ts';
import { createSachet, type JournalEntry, type MadeSandbox, sampleOrder } from '../../src/index.ts';

/** Runs the text of a test without its imports; returns its title. */
async function run(text: string, sandbox: MadeSandbox): Promise<string> {
  const done: [title: string, result: Promise<void>][] = [];
  const define = (title: string, body: (context: { sandbox: MadeSandbox }) => Promise<void>) =>
    done.push([title, body({ sandbox })]);
  new Function('test', 'expect', text.replaceAll(/^import .*$/gm, ''))(define, expect);
  const [[title, result] = ['', undefined]] = done;
  await result;
  return title;
}

const caseOf = (entry: JournalEntry, switches: Parameters<typeof vitestCase>[1] = {}): string => {
  const { headers, body } = entry.request;
  return vitestCase({ ...entry, headers, text: body === null ? null : JSON.stringify(body) }, switches);
};

/** Calls a sandbox, and runs the test of its last request in a new one. */
async function rerun(call: (sandbox: MadeSandbox) => Promise<unknown>): Promise<{ title: string; text: string }> {
  await using sachet = createSachet();
  await using sandbox = await sachet.createSandbox();
  await call(sandbox).catch(() => undefined);
  const [last] = (await sandbox.requests.list()).requests.slice(-1);
  const text = caseOf(last as JournalEntry, await sandbox.switches.get());
  await using another = await sachet.createSandbox();
  return { title: await run(text, another), text };
}

const long = { shipping_address: { address1: 'a'.repeat(112), city: "St. John's", country_name: 'Canada' } };

test.each<[string, (sandbox: MadeSandbox) => Promise<unknown>]>([
  ['POST /v2/orders is answered 201', (sandbox) => sandbox.client().post('/v2/orders', sampleOrder())],
  ['POST /v2/orders is rejected by ORD-15', (sandbox) => sandbox.client().post('/v2/orders', sampleOrder(long))],
  ['GET /v2/products is rejected by missing_token_message', (sandbox) => sandbox.fetch('/v2/products')],
  [
    'POST /v2/orders is rejected by malformed_body',
    (sandbox) => sandbox.client().post('/v2/orders', JSON.parse('{"__proto__": {"a": 1}, "b\\u202e": 2}')),
  ],
  ['GET /v2/nothing is rejected by HTTP-1', (sandbox) => sandbox.client().get("/v2/nothing?it's=1")],
  [
    'GET /v2/products is rejected by AUTH-5',
    (sandbox) =>
      sandbox.client(sandbox.logins.find(({ username }) => username.startsWith('no-permissions'))).get('/v2/products'),
  ],
])('%s', async (title, call) => {
  expect((await rerun(call)).title).toBe(title);
});

test('sets the switch that affected the request, and the changed assumptions; expects a dropped connection', async () => {
  const { title, text } = await rerun(async (sandbox) => {
    const client = sandbox.client();
    await client.get('/v2/products');
    await sandbox.assumptions.set({ next_cursor: 'meta' });
    await sandbox.switches.set({ rate_limit: { burst: 5 } });
    await client.get('/v2/fulfillments');
  });
  expect(title).toBe('GET /v2/fulfillments is rejected by LIM-1');
  expect(text).toContain('switches.set({"rate_limit":{"burst":5}})');
  const dropped = await rerun(async (sandbox) => {
    const client = sandbox.client();
    await client.get('/v2/products');
    await sandbox.switches.set({ connection: { drop: 'before_processing' } });
    await client.post('/v2/orders', sampleOrder());
  });
  expect(dropped.text).toContain('.rejects.toThrow()');
});

test('asks for secrets, and warns about ids that a new sandbox does not have', async () => {
  await using sachet = createSachet();
  await using sandbox = await sachet.createSandbox();
  const { order } = await (await sandbox.client().post('/v2/orders', sampleOrder())).json();
  await sandbox.client().get(`/v2/orders/${order.id}`);
  const texts = (await sandbox.requests.list()).requests.map((request) => caseOf(request));
  expect(texts[0]).toContain('// Replace each [redacted …] with the secret.');
  expect(texts.at(-1)).toContain('A new sandbox has only the ids of the fixtures.');

  const headers = { 'content-type': 'application/json', authorization: 'Bearer [redacted 12345678]' };
  const request = { method: 'POST', path: '/v2/orders', query: '', headers, text: '{"a":"[redacted 1]"}' };
  const command = curlCommand(request, 'http://localhost:4010');
  for (const part of ['-H "Authorization: Bearer $TOKEN"', '# TOKEN is an access_token', '# Replace each [redacted …]'])
    expect(command).toContain(part);
});
