// A disk that fails: the store rejects the write, names the problem, and recovers by itself. And a disk that syncs only once per second.
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StateFolder } from '../../../src/stores/folder/state-folder.ts';
import { stateOn, TrackedSandbox } from './sandboxes-in-files.ts';
import { type Fate, type Operation, SimulatedDisk, seeded } from './simulated-disk.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function passTime(disk: SimulatedDisk, milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await disk.idle();
}

/** Waits some seconds until the store reports no problem. */
async function expectRecovered(disk: SimulatedDisk, store: StateFolder): Promise<void> {
  for (let second = 0; second < 5 && store.problem() !== undefined; second += 1) await passTime(disk, 1000);
  expect(store.problem()).toBeUndefined();
}

/** After a kill, and after a power loss, everything acknowledged is there. */
async function expectKept(disk: SimulatedDisk, sandboxes: readonly TrackedSandbox[], sync: 'always' | 'interval') {
  for (const sandbox of sandboxes) sandbox.markDurable();
  for (const survivor of [disk.killed(seeded(1)), disk.powerLoss(seeded(2))]) {
    const store = await stateOn(survivor, { sync });
    for (const sandbox of sandboxes) await sandbox.compare(store);
  }
}

const act = fc.constantFrom<'write' | 'remove'>('write', 'write', 'write', 'write', 'remove');
const life = fc.record({
  /** What one or two sandboxes do at the same time. */
  acts: fc.array(fc.array(act, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 2 }),
  failsFrom: fc.integer({ min: 1, max: 70 }),
  failures: fc.constantFrom(1, 2, 5, 1000),
  fate: fc.record({
    at: fc.constantFrom<Fate['at']>('before', 'partly', 'after'),
    with: fc.constantFrom<Fate['with']>('ENOSPC', 'EIO'),
    forgets: fc.boolean(),
  }),
  seed: fc.nat(),
});

type Life = typeof life extends fc.Arbitrary<infer Drawn> ? Drawn : never;

test.each(['always', 'interval'] as const)(
  'any operation may fail, once or for a while, with --sync %s',
  async (sync) => {
    const recovers = async ({ acts, failsFrom, failures, fate, seed }: Life) => {
      const disk = new SimulatedDisk(seeded(seed));
      const store = await stateOn(disk, { sync });
      const from = disk.operations + failsFrom;
      disk.fates = ({ number }) => (number >= from && number < from + failures ? fate : undefined);
      const sandboxes = acts.map((_, index) => new TrackedSandbox(`sandbox-${index}`, sync));
      const work = async (sandbox: TrackedSandbox, index: number) => {
        for (const drawn of acts[index] ?? [])
          await sandbox[drawn](store).catch((error: unknown) => {
            expect(error).toHaveProperty('message', expect.stringMatching(/^E[A-Z]+: |another program/));
            if (drawn === 'write') expect(store.problem()).toMatch(/^cannot write changes to the state folder: ./);
          });
      };
      await Promise.all(sandboxes.map(work));
      await passTime(disk, 500);
      disk.fates = () => undefined;
      await expectRecovered(disk, store);
      for (const sandbox of sandboxes) await sandbox.write(store);
      await passTime(disk, 500);
      await expectKept(disk, sandboxes, sync);
    };
    await fc.assert(fc.asyncProperty(life, recovers), { numRuns: 100 });
  },
);

/** A sandbox on a disk on which these operations fail from now on, until `repair`. */
async function failing(fails: (operation: Operation) => boolean, fate: Fate, sync: 'always' | 'interval' = 'always') {
  const disk = new SimulatedDisk();
  const store = await stateOn(disk, { sync, compactAfterBytes: 100_000 });
  const sandbox = new TrackedSandbox('one', sync);
  for (let writes = 0; writes < 3; writes += 1) await sandbox.write(store);
  disk.fates = (operation) => (fails(operation) ? fate : undefined);
  const repair = () => {
    disk.fates = () => undefined;
    return expectRecovered(disk, store);
  };
  return { disk, store, sandbox, repair };
}

test('a log that cannot be cut after a failed write is replaced before the next write', async () => {
  const fails = ({ name, path }: Operation) => path.endsWith('.log') && ['write', 'truncate'].includes(name);
  const { disk, store, sandbox, repair } = await failing(fails, { at: 'partly', with: 'EIO' });
  for (let writes = 0; writes < 3; writes += 1) await expect(sandbox.write(store)).rejects.toThrow('EIO');
  disk.fates = () => undefined;
  await expect(sandbox.write(store)).rejects.toThrow('EIO');
  await repair();
  await sandbox.write(store);
  await expectKept(disk, [sandbox], 'always');
});

