// A request as a case for vitest: pasted, it passes.
import { expect, test } from 'vitest';
import { vitestCase } from '../../src/console/pages/code-samples.ts';
import { createSachet, type JournalEntry, type MadeSandbox, sampleOrder } from '../../src/index.ts';

/** Runs the text of a case: what it imports is given. */
async function run(text: string, sandbox: MadeSandbox): Promise<string> {
  const body = text.replaceAll(/^import .*$/gm, '');
  let title = '';
  let done: Promise<void> | undefined;
  const given = (name: string, act: (context: { sandbox: MadeSandbox }) => Promise<void>) => {
    title = name;
    done = act({ sandbox });
  };
  new Function('test', 'expect', body)(given, expect);
  await done;
  return title;
}

/** The body as it came: here it is JSON wherever there is one. */
function sent(entry: JournalEntry) {
  const { headers, body } = entry.request;
  return { ...entry, headers, text: body === null ? null : JSON.stringify(body) };
}

/** Calls a sandbox, and runs the case of its last request in a new one. */
async function again(call: (sandbox: MadeSandbox) => Promise<unknown>): Promise<{ title: string; text: string }> {
  await using sachet = createSachet();
  await using sandbox = await sachet.createSandbox();
  await call(sandbox).catch(() => undefined);
  const last = (await sandbox.requests.list()).requests.at(-1);
  if (!last) throw new Error('nothing was called');
  const text = vitestCase(sent(last), await sandbox.switches.get());
  await using another = await sachet.createSandbox();
  return { title: await run(text, another), text };
}

const long = sampleOrder({
  shipping_address: { address1: 'a'.repeat(112), city: "St. John's", country_name: 'Canada' },
});

test.each<[string, (sandbox: MadeSandbox) => Promise<unknown>]>([
  ['POST /v2/orders is answered 201', (sandbox) => sandbox.client().post('/v2/orders', sampleOrder())],
  ['POST /v2/orders is rejected by ORD-15', (sandbox) => sandbox.client().post('/v2/orders', long)],
  ['GET /v2/products is rejected by missing_token_message', (sandbox) => sandbox.fetch('/v2/products')],
  [
    'POST /v2/orders is rejected by malformed_body',
    (sandbox) => sandbox.client().post('/v2/orders', JSON.parse('{"__proto__": {"a": 1}, "b\\u202e": 2}')),
  ],
  ['GET /v2/nothing is rejected by HTTP-1', (sandbox) => sandbox.client().get("/v2/nothing?it's=1")],
  [
    'GET /v2/products is rejected by AUTH-5',
    (sandbox) =>
      sandbox.client(sandbox.logins.find(({ username }) => username === 'no-permissions')).get('/v2/products'),
  ],
])('%s', async (title, call) => {
  expect((await again(call)).title).toBe(title);
});

test('brings the switch that the request met, and the readings that differ', async () => {
  const { title, text } = await again(async (sandbox) => {
    const client = sandbox.client();
    await client.get('/v2/products');
    await sandbox.assumptions.set({ next_cursor: 'meta' });
    await sandbox.switches.set({ rate_limit: { burst: 5 } });
    await client.get('/v2/fulfillments');
  });
  expect(title).toBe('GET /v2/fulfillments is rejected by LIM-1');
  expect(text).toContain('switches.set({"rate_limit":{"burst":5}})');
});

test('of a connection that was broken expects that', async () => {
  const { text } = await again(async (sandbox) => {
    const client = sandbox.client();
    await client.get('/v2/products');
    await sandbox.switches.set({ connection: { drop: 'before_processing' } });
    await client.post('/v2/orders', sampleOrder());
  });
  expect(text).toContain('.rejects.toThrow()');
});

test('says what has to be put in, and what it cannot know', async () => {
  await using sachet = createSachet();
  await using sandbox = await sachet.createSandbox();
  const { order } = await (await sandbox.client().post('/v2/orders', sampleOrder())).json();
  await sandbox.client().get(`/v2/orders/${order.id}`);
  const { requests } = await sandbox.requests.list();
  const texts = requests.map((request) => vitestCase(sent(request), {}));
  expect(texts[0]).toContain('// Replace each [redacted …] with the secret.');
  expect(texts.at(-1)).toContain('A new sandbox has only the ids of the fixtures.');
});
