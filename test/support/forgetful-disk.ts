// A disk in memory that forgets what was not synced when power is lost, counts what it is asked, and can stop or fail at any of it.
import { constants } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type { Disk, OpenFile } from '../../src/stores/folder/disk.ts';
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
  names: 'scandir',
  changedAt: 'stat',
  read: 'open',
  create: 'open',
  open: 'open',
  makeFolder: 'mkdir',
  rename: 'rename',
  remove: 'rm',
  syncFolder: 'fsync',
  write: 'write',
  sync: 'fdatasync',
  truncate: 'ftruncate',
  close: 'close',
} as const;

/** The systems' error, as Node tells it. */
function diskError(code: 'ENOSPC' | 'EIO' | 'ENOENT' | 'EBADF', { name, path }: Pick<Operation, 'name' | 'path'>) {
  const [errno, syscall] = [-constants.errno[code], syscalls[name]];
  return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, errno, syscall, path });
}

export class ForgetfulDisk implements Disk {
  readonly #root: ForgetfulFolder;
  readonly #choose: Choose;
  readonly #waitingForStop: (() => void)[] = [];
  #isStopped = false;
  #underWay = 0;
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
      if (this.#underWay > 0) quiet = 0;
      await turn();
    }
  }

  async #do<T>(name: Operation['name'], path: string, work: (isPartly: boolean) => T, forget?: () => void): Promise<T> {
    this.operations += 1;
    const operation = { number: this.operations, name, path };
    this.#underWay += 1;
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
      this.#underWay -= 1;
    }
  }

  #end(fate: Fate, operation: Operation): Promise<never> {
    if (fate.with !== 'stop') throw diskError(fate.with, operation);
    this.#stop();
    return never();
  }

  names = (path: string) =>
    this.#do('names', path, () => ({
      files: this.#names(path, ForgetfulFile),
      folders: this.#names(path, ForgetfulFolder),
    }));
  changedAt = (path: string) => this.#do('changedAt', path, () => this.#file(path).changedAt);
  makeFolder = (path: string) => this.#do('makeFolder', path, () => void this.#folder(path, true));
  syncFolder = async (path: string) => this.#do('syncFolder', path, this.#folder(path).beginSync().end);

  read = (path: string) => this.#do('read', path, () => Buffer.from(this.#file(path).bytes));

  create = (path: string) =>
    this.#do('create', path, () => {
      const { parent, name } = this.#place(path);
      const there = parent.names.get(name);
      if (there instanceof ForgetfulFile) there.truncate(0);
      else parent.set(name, new ForgetfulFile());
      return this.#opened(path);
    });

  open = (path: string) => this.#do('open', path, () => this.#opened(path));

  rename = (from: string, to: string) =>
    this.#do('rename', from, () => {
      const [{ parent, name }, target] = [this.#place(from), this.#place(to)];
      const node = parent.names.get(name);
      if (!node) throw diskError('ENOENT', { name: 'rename', path: from });
      if (target.parent !== parent) throw new Error('names move within their folder alone here');
      parent.rename(name, target.name, node);
    });

  /** A folder goes name by name. */
  async remove(path: string): Promise<void> {
    const node = this.#find(path);
    if (node instanceof ForgetfulFolder)
      for (const name of [...node.names.keys()]) await this.remove(`${path}/${name}`);
    await this.#do('remove', path, () => {
      if (!this.#find(path)) return;
      const { parent, name } = this.#place(path);
      parent.delete(name);
    });
  }

  #opened(path: string): OpenFile {
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
    return {
      write: (bytes) => asked('write', (isPartly) => changed(() => file.append(isPartly ? half(bytes) : bytes))),
      sync: () => {
        const { end, forget } = file.beginSync();
        return asked('sync', end, forget);
      },
      size: () => file.bytes.length,
      truncate: (size) => asked('truncate', () => changed(() => file.truncate(size))),
      close: () => {
        const closing = asked('close', () => undefined);
        isOpen = false;
        return closing;
      },
    };
  }

  #names(path: string, kind: typeof ForgetfulFile | typeof ForgetfulFolder): string[] {
    const node = this.#find(path);
    if (!(node instanceof ForgetfulFolder)) return [];
    return Array.from(node.names).flatMap(([name, found]) => (found instanceof kind ? [name] : []));
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

  #folder(path: string, isMade = false): ForgetfulFolder {
    let folder = this.#root;
    for (const name of partsOf(path)) {
      // As the machine's disk, which syncs the folder that it makes one in.
      if (isMade && !folder.names.has(name)) {
        folder.set(name, new ForgetfulFolder());
        folder.beginSync().end();
      }
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
