// The journal over the control API: a call is in it from its receipt, is completed by its response, is explained, is found by filters, and shows no secret.
import { describe, expect, test } from 'vitest';
import { harDocument } from '../../src/contract/control/requests.ts';
import { type RuleId, rules } from '../../src/contract/rules.ts';
import { prepare } from '../cases/rejected.ts';
import { unknownId } from '../cases/requests.ts';
import { type Row, rows } from '../cases/table.ts';
import { follow } from '../support/follower.ts';
import { labelled, storage } from '../support/labels.ts';
import { orderId } from '../support/order-requests.ts';
import { type BareSachet, bareSachet, noon, origin, send, type TestSachet, testSachet } from '../support/sachet.ts';

type Controls = Pick<TestSachet, 'control'>;
const stageOf = ({ control }: Controls) => control.sandbox('stage');
const listOf = async (sachet: Controls) => (await stageOf(sachet).requests.list()).requests;
const lastIn = async (sachet: Controls) => (await listOf(sachet)).at(-1);

test('an entry has the request and the response, whole, and the user who called; the response names its id, and the sandbox’s date', async () => {
  const sachet = testSachet();
  const client = await sachet.login('demo', { base: '/sandboxes/stage' });
  const { body, headers } = await client.get('/v2/orders?limit=2');
  const entry = await stageOf(sachet).requests.get(headers.get('sandbox-request-id') ?? '');
  const call = { method: 'GET', path: '/v2/orders', query: '?limit=2', operation: 'orders.list' };
  expect(entry).toMatchObject({ ...call, caller: 'demo', status: 200 });
  expect(headers.get('date')).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
  expect(entry.response?.body).toEqual(body);
  expect(Object.fromEntries(new Headers(entry.response?.headers))).toEqual(Object.fromEntries(headers));
});

test('a path without an operation is in the journal', async () => {
  const sachet = testSachet();
  await sachet.call('DELETE', '/v2/orders');
  await sachet.call('GET', '/elsewhere');
  expect(await listOf(sachet)).toMatchObject([
    { method: 'DELETE', path: '/v2/orders', operation: null, rules: ['HTTP-1'] },
    { method: 'GET', path: '/elsewhere', operation: null, rules: ['HTTP-1'] },
  ]);
});

test('a path outside /v2 at the plain base URL is in the journal of the sandbox that the token is for', async () => {
  const sachet = testSachet();
  const client = await sachet.login('demo+w7');
  expect((await client.get('/orders')).status).toBe(404);
  const { requests } = await sachet.control.sandbox('w7').requests.list();
  expect(requests.at(-1)).toMatchObject({ path: '/orders', status: 404 });
  expect(await listOf(sachet)).toEqual([]);
});

test('a call in flight is in the journal, and completed by its response', async () => {
  const sachet = bareSachet();
  const stage = stageOf(sachet);
  await stage.switches.set({ latency: { milliseconds: 3_600_000 } });
  const answering = send(sachet, 'POST', '/v2/orders?x=1', { body: { a: 1 } });
  await expect.poll(async () => (await listOf(sachet)).length).toBe(1);
  const entry = await lastIn(sachet);
  const call = { operation: 'orders.create', method: 'POST', path: '/v2/orders', query: '?x=1' };
  const nothing = { status: null, rules: [], duration_ms: null, caller: null, response: null, decision: null };
  const received = { received_at: noon, completed: false, request: { body: { a: 1 } } };
  expect(entry).toMatchObject({ ...call, ...received, ...nothing });
  expect((await stage.requests.har()).log.entries).toEqual([]);
  expect(await stage.requests.verify({ match: {}, count: 0 })).toMatchObject({ satisfied: true });
  await stage.snapshots.create({ name: 'base' });
  await stage.snapshots.restore('base');
  expect((await answering).status).toBe(500);
  expect((await stage.requests.wait({ match: { status: 500 }, timeout_ms: 600_000 })).satisfied).toBe(true);
  const completed = await stage.requests.get(entry?.id ?? '');
  const response = { body: { statusCode: 500 } };
  expect(completed).toMatchObject({ completed: true, status: 500, rules: ['HTTP-3'], response });
  expect(completed.duration_ms).toBeGreaterThan(0);
});

