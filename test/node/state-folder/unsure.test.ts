// What a failed sync may have lost is written anew, at the latest when the store is closed; and what is told of it is told in the right order.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Troubles } from '../../../src/node/state-folder/troubles.ts';
import { type Fate, ForgetfulDisk, type Operation } from '../../support/forgetful-disk.ts';
import { Book, stateOn } from '../../support/kept-books.ts';
import { testSachet } from '../../support/sachet.ts';
import { seeded } from '../../support/seeded.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const flushMilliseconds = 500;
const lost = { at: 'before', with: 'EIO', forgets: true } as const;
const full = { at: 'before', with: 'ENOSPC' } as const;
const isLog = ({ path }: Operation): boolean => path.includes('/changes-');
const isSnapshot = ({ path }: Operation): boolean => path.endsWith('.json.tmp');

/** A sandbox with a write that is acknowledged and not yet synced, and a disk whose next sync of a log loses it. */
async function unsynced() {
  const disk = new ForgetfulDisk();
  const store = await stateOn(disk, { sync: 'interval', leastFoldedBytes: 100_000 });
  const book = new Book('one', 'interval');
  for (let writes = 0; writes < 3; writes += 1) await book.write(store);
  let failures = 0;
  disk.fates = (operation) => {
    if (operation.name !== 'sync' || !isLog(operation) || failures > 0) return undefined;
    failures += 1;
    return lost;
  };
  return { disk, store, book };
}

async function flushed(disk: ForgetfulDisk): Promise<void> {
  await vi.advanceTimersByTimeAsync(flushMilliseconds);
  await disk.idle();
}

/** In many losses of power, each time all that was acknowledged is there. */
async function expectStanding(disk: ForgetfulDisk, book: Book): Promise<void> {
  book.stands();
  for (let seed = 0; seed < 20; seed += 1) await book.compare(await stateOn(disk.powerLoss(seeded(seed))));
  expect(book.acknowledged?.version).toBeGreaterThanOrEqual(3);
}

describe('what a sync has lost stands once the store is closed', () => {
  test('where the sync was before', async () => {
    const { disk, store, book } = await unsynced();
    await flushed(disk);
    expect(store.trouble()).toContain('(EIO)');
    await store.close();
    await expectStanding(disk, book);
  });

  test('where the sync is that of the closing', async () => {
    const { disk, store, book } = await unsynced();
    await store.close().catch(() => undefined);
    await expectStanding(disk, book);
  });
});

test('a fold that fails again and again makes one log, and heals in the end', async () => {
  const { disk, store, book } = await unsynced();
  await flushed(disk);
  const made: string[] = [];
  disk.fates = (operation): Fate | undefined => {
    if (operation.name === 'create') made.push(operation.path.replace(/.*\//, ''));
    return isSnapshot(operation) ? full : undefined;
  };
  for (let second = 0; second < 200; second += 1) await oneSecond(disk);
  expect(made.filter((name) => name.endsWith('.json.tmp')).length).toBeGreaterThan(4);
  expect(made.filter((name) => name.endsWith('.log'))).toEqual(['changes-2.log']);
  await expect(book.write(store)).rejects.toThrow('the disk has failed');
  disk.fates = () => undefined;
  for (let second = 0; second < 65 && store.trouble() !== undefined; second += 1) await oneSecond(disk);
  expect(store.trouble()).toBeUndefined();
  await book.write(store);
  await store.close();
  await expectStanding(disk, book);
});

async function oneSecond(disk: ForgetfulDisk): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000);
  await disk.idle();
}

describe('refused writes are told before snapshots that are not made', () => {
  const error = (code: string) => new Error(code);

  test('of whomever, and in whatever order they came', () => {
    const troubles = new Troubles(
      () => undefined,
      () => undefined,
    );
    troubles.note('one', 'snapshots', error('first'));
    expect(troubles.first).toBe('the state folder takes no snapshots: first');
    troubles.note('two', 'writes', error('second'));
    expect(troubles.first).toBe('the state folder takes no writes: second');
    troubles.clear('two', 'writes');
    expect(troubles.first).toBe('the state folder takes no snapshots: first');
  });

  test('by /health', async () => {
    const disk = new ForgetfulDisk();
    const store = await stateOn(disk, { leastFoldedBytes: 300 });
    const sachet = testSachet({ store });
    const why = async () => (JSON.parse((await sachet.call('GET', '/health')).text) as { readonly why?: string }).why;
    const book = new Book('one', 'always');
    disk.fates = (operation) => (operation.path.endsWith('/snapshot-2.json.tmp') ? full : undefined);
    for (let writes = 0; writes < 50 && store.trouble() === undefined; writes += 1) {
      await book.write(store);
      await disk.idle();
    }
    expect(await why()).toContain('takes no snapshots');
    disk.fates = ({ name }) => (name === 'write' ? full : undefined);
    await expect(book.write(store)).rejects.toThrow('ENOSPC');
    expect(await why()).toBe('the state folder takes no writes: no space left on device (ENOSPC)');
  });
});
