// --sync interval: acknowledged writes are durable within a second, also on a slow disk, and at an orderly end.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stateOn, TrackedSandbox } from './sandboxes-in-files.ts';
import { SimulatedDisk, seeded } from './simulated-disk.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

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
  await vi.advanceTimersByTimeAsync(1000);
  await disk.idle();
  sandbox.markDurable();
  for (let seed = 0; seed < 20; seed += 1)
    await sandbox.compare(await stateOn(disk.powerLoss(seeded(seed)), { sync: 'interval' }));
});
