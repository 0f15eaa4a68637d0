// Paths, methods and repeated calls of the control API: an unknown path is 404, another method 405; a call with an Idempotency-Key is done once.
import { describe, expect, test } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import { bounds } from '../../../src/contract/control/bounds.ts';
import { controlOperationList, controlOperations } from '../../../src/contract/control/operations.ts';
import { createChaosStore } from '../../support/chaos-store.ts';
import { bearer, controlled, failureOf } from '../../support/control.ts';
import { fixtures, noon } from '../../support/sachet.ts';

test('an unknown path is 404', async () => {
  const { admin, sachet } = controlled();
  const message = expect.stringMatching(/^The control API has no route \/_admin/);
  for (const path of ['', '/', '/Sandboxes', '/sandboxes/stage/', '/sandboxes//clock', '/sandboxes/stage/__proto__'])
    expect(failureOf(await admin('GET', path))).toEqual([404, message]);
  expect((await admin('GET', `/${'x'.repeat(8000)}`)).text.length).toBeLessThan(500);
  const headers = bearer(sachet.adminKey);
  for (const path of ['/sandboxes/stage/_admin/sandboxes', '/v2/_admin/sandboxes', '/_ADMIN/sandboxes'])
    expect((await sachet.call('GET', path, { headers })).status, path).toBe(404);
});

