// The store in a folder: a document per sandbox (`sandboxes/<name>.json`), their fixtures (`fixtures/`), and
// `changes.log` with the changes after the documents. One process holds the folder at a time (lock.ts).
import promises, { type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sandboxName } from '../../contract/addresses.ts';
import type { LoadedSandbox, OpenStore, Store, StoredSandbox } from '../../state/store.ts';
import { machineTime } from '../../system/time.ts';
import { lineOf } from './change-log.ts';
import { asStateDamage } from './damage.ts';
import { writeDocument } from './document-file.ts';
import { type FileSystem, fileMode, makeFolder, reasonOf, syncFolder } from './file-system.ts';
import { type FolderLock, lockFolder } from './lock.ts';
import { documentFile, fixturesFile, type ReadFolder, readFolder } from './read-folder.ts';

export interface FolderOptions {
  readonly fs: FileSystem;
  readonly path: string;
  /** Whether a write is acknowledged after it is synced (`always`) or before (`interval`). */
  readonly sync: 'always' | 'interval';
  /** The log is compacted into documents when it has more bytes than this, and than the documents written last. */
  readonly compactAfterBytes?: number;
  /** Called with a sentence for the operator of the server. */
  readonly notify: (words: string) => void;
  /** Why this process no longer holds the folder; then it writes no more. Undefined while it does. */
  readonly loss?: () => string | undefined;
}

interface FolderSandbox {
  readonly version: number;
  readonly whole: (version: number) => StoredSandbox;
  /** Whether the log has changes that its document lacks. */
  isLogged: boolean;
}

/** A line to append, and the sandbox after it; undefined if it is removed. */
interface Job {
  readonly line: Buffer;
  readonly name: string;
  readonly sandbox: FolderSandbox | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const syncMilliseconds = 500;
const healMilliseconds = 1000;
/** Documents written at the same time. */
const documentsAtOnce = 50;

/** @throws FolderHeld if another process has the folder; StateDamage if it cannot be used, or has damaged files */
export async function openState(
  folder: string,
  { sync, notify }: Pick<FolderOptions, 'sync' | 'notify'>,
): Promise<OpenStore> {
  const path = resolve(folder);
  let lock: FolderLock | undefined;
  try {
    await makeFolder(promises, path);
    lock = await lockFolder(path, { notify });
    const { loss, release } = lock;
    const store = await StateFolder.open({ fs: promises, path, loss, sync, notify });
    const sandboxes = (await store.names()).length;
    return { place: path, sandboxes, store, close: () => store.close().finally(release) };
  } catch (error) {
    lock?.release();
    throw asStateDamage(path, error);
  }
}

export class StateFolder implements Store {
  readonly #options: FolderOptions;
  readonly #compactAfterBytes: number;
  /** The longest unchanged first. */
  readonly #sandboxes = new Map<string, FolderSandbox>();
  /** Fixtures that are written or being written, by name. */
  readonly #fixtures = new Map<string, Promise<void>>();
  #log: FileHandle;
  /** The size of the log in bytes, and the size above which it is compacted. */
  #size: number;
  #compactAt: number;
  #queue: Job[] = [];
  #running: Promise<void> | undefined;
  #isCompactionDue = false;
  /** Set if a write failed: all writes fail until the log is replaced, or known to be unchanged. */
  #writeError: unknown;
  /** Whether acknowledged changes may be missing in the log. */
  #mayLackChanges = false;
  /** The current error of the disk, without a path, because `/health` shows it. */
  #problem: string | undefined;
  #syncing: NodeJS.Timeout | undefined;
  #healing: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: FolderOptions, log: FileHandle, { sandboxes, size }: ReadFolder) {
    this.#options = options;
    this.#log = log;
    this.#size = size;
    this.#compactAfterBytes = options.compactAfterBytes ?? 4_194_304;
    this.#compactAt = this.#compactAfterBytes;
    for (const { name, whole, isLogged } of sandboxes)
      this.#sandboxes.set(name, { version: whole.document.version, whole: () => whole, isLogged });
  }