test('with space for changes but not for documents, the store accepts writes', async () => {
  const fails = ({ name, path }: Operation) => name === 'write' && path.endsWith('.json.tmp');
  const { disk, store, sandbox, repair } = await failing(fails, { at: 'before', with: 'ENOSPC' });
  const documentsFail = disk.fates;
  disk.fates = ({ name }) => (name === 'write' ? { at: 'partly', with: 'ENOSPC' } : undefined);
  await expect(sandbox.write(store)).rejects.toThrow('ENOSPC');
  const problem = 'cannot write changes to the state folder: no space left on device (ENOSPC)';
  expect(store.problem()).toBe(problem);
  await passTime(disk, 3000);
  expect(store.problem()).toBe(problem);
  disk.fates = documentsFail;
  await passTime(disk, 1000);
  await sandbox.write(store);
  expect(store.problem()).toContain('(ENOSPC)');
  await repair();
  await expectKept(disk, [sandbox], 'always');
});

test('a write after the close is in no document', async () => {
  const { disk, store, sandbox } = await failing(() => false, { at: 'before', with: 'EIO' });
  const closing = store.close();
  await expect(sandbox.write(store)).rejects.toThrow('the server has closed');
  await closing;
  await expectKept(disk, [sandbox], 'always');
});

test('a failed compaction waits for the documents in progress, so that none replaces a later one', async () => {
  const disk = new SimulatedDisk();
  const store = await stateOn(disk, { compactAfterBytes: 1500 });
  const sandboxes = ['one', 'two'].map((name) => new TrackedSandbox(name, 'always'));
  let endSlowWrite: (done: undefined) => void = () => undefined;
  const slow = new Promise<undefined>((resolve) => {
    endSlowWrite = resolve;
  });
  let [opened, written] = [0, 0];
  disk.fates = ({ name, path }) => {
    if (name === 'open' && path.endsWith('/one.json.tmp')) opened += 1;
    if (name === 'open' && path.endsWith('/one.json.tmp') && opened === 1) return { at: 'before', with: 'EIO' };
    if (name === 'write' && path.endsWith('/two.json.tmp')) written += 1;
    return name === 'write' && path.endsWith('/two.json.tmp') && written === 2 ? slow : undefined;
  };
  for (const sandbox of sandboxes) for (let writes = 0; writes < 4; writes += 1) await sandbox.write(store);
  const more = sandboxes.map((sandbox) => sandbox.write(store, 400));
  for (let second = 0; second < 3; second += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    for (let turns = 0; turns < 100; turns += 1) await turn();
  }
  endSlowWrite(undefined);
  await Promise.all(more);
  await expectRecovered(disk, store);
  for (const sandbox of sandboxes) await sandbox.write(store);
  await expectKept(disk, sandboxes, 'always');
});

test('a compaction during which another process took the folder does not empty the log', async () => {
  const disk = new SimulatedDisk();
  let loss: string | undefined;
  const store = await stateOn(disk, { compactAfterBytes: 1500, loss: () => loss });
  const sandbox = new TrackedSandbox('one', 'always');
  await sandbox.write(store);
  disk.fates = ({ name, path }) => {
    if (name === 'rename' && path.endsWith('/one.json.tmp')) loss = 'another process has the folder';
    return undefined;
  };
  await sandbox.write(store, 400);
  expect(loss).toBeDefined();
  expect((await disk.readFile('/state/changes.log')).length).toBeGreaterThan(1500);
});

test('data that the system forgot after a failed sync is written again before the next write', async () => {
  const fate = { at: 'before', with: 'EIO', forgets: true } as const;
  const { disk, store, sandbox, repair } = await failing(({ name }) => name === 'sync', fate, 'interval');
  await passTime(disk, 500);
  await expect(sandbox.write(store)).rejects.toThrow('EIO');
  await repair();
  await sandbox.write(store);
  await store.close();
  await expectKept(disk, [sandbox], 'interval');
});

test('writes without a pause are synced about once per second, and are then durable', async () => {
  const disk = new SimulatedDisk();
  const store = await stateOn(disk, { sync: 'interval', compactAfterBytes: 100_000 });
  const sandbox = new TrackedSandbox('one', 'interval');
  await sandbox.write(store);
  let syncs = 0;
  disk.fates = ({ name, path }) => {
    if (name === 'sync' && path.includes('/changes.log')) syncs += 1;
    return undefined;
  };
  await sandbox.write(store);
  expect(syncs).toBe(0);
  for (let milliseconds = 0; milliseconds < 3000; milliseconds += 100) {
    await sandbox.write(store);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(syncs).toBeGreaterThanOrEqual(3);
  expect(syncs).toBeLessThan(10);
  await passTime(disk, 1000);
  sandbox.markDurable();
  for (let seed = 0; seed < 20; seed += 1)
    await sandbox.compare(await stateOn(disk.powerLoss(seeded(seed)), { sync: 'interval' }));
});
