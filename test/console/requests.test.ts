// Live requests: the list with its filters, one request with its explanation, and the stream that tells an open page what changed in its sandbox.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSachet } from '../../src/create-sachet.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { labelled, storage } from '../support/labels.ts';
import { origin, testSachet } from '../support/sachet.ts';
import { allOf, consoleOf, idsIn, linkIn, textOf } from './console.ts';

/** A sandbox with five calls: a login, an order, one with a long address, a list, and a call without a token. */
async function page() {
  const sachet = testSachet();
  const stage = sachet.control.sandbox('stage');
  const client = await sachet.login();
  const address = { ...sampleOrder().shipping_address, address1: 'a'.repeat(112) };
  await client.post('/v2/orders', sampleOrder());
  await client.post('/v2/orders', sampleOrder({ shipping_address: address }));
  await client.get('/v2/fulfillments?limit=2');
  await sachet.call('GET', '/v2/products');
  return { sachet, stage, client, seen: consoleOf(sachet) };
}

describe('the list', () => {
  const rowsIn = (html: string): string[] => html.match(/<tr id="request-[\s\S]*?<\/tr>/g) ?? [];

  test('has every request with its status and reason, newest first', async () => {
    const { html } = await (await page()).seen.see('requests');
    expect(rowsIn(html).map((row) => textOf(row).replace(/[\d.]+ ms/, 'ms'))).toEqual([
      '12:00:00.000 GET /v2/products ▲ 401 Missing token message missing_token_message ms',
      '12:00:00.000 GET /v2/fulfillments?limit=2 ✓ 200 ms demo',
      '12:00:00.000 POST /v2/orders ▲ 422 ORD-15 ms demo',
      '12:00:00.000 POST /v2/orders ✓ 201 ms demo',
      '12:00:00.000 POST /v2/authentication/token ✓ 200 ms',
    ]);
    expect(allOf(html, /<option value="([^"]+)"/g)).toEqual(
      'GET POST PATCH DELETE PUT 2xx 4xx 5xx broken faults'.split(' '),
    );
  });

  test('is filtered by text, method and response', async () => {
    const { seen, stage, client } = await page();
    await stage.switches.set({ connection: { drop: 'after_processing', burst: 1 } });
    await client.post('/v2/orders', sampleOrder()).catch(() => undefined);
    const counts = {
      'q=ord-15': 1,
      'q=FULFILLMENTS': 1,
      'q=demo': 4,
      'q=authentication.token': 1,
      'method=POST': 4,
      'answer=4xx': 2,
      'answer=2xx&method=POST': 3,
      'answer=5xx': 0,
      'answer=broken': 1,
      'answer=faults': 1,
      'q=nothing+like+it': 0,
    };
    for (const [query, count] of Object.entries(counts))
      expect(idsIn((await seen.see(`requests?${query}`)).html, 'request'), query).toHaveLength(count);
    const { html, text } = await seen.see('requests?answer=broken');
    expect(text).toContain('⌁ 201 Dropped connections connection');
    const [newest] = idsIn(html, 'request');
    expect((await seen.see(`requests/${newest}`)).text).toMatch(/^POST \/v2\/orders ⌁ 201/);
    const older = await seen.see(`requests?method=POST&before=${newest}`);
    expect(linkIn(older.html, 'Newest')).toBe('requests?method=POST');
  });

  test('shows a label download in one line, and whom the rate limit rejected', async () => {
    const { sachet, client, url, download } = await storage();
    await download(url);
    await sachet.control.sandbox('stage').switches.set({ rate_limit: { burst: 1 } });
    await client.get('/v2/products');
    const [limited, label] = rowsIn((await consoleOf(sachet).see('requests')).html).map(textOf);
    expect(limited).toMatch(/ 429 LIM-1 Rate limit rate_limit \S+ ms demo$/);
    expect(label).toContain(`GET label ${labelled.shipment_order_number} · 6 parameters ✓ 200`);
  });

  test('shows a hundred requests, 200 characters of each target, and links to the older ones', async () => {
    const sachet = testSachet();
    for (let at = 0; at < 120; at += 1) await sachet.call('GET', `/v2/products?at=${at}&${'x'.repeat(300)}`);
    const seen = consoleOf(sachet);
    const first = await seen.see('requests');
    const second = await seen.see(linkIn(first.html, 'Older') ?? '');
    const [first100, others] = [rowsIn(first.html), rowsIn(second.html)];
    expect([first100.length, others.length]).toEqual([100, 20]);
    expect([first100[0], others[0]]).toEqual(['at=119&', 'at=19&'].map((query) => expect.stringContaining(query)));
    expect(textOf(String(first100[0]))).toMatch(/ GET \/v2\S{197}… /);
    expect([linkIn(second.html, 'Newest'), linkIn(second.html, 'Older')]).toEqual(['requests', undefined]);
  });

  test('says how many requests are no longer stored, and is cleared by its button; an empty list says why', async () => {
    const { seen, sachet } = await page();
    expect((await seen.see('requests?q=nothing+like+it')).text).toContain('No request matches the filter. Show all');
    for (let n = 0; n < 1000; n += 1) await sachet.call('GET', '/v2/products');
    expect((await seen.see('requests')).text).toContain(' 5 older requests are no longer stored.');
    expect((await seen.act('requests.clear')).status).toBe(200);
    expect((await sachet.sandbox()).journal.list()).toEqual([]);
    expect((await seen.see('requests')).text).toMatch(
      /Nothing has called this sandbox yet\..* Demo data makes no requests\./,
    );
  });
});

