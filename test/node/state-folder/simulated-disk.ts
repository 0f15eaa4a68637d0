// A disk in memory. A power loss drops what was not synced, whole or in part. A test can fail or stop the disk at any operation.
import type { FileHandle } from 'node:fs/promises';
import { constants } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { nodeHashes } from '../../../src/node/platform.ts';
import { drawFraction } from '../../../src/sandbox/seeded-random.ts';
import type { FileSystem } from '../../../src/stores/folder/file-system.ts';

/** Chooses a whole number from 0 up to the one below the argument. */
export type Choose = (below: number) => number;

/** Choices that only depend on the seed. */
export function seeded(seed: number): Choose {
  let draws = 0;
  return (below) => {
    draws += 1;
    return Math.floor(below * drawFraction(nodeHashes, `${seed}`, 'disk', draws));
  };
}

interface Edit<Value> {
  readonly apply: (value: Value) => Value;
  /** The same edit, of which only a part reached the disk. */
  readonly torn?: (choose: Choose) => Edit<Value>;
}

/** What programs see, what survives a power loss, and the edits in between. */
class Synced<Value> {
  value: Value;
  protected durable: Value;
  protected unsynced: Edit<Value>[] = [];

  constructor(value: Value) {
    this.value = value;
    this.durable = value;
  }

  edit(edit: Edit<Value>): void {
    this.value = edit.apply(this.value);
    this.unsynced.push(edit);
  }

  /** A sync covers what was written before it began. If it is forgotten, the system takes those edits for written. */
  beginSync(): { readonly end: () => void; readonly forget: () => void } {
    const covered = new Set(this.unsynced);
    const forget = () => {
      this.unsynced = this.unsynced.filter((edit) => !covered.has(edit));
    };
    const end = () => {
      const written = this.unsynced.filter((edit) => covered.has(edit));
      this.durable = written.reduce((value, { apply }) => apply(value), this.durable);
      forget();
    };
    return { end, forget };
  }
}

/** Writes at a place; a gap before it is filled with NUL. */
const write = (at: number, bytes: Buffer): Edit<Buffer> => ({
  apply: (before) => Buffer.concat([before.subarray(0, at), Buffer.alloc(Math.max(0, at - before.length)), bytes]),
  torn: (choose) => {
    const { length } = bytes;
    const written = choose(2) === 0 ? choose(length + 1) : Math.max(0, length - choose(4));
    const nul = choose(2) * choose(length - written + 1);
    return write(at, Buffer.concat([bytes.subarray(0, written), Buffer.alloc(nul)]));
  },
});

class SimulatedFile extends Synced<Buffer> {
  constructor(bytes: Buffer = Buffer.alloc(0)) {
    super(bytes);
  }

  append(bytes: Uint8Array): void {
    this.edit(write(this.value.length, Buffer.from(bytes)));
  }

  truncate(size: number): void {
    this.edit({ apply: (before) => before.subarray(0, size) });
  }

  /** The first unsynced edits survive, and perhaps a part of the next one. */
  afterLoss(choose: Choose): SimulatedFile {
    const whole = choose(this.unsynced.length + 1);
    const bytes = this.unsynced.slice(0, whole).reduce((value, { apply }) => apply(value), this.durable);
    const next = this.unsynced[whole];
    return new SimulatedFile(next && choose(2) === 0 ? (next.torn?.(choose) ?? next).apply(bytes) : bytes);
  }
}

type Node = SimulatedFile | SimulatedFolder;

class SimulatedFolder extends Synced<ReadonlyMap<string, Node>> {
  constructor(names: Iterable<readonly [string, Node]> = []) {
    super(new Map(names));
  }

  /** Changes names in one step: all of them, or none. */
  rename(...changes: readonly (readonly [name: string, node: Node | undefined])[]): void {
    this.edit({
      apply: (before) => {
        const names = new Map(before);
        for (const [name, node] of changes)
          if (node) names.set(name, node);
          else names.delete(name);
        return names;
      },
    });
  }

