// The store that keeps sandboxes in a folder: `fixtures/`, and `sandboxes/<name>/` with a document and a change log. One process has it at a
// time (lock.ts).
import { resolve } from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { getSystemErrorMap } from 'node:util';
import { sandboxName } from '../../contract/addresses.ts';
import type { Loaded, Store, Whole } from '../../state/store.ts';
import { fileForFolder, StateDamage, unreachable } from './damage.ts';
import { machineDisk } from './disk.ts';
import { type HeldFolder, holdFolder } from './lock.ts';
import {
  type FolderSetting,
  keepFixtures,
  type ReadSandbox,
  readSandbox,
  StoredSandbox,
  sandboxFolder,
} from './stored-sandbox.ts';

export interface FolderOptions extends Omit<FolderSetting, 'foldedBytes' | 'onUnfolded'> {
  readonly foldedBytes?: number;
  /** Told in a sentence what whoever runs the server should know. */
  readonly tell: (words: string) => void;
  /** Why the folder is another process's by now; nothing is written to it then. */
  readonly loss?: () => string | undefined;
}

/** What has not been synced is so half a second later, which leaves as much for the disk to do it. */
const flushMilliseconds = 500;
const healMilliseconds = 1000;
const probeBytes = 65_536;

/** @throws FolderHeld if another process has the folder; StateDamage if it is no place for state, or holds what cannot be read */
export async function openState(folder: string, { sync, tell }: Pick<FolderOptions, 'sync' | 'tell'>) {
  const path = resolve(folder);
  let held: HeldFolder | undefined;
  try {
    await machineDisk.makeFolder(path);
    const lock = await holdFolder(path, { tell });
    held = lock;
    const store = await StateFolder.open({ disk: machineDisk, path, loss: () => lock.loss(), sync, tell });
    const sandboxes = (await store.names()).length;
    return { place: path, sandboxes, store, close: () => store.close().finally(() => lock.release()) };
  } catch (error) {
    held?.release();
    throw unreachable(path, error);
  }
}