describe('one request', () => {
  async function openedWith(status: number, operation?: string) {
    const { seen, stage } = await page();
    const { requests } = await stage.requests.list({ status });
    return seen.see(`requests/${requests.find((one) => !operation || one.operation === operation)?.id}`);
  }

  test('rejected: rule, field, request next to response, and stages', async () => {
    const { text, html } = await openedWith(422);
    for (const part of ['Rejected by ORD-15: address1', 'Field: shipping_address.address1', 'POST /v2/orders ▲ 422'])
      expect(text).toContain(part);
    expect(text).toMatch(/Request \{.*"city".*\} \d headers .*Response \{ "statusCode": 422/);
    expect(text).toMatch(/✓ Token : passed .*✕ Body schema : stopped · Business rules : not reached/);
    expect(html).toContain('title="rejected"');
    expect(html).toContain('<span class="key">&quot;statusCode&quot;:</span> <span class="number">422</span>');
  });

  test('leads to its order and its package, and the order leads back', async () => {
    const { html } = await openedWith(201);
    const { client, seen, stage } = await page();
    const { body } = await client.post('/v2/orders', sampleOrder());
    expect(linkIn(html, 'Open the order')).toMatch(/^orders\/./);
    const order = await seen.see(`orders/${body.order.id}`);
    expect((await seen.see(linkIn(order.html, '.*/v2/orders.*') ?? '')).html).toContain(`orders/${body.order.id}"`);
    await client.get(`/v2/fulfillments/${labelled.id}`);
    const ofPackage = await seen.see(`requests/${(await stage.requests.list()).requests.at(-1)?.id}`);
    for (const path of [`orders/${labelled.order_id}`, `fulfillments/${labelled.id}`])
      expect(ofPackage.html).toContain(`href="stage/${path}"`);
  });

  test('has a permalink to open and to copy', async () => {
    const { html } = await openedWith(422);
    const path = linkIn(html, 'Permalink');
    expect(path).toMatch(/^requests\/./);
    expect(html).toContain(`${origin}/_console/stage/${path}`);
  });

  test('a login: needs neither token nor permission, and shows no secret', async () => {
    const { text, html } = await openedWith(200, 'authentication.token');
    expect(text).toMatch(/· Token : not needed ✓ JSON body : passed · Permission : not needed /);
    expect(html).not.toMatch(/sachet-demo|eyJ/);
    expect(html).toContain('[redacted ');
  });

  test('that the journal does not have is a 404', async () => {
    const missing = await consoleOf(testSachet()).see('requests/nothing');
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('"nothing"')]);
  });
});

