// Whether the expected calls came: now, by verify, or within a time, by wait. Only completed calls count.
import { describe, expect, test } from 'vitest';
import type { ControlClient } from '../../src/client/control-client.ts';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { validOrder } from '../cases/requests.ts';
import { bareSachet, send, testSachet } from '../support/sachet.ts';

const journalOf = ({ control }: { readonly control: ControlClient }) => control.sandbox('stage').requests;
const forever = { timeout_ms: 600_000 };

test('a count is satisfied by as many calls as it says, for verify and for a wait that ends at once', async () => {
  const counts = [
    [undefined, [1, 2, 3]],
    [0, [0]],
    [1, [1]],
    [4, []],
    [{ at_least: 0 }, [0, 1, 2, 3]],
    [{ at_least: 2 }, [2, 3]],
    [{ at_most: 0 }, [0]],
    [{ at_most: 2 }, [0, 1, 2]],
    [{ at_least: 1, at_most: 2 }, [1, 2]],
  ] as const;
  const sachet = testSachet();
  const journal = journalOf(sachet);
  await sachet.call('GET', '/v2/orders');
  const satisfiedBy = counts.map(([count]) => [count, [] as number[]] as const);
  for (let number = 0; number <= 3; number += 1) {
    if (number > 0) await sachet.call('GET', '/v2/products');
    for (const [count, numbers] of satisfiedBy) {
      const expected = { match: { path: '/v2/products' }, ...(count === undefined ? {} : { count }) };
      const verified = await journal.verify(expected);
      if (verified.satisfied) numbers.push(number);
      expect(verified.count).toBe(number);
      expect(verified.requests).toEqual((await journal.list({ path: '/v2/products' })).requests);
      expect(await journal.wait({ ...expected, timeout_ms: 0 })).toEqual(verified);
    }
  }
  expect(satisfiedBy).toEqual(counts);
});

test('a match finds calls by what they were', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  await client.post('/v2/orders', validOrder);
  await client.post('/v2/orders', { ...validOrder, shipping_address: { address1: 'x' } });
  const matches = [
    [{ operation: 'orders.create' }, 2],
    [{ method: 'POST', status: 201 }, 1],
    [{ rule: 'ORD-14' }, 1],
    [{ rule: 'ORD-15' }, 0],
    [{ body: { consumer: { first_name: 'Ada' } } }, 2],
    [{ body: { consumer: { first_name: 'Bob' } } }, 0],
    // Passwords are redacted.
    [{ body: { username: 'demo', password: 'sachet-demo' } }, 0],
    [{ path: '/v2/authentication/{what}' }, 1],
    [{}, 3],
  ] as const;
  for (const [match, count] of matches)
    expect((await journalOf(sachet).verify({ match, count: { at_least: 0 } })).count, JSON.stringify(match)).toBe(
      count,
    );
});

test('what can never be satisfied is rejected', async () => {
  const journal = journalOf(testSachet());
  const statuses = '200, 201, 206, 304, 400, 401, 403, 404, 412, 416, 422, 429, 500, 502, 503, 504';
  for (const [given, words] of [
    [{ count: { at_least: 3, at_most: 1 } }, 'count.at_most: found 1, expected a number that is not less than'],
    [
      { match: { status: 202 } },
      `found 202, expected a status that the service or its storage answers with: ${statuses}`,
    ],
  ] as const) {
    const rejected = { status: 422, message: expect.stringContaining(words) };
    await expect(journal.verify({ match: {}, ...given })).rejects.toMatchObject(rejected);
    await expect(journal.wait({ match: {}, ...given })).rejects.toMatchObject(rejected);
  }
});

