// The headers that an answer carries beside the service's own (product.md, "Start and use"): which request it was, by which rules it was
// refused, which readings and faults shaped it; and `Date` by the sandbox's clock.
import { describe, expect, test } from 'vitest';
import { known, orderWith } from '../cases/requests.ts';
import { labelUrlOf } from '../support/labels.ts';
import { type Answer, type TestSachet, testSachet } from '../support/sachet.ts';

const own = ({ headers }: Answer): string[] => [...headers.keys()].filter((name) => name.startsWith('sandbox-'));
const stageOf = ({ control }: TestSachet) => control.sandbox('stage');
const dateOf = ({ headers }: Answer): string | null => headers.get('date');

/** Answers of every kind: good ones, refused ones at each stage, injected ones, of the storage. */
async function manyAnswers(sachet: TestSachet): Promise<Answer[]> {
  const client = await sachet.login();
  const stage = stageOf(sachet);
  const label = await labelUrlOf(client);
  const answers = [
    await sachet.call('POST', '/v2/authentication/token', { body: { username: 'demo', password: 'wrong' } }),
    await sachet.call('POST', '/v2/authentication/token', { body: {} }),
    await client.get('/v2/products'),
    await client.get('/v2/nothing'),
    await sachet.call('GET', '/v2/products'),
    await client.post('/v2/orders', undefined, { raw: '{' }),
    await client.get('/v2/orders/42'),
    await client.get('/v2/fulfillments?limit=none'),
    await client.post(
      '/v2/orders',
      orderWith({ 'shipping_address.city': 5, 'shipping_address.address1': 'x'.repeat(100) }),
    ),
    await client.post('/v2/orders', orderWith({})),
    await client.patch(`/v2/orders/${known.inProductionOrder}`, orderWith({})),
    await sachet.call('GET', label),
    await sachet.call('GET', label.replace(/\?.*/, '')),
  ];
  await stage.switches.set({ rate_limit: { burst: 1 }, server_error: {}, latency: { milliseconds: 0 } });
  return [...answers, await client.get('/v2/products'), await client.get('/v2/products')];
}

test('Sandbox-Request-Id names the entry of the journal, of every answer its own', async () => {
  const sachet = testSachet();
  const answers = await manyAnswers(sachet);
  const ids = answers.map(({ headers }) => headers.get('sandbox-request-id') ?? '');
  expect(new Set(ids).size).toBe(answers.length);
  for (const [index, id] of ids.entries())
    expect((await stageOf(sachet).requests.get(id)).status, id).toBe(answers[index]?.status);
});

describe('Sandbox-Rule', () => {
  test('is there on every refusal and on nothing else, and names the rules as the journal does', async () => {
    const sachet = testSachet();
    for (const answer of await manyAnswers(sachet)) {
      const entry = await stageOf(sachet).requests.get(answer.headers.get('sandbox-request-id') ?? '');
      expect(answer.headers.get('sandbox-rule'), answer.text).toBe(answer.status < 400 ? null : entry.rules.join(', '));
    }
  });

  test('names one rule per detail, in their order', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    const pouches = Array.from({ length: 30 }, (_, n) => (n % 2 ? {} : { contents: [{ serving_size: 'x' }] }));
    const { body, headers } = await client.post(
      '/v2/orders',
      orderWith({ 'order_lines.0.pouches': pouches, 'shipping_address.address1': 5 }),
    );
    const rules = headers.get('sandbox-rule')?.split(', ');
    expect(rules).toHaveLength(body.details.length);
    const byField = new Map(body.details.map(({ field }: { field: string }, index: number) => [field, rules?.[index]]));
    expect(byField.get('shipping_address.address1')).toBe('OPEN-3');
    for (const n of pouches.keys()) {
      const pouch = `order_lines.0.pouches.${n}`;
      if (n % 2) expect(byField.get(pouch), pouch).toBe('ORD-6');
      else expect(byField.get(`${pouch}.contents.0.client_product_id`), pouch).toBe('ORD-7');
    }
  });

  test('names the first alone where the first alone is reported', async () => {
    const client = await testSachet({ assumptions: { validation_report: 'first' } }).login();
    const { body, headers } = await client.post('/v2/orders', { consumer: {}, order_lines: [] });
    expect([body.details.length, headers.get('sandbox-rule')?.includes(',')]).toEqual([1, false]);
  });
});

test('Sandbox-Assumption names the readings that were asked for, as they are', async () => {
  const sachet = testSachet({ assumptions: { next_cursor: 'header' } });
  const client = await sachet.login();
  const told = async (path: string) => (await client.get(path)).headers.get('sandbox-assumption')?.split(', ');
  expect(await told('/v2/fulfillments')).toContain('next_cursor=header');
  expect(await told(`/v2/fulfillments/${known.fulfillment}`)).not.toContain('next_cursor=header');
  await stageOf(sachet).assumptions.set({ malformed_path_id: '404' });
  expect(await told('/v2/orders/42')).toContain('malformed_path_id=404');
});

describe('Sandbox-Fault', () => {
  test('names the switches and faults that met the call, in their order, and no others', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    const stage = stageOf(sachet);
    const faultOf = async (path = '/v2/products') => (await client.get(path)).headers.get('sandbox-fault');
    expect(await faultOf()).toBeNull();
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 } });
    await stage.faults.create({ id: 'elsewhere', status: 404, match: { path: '/v2/orders' } });
    expect(await faultOf()).toBe('slow');
    await stage.switches.set({ server_error: { burst: 1 }, rate_limit: { burst: 1 } });
    expect(await faultOf()).toBe('rate_limit');
    expect(await faultOf()).toBe('slow, server_error');
    expect(await faultOf('/v2/orders')).toBe('slow, elsewhere');
    expect(await faultOf()).toBe('slow');
  });
});

describe('Date', () => {
  test("is the second of the sandbox's clock, on every answer", async () => {
    const sachet = testSachet();
    for (const answer of await manyAnswers(sachet)) expect(dateOf(answer)).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
    await stageOf(sachet).switches.clear();
    const client = await sachet.login();
    const dates = [];
    for (const milliseconds of [999, 1, 86_400_000]) {
      await sachet.advance(milliseconds);
      dates.push(dateOf(await client.get('/v2/products')));
    }
    expect(dates.map((date) => date?.slice(5, -4))).toEqual([
      '20 Nov 2026 12:00:00',
      '20 Nov 2026 12:00:01',
      '21 Nov 2026 12:00:01',
    ]);
    await stageOf(sachet).clock.set({ now: '2031-01-01T00:00:00Z' });
    expect(dateOf(await sachet.call('GET', '/v2/products'))).toBe('Wed, 01 Jan 2031 00:00:00 GMT');
    expect(dateOf(await sachet.call('GET', '/sandboxes/production/v2/products'))).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
  });
});

test('without debug headers an answer carries none of them, and is else the same', async () => {
  const [plain, bare] = [testSachet(), testSachet({ debugHeaders: false })];
  const [told, silent] = [await manyAnswers(plain), await manyAnswers(bare)];
  expect(told.every((answer) => own(answer).length > 0)).toBe(true);
  expect(silent.flatMap(own)).toEqual([]);
  const restOf = ({ status, text, headers }: Answer) => {
    const rest = [...headers].filter(([name]) => !name.startsWith('sandbox-'));
    return { status, rest, text: text.replace(/<RequestId>[^<]*/, '') };
  };
  expect(silent.map(restOf)).toEqual(told.map(restOf));
  expect((await stageOf(bare).requests.list()).requests).toHaveLength(told.length + 2);
});