describe('a request sent again', () => {
  /** A request of `page()`, and what its forms answer. */
  async function recorded(status: number) {
    const opened = await page();
    const list = async () => (await opened.stage.requests.list()).requests;
    const request = (await list()).find((one) => one.status === status);
    const { html } = await opened.seen.see(`requests/${request?.id}`);
    const fields = { method: 'POST', target: '/v2/orders', headers: '', body: '{}', token: 'new' };
    const edit = (typed: Partial<typeof fields>) =>
      opened.seen.press(html, 'Send the edited request', { ...fields, ...typed });
    return { ...opened, request, html, list, edit, again: () => opened.seen.press(html, 'Send again') };
  }

  test('is a call of the same caller, and its response is shown next to the former', async () => {
    const { again, request, list, sachet } = await recorded(422);
    const { text } = await again();
    expect(text).toMatch(/^Before POST \/v2\/orders ▲ 422 ORD-15 Rejected .* Now POST \/v2\/orders ▲ 422 ORD-15 /);
    const { method, path, operation, caller, rules } = request ?? {};
    const { body } = request?.request ?? {};
    expect((await list()).at(-1)).toMatchObject({ method, path, operation, caller, rules, request: { body } });
    expect(await list()).toHaveLength(6);
    expect((await sachet.sandbox()).journal.list().at(-1)?.received.isByConsole).toBe(true);
  });

  test('may be edited, and sent with another token or with none', async () => {
    const { edit, html } = await recorded(422);
    expect(html).toContain('value="same"');
    const body = JSON.stringify(sampleOrder());
    const headers = 'Content-Type: application/json\r\nX-Trace: 1\r\n';
    for (const [typed, expected] of [
      [{ headers, body }, ' Now POST /v2/orders ✓ 201 '],
      [{ body }, ' Now POST /v2/orders ✓ 201 '],
      [{ headers, body, token: 'same' }, ' Now POST /v2/orders ✓ 201 '],
      [{ headers, body, token: 'none' }, ' Now POST /v2/orders ▲ 401 '],
      [{ headers: 'Content-Type: text/plain' }, ' Now POST /v2/orders ▲ 400 '],
      [{ method: 'GET', target: '/v2/orders?limit=1' }, ' Now GET /v2/orders ✓ 200 '],
      [{ method: 'GET', target: '/_docs' }, ' Now ✓ 200 Not in the journal'],
    ] as const)
      expect((await edit(typed)).text, JSON.stringify(typed)).toContain(expected);
  });

  test('is refused with the reason if it cannot be sent', async () => {
    const { edit, seen, list } = await recorded(422);
    for (const [typed, expected] of [
      [{ target: '/../production/v2/orders' }, 'stays in the sandbox'],
      [{ target: 'v2/orders' }, 'begins with "/"'],
      [{ method: 'TRACE' }, '"TRACE" is not a method to send'],
      [{ headers: 'nonsense' }, '"nonsense" is not a header'],
      [{ body: '{"token":"[redacted 1f2e3d4c]"}' }, 'Replace each [redacted …] with the secret'],
      [{ token: 'other' }, 'Unknown token "other". Choose new or same or none'],
    ] as const) {
      const { status, text } = await edit(typed);
      expect([status, text]).toEqual([422, expect.stringContaining(expected)]);
    }
    expect(await list()).toHaveLength(5);
    expect((await seen.send('_again/stage/nothing', '')).status).toBe(404);
  });

  test('has its secrets, which no reader sees; a body that was not kept cannot be sent', async () => {
    const { again, client, seen, list } = await recorded(200);
    const { text, html } = await again();
    expect(text).toContain(' Now POST /v2/authentication/token ✓ 200 ');
    expect(html).not.toMatch(/sachet-demo|eyJ/);
    await client.post('/v2/orders', { note: 'a'.repeat(1_100_000) });
    const path = `${(await list()).at(-1)?.id}`;
    expect((await seen.see(`requests/${path}`)).text).toContain('It cannot be sent as it was: its body was too large');
    expect((await seen.send(`_again/stage/${path}`, '')).status).toBe(422);
  });

  test('needs the key and the own origin', async () => {
    const { sachet, request, seen } = await recorded(422);
    const path = `_again/stage/${request?.id}`;
    const evil = await seen.send(path, '', { origin: 'https://evil.example' });
    expect([(await consoleOf(sachet, 'stage', '').send(path, '')).status, evil.status]).toEqual([401, 403]);
  });
});

