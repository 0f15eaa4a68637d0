// Calls of the control API that come again with their key: done once, answered alike.
import { describe, expect, test } from 'vitest';
import { createChaosStore } from '../../support/chaos-store.ts';
import { type Controlled, controlled, told } from '../../support/control.ts';
import { fixtures, noon } from '../../support/sachet.ts';

const stage = '/sandboxes/stage';
const movable = fixtures.orders.find(({ status }) => status === 'Pending')?.id;

function keyed(options: Parameters<typeof controlled>[0] = {}) {
  const server = controlled(options);
  const once = (key: string, method: string, path: string, body?: unknown) =>
    server.admin(method, path, body, { headers: { 'idempotency-key': key } });
  return { ...server, once };
}

const nowOf = async ({ admin }: Pick<Controlled, 'admin'>): Promise<number> =>
  (Date.parse((await admin('GET', `${stage}/clock`)).body.now) - Date.parse(noon)) / 1000;

describe('a call that comes again with its key', () => {
  test.each([
    ['PATCH', 'clock', { now: '2030-01-01T00:00:00Z' }],
    ['POST', 'clock/advance', { seconds: 60 }],
    ['PATCH', 'switches', { rate_limit: { burst: 3 } }],
    ['DELETE', 'switches', undefined],
    ['POST', 'faults', { status: 500 }],
    ['POST', 'scenarios/no-pag', undefined],
    ['DELETE', 'requests', undefined],
    ['POST', 'snapshots', { name: 'one' }],
    ['DELETE', 'snapshots/kept', undefined],
    ['POST', 'snapshots/kept/restore', undefined],
    ['POST', 'reset', undefined],
    ['PATCH', 'timeline', {}],
    ['POST', `orders/${movable}/cancel`, undefined],
  ] as const)('is not done again: %s …/%s', async (method, path, body) => {
    const { admin, once, sachet } = keyed();
    await admin('POST', `${stage}/snapshots`, { name: 'kept' });
    const first = await once('k', method, `${stage}/${path}`, body);
    const { version } = await sachet.sandbox();
    const again = await once('k', method, `${stage}/${path}`, body);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(first.status).toBeLessThan(300);
    expect((await sachet.sandbox()).version).toBe(version);
  });

  test('has a whole state put once', async () => {
    const { admin, once, sachet } = keyed();
    const state = (await admin('GET', `${stage}/state`)).body;
    expect(JSON.stringify(state)).not.toContain('answered');
    const first = await once('put', 'PUT', `${stage}/state`, state);
    const { lives } = (await sachet.sandbox()).state.value('history');
    expect((await once('put', 'PUT', `${stage}/state`, state)).text).toBe(first.text);
    expect((await sachet.sandbox()).state.value('history').lives).toBe(lives);
  });

  test('is known over a reset, a restore and a state that is put', async () => {
    const server = keyed();
    const { admin, once } = server;
    const state = (await admin('GET', `${stage}/state`)).body;
    await admin('POST', `${stage}/snapshots`, { name: 'kept' });
    await once('k', 'POST', `${stage}/clock/advance`, { seconds: 60 });
    await admin('POST', `${stage}/snapshots/kept/restore`);
    await admin('POST', `${stage}/reset`);
    await admin('PUT', `${stage}/state`, state);
    expect((await once('k', 'POST', `${stage}/clock/advance`, { seconds: 60 })).body.now).toBe(
      '2026-11-20T12:01:00.000Z',
    );
    expect(await nowOf(server)).toBe(0);
  });

  test('while the first is under way is done once with it', async () => {
    const server = keyed();
    const calls = Array.from({ length: 5 }, () => server.once('k', 'POST', `${stage}/clock/advance`, { seconds: 60 }));
    expect(new Set((await Promise.all(calls)).map(({ text }) => text)).size).toBe(1);
    expect(await nowOf(server)).toBe(60);
  });

  test('is answered where the store kept it, and did not say so', async () => {
    const store = createChaosStore({ everyThird: false });
    const server = keyed({ store });
    const advance = () => server.once('k', 'POST', `${stage}/clock/advance`, { seconds: 60 });
    await server.admin('PATCH', `${stage}/clock`, { frozen: true });
    store.failNext(1, true);
    expect((await advance()).status).toBe(500);
    expect((await advance()).status).toBe(200);
    expect(await nowOf(server)).toBe(60);
  });

  test('is known to a server that loads what another one kept', async () => {
    const store = createChaosStore();
    const [one, other] = [keyed({ store }), keyed({ store })];
    const advance = (server: typeof one) => server.once('k', 'POST', `${stage}/clock/advance`, { seconds: 60 });
    const make = (server: typeof one) => server.once('k', 'POST', '/sandboxes', { name: 'w7', own_key: true });
    const first = [await advance(one), await make(one)].map(({ text }) => text);
    expect([await advance(other), await make(other)].map(({ text }) => text)).toEqual(first);
    expect(await nowOf(other)).toBe(60);
  });

  test('and was refused is judged anew', async () => {
    const { admin, once } = keyed();
    const snapshot = () => once('k', 'POST', `${stage}/snapshots/kept/restore`);
    expect((await snapshot()).status).toBe(404);
    await admin('POST', `${stage}/snapshots`, { name: 'kept' });
    expect((await snapshot()).status).toBe(200);
  });

  test('is done again behind 32 others', async () => {
    const server = keyed();
    const advance = (n: number) => server.once(`k${n}`, 'POST', `${stage}/clock/advance`, { seconds: 1 });
    for (let n = 0; n <= 32; n += 1) await advance(n);
    await advance(1);
    expect(await nowOf(server)).toBe(33);
    await advance(0);
    expect(await nowOf(server)).toBe(34);
  });

  test('whose answer is too large is refused, and not done again', async () => {
    const { admin, once } = keyed();
    const values = Array.from({ length: 900 }, (_, n) => `${n}`.padStart(90, 'x'));
    const fault = () => once('k', 'POST', `${stage}/faults`, { status: 500, match: { body: { values } } });
    expect((await fault()).status).toBe(201);
    expect(told(await fault())).toEqual([
      409,
      'This call succeeded the first time; its response was too large to store; read the result with a GET',
    ]);
    expect((await admin('GET', `${stage}/faults`)).body.faults).toHaveLength(1);
  });
});

