// Whether the expected calls came: now, by verify, or within a time, by wait. Only completed calls count. The journal keeps the last 1,000, and
// does not answer questions that the dropped ones would decide.
import { describe, expect, test } from 'vitest';
import { type ControlClient, controlClient } from '../../src/client/control-client.ts';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import type { Verification } from '../../src/contract/control/requests.ts';
import { bareSachet, fixtures, noon, origin, send, testEngine, testSachet } from '../support/sachet.ts';

const journalOf = ({ control }: { readonly control: ControlClient }) => control.sandbox('stage').requests;
const forever = { timeout_ms: 600_000 };

test('a count is satisfied by as many calls as it says, for verify and for a wait that ends at once', async () => {
  const counts: readonly (readonly [Verification['count'], numbers: readonly number[]])[] = [
    [undefined, [1, 2, 3]],
    [0, [0]],
    [1, [1]],
    [4, []],
    [{ at_least: 0 }, [0, 1, 2, 3]],
    [{ at_least: 2 }, [2, 3]],
    [{ at_most: 0 }, [0]],
    [{ at_most: 2 }, [0, 1, 2]],
    [{ at_least: 1, at_most: 2 }, [1, 2]],
  ];
  const sachet = testSachet();
  const journal = journalOf(sachet);
  await sachet.call('GET', '/v2/orders');
  const match = { path: '/v2/products' };
  for (let number = 0; number <= 3; number += 1) {
    if (number > 0) await sachet.call('GET', '/v2/products');
    const list = await journal.list(match);
    for (const [count, numbers] of counts) {
      const result = { satisfied: numbers.includes(number), count: number, ...list };
      expect(await journal.verify({ match, count }), JSON.stringify(count)).toEqual(result);
      expect(await journal.wait({ match, count, timeout_ms: 0 }), JSON.stringify(count)).toEqual(result);
    }
  }
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
  for (const [since, count] of [
    [undefined, 2],
    [id, 1],
    ['2026-11-20T12:00:00Z', 2],
    ['2026-11-20T13:01:00+01:00', 1],
    ['2026-11-20T12:01:01Z', 0],
  ] as const)
    expect(await journal.verify({ match: {}, count, since }), since).toMatchObject({ satisfied: true });
  const message = expect.stringContaining('has no request "unheard-of"; use the id of a request that it has');
  const unknown = { status: 409, message };
  await expect(journal.verify({ match: {}, since: 'unheard-of' })).rejects.toMatchObject(unknown);
  await expect(journal.list({ since: 'unheard-of' })).rejects.toMatchObject(unknown);
});

describe('wait', () => {
  test('ends when the request at its beginning is cleared', async () => {
    const sachet = testSachet();
    const since = (await sachet.call('GET', '/v2/products')).headers.get('sandbox-request-id') ?? '';
    const journal = journalOf(sachet);
    const waiting = journal.wait({ match: {}, since, ...forever });
    const others = journal.wait({ match: { path: '/v2/products' }, count: 2, ...forever });
    // Both listen once this is answered.
    await journal.list();
    await journal.clear();
    await expect(waiting).rejects.toMatchObject({ status: 409 });
    for (const path of ['/v2/orders', '/v2/products', '/v2/products']) await sachet.call('GET', path);
    const requests = [{ path: '/v2/products' }, { path: '/v2/products' }];
    expect(await others).toMatchObject({ satisfied: true, count: 2, requests });
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
      const over = { status: 409, message: expect.stringContaining(`The sandbox was ${words}`) };
      const waiting = expect(sandbox.requests.wait({ match: {}, ...forever })).rejects.toMatchObject(over);
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

const kept = 1000;
const evicted = { status: 409, message: expect.stringContaining('The journal has dropped requests') };
const unauthorized = { match: { status: 401 } } as const;

/** Without a validation of the responses, which takes long for 1,000 entries. */
function journaled() {
  const sachet = testEngine({ fixtures, clock: noon, randomSeed: 'test' });
  /** The ids of so many calls. */
  const called = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1)
      ids.push((await sachet.fetch(`${origin}/v2/products`)).headers.get('sandbox-request-id') ?? '');
    return ids;
  };
  const stage = controlClient({ ...sachet, url: origin }).sandbox('stage');
  return { sachet, stage, called, journal: stage.requests };
}

test('1,000 calls are kept; for one more the oldest is dropped, which is answered if it is still in flight', async () => {
  const { sachet, stage, called, journal } = journaled();
  await stage.switches.set({ latency: { milliseconds: 3_600_000, match: { path: '/v2/orders' } } });
  const answering = send(sachet, 'GET', '/v2/orders');
  await expect.poll(async () => (await journal.list()).requests.length).toBe(1);
  const oldest = (await journal.list()).oldest ?? '';
  const ids = await called(kept - 1);
  expect(await journal.list()).toMatchObject({ requests: [oldest, ...ids].map((id) => ({ id })), dropped: 0, oldest });
  ids.push(...(await called(1)));
  const list = { requests: ids.map((id) => ({ id })), dropped: 1, oldest: ids[0] };
  expect(await journal.list()).toMatchObject(list);
  await expect(journal.get(oldest)).rejects.toMatchObject({ status: 404 });
  expect((await journal.har()).log.entries).toHaveLength(kept);
  await stage.snapshots.create({ name: 'base' });
  await stage.snapshots.restore('base');
  expect((await answering).status).toBe(500);
  expect(await journal.list()).toMatchObject(list);
  await expect(journal.verify({ match: { operation: 'orders.list' }, count: 0 })).rejects.toMatchObject(evicted);
});

test('verify and wait answer what is certain, and 409 where dropped calls would decide', async () => {
  const { called, journal, stage } = journaled();
  const waiting = journal.wait({ ...unauthorized, count: kept + 1, ...forever });
  const ended = expect(waiting).rejects.toMatchObject(evicted);
  const ids = await called(3);
  await stage.clock.advance({ seconds: 60 });
  ids.push(...(await called(kept)));
  await ended;
  const rows: readonly (readonly [
    Verification['count'],
    since: string | undefined,
    isSatisfied: boolean | 'evicted',
  ])[] = [
    [{ at_least: kept }, undefined, true],
    [{ at_least: kept + 1 }, undefined, 'evicted'],
    [{ at_most: kept - 1 }, undefined, false],
    [{ at_most: kept + 2 }, undefined, 'evicted'],
    [kept + 3, undefined, 'evicted'],
    [kept + 4, undefined, false],
    [kept - 1, ids[3], true],
    [kept, ids[2], 'evicted'],
    // A window that begins after the dropped calls is complete.
    [kept, '2026-11-20T12:01:00Z', true],
    [kept, '2026-11-20T12:00:00Z', 'evicted'],
  ];
  for (const [count, since, isSatisfied] of rows) {
    const question = { ...unauthorized, count, since };
    for (const verified of [journal.verify(question), journal.wait({ ...question, timeout_ms: 0 })])
      if (isSatisfied === 'evicted') await expect(verified, JSON.stringify(question)).rejects.toMatchObject(evicted);
      else expect((await verified).satisfied, JSON.stringify(question)).toBe(isSatisfied);
  }
  await journal.clear();
  expect(await journal.list()).toEqual({ requests: [], dropped: 0, oldest: null });
  expect(await journal.verify({ ...unauthorized, count: 0 })).toMatchObject({ satisfied: true });
  const message = expect.stringContaining(`The journal has no request "${ids[0]}"`);
  const unknown = journal.verify({ ...unauthorized, count: 0, since: ids[0] });
  await expect(unknown).rejects.toMatchObject({ status: 409, message });
});
