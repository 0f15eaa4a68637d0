// A disk that fails, loses power or returns other bytes. Acknowledged writes are there, others are there whole or not at all; the store rejects
// what it cannot write, names the problem, and recovers by itself; a cut log is a prefix, everything else is damage.
import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FolderOptions, StateFolder } from '../../../src/stores/folder/state-folder.ts';
import {
  addMarks,
  damageOf,
  documentOf,
  filesOf,
  logOf,
  marked,
  restore,
  stateOf,
  stateOn,
  TrackedSandbox,
} from './sandboxes-in-files.ts';
import { type Fate, type Operation, SimulatedDisk, seeded } from './simulated-disk.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

type Sync = FolderOptions['sync'];
type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

async function passTime(disk: SimulatedDisk, milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await disk.idle();
}

/** The size of a write, or null for a removal. */
const action = fc.option(fc.nat({ max: 150 }), { freq: 7 });
const act = (sandbox: TrackedSandbox, store: StateFolder, size: Drawn<typeof action>) =>
  size === null ? sandbox.remove(store) : sandbox.write(store, size);
const at = fc.constantFrom<Fate['at']>('before', 'partly', 'after');

/** What three sandboxes do at the same time, and whether the writes get time to become durable. */
const round = fc.record({
  actions: fc.array(fc.array(action, { maxLength: 6 }), { maxLength: 3 }),
  waits: fc.boolean(),
});
const life = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 5 }),
  lastOperation: fc.integer({ min: 1, max: 200 }),
  at,
  seed: fc.nat(),
});
const lives = fc.array(life, { minLength: 2, maxLength: 4 });

async function run(
  disk: SimulatedDisk,
  sync: Sync,
  all: readonly TrackedSandbox[],
  rounds: Drawn<typeof life>['rounds'],
) {
  const store = await stateOn(disk, { sync });
  for (const sandbox of all) await sandbox.compare(store);
  for (const { actions, waits } of rounds) {
    const work = async (sandbox: TrackedSandbox, index: number) => {
      for (const size of actions[index] ?? []) await act(sandbox, store, size);
    };
    await Promise.all(all.map(work));
    if (!waits) continue;
    await passTime(disk, 500);
    if (!disk.isStopped) for (const sandbox of all) sandbox.markDurable();
  }
}

test.each([
  ['always', 'powerLoss'],
  ['interval', 'powerLoss'],
  ['always', 'killed'],
  ['interval', 'killed'],
] as const)('any operation may be the last, with --sync %s: %s', async (sync, end) => {
  const survives = async (drawn: Drawn<typeof lives>) => {
    const durable = end === 'killed' ? 'always' : sync;
    const all = ['one', 'two', 'three'].map((name) => new TrackedSandbox(name, durable));
    let disk = new SimulatedDisk();
    for (const { rounds, lastOperation, at, seed } of drawn) {
      disk.fates = ({ number }) => (number === lastOperation ? { at, with: 'stop' } : undefined);
      await Promise.race([run(disk, sync, all, rounds), disk.stopped]);
      vi.clearAllTimers();
      disk = disk[end](seeded(seed));
    }
    const store = await stateOn(disk, { sync });
    for (const sandbox of all) await sandbox.compare(store);
  };
  await fc.assert(fc.asyncProperty(lives, survives), { numRuns: 100 });
});

/** Waits some seconds until the store reports no problem. */
async function expectRecovered(disk: SimulatedDisk, store: StateFolder): Promise<void> {
  for (let second = 0; second < 5 && store.problem() !== undefined; second += 1) await passTime(disk, 1000);
  expect(store.problem()).toBeUndefined();
}

/** After a kill, and after a power loss, everything acknowledged is there. */
async function expectKept(disk: SimulatedDisk, sandboxes: readonly TrackedSandbox[], sync: Sync) {
  for (const sandbox of sandboxes) sandbox.markDurable();
  for (const survivor of [disk.killed(seeded(1)), disk.powerLoss(seeded(2))]) {
    const store = await stateOn(survivor, { sync });
    for (const sandbox of sandboxes) await sandbox.compare(store);
  }
}

const failingLife = fc.record({
  /** What one or two sandboxes do at the same time. */
  acts: fc.array(fc.array(action, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 2 }),
  failsFrom: fc.integer({ min: 1, max: 70 }),
  failures: fc.constantFrom(1, 2, 5, 1000),
  fate: fc.record({ at, with: fc.constantFrom<Fate['with']>('ENOSPC', 'EIO'), forgets: fc.boolean() }),
  seed: fc.nat(),
});

