// Power is lost, or the process killed, at any operation: what was acknowledged is there, and what was not is there whole or not at all.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lineOf, readLog } from '../../../src/stores/folder/change-log.ts';
import type { StateFolder } from '../../../src/stores/folder/state-folder.ts';
import { ForgetfulDisk } from '../../support/forgetful-disk.ts';
import { Book, stateOn } from '../../support/kept-books.ts';
import { seeded } from '../../support/seeded.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const flushMilliseconds = 500;
const action = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('write' as const), size: fc.nat({ max: 150 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** What one to three sandboxes do at the same time, and whether it is waited for what they wrote to stand. */
const round = fc.record({
  actions: fc.array(fc.array(action, { maxLength: 6 }), { maxLength: 3 }),
  waits: fc.boolean(),
});
const life = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 5 }),
  /** Where it ends. */
  operation: fc.integer({ min: 1, max: 200 }),
  at: fc.constantFrom('before' as const, 'partly' as const, 'after' as const),
  seed: fc.nat(),
});
type Life = typeof life extends fc.Arbitrary<infer Drawn> ? Drawn : never;
const lives = fc.array(life, { minLength: 2, maxLength: 4 });

async function act(store: StateFolder, book: Book, actions: readonly Action[]): Promise<void> {
  for (const drawn of actions)
    if (drawn.kind === 'write') await book.write(store, drawn.size);
    else await book.remove(store);
}

/** Half a second later all that was acknowledged stands. */
async function flushed(disk: ForgetfulDisk, books: readonly Book[]): Promise<void> {
  await vi.advanceTimersByTimeAsync(flushMilliseconds);
  await disk.idle();
  if (!disk.isStopped) for (const book of books) book.stands();
}

async function run(disk: ForgetfulDisk, sync: 'always' | 'interval', books: readonly Book[], { rounds }: Life) {
  const store = await stateOn(disk, { sync });
  for (const book of books) await book.compare(store);
  for (const { actions, waits } of rounds) {
    await Promise.all(books.map((book, index) => act(store, book, actions[index] ?? [])));
    if (waits) await flushed(disk, books);
  }
}

/** Several lives of a disk, and a look at what the last one left. */
async function endure(sync: 'always' | 'interval', end: 'powerLoss' | 'killed', drawn: readonly Life[]): Promise<void> {
  const standing = end === 'killed' ? 'always' : sync;
  const books = ['one', 'two', 'three'].map((name) => new Book(name, standing));
  let disk = new ForgetfulDisk();
  for (const life of drawn) {
    const { operation, at, seed } = life;
    disk.fates = ({ number }) => (number === operation ? { at, with: 'stop' } : undefined);
    await Promise.race([run(disk, sync, books, life), disk.stopped]);
    vi.clearAllTimers();
    disk = disk[end](seeded(seed));
  }
  const store = await stateOn(disk, { sync });
  for (const book of books) await book.compare(store);
}

for (const end of ['powerLoss', 'killed'] as const)
  for (const sync of ['always', 'interval'] as const)
    test(`${end === 'killed' ? 'a kill' : 'a loss of power'} at any operation is survived, with --sync ${sync}`, async () => {
      await fc.assert(
        fc.asyncProperty(lives, (drawn) => endure(sync, end, drawn)),
        { numRuns: 150 },
      );
    });

test('a line with NUL where any of its last bytes were to be was never written whole', () => {
  const line = lineOf({ sandbox: 'stage', version: 2, changes: [] });
  for (let written = 0; written < line.length; written += 1)
    for (const nul of [0, 1, line.length - written, 4096]) {
      const bytes = Buffer.concat([line.subarray(0, written), Buffer.alloc(nul)]);
      expect(readLog(bytes, new Map())).toEqual({ sandboxes: new Map(), size: 0, cutBytes: bytes.length });
    }
});
