// The store that keeps sandboxes in a folder. One process has it at a time (lock.ts).
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Change, Commit, Root } from '../../state/root.ts';
import type { Roots, Store } from '../../state/store.ts';
import type { LoadedSandbox } from './load-sandbox.ts';
import { createStored, openStored } from './open-stored.ts';
import type { Place } from './place.ts';
import { readAll } from './read-all.ts';
import type { FolderSetting, StoredSandbox } from './stored-sandbox.ts';
import { sweep } from './sweep.ts';
import { Troubles } from './troubles.ts';
import { tryToWrite } from './try-to-write.ts';

export interface FolderOptions extends Place {
  readonly sync: 'always' | 'interval';
  /** Told in a sentence what whoever runs the server should know. */
  readonly tell: (words: string) => void;
  readonly leastFoldedBytes?: number;
  /** Says that the folder is another process's. */
  readonly lost?: AbortSignal | undefined;
  /** Makes sure of the contrary, where that has not been looked at for long. */
  readonly confirm?: (() => Promise<void> | undefined) | undefined;
}

/** What has not been synced is so half a second later, which leaves as much for the disk to do it. */
const flushMilliseconds = 500;
const healMilliseconds = 1000;

const endOf = (cutBytes: number): string =>
  cutBytes === 0 ? 'is empty' : `ends in the middle of a change, of which ${cutBytes} bytes are left out`;

export class StateFolder implements Store {
  readonly #setting: FolderSetting;
  readonly #confirm: FolderOptions['confirm'];
  readonly #sandboxes = new Map<string, StoredSandbox>();
  /** Read at the start, and not yet asked for. */
  readonly #read = new Map<string, LoadedSandbox>();
  readonly #underWay = new Set<Promise<unknown>>();
  #flushing: NodeJS.Timeout | undefined;
  #healing: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  private constructor({ tell, leastFoldedBytes = 1_048_576, confirm, ...place }: FolderOptions) {
    const troubles = new Troubles(tell, () => this.#healSoon());
    this.#setting = { ...place, leastFoldedBytes, troubles };
    this.#confirm = confirm;
  }

  /**
   * Reads all there is, then makes it ready to be written: what cannot be read leaves everything as it is.
   * @throws StateDamage; what the disk says
   */
  static async open(options: FolderOptions): Promise<StateFolder> {
    const folder = new StateFolder(options);
    const read = await readAll(folder.#setting);
    try {
      for (const loaded of read) await folder.#open(loaded, options.tell);
      await sweep(folder.#setting);
    } catch (error) {
      await folder.close().catch(() => undefined);
      throw error;
    }
    return folder;
  }

  async #open(loaded: LoadedSandbox, tell: (words: string) => void): Promise<void> {
    const { name, version, format, logs } = loaded;
    this.#setting.lost?.throwIfAborted();
    for (const { isCut, cutBytes } of logs)
      if (isCut) tell(`state: the log of "${name}" ${endOf(cutBytes)}: it goes on from version ${version}`);
    if (format < this.#setting.formats.current)
      tell(`state: "${name}" is written anew; the original of format ${format} is kept`);
    this.#sandboxes.set(name, await openStored(this.#setting, loaded));
    this.#read.set(name, loaded);
  }

  names(): readonly string[] {
    return [...this.#sandboxes.keys()];
  }

  /** Whoever opens many lets the loop turn between them: the lock wants to be touched. */
  async load(name: string): Promise<Commit | undefined> {
    const read = this.#read.get(name);
    this.#read.delete(name);
    await turnOfTheLoop();
    // One whose removal has failed is there as it was.
    return read ?? this.#readAgain(name);
  }

  async #readAgain(name: string): Promise<Commit | undefined> {
    const again = await this.#sandboxes.get(name)?.read();
    if (!again) this.#sandboxes.delete(name);
    return again;
  }

  /** Nobody else writes here. */
  since(): readonly Commit[] {
    return [];
  }

  append(name: string, base: number, changes: Iterable<Change>, roots: Roots): Promise<'committed' | 'conflict'> {
    return this.#doing(async () => {
      await this.#requireHeld();
      if (base === 0) return this.#create(name, changes, roots.to);
      const answer = (await this.#sandboxes.get(name)?.append(base, changes, roots)) ?? 'conflict';
      if (this.#setting.sync === 'interval') this.#flushSoon();
      return answer;
    });
  }

  async #create(name: string, changes: Iterable<Change>, root: Root): Promise<'committed' | 'conflict'> {
    if (this.#sandboxes.has(name)) return 'conflict';
    const { troubles } = this.#setting;
    try {
      this.#sandboxes.set(name, await createStored(this.#setting, { name, changes, root }));
    } catch (error) {
      troubles.note(name, 'writes', error);
      throw error;
    }
    troubles.forget(name);
    return 'committed';
  }

  remove(name: string): Promise<void> {
    return this.#doing(async () => {
      await this.#requireHeld();
      await this.#sandboxes.get(name)?.remove();
      this.#read.delete(name);
      this.#sandboxes.delete(name);
    });
  }

  async #requireHeld(): Promise<void> {
    await this.#confirm?.();
    this.#setting.lost?.throwIfAborted();
  }

  /** What is under way is waited for by `close`; nothing begins after it. */
  #doing<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended);
    const doing = work();
    const done: Promise<unknown> = doing.then(
      () => this.#underWay.delete(done),
      () => this.#underWay.delete(done),
    );
    this.#underWay.add(done);
    return doing;
  }

  get #ended(): Error | undefined {
    const { lost } = this.#setting;
    if (lost?.aborted) return lost.reason as Error;
    return this.#closing && new Error('the server has closed');
  }

  trouble(): string | undefined {
    return this.#ended?.message ?? this.#setting.troubles.first;
  }

  /** All that was acknowledged stands once this is over. @throws what the disk says */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#flushing);
    clearTimeout(this.#healing);
    // Before anything else: nothing begins from here on.
    await Promise.resolve();
    await Promise.all(this.#underWay);
    await this.#confirm?.();
    const closed = await Promise.allSettled(Array.from(this.#sandboxes.values(), (sandbox) => sandbox.close()));
    const failed = closed.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  #flushSoon(): void {
    if (this.#ended) return;
    this.#flushing ??= setTimeout(() => {
      this.#flushing = undefined;
      void this.#doing(() => Promise.allSettled(Array.from(this.#sandboxes.values(), (sandbox) => sandbox.flush())));
    }, flushMilliseconds).unref();
  }

  /** While something is troubled, the disk is tried every second. */
  #healSoon(): void {
    if (this.#ended) return;
    this.#healing ??= setTimeout(async () => {
      await this.#doing(() => this.#heal()).catch(() => undefined);
      this.#healing = undefined;
      if (this.#setting.troubles.size > 0) this.#healSoon();
    }, healMilliseconds).unref();
  }

  async #heal(): Promise<void> {
    const { troubles } = this.#setting;
    await this.#requireHeld();
    for (const name of troubles.sandboxes) {
      const sandbox = this.#sandboxes.get(name);
      // What one cannot do yet is no reason for another.
      const healing = sandbox ? sandbox.heal() : tryToWrite(this.#setting).then(() => troubles.forget(name));
      await healing.catch(() => undefined);
    }
  }
}
