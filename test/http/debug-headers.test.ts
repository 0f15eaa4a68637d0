// The headers of the sandbox: which request it was, and which rules rejected it.
import { expect, test } from 'vitest';
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

test('Sandbox-Rule has one rule per detail, in the order of the contract; the first alone by validation_report first', async () => {
  const order = {
    gift: true,
    order_lines: [{ pouches: [{}, { contents: [{ serving_size: 'x' }] }] }, { pouches: Array(30).fill({}) }],
    shipping_address: { country_name: '', city: 'Bern', address1: 5 },
    consumer: { email: 'x', first_name: 'Ada' },
  };
  const expected = [
    ['consumer.last_name', 'ORD-9'],
    ['consumer.email', 'ORD-12'],
    ['shipping_address.address1', 'OPEN-3'],
    ['shipping_address.country_name', 'OPEN-4'],
    ['order_lines.0.pouches.0', 'ORD-6'],
    ['order_lines.0.pouches.1.contents.0.client_product_id', 'ORD-7'],
    ['order_lines.0.pouches.1.contents.0.serving_size', 'OPEN-3'],
    ...Array.from({ length: 30 }, (_, n) => [`order_lines.1.pouches.${n}`, 'ORD-6']),
    ['gift', 'unknown_fields'],
  ];
  for (const [validation_report, count] of [
    ['all', expected.length],
    ['first', 1],
  ] as const) {
    const client = await testSachet({ assumptions: { validation_report } }).login();
    const answer = await client.post('/v2/orders', order);
    const rules = header(answer, 'sandbox-rule')?.split(', ') ?? [];
    const fields: string[] = answer.body.details.map(({ field }: { field: string }) => field);
    expect(fields.map((field, index) => [field, rules[index]])).toEqual(expected.slice(0, count));
    expect(rules).toHaveLength(count);
  }
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
