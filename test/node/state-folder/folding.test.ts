// A log that has outgrown its snapshot is folded into the next one: beside the writes, the generation before kept, and again where it failed.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Fates, ForgetfulDisk, type Operation } from '../../support/forgetful-disk.ts';
import { Book, stateOn } from '../../support/kept-books.ts';
import { seeded } from '../../support/seeded.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const filesOf = async (disk: ForgetfulDisk): Promise<string[]> => (await disk.files('/state/sandboxes/one')).sort();
const isSnapshot = ({ path }: Operation): boolean => path.includes('/snapshot-');

async function begun(leastFoldedBytes = 1000) {
  const disk = new ForgetfulDisk();
  const told: string[] = [];
  const store = await stateOn(disk, { leastFoldedBytes, tell: (words) => told.push(words) });
  const book = new Book('one', 'always');
  await book.write(store);
  return { disk, store, book, told };
}
type Begun = Awaited<ReturnType<typeof begun>>;

/** Writes until this is so. */
async function writeUntil({ store, book }: Begun, isMet: () => boolean | Promise<boolean>): Promise<void> {
  for (let writes = 0; !(await isMet()); writes += 1) {
    if (writes === 200) throw new Error('200 writes did not lead to it');
    await book.write(store);
  }
}

/** A disk that holds what is asked of it about snapshots until it is let go; whether something is held. */
function held(disk: ForgetfulDisk): { readonly isHolding: () => boolean; readonly letGo: () => void } {
  let letGo: () => void = () => undefined;
  let isHolding = false;
  const gate = new Promise<undefined>((resolve) => {
    letGo = () => resolve(undefined);
  });
  const fates: Fates = (operation) => {
    if (!isSnapshot(operation) || operation.name === 'remove') return undefined;
    isHolding = true;
    return gate;
  };
  disk.fates = fates;
  return { isHolding: () => isHolding, letGo };
}

async function expectKept(disk: ForgetfulDisk, book: Book): Promise<void> {
  for (const survivor of [disk.killed(seeded(1)), disk.powerLoss(seeded(2))])
    await book.compare(await stateOn(survivor));
}

test('a log is folded when it is larger than the least, and not before', async () => {
  const bytesOf = async (disk: ForgetfulDisk) => {
    let bytes = 0;
    for await (const piece of disk.read('/state/sandboxes/one/changes-1.log')) bytes += piece.length;
    return bytes;
  };
  const made = await begun(3000);
  const { disk } = made;
  const sizes: number[] = [];
  await writeUntil(made, async () => {
    sizes.push(await bytesOf(disk));
    await disk.idle();
    return (await filesOf(disk)).includes('changes-2.log');
  });
  expect(sizes.pop()).toBeGreaterThan(3000);
  expect(sizes.pop()).toBeLessThanOrEqual(3000);
});

test('a log is not folded while it is smaller than its snapshot', async () => {
  const { disk, book, store } = await begun(0);
  await book.write(store, 20_000);
  await disk.idle();
  expect(await filesOf(disk)).toContain('snapshot-2.json');
  for (let writes = 0; writes < 50; writes += 1) await book.write(store);
  await disk.idle();
  expect(await filesOf(disk)).toEqual(['changes-1.log', 'changes-2.log', 'snapshot-1.json', 'snapshot-2.json']);
  await expectKept(disk, book);
});

test('the generation before is kept, and none before that', async () => {
  const made = await begun();
  const { disk, book } = made;
  for (const generation of [2, 3, 4]) {
    await writeUntil(made, async () => (await filesOf(disk)).includes(`snapshot-${generation}.json`));
    await disk.idle();
    const numbers = [generation - 1, generation];
    const names = [...numbers.map((n) => `changes-${n}.log`), ...numbers.map((n) => `snapshot-${n}.json`)];
    expect(await filesOf(disk)).toEqual(names);
  }
  await expectKept(disk, book);
});

test('the generation before says the same: without the last snapshot the state is the same', async () => {
  const made = await begun();
  const { disk, book, store } = made;
  await writeUntil(made, async () => (await filesOf(disk)).includes('snapshot-2.json'));
  await disk.idle();
  await book.write(store);
  await disk.rename('/state/sandboxes/one/snapshot-2.json', '/state/sandboxes/one/snapshot-2.json.damaged');
  await disk.syncFolder('/state/sandboxes/one');
  await expectKept(disk, book);
});

test('writes are acknowledged while a snapshot is written', async () => {
  const made = await begun();
  const { disk, book, store } = made;
  const { isHolding, letGo } = held(disk);
  await writeUntil(made, isHolding);
  for (let writes = 0; writes < 50; writes += 1) await book.write(store);
  letGo();
  await disk.idle();
  expect(await filesOf(disk)).toContain('snapshot-2.json');
  await book.write(store);
  await expectKept(disk, book);
});

describe('a fold that fails', () => {
  const cases = {
    '/snapshot-2.json.tmp': ['create', 'write', 'sync', 'rename', 'close'],
    '/changes-2.log': ['create', 'write', 'sync'],
    '/one': ['syncFolder'],
  } as const;
  for (const [file, names] of Object.entries(cases))
    for (const name of names)
      test(`at ${name} of ${file} is told, and tried again`, async () => {
        const made = await begun();
        const { disk, book, store, told } = made;
        let failures = 0;
        disk.fates = (operation) => {
          if (operation.name !== name || !operation.path.endsWith(file) || failures > 0) return undefined;
          failures += 1;
          return { at: 'before', with: 'ENOSPC' };
        };
        await writeUntil(made, () => failures > 0);
        await disk.idle();
        expect(told).toHaveLength(1);
        expect(store.trouble()).toBe('the state folder takes no snapshots: no space left on device (ENOSPC)');
        await book.write(store);
        await vi.advanceTimersByTimeAsync(1000);
        await disk.idle();
        expect([store.trouble(), told.length]).toEqual([undefined, 2]);
        expect(await filesOf(disk)).toContain('snapshot-2.json');
        await expectKept(disk, book);
      });
});

describe('while a snapshot is written', () => {
  test('its sandbox can be removed; nothing of it is left', async () => {
    const made = await begun();
    const { disk, book, store } = made;
    const { isHolding, letGo } = held(disk);
    await writeUntil(made, isHolding);
    const removing = book.remove(store);
    letGo();
    await removing;
    expect(await disk.folders('/state/sandboxes')).toEqual([]);
    await book.write(store);
    await expectKept(disk, book);
  });

  test('the store can be closed; it is given up, and nothing is lost', async () => {
    const made = await begun();
    const { disk, book, store, told } = made;
    const { isHolding, letGo } = held(disk);
    await writeUntil(made, isHolding);
    await book.write(store);
    const closing = store.close();
    await turn();
    letGo();
    await closing;
    const { operations } = disk;
    await disk.idle();
    expect([disk.operations, told]).toEqual([operations, []]);
    await expectKept(disk, book);
  });
});