  /** Any of the unsynced changes of names may survive. */
  afterLoss(choose: Choose, known = new Map<Node, Node>()): SimulatedFolder {
    const surviving = this.unsynced.filter(() => choose(2) === 0);
    const names = surviving.reduce((value, { apply }) => apply(value), this.durable);
    const after = Array.from(names, ([name, node]) => {
      const lost = known.get(node) ?? node.afterLoss(choose, known);
      known.set(node, lost);
      return [name, lost] as const;
    });
    return new SimulatedFolder(after);
  }
}

type OperationName =
  | ('readdir' | 'stat' | 'readFile' | 'open' | 'mkdir' | 'rename' | 'rm' | 'utimes' | 'syncFolder')
  | ('write' | 'sync' | 'truncate' | 'close');

/** An operation of the disk, numbered from 1 on. */
export interface Operation {
  readonly number: number;
  readonly name: OperationName;
  readonly path: string;
}

/** How an operation goes wrong. `stop` ends all work on the disk; `partly` writes some of the bytes first. */
export interface Fate {
  readonly at: 'before' | 'partly' | 'after';
  readonly with: 'stop' | 'ENOSPC' | 'EIO';
  /** Whether the system takes the data of a failed sync for written. */
  readonly forgets?: boolean;
}

function diskError(code: 'ENOSPC' | 'EIO' | 'ENOENT' | 'EEXIST' | 'EBADF', name: OperationName, path: string): Error {
  return Object.assign(new Error(`${code}: ${name} '${path}'`), { code, errno: -constants.errno[code], path });
}

const never = (): Promise<never> => new Promise(() => undefined);
const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

export class SimulatedDisk {
  readonly #root: SimulatedFolder;
  readonly #choose: Choose;
  #resolveStopped: () => void = () => undefined;
  #inFlight = 0;
  isStopped = false;
  operations = 0;
  /** Decides how each operation goes; a promise delays it. */
  fates: (operation: Operation) => Fate | undefined | Promise<undefined> = () => undefined;
  readonly stopped = new Promise<void>((resolve) => {
    this.#resolveStopped = resolve;
  });

  /** @param choose the duration of each operation, and the size of partial writes */
  constructor(choose: Choose = () => 0, root = new SimulatedFolder([['state', new SimulatedFolder()]])) {
    this.#choose = choose;
    this.#root = root;
  }