test.each([
  ['another body', 'POST', `${stage}/clock/advance`, { seconds: 2 }],
  ['another operation', 'POST', `${stage}/reset`, undefined],
  ['another path', 'POST', `${stage}/scenarios/no-pag`, undefined],
  ['a deletion', 'DELETE', `${stage}/requests`, undefined],
])('a key is no key of %s', async (_, method, path, body) => {
  const server = keyed();
  await server.once('k', 'POST', `${stage}/clock/advance`, { seconds: 1 });
  await server.once('s', 'POST', `${stage}/scenarios/rate-limit-burst`);
  expect(told(await server.once(path.includes('scenarios') ? 's' : 'k', method, path, body))).toEqual([
    422,
    'Another call has used this Idempotency-Key; use a new key for each call',
  ]);
  expect(await nowOf(server)).toBe(1);
});

test.each(['', 'with blanks', 'k'.repeat(256), 'ü'])('"%s" is no key', async (key) => {
  const { once } = keyed();
  const [status, message] = told(await once(key, 'POST', `${stage}/reset`));
  expect([status, message]).toEqual([400, expect.stringContaining('1 to 255 visible ASCII characters')]);
});

test('what changes nothing takes no key', async () => {
  const { once } = keyed();
  for (const match of [{ status: 200 }, { status: 404 }])
    expect((await once('k', 'POST', `${stage}/requests/verify`, { match })).status).toBe(200);
  expect((await once('no key', 'GET', `${stage}/clock`)).status).toBe(200);
});

describe('the making of a sandbox', () => {
  test('gives the same one again, with its logins and its key', async () => {
    const { admin, once } = keyed({ loginSandboxes: false, randomSeed: undefined });
    const first = await once('k', 'POST', '/sandboxes', { own_key: true });
    expect([first.status, first.body.key]).toEqual([201, expect.stringMatching(/^[0-9a-z]{52}$/)]);
    const again = await once('k', 'POST', '/sandboxes', { own_key: true });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await admin('GET', '/sandboxes')).body.sandboxes).toHaveLength(3);
    const { name, key } = first.body;
    const own = { headers: { authorization: `Bearer ${key}` } };
    expect((await admin('POST', `/sandboxes/${name}/reset`, undefined, own)).status).toBe(200);
    expect((await once('k', 'POST', '/sandboxes', { own_key: true })).text).toBe(first.text);
  });

  test('side by side with one key makes one', async () => {
    const { admin, once } = keyed();
    const answers = await Promise.all(Array.from({ length: 5 }, () => once('k', 'POST', '/sandboxes', { name: 'w7' })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await admin('GET', '/sandboxes')).body.sandboxes).toHaveLength(3);
  });

  test('is another one by another key, or with another body', async () => {
    const { once } = keyed();
    const { name } = (await once('k', 'POST', '/sandboxes', {})).body;
    expect((await once('l', 'POST', '/sandboxes', {})).body.name).not.toBe(name);
    expect((await once('l', 'POST', '/sandboxes', { name })).status).toBe(409);
    expect((await once('k', 'POST', '/sandboxes', { environment: 'production' })).status).toBe(422);
  });

  test('begins anew once it was deleted', async () => {
    const { admin, once } = keyed();
    await once('k', 'POST', '/sandboxes', { name: 'w7' });
    expect((await once('d', 'DELETE', '/sandboxes/w7')).status).toBe(204);
    expect((await once('d', 'DELETE', '/sandboxes/w7')).status).toBe(404);
    expect((await once('k', 'POST', '/sandboxes', { name: 'w7' })).status).toBe(201);
    expect((await admin('GET', '/sandboxes/w7')).status).toBe(200);
  });
});
