// The headers of the sandbox: which request it was, which rules rejected it, which assumptions and overrides affected it; and `Date` by the
// sandbox's clock.
import { describe, expect, test } from 'vitest';
import { known, orderWith } from '../cases/requests.ts';
import { labelUrlOf } from '../support/labels.ts';
import { type Answer, type TestSachet, testSachet } from '../support/sachet.ts';
import { logIn } from '../support/tokens.ts';

const stageOf = ({ control }: TestSachet) => control.sandbox('stage');
const header = ({ headers }: Answer, name: string): string | null => headers.get(name);

/** Responses of every kind: successes, rejections of each stage, injected ones, and those of the storage. */
async function manyAnswers(sachet: TestSachet): Promise<Answer[]> {
  const client = await sachet.login();
  const label = await labelUrlOf(client);
  const address = { 'shipping_address.city': 5, 'shipping_address.address1': 'x'.repeat(100) };
  const answers = [
    await logIn(sachet, 'demo', 'wrong'),
    await sachet.call('POST', '/v2/authentication/token', { body: {} }),
    await client.get('/v2/products'),
    await client.get('/v2/nothing'),
    await sachet.call('GET', '/v2/products'),
    await client.post('/v2/orders', undefined, { raw: '{' }),
    await client.get('/v2/orders/42'),
    await client.get('/v2/fulfillments?limit=none'),
    await client.post('/v2/orders', orderWith(address)),
    await client.post('/v2/orders', orderWith({})),
    await client.patch(`/v2/orders/${known.inProductionOrder}`, orderWith({})),
    await sachet.call('GET', label),
    await sachet.call('GET', label.replace(/\?.*/, '')),
  ];
  await stageOf(sachet).switches.set({ rate_limit: { burst: 1 }, server_error: {}, latency: { milliseconds: 0 } });
  return [...answers, await client.get('/v2/products'), await client.get('/v2/products')];
}

test('Sandbox-Request-Id is the id of the journal entry, Sandbox-Rule has its rules, Date is that of the sandbox', async () => {
  const sachet = testSachet();
  const answers = await manyAnswers(sachet);
  const ids = answers.map((answer) => header(answer, 'sandbox-request-id') ?? '');
  expect(new Set(ids).size).toBe(answers.length);
  for (const [index, answer] of answers.entries()) {
    const entry = await stageOf(sachet).requests.get(ids[index] ?? '');
    expect(entry.status).toBe(answer.status);
    expect(header(answer, 'sandbox-rule'), answer.text).toBe(answer.status < 400 ? null : entry.rules.join(', '));
    expect(header(answer, 'date')).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
  }
});

test('Sandbox-Rule has one rule per detail, in their order; the first alone if the first alone is reported', async () => {
  const client = await testSachet().login();
  const pouches = Array.from({ length: 30 }, (_, n) => (n % 2 ? {} : { contents: [{ serving_size: 'x' }] }));
  const order = orderWith({ 'order_lines.0.pouches': pouches, 'shipping_address.address1': 5 });
  const answer = await client.post('/v2/orders', order);
  const rules = header(answer, 'sandbox-rule')?.split(', ');
  const { details } = answer.body as { details: { field: string }[] };
  expect(rules).toHaveLength(details.length);
  const byField = new Map(details.map(({ field }, index) => [field, rules?.[index]]));
  expect(byField.get('shipping_address.address1')).toBe('OPEN-3');
  for (const n of pouches.keys()) {
    const pouch = `order_lines.0.pouches.${n}`;
    if (n % 2) expect(byField.get(pouch), pouch).toBe('ORD-6');
    else expect(byField.get(`${pouch}.contents.0.client_product_id`), pouch).toBe('ORD-7');
  }
  const brief = await testSachet({ assumptions: { validation_report: 'first' } }).login();
  const first = await brief.post('/v2/orders', { consumer: {}, order_lines: [] });
  expect([first.body.details.length, header(first, 'sandbox-rule')?.includes(',')]).toEqual([1, false]);
});

test('Sandbox-Assumption has the choices that shaped the response', async () => {
  const sachet = testSachet({ assumptions: { next_cursor: 'header' } });
  const client = await sachet.login();
  const choicesOf = async (path: string) => header(await client.get(path), 'sandbox-assumption')?.split(', ');
  expect(await choicesOf('/v2/fulfillments')).toContain('next_cursor=header');
  expect(await choicesOf(`/v2/fulfillments/${known.fulfillment}`)).not.toContain('next_cursor=header');
  await stageOf(sachet).assumptions.set({ malformed_path_id: '404' });
  expect(await choicesOf('/v2/orders/42')).toContain('malformed_path_id=404');
});

describe('Sandbox-Fault', () => {
  test('has the switches and faults that affected the call, in their order, and no others', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    const stage = stageOf(sachet);
    const faultOf = async (path = '/v2/products') => header(await client.get(path), 'sandbox-fault');
    expect(await faultOf()).toBeNull();
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 } });
    await stage.faults.create({ id: 'elsewhere', status: 404, match: { path: '/v2/orders' } });
    expect(await faultOf()).toBe('slow');
    await stage.switches.set({ server_error: { burst: 1 }, rate_limit: { burst: 1 } });
    expect([await faultOf(), await faultOf(), await faultOf('/v2/orders'), await faultOf()]).toEqual([
      'rate_limit',
      'slow, server_error',
      'slow, elsewhere',
      'slow',
    ]);
  });
});

test("Date is the second of the sandbox's clock", async () => {
  const sachet = testSachet();
  const dateOf = async (base = '') => header(await sachet.call('GET', `${base}/v2/products`), 'date')?.slice(5, -4);
  await sachet.advance(999);
  expect(await dateOf()).toBe('20 Nov 2026 12:00:00');
  await sachet.advance(1);
  expect([await dateOf(), await dateOf('/sandboxes/production')]).toEqual([
    '20 Nov 2026 12:00:01',
    '20 Nov 2026 12:00:00',
  ]);
});

test('without debug headers a response has none of them, and is the same otherwise', async () => {
  const [plain, bare] = [testSachet(), testSachet({ debugHeaders: false })];
  const [debugged, silent] = [await manyAnswers(plain), await manyAnswers(bare)];
  const own = ({ headers }: Answer) => [...headers.keys()].filter((name) => name.startsWith('sandbox-'));
  expect(debugged.every((answer) => own(answer).length > 0)).toBe(true);
  expect(silent.flatMap(own)).toEqual([]);
  const restOf = ({ status, text, headers }: Answer) => {
    const rest = [...headers].filter(([name]) => !name.startsWith('sandbox-'));
    return { status, rest, text: text.replace(/<RequestId>[^<]*/, '') };
  };
  expect(silent.map(restOf)).toEqual(debugged.map(restOf));
  expect((await stageOf(bare).requests.list()).requests).toHaveLength(debugged.length + 2);
});
