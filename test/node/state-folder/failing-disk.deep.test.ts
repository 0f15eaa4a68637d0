// A disk that fails, at anything it is asked: what is refused is refused, memory is not ahead, it is told, and it heals by itself.
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEngine } from '../../../src/app.ts';
import { StoreFailure } from '../../../src/state/store.ts';
import type { StateFolder } from '../../../src/stores/folder/state-folder.ts';
import { mark, marks, plain } from '../../support/chaos-sandboxes.ts';
import { type Fate, ForgetfulDisk, type Operation } from '../../support/forgetful-disk.ts';
import { Book, stateOn } from '../../support/kept-books.ts';
import { orderId, someOrder } from '../../support/order-requests.ts';
import { fixtures, noon, testSachet } from '../../support/sachet.ts';
import { seeded } from '../../support/seeded.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Waits, some seconds of the disk's being whole, until the store has no trouble any more. */
async function healed(disk: ForgetfulDisk, store: StateFolder): Promise<void> {
  for (let second = 0; second < 5 && store.problem() !== undefined; second += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    await disk.idle();
  }
  expect(store.problem()).toBeUndefined();
}

/** Opened again, after a kill and after a loss of power, it is what was acknowledged. */
async function expectKept(disk: ForgetfulDisk, books: readonly Book[], sync: 'always' | 'interval'): Promise<void> {
  for (const book of books) book.stands();
  for (const survivor of [disk.killed(seeded(1)), disk.powerLoss(seeded(2))]) {
    const store = await stateOn(survivor, { sync });
    for (const book of books) await book.compare(store);
  }
}

const act = fc.constantFrom<'write' | 'remove'>('write', 'write', 'write', 'write', 'remove');
const failure = fc.record({
  /** The first operation that fails, and how many do. */
  from: fc.integer({ min: 1, max: 70 }),
  length: fc.constantFrom(1, 2, 5, 1000),
  at: fc.constantFrom<Fate['at']>('before', 'partly', 'after'),
  with: fc.constantFrom<Fate['with']>('ENOSPC', 'EIO'),
  forgets: fc.boolean(),
});
const drawnLife = fc.record({
  acts: fc.array(fc.array(act, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 2 }),
  failure,
  seed: fc.nat(),
});
type Life = typeof drawnLife extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Does one thing to a sandbox; what is refused is told. */
async function tried(store: StateFolder, book: Book, drawn: 'write' | 'remove'): Promise<void> {
  try {
    await book[drawn](store);
  } catch (error) {
    expect(error).toHaveProperty('message', expect.stringMatching(/^E[A-Z]+: |another program/));
    if (drawn === 'write') expect(store.problem()).toMatch(/^cannot write changes to the state folder: ./);
  }
}

async function fail(
  sync: 'always' | 'interval',
  { acts, failure: { from, length, ...fate }, seed }: Life,
): Promise<void> {
  const disk = new ForgetfulDisk(seeded(seed));
  const store = await stateOn(disk, { sync });
  const opened = disk.operations;
  disk.fates = ({ number }) => (number - opened >= from && number - opened < from + length ? fate : undefined);
  const books = acts.map((_, index) => new Book(`sandbox-${index}`, sync));
  await Promise.all(
    books.map(async (book, index) => {
      for (const drawn of acts[index] ?? []) await tried(store, book, drawn);
    }),
  );
  await vi.advanceTimersByTimeAsync(500);
  await disk.idle();
  disk.fates = () => undefined;
  await healed(disk, store);
  for (const book of books) await book.write(store);
  await vi.advanceTimersByTimeAsync(500);
  await disk.idle();
  await expectKept(disk, books, sync);
}

for (const sync of ['always', 'interval'] as const)
  test(`any operation may fail, once or for a while, with --sync ${sync}`, async () => {
    await fc.assert(
      fc.asyncProperty(drawnLife, (drawn) => fail(sync, drawn)),
      { numRuns: 150 },
    );
  });

