// Who holds a state folder, and whether that process is still there.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { machineTime } from '../../control/clock.ts';
import { randomSecret } from '../../control/ids.ts';

export interface Holder {
  /** Of this one holding, and no other. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** What the pid is of: the machine since it was booted, and the namespace of pids, as a container has its own. Empty where that is not known. */
  readonly boot: string;
  readonly namespace: string;
  /** When the process began, as the kernel counts; a pid that is used again began later. */
  readonly started: string;
}

/** This process. */
export const self = (): Holder => ({
  id: randomSecret(),
  pid: process.pid,
  host: hostname(),
  since: new Date(machineTime()).toISOString(),
  boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  namespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  started: startOf(process.pid),
});

/** Undefined where that cannot be told from here: it is, or was, in another container or on another machine. */
export function isThere(holder: Holder, here: Holder = self()): boolean | undefined {
  const { pid, host, boot, namespace, started } = holder;
  if (boot !== here.boot || namespace !== here.namespace || (boot === '' && host !== here.host)) return undefined;
  if (!isAlive(pid)) return false;
  const found = startOf(pid);
  // A process that this one may not look at.
  return found === '' && started !== '' ? undefined : found === started;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The 22nd field of the process's status, or that it has ended and waits to be asked for; empty where there is no /proc. */
function startOf(pid: number): string {
  const status = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const [state, ...fields] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? 'ended' : (fields[18] ?? '');
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