describe('the archive', () => {
  test('is HAR 1.2, with the calls as they were', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    await client.get('/v2/orders?limit=2&cursor=');
    await client.post('/v2/orders', { consumer: {} });
    const { log } = harDocument.parse(await stageOf(sachet).requests.har());
    const base = `${origin}/sandboxes/stage/v2`;
    const calls = log.entries.map(({ request, response }) => [request.method, request.url, response.statusText]);
    expect(calls).toEqual([
      ['POST', `${base}/authentication/token`, 'OK'],
      ['GET', `${base}/orders?limit=2&cursor=`, 'Bad Request'],
      ['POST', `${base}/orders`, 'Unprocessable Entity'],
    ]);
    expect(log.entries.map(({ response }) => response.status)).toEqual([200, 400, 422]);
    expect(log.entries[1]?.request.queryString).toEqual([
      { name: 'limit', value: '2' },
      { name: 'cursor', value: '' },
    ]);
    expect(log.entries[2]?.request.postData).toEqual({ mimeType: 'application/json', text: '{"consumer":{}}' });
    const comment = expect.stringMatching(/^Rejected by OPEN-2: consumer is .* And 2 more errors\.$/);
    expect(log.entries[2]).toMatchObject({ startedDateTime: noon, comment });
  });

  test('has only URLs that RFC 3986 allows', async () => {
    const sachet = testSachet();
    await sachet.call('GET', '/v2/products?a=50%&b=%41[^|]');
    const { log } = await stageOf(sachet).requests.har();
    const url = `${origin}/sandboxes/stage/v2/products?a=50%25&b=%41%5B%5E%7C%5D`;
    expect(log.entries.map(({ request }) => request.url)).toEqual([url]);
  });

  test('has no body for HEAD, and of a label the size alone', async () => {
    const { sachet, client, download } = await storage();
    const { body, text } = await client.get('/v2/fulfillments?limit=1');
    await sachet.call('HEAD', '/v2/fulfillments?limit=1', { headers: { authorization: `Bearer ${client.token}` } });
    expect(await lastIn(sachet)).toMatchObject({ method: 'HEAD', response: { body: null } });
    const bytes = Number((await download(body.fulfillments[0].label_url)).headers.get('content-length'));
    expect(bytes).toBeGreaterThan(1000);
    const contents = (await stageOf(sachet).requests.har()).log.entries.map(({ response }) => response.content);
    expect(contents.slice(2).map((content) => [content.size, content.text === undefined])).toEqual([
      [Buffer.byteLength(text), false],
      [0, true],
      [bytes, true],
    ]);
  });
});

const product = 'order_lines.0.pouches.0.contents.0.client_product_id';
const longStreet = `"${'x'.repeat(78)}… (100 characters)`;
/** A case of each stage that rejects; the part of its sentence about the value, the field and the value, if it has them. */
type Explained = [
  stage: string,
  id: Row['id'],
  rule: RuleId,
  problem?: string,
  field?: string | null,
  came?: string | null,
];
const expired = 'the token expired at 2026-11-21T12:00:00Z; the clock of the sandbox shows 2026-11-21T12:00:00Z';
const explained: readonly Explained[] = [
  ['route', 'orders.list', 'order_endpoints'],
  ['route', 'products.get', 'malformed_path'],
  ['token', 'products.list', 'AUTH-3', `: ${expired}`],
  ['bodyFormat', 'orders.create', 'malformed_body'],
  ['bodyFormat', 'orders.create', 'malformed_compression'],
  ['permission', 'orders.create', 'AUTH-5', ': the user lacks the permission orders:write'],
  ['path', 'orders.get', 'malformed_path_id', ': orderId is "42"', 'orderId', '"42"'],
  ['query', 'fulfillments.list', 'malformed_parameter', ': limit is 0', 'limit', '0'],
  ['query', 'fulfillments.list', 'unknown_fields', ': page is "2"', 'page', '"2"'],
  ['bodySchema', 'orders.create', 'ORD-15', ': address1 has 100 characters', 'shipping_address.address1', longStreet],
  ['operation', 'orders.create', 'ORD-17', `: ${product} is "${unknownId}"`, product, `"${unknownId}"`],
  ['operation', 'orders.update', 'ORD-22', ': the order is "In Production"', null, '"In Production"'],
];