  /** The disk after a power loss now. */
  powerLoss(choose: Choose): SimulatedDisk {
    this.#stop();
    return new SimulatedDisk(choose, this.#root.afterLoss(choose));
  }

  /** The disk after the process was killed: everything written is there. */
  killed(choose: Choose): SimulatedDisk {
    this.#stop();
    return new SimulatedDisk(choose, this.#root);
  }

  #stop(): void {
    this.isStopped = true;
    this.#resolveStopped();
  }

  /** Waits until no operation is in progress. */
  async idle(): Promise<void> {
    for (let quiet = 0; quiet < 5 && !this.isStopped; quiet += 1) {
      if (this.#inFlight > 0) quiet = 0;
      await turn();
    }
  }

  async #do<T>(name: OperationName, path: string, work: (isPartly: boolean) => T, forget?: () => void): Promise<T> {
    this.operations += 1;
    const operation = { number: this.operations, name, path };
    this.#inFlight += 1;
    try {
      for (let turns = this.#choose(3); turns > 0; turns -= 1) await turn();
      const fate = await this.fates(operation);
      if (this.isStopped) return await never();
      if (fate?.forgets) forget?.();
      const done = fate?.at === 'before' ? undefined : work(fate?.at === 'partly');
      if (fate?.with === 'stop') this.#stop();
      else if (fate) throw diskError(fate.with, name, path);
      else await turn();
      return this.isStopped ? await never() : (done as T);
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** The part of `node:fs/promises` that the state folder uses. */
  get fs(): FileSystem {
    return this as unknown as FileSystem;
  }

  readdir = (path: string) => this.#do('readdir', path, () => [...this.#at(path, SimulatedFolder).value.keys()]);

  stat = (path: string) =>
    this.#do('stat', path, () => {
      const node = this.#find(path);
      if (!node) throw diskError('ENOENT', 'stat', path);
      return {
        mtimeMs: 0,
        size: node.value instanceof Buffer ? node.value.length : 0,
        isDirectory: () => node instanceof SimulatedFolder,
      };
    });

  readFile = (path: string) => this.#do('readFile', path, () => Buffer.from(this.#at(path, SimulatedFile).value));

  /** No test here looks at the times of files. */
  utimes = (path: string) => this.#do('utimes', path, () => void this.#at(path, SimulatedFile));

  mkdir = (path: string) =>
    this.#do('mkdir', path, () => {
      if (this.#find(path)) throw diskError('EEXIST', 'mkdir', path);
      const { parent, name } = this.#place(path);
      parent.rename([name, new SimulatedFolder()]);
    });

  /** `r` opens a folder to sync it, `w` empties a file; `w` and `a` create a missing one. */
  open = async (path: string, flags: 'r' | 'a' | 'w'): Promise<FileHandle> => {
    if (flags === 'r') {
      const sync = async () => this.#do('syncFolder', path, this.#at(path, SimulatedFolder).beginSync().end);
      return { sync, close: async () => undefined } as unknown as FileHandle;
    }
    return this.#do('open', path, () => {
      const { parent, name } = this.#place(path);
      if (!parent.value.has(name)) parent.rename([name, new SimulatedFile()]);
      else if (flags === 'w') this.#at(path, SimulatedFile).truncate(0);
      return this.#opened(path);
    });
  };

  /** Always followed by a sync. */
  writeFile = async (path: string, data: Uint8Array | Iterable<Uint8Array>): Promise<void> => {
    const file = await this.open(path, 'w');
    for (const bytes of data instanceof Uint8Array ? [data] : data) await file.appendFile(bytes);
    await file.datasync();
    await file.close();
  };

  /** Within one folder. */
  rename = (from: string, to: string) =>
    this.#do('rename', from, () => {
      const { parent, name } = this.#place(from);
      const node = parent.value.get(name);
      if (!node) throw diskError('ENOENT', 'rename', from);
      parent.rename([name, undefined], [this.#place(to).name, node]);
    });

  rm = (path: string) =>
    this.#do('rm', path, () => {
      if (!this.#find(path)) return;
      const { parent, name } = this.#place(path);
      parent.rename([name, undefined]);
    });

  #opened(path: string): FileHandle {
    const file = this.#at(path, SimulatedFile);
    const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, this.#choose(bytes.length) + 1);
    let isOpen = true;
    const ifOpen = (name: OperationName, work: (isPartly: boolean) => void, forget?: () => void): Promise<void> =>
      isOpen ? this.#do(name, path, work, forget) : Promise.reject(diskError('EBADF', name, path));
    const handle = {
      appendFile: (bytes: Uint8Array) => ifOpen('write', (isPartly) => file.append(isPartly ? half(bytes) : bytes)),
      datasync: () => {
        const { end, forget } = file.beginSync();
        return ifOpen('sync', end, forget);
      },
      stat: async () => ({ size: file.value.length, nlink: 1 }),
      truncate: (size: number) => ifOpen('truncate', () => file.truncate(size)),
      close: () => {
        const closing = ifOpen('close', () => undefined);
        isOpen = false;
        return closing;
      },
    };
    return handle as unknown as FileHandle;
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of partsOf(path)) node = node instanceof SimulatedFolder ? node.value.get(name) : undefined;
    return node;
  }

  #at<Kind extends Node>(path: string, kind: new () => Kind): Kind {
    const node = this.#find(path);
    if (node instanceof kind) return node;
    throw diskError('ENOENT', 'open', path);
  }

  #place(path: string): { readonly parent: SimulatedFolder; readonly name: string } {
    const at = path.lastIndexOf('/');
    return { parent: this.#at(path.slice(0, at), SimulatedFolder), name: path.slice(at + 1) };
  }
}
