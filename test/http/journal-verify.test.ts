// Whether the expected calls came: at once by verify, or within a time by wait. Only completed calls count.
import { describe, expect, test } from 'vitest';
import type { ControlClient } from '../../src/client/control-client.ts';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { validOrder } from '../cases/requests.ts';
import { bareSachet } from '../support/bare-sachet.ts';
import { testSachet } from '../support/sachet.ts';
import { isReplicated } from '../support/test-engine.ts';

const stageOf = ({ control }: { readonly control: ControlClient }) => control.sandbox('stage');

/** How many calls of three satisfy a count. */
const counts = [
  [undefined, [1, 2, 3]],
  [0, [0]],
  [1, [1]],
  [3, [3]],
  [4, []],
  [{ at_least: 0 }, [0, 1, 2, 3]],
  [{ at_least: 2 }, [2, 3]],
  [{ at_most: 0 }, [0]],
  [{ at_most: 2 }, [0, 1, 2]],
  [{ at_least: 1, at_most: 2 }, [1, 2]],
] as const;

describe.each(counts)('the count %j', (count, good) => {
  test.each([0, 1, 2, 3])(
    'is judged rightly of %i calls, by verify and by a wait that ends at once',
    async (number) => {
      const sachet = testSachet();
      const journal = stageOf(sachet).requests;
      for (let n = 0; n < number; n += 1) await sachet.call('GET', '/v2/products');
      await sachet.call('GET', '/v2/orders');
      const asked = { match: { path: '/v2/products' }, ...(count === undefined ? {} : { count }) };
      const satisfied = (good as readonly number[]).includes(number);
      const verified = await journal.verify(asked);
      expect(verified).toMatchObject({ satisfied, count: number });
      expect(verified.requests).toEqual((await journal.list({ path: '/v2/products' })).requests);
      expect(await journal.wait({ ...asked, timeout_ms: 0 })).toEqual(verified);
    },
  );
});

test.each([
  [{ operation: 'orders.create' }, 2],
  [{ method: 'POST', status: 201 }, 1],
  [{ rule: 'ORD-14' }, 1],
  [{ rule: 'ORD-15' }, 0],
  [{ body: { consumer: { first_name: 'Ada' } } }, 2],
  [{ body: { consumer: { first_name: 'Bob' } } }, 0],
  [{ body: { username: 'demo', password: 'sachet-demo' } }, 0],
  [{ path: '/v2/authentication/{what}' }, 1],
  [{}, 3],
] as const)('the match %j means %i of the calls', async (match, count) => {
  const sachet = testSachet();
  const client = await sachet.login();
  await client.post('/v2/orders', validOrder);
  await client.post('/v2/orders', { ...validOrder, shipping_address: { address1: 'x' } });
  expect(await stageOf(sachet).requests.verify({ match, count: { at_least: 0 } })).toMatchObject({ count });
});

describe('what can never come true is refused', () => {
  const statuses = '200, 201, 206, 304, 400, 401, 403, 404, 412, 416, 422, 429, 500, 502, 503, 504';
  const impossible = [
    [
      { match: {}, count: { at_least: 3, at_most: 1 } },
      'count.at_most: found 1, expected a number that is not less than',
    ],
    [
      { match: { status: 202 } },
      `match.status: found 202, expected a status that the service or its storage answers with: ${statuses}`,
    ],
    [{ match: { status: 599 }, count: 0 }, 'match.status: found 599'],
  ] as const;

  test.each(impossible)('%j by verify and wait', async (asked, words) => {
    const journal = stageOf(testSachet()).requests;
    const refused = { status: 422, message: expect.stringContaining(words) };
    await expect(journal.verify(asked)).rejects.toMatchObject(refused);
    await expect(journal.wait(asked)).rejects.toMatchObject(refused);
  });

  test('a status of the list of requests', async () => {
    const refused = stageOf(testSachet()).requests.list({ status: 442 });
    await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining(statuses) });
  });

  test.each([200, 206, 304, 404, 412, 416, 500, 503])('an answer can have the status %i', async (status) => {
    const { requests } = stageOf(testSachet());
    expect(await requests.verify({ match: { status }, count: { at_least: 0, at_most: 0 } })).toMatchObject({
      count: 0,
    });
  });
});