describe('a decision', () => {
  test.each<Explained>(explained)(
    'of the stage %s of %s explains %s',
    async (stage, id, rule, problem = '', field = null, came = null) => {
      const { given } = rows.find((row) => row.id === id && row.rule === rule) as Row;
      const { sachet, send: call } = await prepare(id, given);
      const { status, headers } = await call();
      const entry = await lastIn(sachet);
      expect(entry).toMatchObject({ completed: true, operation: id, status, rules: [rule] });
      const allowed =
        rule === 'malformed_parameter' ? '"limit" must be greater than or equal to 1' : rules[rule].requires;
      const sentence = `Rejected by ${rule}${problem}. ${allowed}.`;
      const details = [{ rule, field, came, allowed }];
      const { assumptions, reason } = entry?.decision ?? {};
      expect(entry?.decision).toEqual({ stage, rules: [rule], faults: [], details, sentence, reason, assumptions });
      expect(headers.get('sandbox-reason')).toBe(reason);
    },
  );

  test('of an injected status names the switch or the fault', async () => {
    const sachet = testSachet();
    const { switches, faults } = stageOf(sachet);
    await faults.create({ id: 'gone', status: 404 });
    await switches.set({ rate_limit: { burst: 1 } });
    const wait =
      ' Retry-After is 60: in a test, set retry_after to less; a window also ends when you advance the clock.';
    for (const [stage, rule, by, sentence] of [
      ['admission', 'LIM-1', 'rate_limit', `Answered with 429 by the rate_limit switch.${wait}`],
      ['fault', 'fault_404', 'gone', 'Answered with 404 by the fault gone.'],
    ] as const) {
      const { status } = await sachet.call('GET', '/v2/products');
      const details = [{ rule, field: null, came: null, allowed: rules[rule].requires }];
      const decision = { stage, rules: [rule], faults: [by], details, sentence };
      const shown = { completed: true, operation: 'products.list', status, rules: [rule], decision };
      expect(await lastIn(sachet)).toMatchObject(shown);
    }
  });

  const lost = 'Answered with 201 by orders.create, but the connection switch cut the connection before';
  test.each([
    ['before_processing', 'fault', null, 'Connection cut by the connection switch.'],
    ['after_processing', 'operation', 201, lost],
    ['mid_body', 'operation', 201, lost],
  ] as const)('of a connection cut %s has the response, if there was any', async (drop, stage, status, sentence) => {
    const { sachet, send: call } = await prepare('orders.create');
    await stageOf(sachet).switches.set({ connection: { drop } });
    await expect(call()).rejects.toThrow(TypeError);
    const entry = await lastIn(sachet);
    expect(entry).toMatchObject({ completed: true, status, rules: [] });
    expect(entry?.decision).toMatchObject({ stage, faults: ['connection'], details: [] });
    expect(entry?.decision?.sentence.startsWith(sentence)).toBe(true);
  });

  test('has the choices that shaped the response, like the header', async () => {
    const sachet = testSachet({ assumptions: { next_cursor: 'meta' } });
    const { headers } = await (await sachet.login()).get('/v2/fulfillments');
    const decision = (await lastIn(sachet))?.decision;
    expect(decision?.assumptions.next_cursor).toBe('meta');
    const choices = Object.entries(decision?.assumptions ?? {}).map(([id, choice]) => `${id}=${choice}`);
    expect(headers.get('sandbox-assumption')).toBe(choices.join(', '));
    expect(decision?.sentence).toBe(`Answered with 200 by fulfillments.list. Assumed: ${choices.join(', ')}.`);
  });
});