/** A sandbox that was written to, on a disk that fails at this from now on, until it is mended. */
async function troubled(isMet: (operation: Operation) => boolean, fate: Fate, sync: 'always' | 'interval' = 'always') {
  const disk = new ForgetfulDisk();
  const store = await stateOn(disk, { sync, compactAfterBytes: 100_000 });
  const book = new Book('one', sync);
  for (let writes = 0; writes < 3; writes += 1) await book.write(store);
  disk.fates = (operation) => (isMet(operation) ? fate : undefined);
  const mend = () => {
    disk.fates = () => undefined;
  };
  return { disk, store, book, mend };
}

test('a sandbox whose removal fails is there as it was, and can be removed later', async () => {
  const { disk, store, book, mend } = await troubled(({ name }) => name === 'write', { at: 'partly', with: 'EIO' });
  await expect(book.remove(store)).rejects.toThrow('EIO');
  mend();
  await healed(disk, store);
  await book.write(store);
  await book.remove(store);
  await book.write(store);
  await expectKept(disk, [book], 'always');
});

test('a log that cannot be cut after a failed write is replaced before another write is taken', async () => {
  const isMet = ({ name, path }: Operation) => path.endsWith('.log') && ['write', 'truncate'].includes(name);
  const { disk, store, book, mend } = await troubled(isMet, { at: 'partly', with: 'EIO' });
  for (let writes = 0; writes < 3; writes += 1) await expect(book.write(store)).rejects.toThrow('EIO');
  mend();
  await expect(book.write(store)).rejects.toThrow('EIO');
  await healed(disk, store);
  await book.write(store);
  await expectKept(disk, [book], 'always');
});

test('with space for changes and none for documents, writes are taken again', async () => {
  const isMet = ({ name, path }: Operation) => name === 'write' && path.endsWith('.json.tmp');
  const { disk, store, book, mend } = await troubled(isMet, { at: 'before', with: 'ENOSPC' });
  const isDocument = disk.fates;
  disk.fates = ({ name }) => (name === 'write' ? { at: 'partly', with: 'ENOSPC' } : undefined);
  await expect(book.write(store)).rejects.toThrow('ENOSPC');
  disk.fates = isDocument;
  await vi.advanceTimersByTimeAsync(1000);
  await disk.idle();
  await book.write(store);
  expect(store.problem()).toContain('(ENOSPC)');
  mend();
  await healed(disk, store);
  await expectKept(disk, [book], 'always');
});

test('a server that ends while the log may lack what was acknowledged, and cannot write it anew, says so', async () => {
  const isMet = ({ name }: Operation) => ['write', 'truncate'].includes(name);
  const { store, book } = await troubled(isMet, { at: 'before', with: 'EIO' });
  await expect(book.write(store)).rejects.toThrow('EIO');
  await expect(store.close()).rejects.toThrow('EIO');
});

test('a write that is refused since the server ends is in no document', async () => {
  const { disk, store, book } = await troubled(() => false, { at: 'before', with: 'EIO' });
  const closing = store.close();
  await expect(book.write(store)).rejects.toThrow('the server has closed');
  await closing;
  await expectKept(disk, [book], 'always');
});

test('a compaction that fails for one sandbox waits for the others, so that none is written over a later document', async () => {
  const disk = new ForgetfulDisk();
  const store = await stateOn(disk, { compactAfterBytes: 1500 });
  const books = ['one', 'two'].map((name) => new Book(name, 'always'));
  let go: (done: undefined) => void = () => undefined;
  const slow = new Promise<undefined>((resolve) => {
    go = resolve;
  });
  let [opened, written] = [0, 0];
  disk.fates = ({ name, path }) => {
    if (name === 'open' && path.endsWith('/one.json.tmp')) opened += 1;
    if (name === 'open' && path.endsWith('/one.json.tmp') && opened === 1) return { at: 'before', with: 'EIO' };
    if (name === 'write' && path.endsWith('/two.json.tmp')) written += 1;
    return name === 'write' && path.endsWith('/two.json.tmp') && written === 2 ? slow : undefined;
  };
  for (const book of books) for (let writes = 0; writes < 4; writes += 1) await book.write(store);
  const more = books.map((book) => book.write(store, 400));
  for (let second = 0; second < 3; second += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    for (let turns = 0; turns < 100; turns += 1) await turn();
  }
  go(undefined);
  await Promise.all(more);
  await healed(disk, store);
  for (const book of books) await book.write(store);
  await expectKept(disk, books, 'always');
});