test('each path rejects the methods that it does not have, and lists those that it has', async () => {
  const { admin } = controlled();
  const wrong: string[] = [];
  for (const template of new Set(controlOperationList.map(({ path }) => path))) {
    const path = filled(template, (name) => (name === 'sandbox' ? 'stage' : 'x'));
    // More than one template can match a path.
    const allowed = controlOperationList
      .filter((operation) => new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
      .map(({ method }) => method as string);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue;
      const { status, headers, body } = await admin(method, path.replace('/_admin', ''));
      const found = headers.get('allow')?.split(', ').sort().join();
      if (status !== 405 || found !== [...new Set(allowed)].sort().join() || !body.message.includes(`not ${method}`))
        wrong.push(`${method} ${path}: ${status}, ${found}, ${body?.message}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('HEAD of an unknown sandbox is 404, of a path without GET 405; of the events, it leaves no listener behind', async () => {
  const { admin } = controlled();
  const answers = [await admin('HEAD', '/sandboxes/unheard-of'), await admin('HEAD', '/sandboxes/stage/reset')];
  expect(answers.map(({ status }) => status)).toEqual([404, 405]);
  for (let n = 0; n <= bounds.listeners; n += 1)
    expect((await admin('HEAD', '/sandboxes/stage/events')).status, `${n}`).toBe(200);
});

test('an unknown sandbox is 404', async () => {
  const { admin } = controlled();
  for (const name of ['w9', '..%2fstage', 'stage%20', '__proto__', 'x'.repeat(5000)])
    for (const end of ['', '/clock']) {
      const [status, message] = failureOf(await admin('GET', `/sandboxes/${name}${end}`));
      expect([status, message]).toEqual([404, expect.stringMatching(/^There is no sandbox "/)]);
      expect(String(message).length).toBeLessThan(200);
    }
});

test('a repeated query parameter is 400', async () => {
  const { status, body } = await controlled().admin('GET', '/sandboxes/stage/requests?status=200&status=404');
  expect([status, body.details[0].field]).toEqual([400, 'status']);
});

test('no response may be cached, or has a Date', async () => {
  const { admin, input } = controlled();
  const all = [await admin('GET', '/sandboxes'), await input('GET', '/_admin/sandboxes'), await admin('GET', '/x')];
  const ofEach = (name: string) => all.map(({ headers }) => headers.get(name));
  expect([ofEach('cache-control'), ofEach('date')]).toEqual([Array(3).fill('no-store'), Array(3).fill(null)]);
});

const stage = '/sandboxes/stage';
const minute = { seconds: 60 };

function keyed(options: Parameters<typeof controlled>[0] = {}) {
  const server = controlled(options);
  const once = (key: string, method: string, path: string, body?: unknown) =>
    server.admin(method, path, body, { headers: { 'idempotency-key': key } });
  return {
    ...server,
    once,
    advance: (key: string, body: object = minute) => once(key, 'POST', `${stage}/clock/advance`, body),
    create: (key: string, body: object) => once(key, 'POST', '/sandboxes', body),
    /** The seconds by which the clock was moved. */
    moved: async () => (Date.parse((await server.admin('GET', `${stage}/clock`)).body.now) - Date.parse(noon)) / 1000,
  };
}

describe('a repeated call', () => {
  test('of each kind changes nothing', async () => {
    const pending = fixtures.orders.find(({ status }) => status === 'Pending')?.id;
    const { admin, once, sachet } = keyed();
    await admin('POST', `${stage}/snapshots`, { name: 'kept' });
    const state = (await admin('GET', `${stage}/state`)).body;
    expect(JSON.stringify(state)).not.toContain('answered');
    for (const [method, path, body] of [
      ['PATCH', 'clock', { now: '2030-01-01T00:00:00Z' }],
      ['POST', 'clock/advance', minute],
      ['PATCH', 'switches', { rate_limit: { burst: 3 } }],
      ['DELETE', 'switches', undefined],
      ['POST', 'faults', { status: 500 }],
      ['POST', 'scenarios/no-pag', undefined],
      ['DELETE', 'requests', undefined],
      ['POST', 'observations', controlOperations['observations.learn'].examples.sample],
      ['DELETE', 'observations', undefined],
      ['POST', 'snapshots', { name: 'one' }],
      ['POST', 'snapshots/kept/restore', undefined],
      ['DELETE', 'snapshots/kept', undefined],
      ['PATCH', 'timeline', {}],
      ['POST', `orders/${pending}/cancel`, undefined],
      ['PUT', 'state', state],
      ['POST', 'reset', undefined],
    ] as const) {
      const first = await once(`${method}-${path}`, method, `${stage}/${path}`, body);
      expect(first.status, path).toBeLessThan(300);
      const { version } = await sachet.sandbox();
      const again = await once(`${method}-${path}`, method, `${stage}/${path}`, body);
      expect([again.status, again.text, (await sachet.sandbox()).version]).toEqual([first.status, first.text, version]);
    }
  });

  test('is recognized after a restore, an import and a reset', async () => {
    const { admin, advance, moved } = keyed();
    const state = (await admin('GET', `${stage}/state`)).body;
    await admin('POST', `${stage}/snapshots`, { name: 'kept' });
    const first = await advance('k');
    await admin('POST', `${stage}/snapshots/kept/restore`);
    await admin('PUT', `${stage}/state`, state);
    await admin('POST', `${stage}/reset`);
    expect([(await advance('k')).text, await moved()]).toEqual([first.text, 0]);
  });

  test('is recognized where the store failed after it had stored the first', async () => {
    const store = createChaosStore({ everyThird: false });
    const { advance, moved } = keyed({ store });
    await moved();
    store.failNext(1, true);
    expect([(await advance('k')).status, (await advance('k')).status, await moved()]).toEqual([500, 200, 60]);
  });

  test('is recognized by another server with the same store', async () => {
    const store = createChaosStore();
    const [one, other] = [keyed({ store }), keyed({ store })];
    const calls = async ({ advance, create }: typeof one) =>
      [await advance('k'), await create('k', { name: 'w7', own_key: true })].map(({ text }) => text);
    const first = await calls(one);
    expect([await calls(other), await other.moved()]).toEqual([first, 60]);
  });

  test('is judged again where the first was rejected, and done again after 32 others', async () => {
    const { admin, once, advance, moved } = keyed();
    const restore = async () => (await once('k', 'POST', `${stage}/snapshots/kept/restore`)).status;
    expect(await restore()).toBe(404);
    await admin('POST', `${stage}/snapshots`, { name: 'kept' });
    expect(await restore()).toBe(200);
    for (let n = 0; n <= 32; n += 1) await advance(`k${n}`, { seconds: 1 });
    await advance('k1', { seconds: 1 });
    expect(await moved()).toBe(33);
    await advance('k0', { seconds: 1 });
    expect(await moved()).toBe(34);
  });

  test('is rejected, not done again, where the first response was too large to store', async () => {
    const { admin, once } = keyed();
    const values = Array.from({ length: 900 }, (_, n) => `${n}`.padStart(90, 'x'));
    const fault = () => once('k', 'POST', `${stage}/faults`, { status: 500, match: { body: { values } } });
    expect((await fault()).status).toBe(201);
    const message =
      /^This call succeeded the first time; its response was too large to store; read the result with a GET$/;
    expect(failureOf(await fault())).toEqual([409, expect.stringMatching(message)]);
    expect((await admin('GET', `${stage}/faults`)).body.faults).toHaveLength(1);
  });
});

test('a key belongs to one operation, path and body', async () => {
  const { once, advance, create, moved } = keyed();
  await advance('k', { seconds: 1 });
  await once('s', 'POST', `${stage}/scenarios/rate-limit-burst`);
  await create('c', {});
  for (const other of [
    await advance('k', { seconds: 2 }),
    await once('k', 'POST', `${stage}/reset`),
    await once('s', 'POST', `${stage}/scenarios/no-pag`),
    await once('k', 'DELETE', `${stage}/requests`),
    await create('c', { environment: 'production' }),
  ])
    expect(failureOf(other)).toEqual([422, 'Another call has used this Idempotency-Key; use a new key for each call']);
  expect(await moved()).toBe(1);
});

test('a key has 1 to 255 visible ASCII characters; calls that change nothing ignore it', async () => {
  const { once } = keyed();
  const message = expect.stringContaining('1 to 255 visible ASCII characters');
  for (const key of ['', 'with blanks', 'k'.repeat(256), 'ü'])
    expect(failureOf(await once(key, 'POST', `${stage}/reset`))).toEqual([400, message]);
  expect((await once('k'.repeat(255), 'POST', `${stage}/reset`)).status).toBe(200);
  expect((await once('no key', 'GET', `${stage}/clock`)).status).toBe(200);
});

describe('creating a sandbox', () => {
  test('again returns the same one with its logins and its key, also side by side', async () => {
    const { admin, create } = keyed({ loginSandboxes: false, randomSeed: undefined });
    const [first, ...others] = await Promise.all(Array.from({ length: 3 }, () => create('k', { own_key: true })));
    expect([first?.status, first?.body.key]).toEqual([201, expect.stringMatching(/^[0-9a-z]{52}$/)]);
    const { name, key } = first?.body ?? {};
    const own = { headers: bearer(key) };
    expect((await admin('POST', `/sandboxes/${name}/reset`, undefined, own)).status).toBe(200);
    for (const { status, text } of [...others, await create('k', { own_key: true })])
      expect([status, text]).toEqual([201, first?.text]);
    expect((await admin('GET', '/sandboxes')).body.sandboxes).toHaveLength(3);
  });

  test('creates it again once it was deleted', async () => {
    const { admin, once, create } = keyed();
    await create('k', { name: 'w7' });
    expect((await once('d', 'DELETE', '/sandboxes/w7')).status).toBe(204);
    expect((await once('d', 'DELETE', '/sandboxes/w7')).status).toBe(404);
    expect((await create('k', { name: 'w7' })).status).toBe(201);
    expect((await admin('GET', '/sandboxes/w7')).status).toBe(200);
  });
});