test.each(['always', 'interval'] as const)(
  'any operation may fail, once or for a while, with --sync %s',
  async (sync) => {
    const recovers = async ({ acts, failsFrom, failures, fate, seed }: Drawn<typeof failingLife>) => {
      const disk = new SimulatedDisk(seeded(seed));
      const store = await stateOn(disk, { sync });
      const from = disk.operations + failsFrom;
      disk.fates = ({ number }) => (number >= from && number < from + failures ? fate : undefined);
      const sandboxes = acts.map((_, index) => new TrackedSandbox(`sandbox-${index}`, sync));
      const work = async (sandbox: TrackedSandbox, index: number) => {
        for (const size of acts[index] ?? [])
          await act(sandbox, store, size).catch((error: unknown) => {
            expect(error).toHaveProperty('message', expect.stringMatching(/^E[A-Z]+: |another program/));
            if (size !== null) expect(store.problem()).toMatch(/^cannot write changes to the state folder: ./);
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
    await fc.assert(fc.asyncProperty(failingLife, recovers), { numRuns: 100 });
  },
);

/** A sandbox with three writes on a disk. */
async function onDisk({ sync = 'always', ...options }: Partial<FolderOptions> = {}) {
  const disk = new SimulatedDisk();
  const store = await stateOn(disk, { sync, compactAfterBytes: 100_000, ...options });
  const sandbox = new TrackedSandbox('one', sync);
  for (let writes = 0; writes < 3; writes += 1) await sandbox.write(store);
  const fail = (fate: Fate, isFailing: (operation: Operation) => boolean) => {
    disk.fates = (operation) => (isFailing(operation) ? fate : undefined);
  };
  const repair = () => {
    disk.fates = () => undefined;
    return expectRecovered(disk, store);
  };
  return { disk, store, sandbox, fail, repair };
}

test('a log that cannot be cut after a failed write is replaced before the next write', async () => {
  const { disk, store, sandbox, fail, repair } = await onDisk();
  fail(
    { at: 'partly', with: 'EIO' },
    ({ name, path }) => path.endsWith('.log') && ['write', 'truncate'].includes(name),
  );
  for (let writes = 0; writes < 3; writes += 1) await expect(sandbox.write(store)).rejects.toThrow('EIO');
  disk.fates = () => undefined;
  await expect(sandbox.write(store)).rejects.toThrow('EIO');
  await repair();
  await sandbox.write(store);
  await expectKept(disk, [sandbox], 'always');
});

test('with space for changes but not for documents, the store accepts writes', async () => {
  const notify = vi.fn();
  const { disk, store, sandbox, fail, repair } = await onDisk({ notify });
  fail({ at: 'partly', with: 'ENOSPC' }, ({ name }) => name === 'write');
  await expect(sandbox.write(store)).rejects.toThrow('ENOSPC');
  const problem = 'cannot write changes to the state folder: no space left on device (ENOSPC)';
  expect(store.problem()).toBe(problem);
  await passTime(disk, 3000);
  expect(store.problem()).toBe(problem);
  fail({ at: 'before', with: 'ENOSPC' }, ({ name, path }) => name === 'write' && path.endsWith('.json.tmp'));
  await passTime(disk, 1000);
  await sandbox.write(store);
  expect(store.problem()).toContain('(ENOSPC)');
  await repair();
  expect(notify).toHaveBeenLastCalledWith('state: writing works again');
  await expectKept(disk, [sandbox], 'always');
});

test('a write after the close is in no document', async () => {
  const { disk, store, sandbox } = await onDisk();
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
  let loss: string | undefined;
  const { disk, store, sandbox } = await onDisk({ compactAfterBytes: 1500, loss: () => loss });
  disk.fates = ({ name, path }) => {
    if (name === 'rename' && path.endsWith('/one.json.tmp')) loss = 'another process has the folder';
    return undefined;
  };
  await sandbox.write(store, 400);
  expect(loss).toBeDefined();
  expect((await disk.readFile('/state/changes.log')).length).toBeGreaterThan(1500);
});

test('data that the system forgot after a failed sync is written again before the next write', async () => {
  const { disk, store, sandbox, fail, repair } = await onDisk({ sync: 'interval' });
  fail({ at: 'before', with: 'EIO', forgets: true }, ({ name }) => name === 'sync');
  await passTime(disk, 500);
  await expect(sandbox.write(store)).rejects.toThrow('EIO');
  await repair();
  await sandbox.write(store);
  await store.close();
  await expectKept(disk, [sandbox], 'interval');
});

test('after a failed sync that may have lost earlier writes, none is accepted until all documents are written', async () => {
  const { disk, store, sandbox, repair } = await onDisk({ sync: 'interval' });
  await sandbox.write(store);
  let syncs = 0;
  disk.fates = ({ name, path }) => {
    if (path.endsWith('.json.tmp')) return { at: 'before', with: 'EIO' };
    if (name === 'sync') syncs += 1;
    return name === 'sync' && syncs === 1 ? { at: 'before', with: 'EIO', forgets: true } : undefined;
  };
  await expect(new TrackedSandbox('two', 'always').write(store)).rejects.toThrow('EIO');
  await passTime(disk, 3000);
  await expect(sandbox.write(store)).rejects.toThrow('EIO');
  await repair();
  await sandbox.write(store);
  await store.close();
  await expectKept(disk, [sandbox], 'interval');
});

test('writes without a pause are synced about once per second, and are then durable', async () => {
  const { disk, store, sandbox } = await onDisk({ sync: 'interval' });
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

const marks = ['one', 'two'];
const withByte = (bytes: Buffer, at: number, byte: number): Buffer => Buffer.from(bytes).fill(byte, at, at + 1);

test('a log that is cut anywhere is a prefix: a notice reports the cut, and writing goes on', async () => {
  const path = await marked(marks);
  const files = filesOf(path);
  const log = readFileSync(logOf(path));
  const ends = [...log.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
  // Every third byte, and those around the ends of lines.
  const isTried = (size: number) => size % 3 === 0 || ends.some((end) => Math.abs(end - size) < 3);
  for (const size of Array.from(log.keys()).filter(isTried)) {
    restore(path, files);
    writeFileSync(logOf(path), log.subarray(0, size));
    const whole = ends.filter((end) => end <= size);
    const left = size - (whole.at(-1) ?? 0);
    const kept = marks.slice(0, whole.length);
    const notes: string[] = [];
    const notify = (text: string) => void notes.push(text);
    const version = 1 + kept.length;
    expect(await stateOf(path, { notify }), `cut at ${size}`).toEqual({ stage: { version, marks: kept } });
    expect(notes, `cut at ${size}`).toEqual(
      left === 0 ? [] : [`state: changes.log ends in the middle of a change; its ${left} bytes are ignored`],
    );
    await addMarks(path, ['next'], { notify });
    const after = { stage: { version: version + 1, marks: [...kept, 'next'] } };
    expect(await stateOf(path), `cut at ${size}`).toEqual(after);
    expect(notes.length, `cut at ${size}`).toBeLessThan(2);
    // A power loss may also leave NUL in place of the bytes that are missing.
    restore(path, files);
    writeFileSync(logOf(path), Buffer.concat([log.subarray(0, size), Buffer.alloc(size % 2 === 0 ? 1 : 5000)]));
    expect(await stateOf(path), `NUL after ${size}`).toEqual({ stage: { version, marks: kept } });
  }
});

test.each(['changes.log', 'stage.json'])('%s with any byte changed, added or removed is damage', async (name) => {
  const path = await marked(marks);
  const file = name === 'changes.log' ? logOf(path) : documentOf(path);
  const bytes = readFileSync(file);
  const expectDamage = async (changed: Buffer, what: string) => {
    writeFileSync(file, changed);
    expect(await damageOf(path), what).toContain(name);
  };
  for (const [at, byte] of bytes.entries()) {
    await expectDamage(withByte(bytes, at, byte ^ (1 << (at % 8))), `bit ${at % 8} of byte ${at} flipped`);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    if (at === bytes.length - 1) continue;
    await expectDamage(Buffer.concat([before, after.subarray(1)]), `without byte ${at}`);
    const more = ['7', '\n', '\0'][at % 3] ?? '';
    await expectDamage(Buffer.concat([before, Buffer.from(more), after]), `${JSON.stringify(more)} before byte ${at}`);
    if (name === 'stage.json') await expectDamage(before, `cut at ${at}`);
  }
});