test('a compaction that was suspended until another process took the folder leaves the log as it is', async () => {
  const disk = new ForgetfulDisk();
  let loss: string | undefined;
  const store = await stateOn(disk, { compactAfterBytes: 1500, loss: () => loss });
  const book = new Book('one', 'always');
  await book.write(store);
  disk.fates = ({ name, path }) => {
    if (name === 'rename' && path.endsWith('/one.json.tmp')) loss = 'another process has the folder';
    return undefined;
  };
  await book.write(store, 400);
  expect(loss).toBeDefined();
  expect((await disk.readFile('/state/changes.log')).length).toBeGreaterThan(1500);
});

test('what a failed sync made the system forget is written anew, before another write is taken', async () => {
  const fate = { at: 'before', with: 'EIO', forgets: true } as const;
  const { disk, store, book, mend } = await troubled(({ name }) => name === 'sync', fate, 'interval');
  await vi.advanceTimersByTimeAsync(500);
  await disk.idle();
  await expect(book.write(store)).rejects.toThrow('EIO');
  mend();
  await healed(disk, store);
  await book.write(store);
  await store.close();
  await expectKept(disk, [book], 'interval');
});

test('a full disk is told for as long as it is full, whatever else succeeds on it', async () => {
  const fate = { at: 'before', with: 'ENOSPC' } as const;
  const { disk, store, book } = await troubled(({ name }) => name === 'write', fate, 'interval');
  await expect(book.write(store)).rejects.toThrow('ENOSPC');
  for (let half = 0; half < 5; half += 1) {
    await vi.advanceTimersByTimeAsync(500);
    await disk.idle();
    expect(store.problem(), `after ${half + 1} half seconds`).toContain('(ENOSPC)');
  }
});

describe('a server on a full disk', () => {
  const full = ({ name }: Operation): Fate | undefined =>
    name === 'write' ? { at: 'partly', with: 'ENOSPC' } : undefined;

  test('answers reads, refuses writes, says that it is degraded and why, and heals by itself', async () => {
    const disk = new ForgetfulDisk();
    const store = await stateOn(disk, { compactAfterBytes: 1_000_000 });
    const sachet = testSachet({ store });
    const client = await sachet.login();
    disk.fates = full;
    expect((await client.post('/v2/orders', someOrder())).status).toBe(500);
    expect((await client.get(`/v2/orders/${orderId(1)}`)).status).toBe(200);
    const health = await sachet.call('GET', '/health');
    const why = 'cannot write changes to the state folder: no space left on device (ENOSPC)';
    expect([health.status, JSON.parse(health.text)]).toMatchObject([200, { status: 'degraded', why }]);
    await vi.advanceTimersByTimeAsync(3000);
    await disk.idle();
    expect((await sachet.call('GET', '/health')).text).toContain('"degraded"');
    disk.fates = () => undefined;
    await healed(disk, store);
    expect((await sachet.call('GET', '/health')).text).toContain('"ok"');
    expect((await client.post('/v2/orders', someOrder())).status).toBe(201);
  });

  test('has nothing in memory of what it refused', async () => {
    const disk = new ForgetfulDisk();
    const store = await stateOn(disk, { compactAfterBytes: 1_000_000 });
    const engine = createEngine({ fixtures, clock: noon, randomSeed: 'test', store });
    const sandbox = await engine.sandboxes.stage();
    await mark(sandbox, 'before');
    const before = plain(sandbox);
    disk.fates = full;
    const refused = await Promise.allSettled(['a', 'b'].map((id) => mark(sandbox, id)));
    expect(refused.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
      expect.any(StoreFailure),
      expect.any(StoreFailure),
    ]);
    expect(plain(sandbox)).toEqual(before);
    disk.fates = () => undefined;
    await healed(disk, store);
    await mark(sandbox, 'after');
    expect(await marks(sandbox)).toEqual(['before', 'after']);
    const again = createEngine({
      fixtures,
      clock: noon,
      randomSeed: 'test',
      store: await stateOn(disk.killed(seeded(1))),
    });
    expect(plain(await again.sandboxes.stage())).toEqual(plain(sandbox));
  });
});