type Line = Readonly<{ changed: readonly string[]; count?: number }>;

function newSachet() {
  const sachet = createSachet({ clock: '2026-11-20T12:00:00Z' });
  onTestFinished(() => sachet.close());
  return { sachet, stage: sachet.sandbox('stage') };
}

const open = ({ fetch, baseUrl, adminKey }: ReturnType<typeof createSachet>, path: string): Promise<Response> =>
  fetch(`${baseUrl}/_console/_live/${path}`, { headers: { authorization: `Bearer ${adminKey}` } });

/** Reads the lines of a stream; each chunk has whole lines. */
async function follow(sachet: ReturnType<typeof createSachet>, path = 'stage') {
  const { body } = await open(sachet, path);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: Line[] = [];
  async function next(): Promise<Line | undefined> {
    while (lines.length === 0) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) return undefined;
      for (const line of value.trim().split('\n')) lines.push(JSON.parse(line));
    }
    return lines.shift();
  }
  /** The first line with this change. */
  async function until(change: string): Promise<Line> {
    for (let line = await next(); line; line = await next()) if (line.changed.includes(change)) return line;
    throw new Error(`The stream ended before "${change}".`);
  }
  return { next, until, cancel: () => reader?.cancel() };
}

test('the stream starts with an empty line, then reports requests and counts those that pass the filter', async () => {
  const { sachet, stage } = newSachet();
  const [all, posts] = [await follow(sachet), await follow(sachet, 'stage?method=POST')];
  expect(await all.next()).toEqual({ changed: [] });
  await stage.fetch('/v2/products');
  expect(await all.next()).toEqual({ changed: ['request'], count: 1 });
  expect(await posts.until('request')).toEqual({ changed: ['request'], count: 0 });
});

test('the stream reports switches, the clock and a reset', async () => {
  const { sachet, stage } = newSachet();
  const live = await follow(sachet);
  await stage.switches.set({ rate_limit: { burst: 1 } });
  await live.until('state');
  await stage.clock.advance({ seconds: 5 });
  await live.until('state');
  await stage.reset();
  expect((await live.until('cleared')).changed).toContain('state');
});

test('the stream counts each request once, and none that was cleared', async () => {
  const { sachet, stage } = newSachet();
  const live = await follow(sachet);
  await stage.fetch('/v2/products');
  await stage.requests.clear();
  expect(await live.until('cleared')).toMatchObject({ count: 0 });
  for (let at = 0; at < 200; at += 1) await stage.fetch('/v2/products');
  for (let counted = 0; counted < 200; ) {
    counted += (await live.until('request')).count ?? 0;
    expect(counted).toBeLessThanOrEqual(200);
  }
});

test('the stream ends with its sandbox or its server; a page that leaves disturbs no other', async () => {
  const { sachet, stage } = newSachet();
  const sandbox = await sachet.createSandbox({ name: 'w7' });
  const response = await open(sachet, 'w7');
  await sandbox[Symbol.asyncDispose]();
  expect(await response.text()).toBe('{"changed":[]}\n');
  const [leaving, staying] = [await follow(sachet), await follow(sachet)];
  await leaving.cancel();
  await stage.fetch('/v2/products');
  await staying.until('request');
  await sachet.close();
  expect(await staying.next()).toBeUndefined();
});
