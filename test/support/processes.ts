// Whether a process exists, by its pid.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** A zombie does not count. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Without /proc, the signal is the only evidence.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || process.platform !== 'linux';
  }
}

/** Waits until none of them exists. */
export const gone = (pids: readonly number[]): Promise<void> =>
  expect.poll(() => pids.filter(isThere), { interval: 10 }).toEqual([]);
