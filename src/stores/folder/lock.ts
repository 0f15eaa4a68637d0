// One process per state folder: the file `lock` names the process that holds it, which touches the file every second.
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { ExitError, exitCodes } from '../../system/exit-errors.ts';
import { randomSecret } from '../../system/random.ts';
import { machineTime, stopwatch } from '../../system/time.ts';

export interface LockHolder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** Where the pid is valid: the boot of the machine, and the container's namespace of pids. */
  readonly place: string;
  /** When the process began, as the kernel counts: a pid may be used again. Empty if unknown. */
  readonly started: string;
}

/** Another process holds the folder: exit code 73. */
class FolderHeld extends ExitError {
  override readonly name = 'FolderHeld';
  constructor(path: string, { pid, host, since }: LockHolder) {
    const what = `${path} is in use by process ${pid} on ${host} since ${since}`;
    const next =
      'Only one process can use a state folder: stop that process, or start with another folder (--state <dir>)';
    super(`${what}. ${next}`, exitCodes.cannotCreate);
  }
}

interface LockOptions {
  /** Called with a sentence if a lock is taken over, or the folder is lost. */
  readonly notify: (words: string) => void;
  readonly heartbeatMilliseconds?: number;
  /** A holder on another machine or in another container counts as gone after this time without a heartbeat. */
  readonly staleMilliseconds?: number;
}

/** The lock of this process on a folder. */
export type FolderLock = Awaited<ReturnType<typeof lockFolder>>;

/** Locks a folder, which must exist. @throws FolderHeld */
export async function lockFolder(path: string, options: LockOptions) {
  const { notify, heartbeatMilliseconds = 1000, staleMilliseconds = 10_000 } = options;
  const [lock, own] = [`${path}/lock`, thisProcess()];
  while (!create(lock, own)) {
    const holder = read(lock);
    if (!holder) continue;
    if (await isRunning(holder, lock, staleMilliseconds)) throw new FolderHeld(path, holder);
    const { pid, host } = holder;
    const gone = `process ${pid} on ${host}, which held it, has ended, or has stopped updating it`;
    if (removeStale(lock, holder, own))
      notify(`state: took over the lock: ${pid === 0 ? 'it names no process' : gone}`);
  }
  // A folder that is moved away and created again is another one.
  const inode = inodeOf(path);
  let checkedAt = stopwatch();
  let loss: string | undefined;

  function currentLoss(): string | undefined {
    if (inodeOf(path) !== inode) return 'the state folder was moved or replaced';
    const holder = read(lock);
    const isOwn = holder ? holder.id === own.id : create(lock, own);
    return isOwn ? undefined : 'another process has taken over the state folder';
  }

  function check(): void {
    if (loss !== undefined) return;
    try {
      loss = currentLoss();
      const now = new Date(machineTime());
      if (loss === undefined) utimesSync(lock, now, now);
      else notify(`state: ${loss}: this server no longer writes to it`);
      checkedAt = stopwatch();
    } catch {
      // The disk fails: no other process can have taken the lock over.
    }
  }

  const heartbeat = setInterval(check, heartbeatMilliseconds).unref();
  return {
    /** Why the lock is lost. Checks again if the last check is old: the process may have been suspended. */
    loss(): string | undefined {
      if (stopwatch() - checkedAt >= staleMilliseconds / 2) check();
      return loss;
    },
    release(): void {
      clearInterval(heartbeat);
      if (read(lock)?.id === own.id) rmSync(lock, { force: true });
    },
  };
}

/** Creates the lock with its content, in one step. @returns false if it exists */
function create(lock: string, holder: LockHolder): boolean {
  const file = `${lock}.${holder.id}`;
  try {
    writeFileSync(file, JSON.stringify(holder), { mode: 0o600 });
    linkSync(file, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Only one of several processes removes a stale lock. A lock that another process created meanwhile is restored. */
function removeStale(lock: string, stale: LockHolder, own: LockHolder): boolean {
  const moved = `${lock}.${own.id}`;
  if (read(lock)?.id !== stale.id) return false;
  ifExists(() => renameSync(lock, moved));
  const isStale = read(moved)?.id === stale.id;
  if (isStale) rmSync(moved);
  else ifExists(() => renameSync(moved, lock));
  return isStale;
}

/** The holder if the lock is empty after a loss of power. */
const nobody: LockHolder = { id: 'nobody', pid: 0, host: '', since: '', place: '', started: '' };

function read(lock: string): LockHolder | undefined {
  const text = ifExists(() => readFileSync(lock, 'utf8'));
  try {
    return text === undefined ? undefined : { ...nobody, ...(JSON.parse(text) as Partial<LockHolder>) };
  } catch {
    return nobody;
  }
}

const inodeOf = (folder: string): string | undefined =>
  ifExists(() => {
    const { dev, ino } = statSync(folder);
    return `${dev} ${ino}`;
  });

const pollMilliseconds = 50;

/** A holder in another container or on another machine is running if it touches its lock. */
async function isRunning(
  { pid, place, started }: LockHolder,
  lock: string,
  staleMilliseconds: number,
): Promise<boolean> {
  if (pid === 0) return false;
  if (place === placeHere()) {
    if (!hasProcess(pid)) return false;
    const found = startOf(pid);
    // The start is empty for a process that this one may not inspect.
    if (found !== '' || started === '') return found === started;
  }
  const touchedAt = () => ifExists(() => statSync(lock).mtimeMs);
  const first = touchedAt();
  // Counts polls: a clock may jump, and both processes may be suspended.
  for (let poll = 0; poll < staleMilliseconds / pollMilliseconds; poll += 1) {
    await pause(pollMilliseconds);
    if (touchedAt() !== first) return true;
  }
  return false;
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const thisProcess = (): LockHolder => ({
  id: randomSecret(),
  pid: process.pid,
  host: hostname(),
  since: new Date(machineTime()).toISOString(),
  place: placeHere(),
  started: startOf(process.pid),
});

function placeHere(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** The 22nd field of the process's status, or `ended`; empty on systems without /proc. */
function startOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? 'ended' : (fields[18] ?? '');
  } catch {
    return '';
  }
}

function ifExists<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