test('a window begins after a call, or at an instant of the sandbox', async () => {
  const sachet = testSachet();
  const journal = journalOf(sachet);
  const id = (await sachet.call('GET', '/v2/products')).headers.get('sandbox-request-id') ?? '';
  await sachet.advance(60_000);
  await sachet.call('GET', '/v2/products');
  const countSince = async (since?: string) => (await journal.verify({ match: {}, ...(since ? { since } : {}) })).count;
  expect([await countSince(), await countSince(id)]).toEqual([2, 1]);
  expect([await countSince('2026-11-20T12:00:00Z'), await countSince('2026-11-20T12:00:01Z')]).toEqual([2, 1]);
  expect([await countSince('2026-11-20T13:01:00+01:00'), await countSince('2026-11-20T12:01:01Z')]).toEqual([1, 0]);
  const message = expect.stringContaining(
    'The journal has no request "unheard-of"; use the id of a request that it has',
  );
  await expect(countSince('unheard-of')).rejects.toMatchObject({ status: 409, message });
  await expect(journal.list({ since: 'unheard-of' })).rejects.toMatchObject({ status: 409, message });
});

describe('wait', () => {
  test('ends with the call that was missing, each with its own', async () => {
    const sachet = testSachet();
    const paths = ['/v2/orders', '/v2/products', '/v2/fulfillments'];
    const journal = journalOf(sachet);
    const waiting = paths.map((path) => journal.wait({ match: { path }, ...forever }));
    const twice = journal.wait({ match: { path: '/v2/products' }, count: { at_least: 2 }, ...forever });
    for (const path of paths.toReversed()) await sachet.call('GET', path);
    const found = await Promise.all(waiting);
    expect(found.map(({ requests }) => requests.map(({ path }) => path))).toEqual(paths.map((path) => [path]));
    await sachet.call('GET', '/v2/products');
    expect(await twice).toMatchObject({ satisfied: true, count: 2 });
  });

  test('ends when the request at its beginning is cleared', async () => {
    const sachet = testSachet();
    const since = (await sachet.call('GET', '/v2/products')).headers.get('sandbox-request-id') ?? '';
    const journal = journalOf(sachet);
    const waiting = journal.wait({ match: {}, since, ...forever });
    const others = journal.wait({ match: {}, count: 2, ...forever });
    // Both listen once this is answered.
    await journal.list();
    await journal.clear();
    await expect(waiting).rejects.toMatchObject({ status: 409 });
    for (let n = 0; n < 2; n += 1) await sachet.call('GET', '/v2/products');
    expect(await others).toMatchObject({ satisfied: true, count: 2 });
  });

  test('ends with 409 by a reset, a restore, an import and a deletion', async () => {
    const ends: [words: string, end: (sandbox: SandboxControl) => Promise<unknown>][] = [
      ['reset during the wait; wait again', (one) => one.reset()],
      ['restored from a snapshot during the wait; wait again', (one) => one.snapshots.restore('base')],
      ['replaced by an import during the wait; wait again', async (one) => one.state.put(await one.state.get())],
      ['deleted during the wait; make it again', (one) => one.delete()],
    ];
    const { control } = testSachet();
    await control.create({ name: 'w1' });
    const sandbox = control.sandbox('w1');
    await sandbox.snapshots.create({ name: 'base' });
    for (const [words, end] of ends) {
      const message = expect.stringContaining(`The sandbox was ${words}`);
      const waiting = expect(sandbox.requests.wait({ match: {}, ...forever })).rejects.toMatchObject({
        status: 409,
        message,
      });
      // It listens once this is answered.
      await sandbox.requests.list();
      await end(sandbox);
      await waiting;
    }
  });

  test('is unsatisfied at its timeout, and when the server closes', async () => {
    const sachet = bareSachet();
    const journal = journalOf(sachet);
    await send(sachet, 'GET', '/v2/products');
    const found = { satisfied: false, count: 1, requests: [{ path: '/v2/products' }] };
    expect(await journal.wait({ match: {}, count: 2, timeout_ms: 1 })).toMatchObject(found);
    const waiting = journal.wait({ match: {}, count: 2, ...forever });
    await sachet.control.list();
    sachet.close();
    expect(await waiting).toMatchObject({ satisfied: false });
  });
});
