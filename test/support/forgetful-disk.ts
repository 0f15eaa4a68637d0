// A disk in memory that forgets what was not synced when power is lost, counts what it is asked, and can stop or fail at any of it.

import type { FileHandle } from 'node:fs/promises';
import { constants } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type { FileSystem } from '../../src/stores/folder/file-system.ts';
import { ForgetfulFile, ForgetfulFolder, type Node } from './forgetful-files.ts';
import type { Choose } from './seeded.ts';

/** Something that is asked of it, numbered from 1 on. */
export interface Operation {
  readonly number: number;
  readonly name: keyof typeof syscalls;
  readonly path: string;
}

/** What becomes of an operation that is not just done. It `stops` for good, or fails; `partly`: a write wrote some of its bytes. */
export interface Fate {
  readonly at: 'before' | 'partly' | 'after';
  readonly with: 'stop' | 'ENOSPC' | 'EIO';
  /** A sync that fails takes what it was to write for written. */
  readonly forgets?: boolean;
}

export type Fates = (operation: Operation) => Fate | undefined | Promise<undefined>;

const syscalls = {
  readdir: 'scandir',
  stat: 'stat',
  readFile: 'open',
  open: 'open',
  mkdir: 'mkdir',
  rename: 'rename',
  rm: 'rm',
  utimes: 'utime',
  syncFolder: 'fsync',
  write: 'write',
  sync: 'fdatasync',
  truncate: 'ftruncate',
  close: 'close',
} as const;

/** The systems' error, as Node tells it. */
function diskError(
  code: 'ENOSPC' | 'EIO' | 'ENOENT' | 'EEXIST' | 'EBADF',
  { name, path }: Pick<Operation, 'name' | 'path'>,
) {
  const [errno, syscall] = [-constants.errno[code], syscalls[name]];
  return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, errno, syscall, path });
}

export class ForgetfulDisk {
  readonly #root: ForgetfulFolder;
  readonly #choose: Choose;
  readonly #waitingForStop: (() => void)[] = [];
  #isStopped = false;
  #inFlight = 0;
  #changes = 0;
  operations = 0;
  /** Decides on each operation; may hold it. */
  fates: Fates = () => undefined;

  /** @param choose how long each operation takes, and how much of a write is written in part */
  constructor(choose: Choose = () => 0, root = withState()) {
    this.#choose = choose;
    this.#root = root;
  }

  /** What is there after a loss of power now. */
  powerLoss(choose: Choose): ForgetfulDisk {
    this.#stop();
    return new ForgetfulDisk(choose, this.#root.afterLoss(choose));
  }

  /** What is there when the process has been killed: all that was written. */
  killed(choose: Choose): ForgetfulDisk {
    this.#stop();
    return new ForgetfulDisk(choose, this.#root);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  readonly stopped = new Promise<void>((resolve) => this.#waitingForStop.push(resolve));

  #stop(): void {
    this.#isStopped = true;
    for (const told of this.#waitingForStop) told();
  }

  /** Waits until nothing is asked of it any more. */
  async idle(): Promise<void> {
    for (let quiet = 0; quiet < 5 && !this.#isStopped; quiet += 1) {
      if (this.#inFlight > 0) quiet = 0;
      await turn();
    }
  }

  async #do<T>(name: Operation['name'], path: string, work: (isPartly: boolean) => T, forget?: () => void): Promise<T> {
    this.operations += 1;
    const operation = { number: this.operations, name, path };
    this.#inFlight += 1;
    try {
      for (let turns = this.#choose(3); turns > 0; turns -= 1) await turn();
      const fate = await this.fates(operation);
      if (this.#isStopped) return await never();
      if (fate?.forgets) forget?.();
      const done = fate?.at === 'before' ? undefined : work(fate?.at === 'partly');
      if (fate) return await this.#end(fate, operation);
      await turn();
      return this.#isStopped ? await never() : (done as T);
    } finally {
      this.#inFlight -= 1;
    }
  }

  #end(fate: Fate, operation: Operation): Promise<never> {
    if (fate.with !== 'stop') throw diskError(fate.with, operation);
    this.#stop();
    return never();
  }

  /** What the state folder asks of it. */
  get fs(): FileSystem {
    return this as unknown as FileSystem;
  }

  readdir = (path: string) =>
    this.#do('readdir', path, () => {
      const node = this.#find(path);
      if (!(node instanceof ForgetfulFolder)) throw diskError('ENOENT', { name: 'readdir', path });
      return [...node.names.keys()];
    });

  stat = (path: string) =>
    this.#do('stat', path, () => {
      const node = this.#find(path);
      if (!node) throw diskError('ENOENT', { name: 'stat', path });
      const isFile = node instanceof ForgetfulFile;
      return isFile
        ? { mtimeMs: node.changedAt, size: node.bytes.length, isDirectory: () => false }
        : { isDirectory: () => true };
    });

