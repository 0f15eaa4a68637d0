// The journal keeps a sandbox's last thousand calls. What it forgot it says, and it never answers a question that this would decide.
import { expect, test } from 'vitest';
import { type TestSachet, testSachet } from '../support/sachet.ts';

const kept = 1000;

/** Calls, each with its number in the query; the ids of their entries. */
async function called(sachet: TestSachet, count: number, first = 0): Promise<string[]> {
  const ids: string[] = [];
  for (let n = first; n < first + count; n += 1) {
    const { headers } = await sachet.call('GET', `/v2/products?n=${n}`);
    ids.push(headers.get('sandbox-request-id') ?? '');
  }
  return ids;
}

const stageOf = ({ control }: TestSachet) => control.sandbox('stage').requests;
const evicted = { status: 409, message: expect.stringContaining('The journal has dropped requests') };
const unauthorized = { match: { status: 401 } } as const;

test('a thousand calls are kept whole, and of one more the oldest is dropped', async () => {
  const sachet = testSachet();
  const journal = stageOf(sachet);
  const ids = await called(sachet, kept);
  const full = await journal.list();
  expect([full.requests.map(({ id }) => id), full.dropped, full.oldest]).toEqual([ids, 0, ids[0]]);
  ids.push(...(await called(sachet, 1, kept)));
  const over = await journal.list();
  expect([over.requests.map(({ id }) => id), over.dropped, over.oldest]).toEqual([ids.slice(1), 1, ids[1]]);
  await expect(journal.get(ids[0] ?? '')).rejects.toMatchObject({ status: 404 });
  expect((await journal.har()).log.entries).toHaveLength(kept);
});

test('verify and wait tell what is certain, and 409 where dropped calls would decide', async () => {
  const sachet = testSachet();
  const journal = stageOf(sachet);
  const ids = await called(sachet, kept + 3);
  const certain = [
    [{ at_least: kept }, true],
    [{ at_least: 1 }, true],
    [{ at_most: kept + 3 }, true],
    [{ at_least: kept + 4 }, false],
    [{ at_most: kept - 1 }, false],
    [kept - 1, false],
    [kept + 4, false],
  ] as const;
  for (const [count, satisfied] of certain)
    expect(await journal.verify({ ...unauthorized, count }), JSON.stringify(count)).toMatchObject({
      satisfied,
      count: kept,
    });
  for (const count of [
    { at_least: kept + 1 },
    { at_least: kept + 3 },
    { at_most: kept },
    { at_most: kept + 2 },
    kept,
    kept + 3,
  ]) {
    await expect(journal.verify({ ...unauthorized, count }), JSON.stringify(count)).rejects.toMatchObject(evicted);
    await expect(journal.wait({ ...unauthorized, count, timeout_ms: 600_000 })).rejects.toMatchObject(evicted);
  }
  await expect(journal.verify({ match: { method: 'POST' } })).rejects.toMatchObject(evicted);
  await expect(journal.verify({ match: { method: 'POST' }, count: 0 })).rejects.toMatchObject(evicted);
  await expect(journal.verify({ match: {}, since: ids[2] })).rejects.toMatchObject(evicted);
  expect(await journal.verify({ ...unauthorized, since: ids[3], count: kept - 1 })).toMatchObject({ satisfied: true });
  expect(await journal.verify({ match: { method: 'POST' }, since: ids[3], count: 0 })).toMatchObject({
    satisfied: true,
  });
});

test('a window that begins after what was dropped is whole', async () => {
  const sachet = testSachet();
  const journal = stageOf(sachet);
  await called(sachet, 5);
  await sachet.advance(60_000);
  await called(sachet, kept);
  const inWindow = { ...unauthorized, count: kept };
  expect(await journal.verify({ ...inWindow, since: '2026-11-20T12:01:00Z' })).toMatchObject({ satisfied: true });
  await expect(journal.verify({ ...inWindow, since: '2026-11-20T12:00:00Z' })).rejects.toMatchObject(evicted);
  await expect(journal.verify(inWindow)).rejects.toMatchObject(evicted);
});

test('a wait is ended as soon as what was dropped would decide it', async () => {
  const sachet = testSachet();
  const journal = stageOf(sachet);
  const waiting = journal.wait({ match: { method: 'GET' }, count: kept + 1, timeout_ms: 600_000 });
  const told = expect(waiting).rejects.toMatchObject(evicted);
  await called(sachet, kept + 1);
  await told;
});

test('after a clear nothing is missing, and what was cleared is no window', async () => {
  const sachet = testSachet();
  const journal = stageOf(sachet);
  const [first = ''] = await called(sachet, kept + 1);
  await journal.clear();
  expect(await journal.verify({ ...unauthorized, count: 0 })).toMatchObject({ satisfied: true });
  await expect(journal.verify({ ...unauthorized, count: 0, since: first })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining(`The journal has no request "${first}"`),
  });
  await called(sachet, 2);
  expect(await journal.verify({ ...unauthorized, count: 2 })).toMatchObject({ satisfied: true });
  expect(await journal.list()).toMatchObject({ dropped: 0 });
});

test('a call that is dropped while it is under way is answered all the same', async () => {
  const sachet = testSachet();
  const stage = sachet.control.sandbox('stage');
  const match = { path: '/v2/orders' } as const;
  await stage.switches.set({ latency: { milliseconds: 3_600_000, match } });
  const answering = (await sachet.login()).get('/v2/orders');
  await expect.poll(async () => (await stage.requests.list()).requests.length).toBe(2);
  await called(sachet, kept);
  await stage.snapshots.create({ name: 'base' });
  await stage.snapshots.restore('base');
  expect((await answering).status).toBe(500);
  expect(await stage.requests.list()).toMatchObject({ dropped: 2 });
  await expect(stage.requests.verify({ match: { operation: 'orders.list' }, count: 0 })).rejects.toMatchObject(evicted);
});