export class StateFolder implements Store {
  readonly #options: FolderOptions;
  readonly #setting: FolderSetting;
  readonly #sandboxes = new Map<string, StoredSandbox>();
  /** Read at the start, and not yet asked for. */
  readonly #read = new Map<string, ReadSandbox>();
  /** The fixtures that are kept, or being written, by their name. */
  readonly #fixtures = new Map<string, Promise<void>>();
  readonly #underWay = new Set<Promise<unknown>>();
  /** What the disk does not do now, in words without a path: whoever asks how the server is may read them. */
  #trouble: string | undefined;
  #flushing: NodeJS.Timeout | undefined;
  #healing: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: FolderOptions) {
    this.#options = options;
    this.#setting = { foldedBytes: 4_194_304, ...options, onUnfolded: (error) => this.#note('snapshots', error) };
  }

  /** Reads all there is, then makes it ready to be written: what cannot be read leaves everything as it is. @throws StateDamage */
  static async open(options: FolderOptions): Promise<StateFolder> {
    const store = new StateFolder(options);
    const { disk, path } = options;
    const { files, folders } = await disk.names(`${path}/sandboxes`);
    const file = files.find((name) => sandboxName.test(name));
    if (file !== undefined)
      throw fileForFolder(path, sandboxFolder(options, file), 'it has the name of a sandbox', `${path}/${file}.file`);
    const found: { name: string; read: ReadSandbox; changedAt: number }[] = [];
    for (const name of folders.filter((one) => sandboxName.test(one))) {
      const read = await readSandbox(store.#setting, name);
      found.push({ name, read, changedAt: await disk.changedAt(`${sandboxFolder(options, name)}/changes.log`) });
      await turnOfTheLoop();
    }
    if (store.#ended) throw store.#ended;
    for (const { name, read } of found.toSorted((a, b) => a.changedAt - b.changedAt)) await store.#take(name, read);
    await store.#sweep(folders);
    return store;
  }

  async #take(name: string, read: ReadSandbox): Promise<void> {
    const { version, log } = read;
    if (log.cutBytes > 0)
      this.#options.tell(
        `state: the log of "${name}" ends in the middle of a change, of which ${log.cutBytes} bytes are left out: it goes on from version ${version}`,
      );
    this.#sandboxes.set(name, await StoredSandbox.open(this.#setting, name, read));
    this.#read.set(name, read);
  }

  /** What a process that was ended left unfinished is taken away, and fixtures that no sandbox is made of. */
  async #sweep(folders: readonly string[]): Promise<void> {
    const { disk, path } = this.#setting;
    const left = folders
      .filter((name) => /^\.(?:new|gone)-/.test(name))
      .map((name) => sandboxFolder(this.#setting, name));
    for (const name of this.#sandboxes.keys()) left.push(`${sandboxFolder(this.#setting, name)}/state.json.tmp`);
    const used = new Set(Array.from(this.#read.values(), ({ whole }) => `${whole.document.fixtures}.json`));
    const { files } = await disk.names(`${path}/fixtures`);
    for (const file of files)
      if (/\.json(?:\.tmp)?$/.test(file) && !used.has(file)) left.push(`${path}/fixtures/${file}`);
    for (const name of [...left, `${path}/probe.tmp`]) await disk.remove(name);
  }

  async names(): Promise<readonly string[]> {
    return [...this.#sandboxes.keys()];
  }

  async load(name: string, version: number): Promise<Loaded | undefined> {
    const read = this.#read.get(name);
    this.#read.delete(name);
    // Whoever opens many lets the loop turn between them: the lock wants to be touched.
    await turnOfTheLoop();
    if (!this.#sandboxes.has(name)) return undefined;
    // One whose removal has failed is there as it was.
    const { whole, commits } = read ?? (await readSandbox(this.#setting, name));
    const later = commits.filter((commit) => commit.version > version);
    return whole.document.version > version ? { whole, commits: later } : { commits: later };
  }

  append(...[name, version, changes, whole]: Parameters<Store['append']>): Promise<boolean> {
    return this.#doing(async () => {
      const sandbox = this.#sandboxes.get(name);
      if (version === 0 && sandbox) return false;
      if (version === 0) this.#sandboxes.set(name, await this.#create(name, whole()));
      else if (!(await sandbox?.append({ version: version + 1, changes }, whole))) return false;
      if (this.#setting.sync === 'interval') this.#flushSoon();
      return true;
    });
  }

  async #create(name: string, whole: Whole): Promise<StoredSandbox> {
    const { fixtures } = whole.document;
    const keeping = this.#fixtures.get(fixtures) ?? keepFixtures(this.#setting, whole);
    this.#fixtures.set(fixtures, keeping);
    try {
      await keeping;
    } catch (error) {
      this.#fixtures.delete(fixtures);
      throw error;
    }
    return StoredSandbox.create(this.#setting, name, whole);
  }

  remove(name: string): Promise<void> {
    return this.#doing(async () => {
      await this.#sandboxes.get(name)?.remove();
      this.#read.delete(name);
      this.#sandboxes.delete(name);
    });
  }

  trouble(): string | undefined {
    return this.#ended?.message ?? this.#trouble;
  }

  /** What is under way is waited for by `close`; nothing begins after it. */
  async #doing<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) throw this.#ended;
    const doing = work();
    this.#underWay.add(doing);
    try {
      return await doing;
    } catch (error) {
      this.#note('writes', error);
      throw error;
    } finally {
      this.#underWay.delete(doing);
    }
  }

  get #ended(): Error | undefined {
    const why = this.#options.loss?.() ?? (this.#closing && 'the server has closed');
    return why === undefined ? undefined : new Error(why);
  }

  #note(what: 'writes' | 'snapshots', error: unknown): void {
    if (this.#ended || error instanceof StateDamage) return;
    const why = whyOf(error as Error);
    if (this.#trouble === undefined) this.#options.tell(`state: no ${what} are taken: ${why}`);
    this.#trouble = `the state folder takes no ${what}: ${why}`;
    this.#healSoon();
  }

  /** While there is trouble, the disk is tried every second. */
  #healSoon(): void {
    this.#healing ??= setTimeout(async () => {
      this.#healing = undefined;
      await this.#doing(() => this.#probe()).catch(() => undefined);
    }, healMilliseconds).unref();
  }

  /** A disk that is full lets logs be cut, and nothing be written. */
  async #probe(): Promise<void> {
    const { disk, path } = this.#setting;
    const probe = `${path}/probe.tmp`;
    try {
      const file = await disk.create(probe);
      await file
        .write(new Uint8Array(probeBytes))
        .then(() => file.sync())
        .finally(() => file.close());
    } finally {
      await disk.remove(probe);
    }
    this.#trouble = undefined;
    this.#options.tell('state: writes are taken again');
  }

  #flushSoon(): void {
    this.#flushing ??= setTimeout(() => {
      this.#flushing = undefined;
      const flush = async () => void (await Promise.all(Array.from(this.#sandboxes.values(), (one) => one.flush())));
      void this.#doing(flush).catch(() => undefined);
    }, flushMilliseconds).unref();
  }

  /** All that was acknowledged stands once this is over; of a folder that is another one's nothing is touched. @throws what the disk says */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#flushing);
    clearTimeout(this.#healing);
    await Promise.allSettled(this.#underWay);
    const isLost = this.#options.loss?.() !== undefined;
    const all = [...this.#sandboxes.values()].map((one) => (isLost ? one.letGo() : one.close()));
    const failed = (await Promise.allSettled(all)).find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/** The system's own words, such as `no space left on device (ENOSPC)`. */
function whyOf({ errno, message }: NodeJS.ErrnoException): string {
  const [code, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return code === undefined ? message : `${words} (${code})`;
}
