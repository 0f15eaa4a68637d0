// The headers of the sandbox: which request it was, and which rules rejected it.
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { known, orderWith } from '../cases/requests.ts';
import { labelUrlOf } from '../support/labels.ts';
import { type Answer, day, type TestSachet, testSachet } from '../support/sachet.ts';
import { logIn, sign } from '../support/tokens.ts';

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
    expect(header(answer, 'sandbox-reason')).toBe(answer.status < 400 ? null : entry.decision?.reason);
    expect(header(answer, 'date')).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
  }
});

test('Sandbox-Reason of a 401 says what is wrong with the header or the token', async () => {
  const sachet = testSachet();
  const { token, refreshToken } = await sachet.login();
  const { token: other } = await sachet.login('demo+w7');
  const reasonOf = async (authorization?: string, base = '') => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await sachet.call('GET', `${base}/v2/products`, { headers });
    expect(answer.status).toBe(401);
    return header(answer, 'sandbox-reason');
  };
  const changed = token.replace(/\.[^.]{4}/, '.AAAA');
  expect(await reasonOf()).toBe('the header Authorization is missing');
  expect(await reasonOf('Bearer ')).toBe('the header Authorization has no token after "Bearer"');
  expect(await reasonOf(token)).toBe('the header Authorization is malformed; it must be "Bearer <ACCESS_TOKEN>"');
  expect(await reasonOf('Bearer undefined')).toContain('the token is malformed');
  expect(await reasonOf(`Bearer ${changed}`)).toContain('malformed');
  expect(await reasonOf(`Bearer ${await sign(decodeJwt(token), 'f'.repeat(64))}`)).toContain(
    'the signature of the token',
  );
  expect(await reasonOf(`Bearer ${refreshToken}`)).toBe('the token is a refresh token');
  const elsewhere = 'the token names the sandbox "w7", but the call is for "production"';
  expect(await reasonOf(`Bearer ${other}`, '/sandboxes/production')).toBe(elsewhere);
  const strange = await sign({ ...decodeJwt(token), sandbox: 'secret\n' }, 'f'.repeat(64));
  expect(await reasonOf(`Bearer ${strange}`)).toBe('the token names another sandbox, but the call is for "stage"');
  await sachet.advance(day + 1000);
  const expiredAt = 'the token expired at 2026-11-21T12:00:00Z; the clock of the sandbox shows 2026-11-21T12:00:01Z';
  expect(await reasonOf(`Bearer ${token}`)).toBe(expiredAt);
  const { token: newer } = await sachet.login();
  await stageOf(sachet).switches.set({ token_expiry: { expire_issued: true } });
  expect(await reasonOf(`Bearer ${newer}`)).toBe(
    'the switch token_expiry expired the token. Affected by the token_expiry switch',
  );
});

test('a 404 for an unknown route names the nearest one, and is in the journal, unless browsers ask for it on their own', async () => {
  const sachet = testSachet();
  await sachet.login('demo+w7');
  const id = known.inProductionOrder;
  const cases = [
    ['GET', '/orders', 'no route GET /orders; did you mean GET /v2/orders?'],
    ['GET', '/api/v1/orders/', 'no route GET /api/v1/orders/; did you mean GET /v2/orders?'],
    [
      'POST',
      `/v2/order/${id}/cancel`,
      `no route POST /v2/order/${id}/cancel; did you mean POST /v2/orders/${id}/cancel?`,
    ],
    ['DELETE', `/v2/orders/${id}`, `/v2/orders/${id} takes GET or PATCH, not DELETE`],
    ['GET', '/healthz', 'no route GET /healthz; did you mean GET /health?'],
    ['POST', '/wp-login.php', 'no route POST /wp-login.php; /_docs lists the routes'],
  ] as const;
  for (const base of ['', '/sandboxes/w7'])
    for (const [method, path, reason] of cases) {
      const answer = await sachet.call(method, base + path);
      const requestId = header(answer, 'sandbox-request-id') ?? '';
      const shown = [answer.status, header(answer, 'sandbox-rule'), header(answer, 'sandbox-reason')];
      expect(shown, base + path).toEqual([404, 'HTTP-1', reason]);
      const { requests } = sachet.control.sandbox(base === '' ? 'stage' : 'w7');
      expect(await requests.get(requestId)).toMatchObject({ method, path, status: 404, decision: { reason } });
    }
  await stageOf(sachet).switches.set({ maintenance: { for_seconds: 60 } });
  expect((await sachet.call('GET', '/orders')).status).toBe(404);
  const before = (await stageOf(sachet).requests.list()).requests.length;
  for (const path of ['/favicon.ico', '/.well-known/x']) {
    const answer = await sachet.call('GET', path);
    expect([header(answer, 'sandbox-request-id'), header(answer, 'sandbox-rule')], path).toEqual([null, 'HTTP-1']);
  }
  expect((await stageOf(sachet).requests.list()).requests).toHaveLength(before);
});

test('Sandbox-Reason is short ASCII without secrets, whatever the request has', async () => {
  const client = await testSachet().login();
  const reasonFor = async (fields: object) =>
    header(await client.post('/v2/orders', orderWith({ ...fields })), 'sandbox-reason');
  expect(await reasonFor({ 'consumer.email': 'Zo\u00eb\u2028\n' })).toContain('email is "Zo\\u{eb}\\u{2028}\\n". ');
  expect(await reasonFor({ ['\u00fc'.repeat(1000)]: 1 })).toMatch(/^[ -~]{397}\.\.\.$/);
  expect(await reasonFor({ 'consumer.email': 'password=s3cret' })).not.toContain('s3cret');
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