test('a download of a label is in the journal without its file, and counts; a rejected one is explained by FUL-4', async () => {
  const { sachet, url, download } = await storage();
  const answer = await download(url);
  const entry = await lastIn(sachet);
  const path = `/_storage/labels/${labelled?.id}.pdf`;
  expect(entry).toMatchObject({ method: 'GET', path, operation: null, status: 200, rules: [] });
  expect([entry?.id, entry?.response?.body]).toEqual([answer.headers.get('sandbox-request-id'), null]);
  expect(entry?.decision).toMatchObject({ stage: 'storage', details: [], sentence: 'Answered with 200.' });
  const match = { method: 'GET', path: '/_storage/labels/{label}', status: 200 } as const;
  expect(await stageOf(sachet).requests.verify({ match, count: 1 })).toMatchObject({ satisfied: true });

  const rejected = await download(url.replace(/\?.*/, ''));
  const details = [{ rule: 'FUL-4', field: null, came: null, allowed: expect.stringContaining('15 minutes') }];
  const response = { body: rejected.text };
  const decision = { stage: 'storage', details, reason: 'AccessDenied: Access Denied' };
  expect(await lastIn(sachet)).toMatchObject({ status: 403, rules: ['FUL-4'], response, decision });

  // S3's words about signatures and keys are no secrets, but the key id of the URL is one.
  const forged = await download(url.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')));
  expect(await lastIn(sachet)).toMatchObject({ response: { body: forged.text } });
  expect(forged.text).toContain('SignatureDoesNotMatch');
  await download(url.replace(/Credential=[^%]*/, 'Credential=s3cret'));
  const body = expect.stringMatching(/InvalidAccessKeyId.*<AWSAccessKeyId>\[redacted [0-9a-f]{8}\]<\/AWSAccessKeyId>/s);
  expect(await lastIn(sachet)).toMatchObject({ response: { body } });
});

test('filters find the calls that they mean, the oldest first', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  await client.get(`/v2/orders/${orderId(1)}`);
  await client.get('/v2/orders/42');
  await sachet.advance(60_000);
  await sachet.call('GET', '/v2/products');
  await client.post('/v2/orders', {});
  const all = await listOf(sachet);
  const filters = [
    [{ operation: 'orders.get' }, [1, 2]],
    [{ method: 'POST' }, [0, 4]],
    [{ path: '/v2/products' }, [3]],
    [{ path: '/v2/orders/{orderId}' }, [1, 2]],
    [{ path: `/v2/orders/${orderId(1)}` }, [1]],
    [{ status: 401 }, [3]],
    [{ rule: 'malformed_path_id' }, [2]],
    [{ rule: 'ORD-17' }, []],
    [{ since: '2026-11-20T12:01:00Z' }, [3, 4]],
    [{ since: '2026-11-20T12:01:00.001Z' }, []],
    [{ since: all[2]?.id }, [3, 4]],
    [{ operation: 'orders.get', status: 200 }, [1]],
    [{ limit: 2 }, [0, 1]],
  ] as const;
  for (const [filter, numbers] of filters) {
    const { requests } = await stageOf(sachet).requests.list(filter);
    expect(requests, JSON.stringify(filter)).toEqual(numbers.map((number) => all[number]));
  }
});

const password = 'sachet-demo';
const wrongPassword = 'correct horse battery staple';
const tagPattern = /\[redacted [0-9a-f]{8}\]/;

// biome-ignore lint/suspicious/noExplicitAny: a test reads a response as a client does, field by field
const json = async (answering: Promise<Response>): Promise<any> => (await answering).json();