test('a window begins after a call, or at an instant of the sandbox', async () => {
  const sachet = testSachet();
  const journal = stageOf(sachet).requests;
  const { headers } = await sachet.call('GET', '/v2/products');
  await sachet.advance(60_000);
  await sachet.call('GET', '/v2/products');
  const counted = async (since?: string) => (await journal.verify({ match: {}, ...(since ? { since } : {}) })).count;
  const [id] = [headers.get('sandbox-request-id') ?? ''];
  expect(await counted()).toBe(2);
  expect(await counted(id)).toBe(1);
  expect(await counted('2026-11-20T12:00:00Z')).toBe(2);
  expect(await counted('2026-11-20T12:00:01Z')).toBe(1);
  expect(await counted('2026-11-20T13:01:00+01:00')).toBe(1);
  expect(await counted('2026-11-20T12:01:01Z')).toBe(0);
  const message = expect.stringContaining(
    'The journal has no request "unheard-of"; use the id of a request that it has, or an ISO 8601 instant',
  );
  await expect(counted('unheard-of')).rejects.toMatchObject({ status: 409, message });
  await expect(journal.list({ since: 'unheard-of' })).rejects.toMatchObject({ status: 409, message });
});

describe('wait', () => {
  test('ends with the call that was missing', async () => {
    const sachet = testSachet();
    const waiting = stageOf(sachet).requests.wait({
      match: { path: '/v2/products' },
      count: { at_least: 2 },
      timeout_ms: 600_000,
    });
    await sachet.call('GET', '/v2/products');
    await sachet.call('GET', '/v2/orders');
    await sachet.call('GET', '/v2/products');
    expect(await waiting).toMatchObject({ satisfied: true, count: 2 });
  });

  test('says at its timeout that it was not satisfied, and what there was', async () => {
    const sachet = testSachet();
    await sachet.call('GET', '/v2/products');
    const verified = await stageOf(sachet).requests.wait({ match: {}, count: 2, timeout_ms: 1 });
    expect(verified).toMatchObject({ satisfied: false, count: 1, requests: [{ path: '/v2/products' }] });
  });

  test('ends when the request that it counts from is forgotten', async () => {
    const sachet = testSachet();
    const { headers } = await sachet.call('GET', '/v2/products');
    const since = headers.get('sandbox-request-id') ?? '';
    const journal = stageOf(sachet).requests;
    const waiting = journal.wait({ match: {}, since, timeout_ms: 600_000 });
    const others = journal.wait({ match: {}, count: 2, timeout_ms: 600_000 });
    // Both listen by now.
    await journal.list();
    await journal.clear();
    await expect(waiting).rejects.toMatchObject({ status: 409 });
    for (let n = 0; n < 2; n += 1) await sachet.call('GET', '/v2/products');
    expect(await others).toMatchObject({ satisfied: true, count: 2 });
  });

  test('of several each ends with its own call', async () => {
    const sachet = testSachet();
    const paths = ['/v2/orders', '/v2/products', '/v2/fulfillments'];
    const journal = stageOf(sachet).requests;
    const waiting = paths.map((path) => journal.wait({ match: { path }, timeout_ms: 600_000 }));
    for (const path of paths.toReversed()) await sachet.call('GET', path);
    const found = await Promise.all(waiting);
    expect(found.map(({ requests }) => requests.map(({ path }) => path))).toEqual(paths.map((path) => [path]));
  });

  test.skipIf(isReplicated).each([
    ['a reset', 'was reset during the wait; wait again', (one: SandboxControl) => one.reset()],
    [
      'a restore',
      'was restored from a snapshot during the wait; wait again',
      (one: SandboxControl) => one.snapshots.restore('base'),
    ],
    [
      'an import',
      'was replaced by an import during the wait; wait again',
      async (one: SandboxControl) => one.state.put(await one.state.get()),
    ],
    ['a deletion', 'was deleted during the wait; make it again', (one: SandboxControl) => one.delete()],
  ])('ends with 409 by %s', async (_, words, end) => {
    const { control } = testSachet();
    await control.create({ name: 'w1' });
    const sandbox = control.sandbox('w1');
    await sandbox.snapshots.create({ name: 'base' });
    const waiting = sandbox.requests.wait({ match: {}, timeout_ms: 600_000 });
    // It listens by now.
    await sandbox.requests.list();
    const [ended] = await Promise.allSettled([waiting, end(sandbox)]);
    const message = expect.stringContaining(`The sandbox ${words}`);
    expect(ended).toMatchObject({ status: 'rejected', reason: { status: 409, message } });
  });

  // Over several servers nobody knows whether one waits already when another one deletes the sandbox.
  test.skipIf(isReplicated)('ends with its sandbox, and when the server closes', async () => {
    const sachet = bareSachet();
    await sachet.control.create({ name: 'w1' });
    await sachet.control.list();
    const asked = { match: {}, timeout_ms: 600_000 };
    const ofDeleted = expect(sachet.control.sandbox('w1').requests.wait(asked)).rejects.toMatchObject({ status: 409 });
    const ofClosed = stageOf(sachet).requests.wait(asked);
    await sachet.control.sandbox('w1').delete();
    await ofDeleted;
    sachet.close();
    expect(await ofClosed).toMatchObject({ satisfied: false });
  });
});
