// --sync interval: what is acknowledged stands within a second, also where the disk is slow; an orderly end loses nothing.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ForgetfulDisk, type Operation } from '../../support/forgetful-disk.ts';
import { Book, stateOn } from '../../support/kept-books.ts';
import { seeded } from '../../support/seeded.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const isSync = ({ name, path }: Operation): boolean => name === 'sync' && path.includes('/changes.log');

/** A sandbox with a write whose sync is yet to come, and how many syncs of its log began. */
async function unsynced() {
  const disk = new ForgetfulDisk();
  const store = await stateOn(disk, { sync: 'interval', compactAfterBytes: 100_000 });
  const book = new Book('one', 'interval');
  await book.write(store);
  const syncs = { begun: 0 };
  disk.fates = (operation) => {
    if (isSync(operation)) syncs.begun += 1;
    return undefined;
  };
  await book.write(store);
  expect(syncs.begun).toBe(0);
  return { disk, store, book, syncs };
}

/** Power is lost in many ways, and each time all that the book has as acknowledged is there. */
async function expectStanding(disk: ForgetfulDisk, book: Book): Promise<void> {
  book.stands();
  const { acknowledged } = book;
  for (let seed = 0; seed < 20; seed += 1) {
    await book.compare(await stateOn(disk.powerLoss(seeded(seed)), { sync: 'interval' }));
    expect(book.acknowledged?.version).toBe(acknowledged?.version);
  }
}

test('a write stands a second after it was acknowledged', async () => {
  const { disk, book } = await unsynced();
  await vi.advanceTimersByTimeAsync(1000);
  await disk.idle();
  await expectStanding(disk, book);
});

test('writes that follow one another without a pause are synced all the while', async () => {
  const { disk, store, book, syncs } = await unsynced();
  for (let milliseconds = 0; milliseconds < 3000; milliseconds += 100) {
    await book.write(store);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(syncs.begun).toBeGreaterThanOrEqual(3);
  expect(syncs.begun).toBeLessThan(10);
  await vi.advanceTimersByTimeAsync(1000);
  await disk.idle();
  await expectStanding(disk, book);
});

test('a write that comes while the disk is slow to sync stands as well', async () => {
  const { disk, store, book, syncs } = await unsynced();
  let go: (done: undefined) => void = () => undefined;
  const slow = new Promise<undefined>((resolve) => {
    go = resolve;
  });
  disk.fates = (operation) => {
    if (!isSync(operation)) return undefined;
    syncs.begun += 1;
    return syncs.begun === 1 ? slow : undefined;
  };
  await vi.advanceTimersByTimeAsync(500);
  await expect.poll(() => syncs.begun).toBe(1);
  await book.write(store);
  await vi.advanceTimersByTimeAsync(600);
  go(undefined);
  await disk.idle();
  await vi.advanceTimersByTimeAsync(1000);
  await disk.idle();
  await expectStanding(disk, book);
});

test('an orderly end makes all stand that was acknowledged', async () => {
  const { disk, store, book } = await unsynced();
  await store.close();
  await expectStanding(disk, book);
});
