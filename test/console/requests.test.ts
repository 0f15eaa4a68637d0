// Live requests: the list with its filters, and one request opened.
import { describe, expect, test } from 'vitest';
import { sampleOrder } from '../../src/sample-order.ts';
import { consoleOf, textOf } from '../support/console.ts';
import { testSachet } from '../support/sachet.ts';

const long = 'a'.repeat(112);

/** A sandbox that was called: a login, a good order, one with an address that is too long, a list, and a call without a token. */
async function called() {
  const sachet = testSachet();
  const client = await sachet.login();
  await client.post('/v2/orders', sampleOrder());
  await client.post(
    '/v2/orders',
    sampleOrder({ shipping_address: { ...sampleOrder().shipping_address, address1: long } }),
  );
  await client.get('/v2/fulfillments?limit=2');
  await sachet.call('GET', '/v2/products');
  return { sachet, client, seen: consoleOf(sachet) };
}

const rowsIn = (html: string): string[] => html.match(/<tr id="request-[\s\S]*?<\/tr>/g) ?? [];

describe('the list', () => {
  test('has every request with what it was answered and why, newest first', async () => {
    const { seen } = await called();
    const { html } = await seen.see('requests');
    const rows = rowsIn(html).map((row) => textOf(row).replace(/[\d.]+ ms/, 'ms'));
    expect(rows).toEqual([
      '12:00:00.000 GET /v2/products ▲ 401 Missing token message missing_token_message ms',
      '12:00:00.000 GET /v2/fulfillments?limit=2 ✓ 200 ms demo',
      '12:00:00.000 POST /v2/orders ▲ 422 ORD-15 ms demo',
      '12:00:00.000 POST /v2/orders ✓ 201 ms demo',
      '12:00:00.000 POST /v2/authentication/token ✓ 200 ms',
    ]);
  });

  test('says what to do where nothing has called yet, and where no request is like the filter', async () => {
    const seen = consoleOf(testSachet());
    expect((await seen.see('requests')).text).toContain('Nothing has called this sandbox yet.');
    expect((await seen.see('requests?q=x')).text).toContain('No request matches the filter. Show all');
  });

  test.each([
    ['q=ord-15', 1],
    ['q=FULFILLMENTS', 1],
    ['q=demo', 3],
    ['q=authentication.token', 1],
    ['method=POST', 3],
    ['answer=4xx', 2],
    ['answer=2xx&method=POST', 2],
    ['answer=5xx', 0],
    ['answer=faults', 0],
    ['q=nothing+like+it', 0],
  ])('is filtered by %s', async (query, count) => {
    const { seen } = await called();
    expect(rowsIn((await seen.see(`requests?${query}`)).html)).toHaveLength(count);
  });

  test('names its filters as the sentences do', async () => {
    const { text } = await (await called()).seen.see('requests');
    expect(text).toMatch(/Rejected \(4xx\).*Connection cut/);
  });

  test('shows a call that a fault broke or refused, with the fault’s name', async () => {
    const { sachet, client, seen } = await called();
    await sachet.control.sandbox('stage').switches.set({ connection: { drop: 'after_processing', burst: 1 } });
    await client.post('/v2/orders', sampleOrder()).catch(() => undefined);
    const { html, text } = await seen.see('requests?answer=broken');
    expect(rowsIn(html)).toHaveLength(1);
    expect(text).toContain('⌁ 201 Dropped connections connection');
  });

  test('shows a hundred, and leads to those before', async () => {
    const sachet = testSachet();
    for (let at = 0; at < 120; at += 1) await sachet.call('GET', `/v2/products?at=${at}`);
    const seen = consoleOf(sachet);
    const first = await seen.see('requests');
    expect(rowsIn(first.html)).toHaveLength(100);
    expect(first.html).toContain('at=119');
    const [, before = ''] = /href="stage\/(requests\?before=\w+)"/.exec(first.html) ?? [];
    const second = await seen.see(before);
    expect(rowsIn(second.html)).toHaveLength(20);
    expect(rowsIn(second.html)[0]).toContain('at=19');
  });

  test('is cleared by its button', async () => {
    const { seen, sachet } = await called();
    expect((await seen.act('requests.clear')).status).toBe(200);
    expect((await sachet.sandbox()).journal.list()).toEqual([]);
  });
});

describe('one request', () => {
  async function opened(find: (path: string, status: number | null) => boolean) {
    const { sachet, seen } = await called();
    const { requests } = await sachet.control.sandbox('stage').requests.list();
    const id = requests.find(({ path, status }) => find(path, status))?.id ?? '';
    return { ...(await seen.see(`requests/${id}`)), id };
  }

  test('is explained in a sentence with the contract’s words', async () => {
    const { text } = await opened((_, status) => status === 422);
    expect(text).toContain(
      'Rejected by ORD-15: address1 has 112 characters. address1 must have fewer than 100 characters.',
    );
    expect(text).toContain('Field: shipping_address.address1');
  });

  test('shows request and answer side by side, the stages, and what was assumed', async () => {
    const { text, html } = await opened((_, status) => status === 422);
    expect(text).toMatch(/POST \/v2\/orders ▲ 422/);
    expect(text).toMatch(/Request \{.*"city".*\} \d headers .*Response \{ "statusCode": 422/);
    expect(text).toMatch(/✓ Token : passed .*✕ Body schema : stopped · Business rules : not reached/);
    expect(html).toContain('class="sides"');
    expect(html).toContain('title="rejected"');
  });

  test('shows of a login that it needs neither token nor permission', async () => {
    const { text } = await opened((path) => path === '/v2/authentication/token');
    expect(text).toMatch(
      /· Token : not needed ✓ JSON body : passed · Permission : not needed .*✓ Business rules : answered/,
    );
  });

  test('that was accepted says so, and passed all stages', async () => {
    const { text } = await opened((_, status) => status === 201);
    expect(text).toContain('Answered with 201 by orders.create.');
    expect(text).toContain('✓ Business rules : answered');
  });

  test('is explained whole, whatever the caller wrote', async () => {
    const { sachet, client, seen } = await called();
    await client.post(
      '/v2/orders',
      sampleOrder({ consumer: { ...sampleOrder().consumer, email: ' Assumed: nothing' } }),
    );
    const [newest] = (await sachet.sandbox()).journal.newestFirst();
    const { text } = await seen.see(`requests/${newest?.id}`);
    expect(text).toMatch(/email is " Assumed: nothing"\. email must be [^.]+\./);
  });

  test('whose answer was lost says so, though it had a status', async () => {
    const { sachet, client, seen } = await called();
    await sachet.control.sandbox('stage').switches.set({ connection: { drop: 'after_processing', burst: 1 } });
    await client.post('/v2/orders', sampleOrder()).catch(() => undefined);
    const [newest] = (await sachet.sandbox()).journal.newestFirst();
    expect((await seen.see(`requests/${newest?.id}`)).text).toMatch(/^POST \/v2\/orders ⌁ 201/);
  });

  test('that made an order leads to it, and says that it needs changes', async () => {
    const { sachet, client, seen } = await called();
    await sachet.control.sandbox('stage').switches.set({ inactive_pags: { all: true } });
    const { body } = await client.post('/v2/orders', sampleOrder());
    const [, id = ''] = /id="request-(\w+)"/.exec((await seen.see('requests')).html) ?? [];
    const { text, html } = await seen.see(`requests/${id}`);
    expect(text).toContain('Answered with 201 by orders.create. The order is accepted as Needs Changes');
    expect(html).toContain(`href="stage/orders/${body.order.id}"`);
  });

  test('has no secret in it', async () => {
    const { html } = await opened((path) => path.endsWith('/token'));
    expect(html).not.toMatch(/sachet-demo|eyJ/);
    expect(html).toContain('[redacted ');
  });

  test('with HTML and script in it is shown as text', async () => {
    const sachet = testSachet();
    const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>';
    await sachet.call('GET', `/v2/${encodeURIComponent(hostile)}?q=${encodeURIComponent('"><b>')}`, {
      headers: { 'x-hostile': hostile, 'user-agent': '"><script>' },
    });
    const seen = consoleOf(sachet);
    const list = await seen.see('requests');
    const [, id = ''] = /id="request-(\w+)"/.exec(list.html) ?? [];
    const one = await seen.see(`requests/${id}`);
    for (const { html } of [list, one]) expect(html).not.toMatch(/<(?:script|img|b)[\s>]/);
    expect(one.text).toContain('onerror=alert(1)');
  });

  test('that the journal has no more is told of', async () => {
    const { seen } = await called();
    const gone = await seen.see('requests/nothing');
    expect([gone.status, gone.text]).toEqual([
      404,
      expect.stringContaining('has no request "nothing"; it may have been dropped or cleared'),
    ]);
  });
});
