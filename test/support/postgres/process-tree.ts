// A process with its children, as Linux tells of them in /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { isThere } from '../processes.ts';
import { until } from './until.ts';

/** The letter of its state, and its parent's pid; empty when it is gone. */
function statusOf(pid: number): readonly string[] {
  try {
    return /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.slice(1) ?? [];
  } catch {
    return [];
  }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => statusOf(pid)[1] === String(parent));
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

const stopped = (pids: readonly number[]): Promise<void> =>
  until(`stop of ${pids}`, () => pids.every((pid) => !isThere(pid) || statusOf(pid)[0] === 'T'));

/** Stops it and its children where they are; gives the pids of all. */
export async function freeze(pid: number): Promise<readonly number[]> {
  signal([pid], 'SIGSTOP');
  // Only a parent that stands still starts no more of them.
  await stopped([pid]);
  const children = childrenOf(pid);
  signal(children, 'SIGSTOP');
  await stopped(children);
  return [pid, ...children];
}

/** Lets them go on. */
export function thaw(pid: number): void {
  signal([...childrenOf(pid), pid], 'SIGCONT');
}

/** Kills it and its children, and waits until none of them is there. */
export async function kill(pid: number): Promise<void> {
  const pids = await freeze(pid);
  signal(pids, 'SIGKILL');
  await until(`end of ${pids}`, () => !pids.some(isThere));
}

/** The same in one go, for a process that is itself about to end. */
export function killNow(pid: number): void {
  signal([pid, ...childrenOf(pid)], 'SIGKILL');
}