  readFile = (path: string) => this.#do('readFile', path, () => Buffer.from(this.#file(path).bytes));

  utimes = (path: string, _: number, changedAt: number) =>
    this.#do('utimes', path, () => {
      this.#file(path).changedAt = changedAt * 1000;
    });

  mkdir = (path: string) =>
    this.#do('mkdir', path, () => {
      const { parent, name } = this.#place(path);
      if (parent.names.has(name)) throw diskError('EEXIST', { name: 'mkdir', path });
      parent.set(name, new ForgetfulFolder());
    });

  /** A folder is only opened to be synced; a file is emptied with the flag `w`, and made if there is none. */
  open = async (path: string, flags: 'r' | 'a' | 'w'): Promise<FileHandle> => {
    if (flags === 'r') {
      const sync = async () => this.#do('syncFolder', path, this.#folder(path).beginSync().end);
      return { sync, close: async () => undefined } as unknown as FileHandle;
    }
    return this.#do('open', path, () => {
      const { parent, name } = this.#place(path);
      const there = parent.names.get(name);
      if (!there) parent.set(name, new ForgetfulFile());
      else if (flags === 'w') this.#file(path).truncate(0);
      return this.#opened(path);
    });
  };

  /** Always with a sync behind it. */
  writeFile = async (path: string, data: Uint8Array | Iterable<Uint8Array>): Promise<void> => {
    const file = await this.open(path, 'w');
    for (const bytes of data instanceof Uint8Array ? [data] : data) await file.appendFile(bytes);
    await file.datasync();
    await file.close();
  };

  rename = (from: string, to: string) =>
    this.#do('rename', from, () => {
      const [{ parent, name }, target] = [this.#place(from), this.#place(to)];
      const node = parent.names.get(name);
      if (!node) throw diskError('ENOENT', { name: 'rename', path: from });
      if (target.parent !== parent) throw new Error('names move within their folder alone here');
      parent.rename(name, target.name, node);
    });

  rm = (path: string) =>
    this.#do('rm', path, () => {
      if (!this.#find(path)) return;
      const { parent, name } = this.#place(path);
      parent.delete(name);
    });

  #opened(path: string): FileHandle {
    const file = this.#file(path);
    const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, this.#choose(bytes.length) + 1);
    const changed = (edit: () => void): void => {
      this.#changes += 1;
      file.changedAt = this.#changes;
      edit();
    };
    let isOpen = true;
    const asked = (name: Operation['name'], work: (isPartly: boolean) => void, forget?: () => void): Promise<void> =>
      isOpen ? this.#do(name, path, work, forget) : Promise.reject(diskError('EBADF', { name, path }));
    const handle = {
      appendFile: (bytes: Uint8Array) =>
        asked('write', (isPartly) => changed(() => file.append(isPartly ? half(bytes) : bytes))),
      datasync: () => {
        const { end, forget } = file.beginSync();
        return asked('sync', end, forget);
      },
      stat: async () => ({ size: file.bytes.length, nlink: 1 }),
      truncate: (size: number) => asked('truncate', () => changed(() => file.truncate(size))),
      close: () => {
        const closing = asked('close', () => undefined);
        isOpen = false;
        return closing;
      },
    };
    return handle as unknown as FileHandle;
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of partsOf(path)) node = node instanceof ForgetfulFolder ? node.names.get(name) : undefined;
    return node;
  }

  #file(path: string): ForgetfulFile {
    const node = this.#find(path);
    if (node instanceof ForgetfulFile) return node;
    throw diskError('ENOENT', { name: 'open', path });
  }

  #folder(path: string): ForgetfulFolder {
    let folder = this.#root;
    for (const name of partsOf(path)) {
      const next = folder.names.get(name);
      if (!(next instanceof ForgetfulFolder)) throw diskError('ENOENT', { name: 'open', path });
      folder = next;
    }
    return folder;
  }

  #place(path: string): { readonly parent: ForgetfulFolder; readonly name: string } {
    const at = path.lastIndexOf('/');
    return { parent: this.#folder(path.slice(0, at)), name: path.slice(at + 1) };
  }
}

/** The folder named by --state is there before anything is asked of a disk. */
const withState = () => new ForgetfulFolder(new Map([['state', new ForgetfulFolder()]]));
const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
const never = (): Promise<never> => new Promise(() => undefined);