/** Makes calls with every kind of secret; returns the secrets by name. */
async function useSecrets(sachet: BareSachet): Promise<Record<string, string>> {
  const post = (path: string, body: object) => json(send(sachet, 'POST', `/v2/authentication/${path}`, { body }));
  await post('token', { username: 'demo', password: wrongPassword });
  await post('token', { username: 7, password: wrongPassword });
  const { access_token: token, refresh_token } = await post('token', { username: 'demo', password });
  const { access_token: refreshed } = await post('refresh-token', { refresh_token });
  await post('refresh-token', { refresh_token: [token] });
  const { fulfillments } = await json(send(sachet, 'GET', '/v2/fulfillments', { token: refreshed }));
  const label = new URL(fulfillments[0].label_url);
  await send(sachet, 'GET', `/v2/fulfillments/${fulfillments[0].id}`, { token });
  await send(sachet, 'GET', label.href);
  await send(sachet, 'GET', label.href.replace('X-Amz-Expires=900', 'X-Amz-Expires=901'));
  await send(sachet, 'GET', `/v2/orders${label.search}&access_token=${token}`, { token });
  await sachet.fetch(`${origin}/v2/products`, {
    headers: { authorization: `Basic ${btoa(wrongPassword)}`, cookie: `session=${refreshed}` },
  });
  const signatures = [token, refresh_token, refreshed].map((jwt, n) => [`signature ${n}`, jwt.split('.')[2]]);
  const signature = label.searchParams.get('X-Amz-Signature') ?? '';
  const tokens = { token, refresh_token, refreshed, signature, ...Object.fromEntries(signatures) };
  return { password, wrongPassword, basic: btoa(wrongPassword), ...tokens };
}

test('no secret is in an entry, the archive, a verification or an event', async () => {
  const sachet = bareSachet();
  const follower = await follow(sachet);
  const secrets = await useSecrets(sachet);
  await sachet.control.sandbox('stage').faults.create({ id: 'the-last', status: 500 });
  const events = [];
  for (let event = await follower.next(); event; event = await follower.next()) {
    events.push(event);
    if (event.type === 'state' && event.data.changed.includes('levers')) break;
  }
  expect(events.filter(({ type }) => type === 'request').length).toBeGreaterThan(10);

  const admin = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${sachet.adminKey}`, 'content-type': 'application/json' };
    return (await sachet.fetch(`${origin}/_admin/sandboxes/stage/${path}`, { ...init, headers })).text();
  };
  const list = await admin('requests');
  const { requests } = JSON.parse(list) as { requests: { id: string }[] };
  const texts = {
    list,
    archive: await admin('requests.har'),
    entries: (await Promise.all(requests.map(({ id }) => admin(`requests/${id}`)))).join('\n'),
    verification: await admin('requests/verify', { method: 'POST', body: JSON.stringify({ match: {} }) }),
    events: JSON.stringify(events),
  };
  for (const [what, text] of Object.entries(texts)) {
    const found = Object.entries(secrets).filter(
      ([, secret]) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
    );
    expect(found, what).toEqual([]);
    expect(text.split(tagPattern).length, what).toBeGreaterThan(10);
  }
});

test('a secret has one tag in its sandbox, also after a reset, and another in another sandbox', async () => {
  const sachet = bareSachet();
  await sachet.control.create({ name: 'w1' });
  /** The tag of the password; that of the token is the same in the response and in the call that uses it. */
  const tagIn = async (name: string): Promise<string> => {
    const { requests: journal } = sachet.control.sandbox(name);
    const [base, login] = [`/sandboxes/${name}/v2`, { username: 'demo', password }];
    const { access_token } = await json(send(sachet, 'POST', `${base}/authentication/token`, { body: login }));
    await send(sachet, 'GET', `${base}/products`, { token: access_token });
    const [given, used] = (await journal.list()).requests;
    const [sent, received] = [given?.request.body, given?.response?.body] as Record<string, string>[];
    expect(received?.access_token).toMatch(tagPattern);
    expect(used?.request.headers.authorization).toBe(`Bearer ${received?.access_token}`);
    return sent?.password ?? '';
  };
  const tag = await tagIn('stage');
  expect(tag).toMatch(tagPattern);
  expect(await tagIn('w1')).not.toBe(tag);
  await sachet.control.sandbox('stage').reset();
  expect(await tagIn('stage')).toBe(tag);
});
