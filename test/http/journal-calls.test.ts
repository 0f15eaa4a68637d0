// The journal over the control API: a call stands in it from its receipt, is completed by its answer, and is found by what it was.
import { describe, expect, test } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { harDocument } from '../../src/contract/control/requests.ts';
import { type BareSachet, bareSachet, origin, send } from '../support/bare-sachet.ts';
import { noon, testSachet } from '../support/sachet.ts';

const stageOf = ({ control }: Pick<BareSachet, 'control'>): SandboxControl => control.sandbox('stage');
const listed = async (stage: SandboxControl) => (await stage.requests.list()).requests;

test('a HEAD has no body in the journal and in the archive, a label has the size of its bytes', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  const { body, text } = await client.get('/v2/fulfillments?limit=1');
  const headers = { authorization: `Bearer ${client.token}` };
  const head = await sachet.call('HEAD', '/v2/fulfillments?limit=1', { headers });
  expect(head.status).toBe(200);
  const label = await sachet.call('GET', body.fulfillments[0].label_url);
  const bytes = Number(label.headers.get('content-length'));
  expect(bytes).toBeGreaterThan(1000);
  const stage = stageOf(sachet);
  const [, , ofHead] = await listed(stage);
  expect(ofHead).toMatchObject({ method: 'HEAD', response: { body: null } });
  const contents = (await stage.requests.har()).log.entries.map(({ response }) => response.content);
  expect(contents.slice(1).map((content) => [content.size, content.text === undefined])).toEqual([
    [Buffer.byteLength(text), false],
    [0, true],
    [bytes, true],
  ]);
});

describe('a delayed call', () => {
  async function delayed() {
    const sachet = bareSachet();
    const stage = stageOf(sachet);
    const login = { username: 'demo', password: 'sachet-demo' };
    const { access_token: token } = await (
      await send(sachet, 'POST', '/v2/authentication/token', { body: login })
    ).json();
    await stage.requests.clear();
    await stage.switches.set({ latency: { milliseconds: 3_600_000 } });
    const answering = send(sachet, 'POST', '/v2/orders?x=1', { token, body: { a: 1 } });
    await expect.poll(async () => (await listed(stage)).length).toBe(1);
    return { sachet, stage, answering, entry: (await listed(stage))[0] };
  }

  test('stands in the journal on its receipt, not completed', async () => {
    const { entry, stage, sachet } = await delayed();
    expect(entry).toMatchObject({
      received_at: noon,
      operation: 'orders.create',
      method: 'POST',
      path: '/v2/orders',
      query: '?x=1',
    });
    expect(entry?.request.body).toEqual({ a: 1 });
    const later = {
      completed: false,
      status: null,
      rules: [],
      duration_ms: null,
      caller: null,
      response: null,
      decision: null,
    };
    expect(entry).toMatchObject(later);
    expect((await stage.requests.har()).log.entries).toEqual([]);
    expect(await stage.requests.verify({ match: {}, count: 0 })).toMatchObject({ satisfied: true });
    sachet.close();
  });

  test('is completed by its answer', async () => {
    const { sachet, stage, answering, entry } = await delayed();
    await stage.snapshots.create({ name: 'base' });
    await stage.snapshots.restore('base');
    expect((await answering).status).toBe(500);
    expect((await stage.requests.wait({ match: { status: 500 }, timeout_ms: 600_000 })).satisfied).toBe(true);
    const completed = await stage.requests.get(entry?.id ?? '');
    expect(completed).toMatchObject({
      completed: true,
      status: 500,
      rules: ['HTTP-3'],
      response: { body: { statusCode: 500 } },
    });
    expect(completed.duration_ms).toBeGreaterThan(0);
    sachet.close();
  });

  test('that a reset ends is in the journal no more', async () => {
    const { stage, answering } = await delayed();
    await stage.reset();
    expect((await answering).status).toBe(500);
    expect(await stage.requests.list()).toEqual({ requests: [], dropped: 0, oldest: null });
  });
});

test('an entry has what came and what was answered, whole, and the user who called', async () => {
  const sachet = testSachet();
  const client = await sachet.login('demo', { base: '/sandboxes/stage' });
  const { body, headers } = await sachet.client(client.token, '/sandboxes/stage').get('/v2/orders?limit=2');
  const entry = await stageOf(sachet).requests.get(headers.get('sandbox-request-id') ?? '');
  expect(entry).toMatchObject({
    method: 'GET',
    path: '/v2/orders',
    query: '?limit=2',
    operation: 'orders.list',
    caller: 'demo',
    status: 200,
  });
  expect(entry.response?.body).toEqual(body);
  const told = new Headers(entry.response?.headers);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(headers));
});

test('a path that is no operation stands in the journal, without one', async () => {
  const sachet = testSachet();
  await sachet.call('DELETE', '/v2/orders');
  await sachet.call('GET', '/elsewhere');
  expect(await listed(stageOf(sachet))).toMatchObject([
    { method: 'DELETE', path: '/v2/orders', operation: null, rules: ['HTTP-1'] },
  ]);
});

test('the archive is HAR 1.2, with the calls as they were', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  await client.get('/v2/orders?limit=2&cursor=');
  await client.post('/v2/orders', { consumer: {} });
  const { log } = harDocument.parse(await stageOf(sachet).requests.har());
  expect(
    log.entries.map(({ request, response }) => [request.method, request.url, response.status, response.statusText]),
  ).toEqual([
    ['POST', `${origin}/sandboxes/stage/v2/authentication/token`, 200, 'OK'],
    ['GET', `${origin}/sandboxes/stage/v2/orders?limit=2&cursor=`, 400, 'Bad Request'],
    ['POST', `${origin}/sandboxes/stage/v2/orders`, 422, 'Unprocessable Entity'],
  ]);
  expect(log.entries[1]?.request.queryString).toEqual([
    { name: 'limit', value: '2' },
    { name: 'cursor', value: '' },
  ]);
  expect(log.entries[2]?.request.postData).toEqual({ mimeType: 'application/json', text: '{"consumer":{}}' });
  expect(log.entries[2]).toMatchObject({
    startedDateTime: noon,
    comment: expect.stringMatching(/^Rejected by OPEN-2: consumer is .* And 2 more errors\.$/),
  });
});

test('a clear empties the journal, a reset, too; a restore keeps it', async () => {
  const sachet = testSachet();
  const stage = stageOf(sachet);
  await stage.snapshots.create({ name: 'base' });
  const client = await sachet.login();
  await stage.snapshots.restore('base');
  expect((await listed(stage)).map(({ operation }) => operation)).toEqual(['authentication.token']);
  await stage.requests.clear();
  expect(await stage.requests.list()).toEqual({ requests: [], dropped: 0, oldest: null });
  const { headers } = await client.get('/v2/products');
  const id = headers.get('sandbox-request-id') ?? '';
  expect(await stage.requests.list()).toMatchObject({ dropped: 0, oldest: id });
  await stage.reset();
  await expect(stage.requests.get(id)).rejects.toMatchObject({ status: 404 });
});
