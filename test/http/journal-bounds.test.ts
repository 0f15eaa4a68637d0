// The journal keeps the last 1,000 calls of a sandbox, and does not answer questions that the dropped ones would decide.
import { expect, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { fixtures, noon, origin, send, testEngine } from '../support/sachet.ts';

const kept = 1000;
const evicted = { status: 409, message: expect.stringContaining('The journal has dropped requests') };
const unauthorized = { match: { status: 401 } } as const;
const created = { match: { method: 'POST' } } as const;
const satisfied = { satisfied: true };

/** Without a validation of the responses, which takes long for 1,000 entries. */
function journaled() {
  const sachet = testEngine({ fixtures, clock: noon, randomSeed: 'test' });
  /** The ids of so many calls. */
  const called = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const { headers } = await sachet.fetch(`${origin}/v2/products`);
      ids.push(headers.get('sandbox-request-id') ?? '');
    }
    return ids;
  };
  const { adminKey, fetch } = sachet;
  const stage = controlClient({ url: origin, adminKey, fetch }).sandbox('stage');
  return { sachet, stage, called, journal: stage.requests };
}

test('1,000 calls are kept, and for one more the oldest is dropped', async () => {
  const { called, journal } = journaled();
  const ids = await called(kept);
  const full = await journal.list();
  expect([full.requests.map(({ id }) => id), full.dropped, full.oldest]).toEqual([ids, 0, ids[0]]);
  ids.push(...(await called(1)));
  const over = await journal.list();
  expect([over.requests.map(({ id }) => id), over.dropped, over.oldest]).toEqual([ids.slice(1), 1, ids[1]]);
  await expect(journal.get(ids[0] ?? '')).rejects.toMatchObject({ status: 404 });
  expect((await journal.har()).log.entries).toHaveLength(kept);
});

test('verify and wait answer what is certain, and 409 where dropped calls would decide', async () => {
  const { called, journal, stage } = journaled();
  const waiting = journal.wait({ match: { method: 'GET' }, count: kept + 1, timeout_ms: 600_000 });
  const ended = expect(waiting).rejects.toMatchObject(evicted);
  const ids = await called(3);
  await stage.clock.advance({ seconds: 60 });
  ids.push(...(await called(kept)));
  await ended;
  const certain = [
    [{ at_least: kept }, true],
    [{ at_least: 1 }, true],
    [{ at_most: kept + 3 }, true],
    [{ at_least: kept + 4 }, false],
    [{ at_most: kept - 1 }, false],
    [kept - 1, false],
    [kept + 4, false],
  ] as const;
  for (const [count, expected] of certain)
    expect((await journal.verify({ ...unauthorized, count })).satisfied, JSON.stringify(count)).toBe(expected);
  const uncertain = [{ at_least: kept + 1 }, { at_least: kept + 3 }, { at_most: kept }, { at_most: kept + 2 }, kept];
  for (const count of [...uncertain, kept + 3]) {
    await expect(journal.verify({ ...unauthorized, count }), JSON.stringify(count)).rejects.toMatchObject(evicted);
    await expect(journal.wait({ ...unauthorized, count, timeout_ms: 600_000 })).rejects.toMatchObject(evicted);
  }
  await expect(journal.verify(created)).rejects.toMatchObject(evicted);
  await expect(journal.verify({ ...created, count: 0 })).rejects.toMatchObject(evicted);
  await expect(journal.verify({ match: {}, since: ids[2] })).rejects.toMatchObject(evicted);
  expect(await journal.verify({ ...unauthorized, since: ids[3], count: kept - 1 })).toMatchObject(satisfied);
  expect(await journal.verify({ ...created, since: ids[3], count: 0 })).toMatchObject(satisfied);
  // A window that begins after the dropped calls is complete.
  const all = { ...unauthorized, count: kept };
  expect(await journal.verify({ ...all, since: '2026-11-20T12:01:00Z' })).toMatchObject(satisfied);
  await expect(journal.verify({ ...all, since: '2026-11-20T12:00:00Z' })).rejects.toMatchObject(evicted);

  await journal.clear();
  expect(await journal.verify({ ...unauthorized, count: 0 })).toMatchObject(satisfied);
  const message = expect.stringContaining(`The journal has no request "${ids[0]}"`);
  await expect(journal.verify({ ...unauthorized, count: 0, since: ids[0] })).rejects.toMatchObject({
    status: 409,
    message,
  });
  await called(2);
  expect(await journal.verify({ ...unauthorized, count: 2 })).toMatchObject(satisfied);
  expect(await journal.list()).toMatchObject({ dropped: 0 });
});

test('a call that is dropped in flight is answered all the same', async () => {
  const { sachet, stage, called, journal } = journaled();
  await stage.switches.set({ latency: { milliseconds: 3_600_000, match: { path: '/v2/orders' } } });
  const answering = send(sachet, 'GET', '/v2/orders');
  await expect.poll(async () => (await journal.list()).requests.length).toBe(1);
  await called(kept);
  await stage.snapshots.create({ name: 'base' });
  await stage.snapshots.restore('base');
  expect((await answering).status).toBe(500);
  expect(await journal.list()).toMatchObject({ dropped: 1 });
  await expect(journal.verify({ match: { operation: 'orders.list' }, count: 0 })).rejects.toMatchObject(evicted);
});
