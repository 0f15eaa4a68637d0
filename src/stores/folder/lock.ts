// One process per state folder: the file `lock` names the process that has it, which touches the file every second.
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomSecret } from '../../system/random.ts';
import { machineTime, stopwatch } from '../../system/time.ts';
import { ExitError, exitCodes } from '../errors.ts';

export interface Holder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** Where the pid is valid: the machine since it was booted, and the container's namespace of pids. */
  readonly place: string;
  /** When the process began, as the kernel counts: a pid may be used again. Empty where that is not known. */
  readonly started: string;
}

/** Another process has the folder: exit code 73. */
class FolderHeld extends ExitError {
  override readonly name = 'FolderHeld';
  constructor(path: string, { pid, host, since }: Holder) {
    const what = `${path} is held by process ${pid} on ${host}, since ${since}`;
    const next = 'One process has a state folder at a time: end that one, or start with another folder by --state';
    super(`${what}. ${next}`, exitCodes.cannotCreate);
  }
}

interface Options {
  /** Called with a sentence if a lock is taken over, or the folder is lost. */
  readonly tell: (words: string) => void;
  readonly heartbeatMilliseconds?: number;
  /** After so long without a heartbeat a holder on another machine or in another container counts as gone. */
  readonly patienceMilliseconds?: number;
}

/** Takes a folder, which must exist. @throws FolderHeld */
export async function holdFolder(path: string, options: Options): Promise<HeldFolder> {
  const { tell, heartbeatMilliseconds = 1000, patienceMilliseconds = 10_000 } = options;
  const [lock, mine] = [`${path}/lock`, self()];
  while (!create(lock, mine)) {
    const holder = read(lock);
    if (!holder) continue;
    if (await isRunning(holder, lock, patienceMilliseconds)) throw new FolderHeld(path, holder);
    const { pid, host } = holder;
    const gone =
      pid === 0
        ? 'it names nobody'
        : `process ${pid} on ${host}, which had it, is gone, or has not touched it for long`;
    if (removeStale(lock, holder, mine)) tell(`state: the lock is taken over: ${gone}`);
  }
  return new HeldFolder(path, mine, tell, heartbeatMilliseconds, patienceMilliseconds / 2);
}

/** A folder that this process has. */
export class HeldFolder {
  readonly #folder: string;
  readonly #lock: string;
  readonly #mine: Holder;
  readonly #tell: (words: string) => void;
  readonly #heartbeat: NodeJS.Timeout;
  /** A folder that is moved away and created anew is another one. */
  readonly #inode: string | undefined;
  readonly #trustMilliseconds: number;
  #seenAt = stopwatch();
  #loss: string | undefined;

  constructor(folder: string, mine: Holder, tell: (words: string) => void, heartbeat: number, trust: number) {
    [this.#folder, this.#lock, this.#mine] = [folder, `${folder}/lock`, mine];
    this.#inode = inodeOf(folder);
    this.#trustMilliseconds = trust;
    this.#tell = tell;
    this.#heartbeat = setInterval(() => this.#check(), heartbeat).unref();
  }

  /** Why the folder is not this process's any more. Checks again if the last check is old: it may be suspended. */
  loss(): string | undefined {
    if (stopwatch() - this.#seenAt >= this.#trustMilliseconds) this.#check();
    return this.#loss;
  }

  release(): void {
    clearInterval(this.#heartbeat);
    if (read(this.#lock)?.id === this.#mine.id) rmSync(this.#lock, { force: true });
  }

  #check(): void {
    if (this.#loss !== undefined) return;
    try {
      this.#loss = this.#currentLoss();
      const now = new Date(machineTime());
      if (this.#loss === undefined) utimesSync(this.#lock, now, now);
      else this.#tell(`state: ${this.#loss}: nothing is written to it any more`);
      this.#seenAt = stopwatch();
    } catch {
      // The disk fails: nobody can have taken the lock over on it.
    }
  }

  #currentLoss(): string | undefined {
    if (inodeOf(this.#folder) !== this.#inode) return 'the state folder is not where it was';
    const holder = read(this.#lock);
    const isMine = holder ? holder.id === this.#mine.id : create(this.#lock, this.#mine);
    return isMine ? undefined : 'another process has taken the state folder over';
  }
}

/** Creates the lock with its content, in one step. False if it exists. */
function create(lock: string, mine: Holder): boolean {
  const own = `${lock}.${mine.id}`;
  try {
    writeFileSync(own, JSON.stringify(mine), { mode: 0o600 });
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Of all processes that find a holder gone one removes its lock. A lock that was created meanwhile is put back. */
function removeStale(lock: string, gone: Holder, mine: Holder): boolean {
  const away = `${lock}.${mine.id}`;
  if (read(lock)?.id !== gone.id) return false;
  ifExists(() => renameSync(lock, away));
  const isGone = read(away)?.id === gone.id;
  if (isGone) rmSync(away);
  else ifExists(() => renameSync(away, lock));
  return isGone;
}

/** What a loss of power leaves of a lock. */
const nobody: Holder = { id: 'nobody', pid: 0, host: '', since: '', place: '', started: '' };

function read(lock: string): Holder | undefined {
  const text = ifExists(() => readFileSync(lock, 'utf8'));
  try {
    return text === undefined ? undefined : { ...nobody, ...(JSON.parse(text) as Partial<Holder>) };
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
async function isRunning({ pid, place, started }: Holder, lock: string, timeouts: number): Promise<boolean> {
  if (pid === 0) return false;
  if (place === placeHere()) {
    if (!hasProcess(pid)) return false;
    const found = startOf(pid);
    // A process that this one may not look at has no start.
    if (found !== '' || started === '') return found === started;
  }
  const touchedAt = () => ifExists(() => statSync(lock).mtimeMs);
  const first = touchedAt();
  // Polls are counted: a clock may jump, and both processes may be suspended.
  for (let poll = 0; poll < timeouts / pollMilliseconds; poll += 1) {
    await sleep(pollMilliseconds);
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

/** This process. */
export const self = (): Holder => ({
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

/** The 22nd field of the process's status, or that it has ended; empty where there is no /proc. */
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