  /** Reads everything before it changes anything, then compacts the log. @throws StateDamage */
  static async open(options: FolderOptions): Promise<StateFolder> {
    const { fs, path, notify, loss } = options;
    const read = await readFolder(options);
    const why = loss?.();
    if (why !== undefined) throw new Error(why);
    for (const folder of ['sandboxes', 'fixtures']) await makeFolder(fs, `${path}/${folder}`);
    const store = new StateFolder(options, await openLog(options), read);
    if (read.cutBytes > 0) {
      notify(`state: changes.log ends in the middle of a change; its ${read.cutBytes} bytes are ignored`);
      await store.#cut();
    }
    await store.#tryToCompact();
    for (const { whole } of read.sandboxes) store.#fixtures.set(whole.document.fixtures, Promise.resolve());
    await store.#sweep('fixtures', (name) => store.#fixtures.has(name));
    return store;
  }

  async names(): Promise<readonly string[]> {
    return [...this.#sandboxes.keys()];
  }

  async load(name: string, version: number): Promise<LoadedSandbox | undefined> {
    // Loading many must not delay the heartbeat of the lock.
    await nextTurn();
    const sandbox = this.#sandboxes.get(name);
    if (!sandbox) return undefined;
    return sandbox.version > version ? { whole: sandbox.whole(sandbox.version), commits: [] } : { commits: [] };
  }

  async append(...[name, version, changes, whole]: Parameters<Store['append']>): Promise<boolean> {
    this.#requireWritable();
    if ((this.#sandboxes.get(name)?.version ?? 0) !== version) return false;
    const sandbox = { version: version + 1, whole, isLogged: true };
    if (version > 0) await this.#write(name, { changes }, sandbox);
    else {
      const created = whole(1);
      await this.#writeFixtures(created);
      await this.#write(name, { document: created.document }, sandbox);
    }
    return true;
  }

  async remove(name: string): Promise<void> {
    if (this.#sandboxes.has(name)) await this.#write(name, {}, undefined);
  }

  /** Writes fixtures once: their name is their hash. */
  #writeFixtures({ document: { fixtures: name }, fixtures }: StoredSandbox): Promise<void> {
    const { fs, path } = this.#options;
    const write = async () => {
      await writeDocument(fs, fixturesFile(path, name), fixtures);
      await syncFolder(fs, `${path}/fixtures`);
    };
    const written = this.#fixtures.get(name) ?? write();
    this.#fixtures.set(name, written);
    return written.catch((error: unknown) => {
      this.#fixtures.delete(name);
      throw this.#noted('changes', error);
    });
  }

  /** Resolves when the line is in the log. Queues it at once: a compaction waits for an empty queue. */
  #write(name: string, content: object, sandbox: FolderSandbox | undefined): Promise<void> {
    this.#requireWritable();
    const line = lineOf({ sandbox: name, version: sandbox?.version ?? 0, ...content });
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, name, sandbox, resolve, reject });
      void this.#run();
    });
  }

  #requireWritable(): void {
    if (this.#ended) throw this.#ended;
    if (this.#writeError) throw this.#noted('changes', this.#writeError);
  }

  #run(): Promise<void> {
    this.#running ??= this.#writeQueue().finally(() => {
      this.#running = undefined;
      if (this.#queue.length > 0 || this.#isCompactionDue) void this.#run();
    });
    return this.#running;
  }

  /**
   * Appends all queued lines with one sync. If the log is too long, it drains the queue, then writes the documents, and
   * only then resolves the writers: until then memory and log are equal.
   */
  async #writeQueue(): Promise<void> {
    let written: readonly Job[] = [];
    while (this.#queue.length > 0 || this.#isCompactionDue) {
      if (this.#queue.length > 0) written = [...written, ...(await this.#writeBatch(this.#queue.splice(0)))];
      const isTooLong = this.#size > this.#compactAt || this.#isCompactionDue;
      if (isTooLong && this.#queue.length > 0) continue;
      if (isTooLong) await this.#tryToCompact();
      for (const { resolve } of written) resolve();
      written = [];
    }
  }

  /** @returns the jobs if they are written; otherwise they are rejected */
  async #writeBatch(batch: readonly Job[]): Promise<readonly Job[]> {
    try {
      await this.#appendLines(batch);
    } catch (error) {
      this.#noted('changes', error);
      for (const { reject } of batch) reject(error);
      // Wait until the sandboxes have undone these changes.
      await nextTurn();
      return [];
    }
    for (const { name, sandbox } of batch) {
      this.#sandboxes.delete(name);
      if (sandbox) this.#sandboxes.set(name, sandbox);
    }
    return batch;
  }

  async #appendLines(batch: readonly Job[]): Promise<void> {
    if (this.#loss) throw this.#loss;
    if (this.#writeError) throw this.#writeError;
    const lines = Buffer.concat(batch.map(({ line }) => line));
    const expected = this.#size + lines.length;
    // Creating and removing sandboxes is always synced at once.
    const isSynced = this.#options.sync === 'always' || batch.some(({ sandbox }) => !sandbox || sandbox.version === 1);
    try {
      await this.#log.appendFile(lines);
      const [{ size, nlink }] = await Promise.all([
        this.#log.stat(),
        isSynced ? this.#log.datasync() : this.#syncSoon(),
      ]);
      this.#mayLackChanges ||= nlink === 0 || size < expected;
      const change = nlink === 0 ? 'removed' : size < expected ? 'cut' : 'changed';
      if (nlink === 0 || size !== expected) throw new Error(`changes.log was ${change} by another program`);
      this.#size = expected;
    } catch (error) {
      this.#writeError = error;
      // A failed sync may drop earlier writes that it was to sync.
      this.#mayLackChanges ||= this.#options.sync === 'interval';
      // No rejected change may be read later. If the log is another file by now, this does no harm: it is replaced.
      await this.#cut().catch(() => {
        this.#mayLackChanges = true;
      });
      throw error;
    }
  }

  /** Cuts the log after the last acknowledged line, or at this size. */
  async #cut(size = this.#size): Promise<void> {
    await this.#log.truncate(size);
    await this.#log.datasync();
    this.#size = size;
  }

  async #syncSoon(): Promise<void> {
    this.#syncing ??= setTimeout(async () => {
      this.#syncing = undefined;
      if (this.#loss) return;
      await this.#log.datasync().catch((error: unknown) => {
        // The system may have dropped what it could not write.
        this.#mayLackChanges = true;
        this.#writeError = this.#noted('changes', error);
      });
    }, syncMilliseconds).unref();
  }

  /** If a compaction fails, the log still has the changes. The next one comes when the log has grown, or to heal. */
  async #tryToCompact(): Promise<void> {
    this.#isCompactionDue = false;
    this.#compactAt = this.#size + this.#compactAfterBytes / 4;
    if (this.#loss) return;
    try {
      if (this.#writeError) await this.#replaceLog();
      await this.#compact();
      [this.#writeError, this.#mayLackChanges] = [undefined, false];
      if (this.#problem !== undefined) this.#options.notify('state: writing works again');
      this.#problem = undefined;
    } catch (error) {
      this.#noted(this.#writeError ? 'changes' : 'documents', error);
      // The log is unchanged: there may be space for changes, if not for documents.
      if (!this.#mayLackChanges) this.#writeError = undefined;
    }
  }

  /** Opens the log again, which may be another file by now. The next compaction writes all sandboxes. */
  async #replaceLog(): Promise<void> {
    await this.#log.close().catch(() => undefined);
    this.#log = await openLog(this.#options);
    for (const sandbox of this.#sandboxes.values()) sandbox.isLogged = true;
    await makeFolder(this.#options.fs, `${this.#options.path}/sandboxes`);
    // Wait until the sandboxes have undone changes that failed meanwhile.
    await nextTurn();
  }

  /** Writes the documents of all sandboxes in the log, and then empties the log. */
  async #compact(): Promise<void> {
    const { fs, path } = this.#options;
    const now = machineTime() / 1000;
    const logged = [...this.#sandboxes].filter(([, { isLogged }]) => isLogged);
    const documents = logged.map(([name, { whole, version }]) => [name, whole(version).document] as const);
    const write = async ([name, document]: (typeof documents)[number], index: number) => {
      const file = documentFile(path, name);
      await writeDocument(fs, file, document);
      // The next start orders the sandboxes by the times of their documents.
      await fs.utimes(file, now, now + index / 1e5);
      return (await fs.stat(file)).size;
    };
    let written = 0;
    for (let at = 0; at < documents.length; at += documentsAtOnce) {
      const writing = documents.slice(at, at + documentsAtOnce).map((one, index) => write(one, at + index));
      // If one fails, the others must end before the next one writes the same files.
      await Promise.allSettled(writing);
      for (const size of await Promise.all(writing)) written += size;
      if (this.#loss) throw this.#loss;
    }
    await this.#sweep('sandboxes', (name) => this.#sandboxes.has(name));
    await syncFolder(fs, `${path}/sandboxes`);
    if (this.#loss) throw this.#loss;
    // Synced: if some of the lines reappeared after a loss of power, sandboxes would be older than their documents.
    await this.#cut(0);
    // So that writing documents costs no more than writing their lines.
    this.#compactAt = Math.max(this.#compactAfterBytes, written);
    for (const [, sandbox] of logged) sandbox.isLogged = false;
  }

  /** Deletes unused and unfinished documents. */
  async #sweep(folder: 'sandboxes' | 'fixtures', isUsed: (name: string) => boolean): Promise<void> {
    const { fs, path } = this.#options;
    for (const file of await fs.readdir(`${path}/${folder}`)) {
      const name = file.replace(/\.json(?:\.tmp)?$/, '');
      const isOurs = name !== file && sandboxName.test(name);
      if (!isOurs || (!file.endsWith('.tmp') && isUsed(name))) continue;
      await fs.rm(`${path}/${folder}/${file}`, { force: true }).catch((error: NodeJS.ErrnoException) => {
        // Sachet creates no folders here.
        if (error.code !== 'ERR_FS_EISDIR') throw error;
      });
    }
  }

  problem(): string | undefined {
    return this.#ended?.message ?? this.#problem;
  }

  get #loss(): Error | undefined {
    const why = this.#options.loss?.();
    return why === undefined ? undefined : new Error(why);
  }

  get #ended(): Error | undefined {
    return this.#loss ?? (this.#closing && new Error('the server has closed'));
  }

  /** Records an error of the disk, and compacts the log every second until that works. @returns the error */
  #noted(what: 'changes' | 'documents', error: unknown): unknown {
    if (this.#ended) return error;
    const why = reasonOf(error as Error);
    if (this.#problem === undefined) this.#options.notify(`state: cannot write ${what}: ${why}`);
    this.#problem = `cannot write ${what} to the state folder: ${why}`;
    this.#healing ??= setTimeout(() => {
      this.#healing = undefined;
      this.#isCompactionDue = true;
      void this.#run();
    }, healMilliseconds).unref();
    return error;
  }

  /** All acknowledged changes are on disk when this resolves. @throws the error of the disk */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#syncing);
    clearTimeout(this.#healing);
    await this.#running;
    // Wait until the sandboxes have undone changes that failed.
    await nextTurn();
    try {
      if (this.#loss) return;
      this.#isCompactionDue = this.#size > 0 || this.#writeError !== undefined;
      await this.#run();
      if (this.#mayLackChanges) throw this.#writeError;
      if (this.#size > 0) await this.#log.datasync();
    } finally {
      await this.#log.close();
    }
  }
}

async function openLog({ fs, path }: FolderOptions): Promise<FileHandle> {
  const log = await fs.open(`${path}/changes.log`, 'a', fileMode);
  await syncFolder(fs, path);
  return log;
}
