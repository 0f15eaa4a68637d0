// --sync interval: acknowledged writes are durable within a second, also on a slow disk, and at an orderly end.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stateOn, TrackedSandbox } from './sandboxes-in-files.ts';
import { type Operation, SimulatedDisk, seeded } from './simulated-disk.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const isLogSync = ({ name, path }: Operation): boolean => name === 'sync' && path.includes('/changes.log');

/** A sandbox with an unsynced write, and the number of log syncs since then. */
async function unsynced() {
  const disk = new SimulatedDisk();
  const store = await stateOn(disk, { sync: 'interval', compactAfterBytes: 100_000 });
  const sandbox = new TrackedSandbox('one', 'interval');
  await sandbox.write(store);
  const syncs = { begun: 0 };
  disk.fates = (operation) => {
    if (isLogSync(operation)) syncs.begun += 1;
    return undefined;
  };
  await sandbox.write(store);
  expect(syncs.begun).toBe(0);
  return { disk, store, sandbox, syncs };
}

async function passTime(disk: SimulatedDisk, milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await disk.idle();
}

/** Loses power in twenty ways; each time the acknowledged version is there. */
async function expectDurable(disk: SimulatedDisk, sandbox: TrackedSandbox): Promise<void> {
  sandbox.markDurable();
  const { acknowledged } = sandbox;
  for (let seed = 0; seed < 20; seed += 1) {
    await sandbox.compare(await stateOn(disk.powerLoss(seeded(seed)), { sync: 'interval' }));
    expect(sandbox.acknowledged?.version).toBe(acknowledged?.version);
  }
}

test('writes without a pause are synced once or more per second', async () => {
  const { disk, store, sandbox, syncs } = await unsynced();
  for (let milliseconds = 0; milliseconds < 3000; milliseconds += 100) {
    await sandbox.write(store);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(syncs.begun).toBeGreaterThanOrEqual(3);
  expect(syncs.begun).toBeLessThan(10);
  await passTime(disk, 1000);
  await expectDurable(disk, sandbox);
});
