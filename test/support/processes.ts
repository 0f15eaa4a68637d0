// Whether a process is there, by its pid.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** One that has ended and that nobody has asked for yet is gone. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Where there is no /proc, the signal has told.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || process.platform !== 'linux';
  }
}

/** Waits until none of them is there. */
export const gone = (pids: readonly number[]): Promise<void> =>
  expect.poll(() => pids.filter(isThere), { interval: 10 }).toEqual([]);
