// One process per state folder: the file `lock` names the one that holds it, which touches it every second. One that is gone is followed.
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineTime, stopwatch } from '../../control/clock.ts';
import { randomSecret } from '../../control/ids.ts';
import { ExitError, exitCodes } from '../errors.ts';
import { fromBackup, moved, otherFolder, StateDamage } from './damage.ts';

export interface Holder {
  /** Of this one holding, and no other. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** What the pid is of: the machine since it was booted, and the namespace of pids, as a container has its own. */
  readonly place: string;
  /** When the process began, as the kernel counts; a pid that is used again began later. Empty where that is not known. */
  readonly started: string;
}

/** Another process has the folder: exit code 73. */
class FolderHeld extends ExitError {
  override readonly name = 'FolderHeld';
  constructor(path: string, { pid, host, since }: Holder) {
    const who = `process ${pid} on ${host}, since ${since}`;
    super(
      `${path} is held by ${who}. One process has a state folder at a time: end that one, or start with another folder by --state`,
      exitCodes.cannotCreate,
    );
  }
}

interface Options {
  /** Told in a sentence that a lock was taken over, or that the folder is lost. */
  readonly tell: (words: string) => void;
  /** How often the holder says that it is there, and how long one of whom nothing else is known is waited for. */
  readonly heartbeatMilliseconds?: number;
  readonly patienceMilliseconds?: number;
}

/** Takes a folder, which must be there. @throws FolderHeld */
export async function holdFolder(path: string, options: Options): Promise<HeldFolder> {
  const { tell, heartbeatMilliseconds = 1000, patienceMilliseconds = 10_000 } = options;
  const [lock, mine] = [`${path}/lock`, self()];
  while (!made(lock, mine)) {
    const holder = read(lock);
    if (!holder) continue;
    if (await isThere(holder, lock, patienceMilliseconds)) throw new FolderHeld(path, holder);
    if (moveAway(lock, holder, mine)) tell(`state: the lock is taken over: ${goneWords(holder)}`);
  }
  return new HeldFolder(path, mine, tell, heartbeatMilliseconds, patienceMilliseconds / 2);
}

/** A folder that this process has. */
export class HeldFolder {
  readonly #folder: string;
  readonly #lock: string;
  readonly #mine: Holder;
  readonly #tell: (words: string) => void;
  readonly #beating: NodeJS.Timeout;
  /** Of the folder: one that is moved away and made anew is another one. */
  readonly #identity: string | undefined;
  readonly #trustMilliseconds: number;
  #seenAt = stopwatch();
  #loss: string | undefined;

  constructor(folder: string, mine: Holder, tell: (words: string) => void, heartbeat: number, trust: number) {
    [this.#folder, this.#lock, this.#mine] = [folder, `${folder}/lock`, mine];
    this.#identity = identityOf(folder);
    this.#trustMilliseconds = trust;
    this.#tell = tell;
    this.#beating = setInterval(() => this.#look(), heartbeat).unref();
  }

  /** Why the folder is not this process's any more: nothing may be written to it then. Looks, where it has not for long: a process may have been stopped. */
  loss(): string | undefined {
    if (stopwatch() - this.#seenAt >= this.#trustMilliseconds) this.#look();
    return this.#loss;
  }

  /** Gives the folder to whoever comes next. */
  release(): void {
    clearInterval(this.#beating);
    if (read(this.#lock)?.id === this.#mine.id) rmSync(this.#lock, { force: true });
  }

  /** Says that this process is there, or finds that the folder is lost. */
  #look(): void {
    if (this.#loss !== undefined) return;
    try {
      this.#loss = this.#lossNow();
      const now = new Date(machineTime());
      if (this.#loss === undefined) utimesSync(this.#lock, now, now);
      else this.#tell(`state: ${this.#loss}: nothing is written to it any more`);
      this.#seenAt = stopwatch();
    } catch {
      // A disk that fails now may do it the next time, and nobody can have taken the lock over on it.
    }
  }

  #lossNow(): string | undefined {
    if (identityOf(this.#folder) !== this.#identity) return 'the state folder is not where it was';
    const holder = read(this.#lock);
    const isMine = holder ? holder.id === this.#mine.id : made(this.#lock, this.#mine);
    return isMine ? undefined : 'another process has taken the state folder over';
  }
}

/** Whether this process made the lock: with its name in it from the first moment on. */
function made(lock: string, mine: Holder): boolean {
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

/** Of all who found a holder gone one moves its lock away. Another one's lock, which was made meanwhile, is put back. */
function moveAway(lock: string, gone: Holder, mine: Holder): boolean {
  const away = `${lock}.${mine.id}`;
  if (read(lock)?.id !== gone.id) return false;
  ifThere(() => renameSync(lock, away));
  const isMoved = read(away)?.id === gone.id;
  if (isMoved) rmSync(away);
  else ifThere(() => renameSync(away, lock));
  return isMoved;
}

/** Nobody's: what a loss of power left of a lock. */
const torn: Holder = { id: 'torn', pid: 0, host: '', since: '', place: '', started: '' };

/** Undefined where there is none. */
function read(path: string): Holder | undefined {
  try {
    const text = ifThere(() => readFileSync(path, 'utf8'));
    return text === undefined ? undefined : { ...torn, ...(JSON.parse(text) as Partial<Holder>) };
  } catch (error) {
    if (error instanceof SyntaxError) return torn;
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    const away = `move it away: ${moved(path, `${path}.folder`)}`;
    throw new StateDamage(`${path} is a folder, where the lock would be`, [
      away,
      fromBackup(dirname(path)),
      otherFolder,
    ]);
  }
}

const goneWords = ({ pid, host }: Holder): string =>
  pid === 0 ? 'it names nobody' : `process ${pid} on ${host}, which had it, is gone, or has not touched it for long`;

const identityOf = (folder: string): string | undefined =>
  ifThere(() => {
    const { dev, ino } = statSync(folder);
    return `${dev} ${ino}`;
  });

const lookMilliseconds = 50;

/** One in another container or on another machine, of whom nothing can be known from here, is there while its lock is touched. */
async function isThere({ pid, place, started }: Holder, lock: string, patience: number): Promise<boolean> {
  if (pid === 0) return false;
  if (place === placeHere() && !isAlive(pid)) return false;
  const found = startOf(pid);
  // A process that this one may not look at has no start.
  if (place === placeHere() && (found !== '' || started === '')) return found === started;
  const touchedAt = () => ifThere(() => statSync(lock).mtimeMs);
  const first = touchedAt();
  // Looks are counted, and no clock is asked: one may jump, and both processes may have been stopped.
  for (let look = 0; look < patience / lookMilliseconds; look += 1) {
    await sleep(lookMilliseconds);
    if (touchedAt() !== first) return true;
  }
  return false;
}

function isAlive(pid: number): boolean {
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

/** Where there is no /proc, the host alone is known. */
const placeHere = (): string =>
  orEmpty(
    () => `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`,
  ) || hostname();

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

/** Undefined where a file is not there. */
function ifThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
