// One process per state folder: the file `lock` names the one that holds it. One that is gone is taken over.
import { readFileSync, readlinkSync } from 'node:fs';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { machineTime, stopwatch } from '../../control/clock.ts';
import { randomSecret } from '../../control/ids.ts';
import { ExitError, exitCodes } from '../errors.ts';
import { fromBackup, moved, otherFolder, StateDamage } from './damage.ts';

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

export interface Held {
  /** Makes sure that the folder is still this process's, where that was last seen too long ago: a process may have been stopped meanwhile. */
  confirm(): Promise<void>;
  /** Gives the folder to whoever comes next. */
  release(): Promise<void>;
}

interface Options {
  /** Told once, and why, where the folder is not this process's any more: nothing may be written to it. */
  readonly onLost: (why: string) => void;
  /** Told in a sentence that a lock was taken over. */
  readonly tell: (words: string) => void;
  /** How often the holder says that it is there, and how long one of whom nothing else is known is waited for. */
  readonly heartbeatMilliseconds?: number;
  readonly patienceMilliseconds?: number;
}

/** Takes a folder, which must be there. @throws FolderHeld */
export async function holdFolder(
  path: string,
  { onLost, tell, heartbeatMilliseconds = 1000, patienceMilliseconds = 10_000 }: Options,
): Promise<Held> {
  const lock = new Lock(path, patienceMilliseconds);
  const former = await lock.take();
  if (former) tell(`state: the lock is taken over: ${goneWords(former)}`);
  let seenAt = stopwatch();
  let isLost = false;
  let beat: Promise<void> = Promise.resolve();
  const look = async () => {
    if (isLost) return;
    const now = stopwatch();
    const why = await lock.lossOf();
    if (why === undefined) seenAt = now;
    else {
      isLost = true;
      onLost(why);
    }
  };
  const beatOnce = (): Promise<void> => {
    beat = beat.then(look);
    return beat;
  };
  const beating = setInterval(beatOnce, heartbeatMilliseconds).unref();
  return {
    confirm: async () => {
      if (stopwatch() - seenAt >= patienceMilliseconds / 2) await beatOnce();
    },
    release: async () => {
      clearInterval(beating);
      await beat;
      await lock.release();
    },
  };
}

const goneWords = (former: Holder): string =>
  former.pid === 0
    ? 'it names nobody'
    : `process ${former.pid} on ${former.host}, which had it, is gone, or has not touched it for long`;

const lookMilliseconds = 50;

class Lock {
  readonly #folder: string;
  readonly #path: string;
  readonly #patience: number;
  readonly #mine = self();
  /** Of the folder: one that is moved away and made anew is another one. */
  #identity: string | undefined;

  constructor(folder: string, patience: number) {
    this.#folder = folder;
    this.#path = `${folder}/lock`;
    this.#patience = patience;
  }

  /** Gives who had it before, where that one is gone. @throws FolderHeld */
  async take(): Promise<Holder | undefined> {
    this.#identity = await identityOf(this.#folder);
    let former: Holder | undefined;
    while (!(await this.#made(this.#path))) {
      const holder = await read(this.#path);
      if (!holder) continue;
      // Another one's rename may have made it so: names are moved, whoever's they are by then.
      if (holder.id === this.#mine.id) return former;
      if (await this.#isThere(holder, this.#path)) throw new FolderHeld(this.#folder, holder);
      former = holder;
      if (await this.#takeOver(holder)) return former;
    }
    return former;
  }

  /**
   * Of all who found the holder gone one makes the claim, which has that holding's name; and only while it is that holding that the lock
   * tells of does the claim become the lock.
   */
  async #takeOver({ id }: Holder): Promise<boolean> {
    const claim = `${this.#path}.${id}`;
    if (!(await this.#made(claim))) {
      const other = await read(claim);
      if (other && !(await this.#isThere(other, claim))) await rm(claim, { force: true });
      return false;
    }
    if ((await read(this.#path))?.id !== id) {
      await rm(claim, { force: true });
      return false;
    }
    await rename(claim, this.#path).catch(unlessMissing);
    return (await read(this.#path))?.id === this.#mine.id;
  }

  /** Whether this process made the file: with its name in it from the first moment on. */
  async #made(path: string): Promise<boolean> {
    const own = `${this.#folder}/.lock-${this.#mine.id}`;
    try {
      await writeFile(own, JSON.stringify(this.#mine), { mode: 0o600 });
      await link(own, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(own, { force: true });
    }
  }

  /** One of whom nothing else can be known from here is there while its file is touched. */
  async #isThere(holder: Holder, path: string): Promise<boolean> {
    const known = isThere(holder, this.#mine);
    if (known !== undefined) return known;
    const first = await touchedAt(path);
    // Looks are counted, and no clock is asked: one may jump, and both processes may have been stopped.
    for (let look = 0; look < this.#patience / lookMilliseconds; look += 1) {
      await sleep(lookMilliseconds);
      if ((await touchedAt(path)) !== first) return true;
    }
    return false;
  }

  /** Says that this process is there, or gives why the folder is not its own any more. */
  async lossOf(): Promise<string | undefined> {
    try {
      if ((await identityOf(this.#folder)) !== this.#identity) return 'the state folder is not where it was';
      const { id } = (await read(this.#path)) ?? {};
      const isMine = id === undefined ? await this.#made(this.#path) : id === this.#mine.id;
      if (!isMine) return 'another process has taken the state folder over';
      const now = new Date(machineTime());
      await utimes(this.#path, now, now);
    } catch {
      // A disk that fails now may do it the next time, and nobody can have taken the lock over on it.
    }
    return undefined;
  }

  async release(): Promise<void> {
    if ((await read(this.#path))?.id === this.#mine.id) await rm(this.#path, { force: true });
  }
}

/** Nobody's: what a loss of power left of a lock. */
const torn = { id: 'torn', pid: 0, host: 'unknown', since: 'unknown', boot: 'unknown', namespace: '', started: '' };

/** Undefined where there is none. */
async function read(path: string): Promise<Holder | undefined> {
  try {
    const holder = { ...torn, ...(JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>) };
    return /^[\w-]+$/.test(holder.id) ? holder : torn;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw folderFor(path);
    if (error instanceof SyntaxError) return torn;
    unlessMissing(error);
    return undefined;
  }
}

/** Undefined where it is not there. */
const identityOf = (folder: string): Promise<string | undefined> =>
  stat(folder).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    (error) => void unlessMissing(error),
  );

const folderFor = (path: string): StateDamage =>
  new StateDamage(`${path} is a folder, where the lock would be`, [
    `move it away: ${moved(path, `${path}.folder`)}`,
    fromBackup(dirname(path)),
    otherFolder,
  ]);

const touchedAt = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error) => void unlessMissing(error),
  );

function unlessMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

// Who holds a folder, and whether that process is still there.

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
function isThere(holder: Holder, here: Holder = self()): boolean | undefined {
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
