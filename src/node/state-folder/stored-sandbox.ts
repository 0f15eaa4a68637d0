// One sandbox on the disk: a write is a line of its change log; a log that has outgrown its snapshot is folded into the next one, beside the
// writes.
import { Low } from 'lowdb';
import { changesOf } from '../../state/changes.ts';
import type { Change, Root } from '../../state/root.ts';
import { ChangeLog } from './change-log.ts';
import type { Heading } from './format.ts';
import { changesName, snapshotName } from './generations.ts';
import { folderOf, type Place } from './load-sandbox.ts';
import type { Snapshot } from './snapshot-document.ts';
import { GivenUp, SnapshotFile } from './snapshot-file.ts';
import type { Troubles } from './troubles.ts';
import { Turns } from './turns.ts';

/** How sandboxes are kept. */
export interface Keeping extends Place {
  /** Whether a write is acknowledged once it stands, or before. */
  readonly sync: 'always' | 'interval';
  readonly troubles: Troubles;
  /** A log is not folded before it is larger than this, and than its snapshot. */
  readonly leastFoldedBytes: number;
}

/** What there is of it on the disk. */
interface Stored {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly snapshotBytes: number;
  /** Of the logs since the snapshot. */
  readonly logBytes: number;
  readonly log: ChangeLog;
}

export class StoredSandbox {
  readonly name: string;
  readonly #keeping: Keeping;
  readonly #folder: string;
  readonly #turns = new Turns();
  #givenUp = new AbortController();
  #log: ChangeLog;
  #version: number;
  /** Of the snapshot. */
  #generation: number;
  #snapshotBytes: number;
  #logBytes: number;
  /** Acknowledged last; unknown until the first write. */
  #root: Root | undefined;
  #folding: Promise<void> | undefined;
  /** A fold has failed, or must make up for what the disk has lost. */
  #owesFold = false;
  /** The disk may have lost what was acknowledged. */
  #isUnsure = false;
  #isGone = false;

  constructor(keeping: Keeping, { name, version, generation, snapshotBytes, logBytes, log }: Stored) {
    this.name = name;
    this.#keeping = keeping;
    this.#folder = folderOf(keeping, name);
    this.#log = log;
    this.#version = version;
    this.#generation = generation;
    this.#snapshotBytes = snapshotBytes;
    this.#logBytes = logBytes;
  }

  /** See Store. @throws what the disk says */
  append(base: number, changes: Iterable<Change>, root: Root): Promise<'committed' | 'conflict'> {
    return this.#turns.take(async () => {
      if (base !== this.#version) return 'conflict';
      if (this.#isUnsure) throw new Error('the disk has failed, and what it has is yet to be written anew');
      await this.#noting('writes', () => this.#write({ version: base + 1, changes: [...changes] }));
      this.#version = base + 1;
      this.#root = root;
      if (this.#isOutgrown && !this.#owesFold) void this.fold().catch(() => undefined);
      return 'committed';
    });
  }

  async #write(line: { readonly version: number; readonly changes: readonly Change[] }): Promise<void> {
    const before = this.#log.size;
    await this.#log.append(JSON.stringify(line), this.#keeping.sync === 'always');
    this.#logBytes += this.#log.size - before;
  }

  get #isOutgrown(): boolean {
    return this.#logBytes > Math.max(this.#snapshotBytes, this.#keeping.leastFoldedBytes);
  }

  /** What has been acknowledged by now stands once this is over. @throws what the disk says; nothing more is taken then until it is healed */
  async flush(): Promise<void> {
    if (this.#isGone) return;
    try {
      await this.#noting('writes', () => this.#log.flush());
    } catch (error) {
      // What a failed sync was to write, the system may have dropped.
      this.#isUnsure = true;
      this.#owesFold = true;
      throw error;
    }
  }

  /** Makes the state a snapshot, beside the writes; none is made where nothing was written since the start. */
  fold(): Promise<void> {
    this.#folding ??= this.#noting('snapshots', () => this.#fold())
      .catch((error: unknown) => {
        this.#owesFold = !(error instanceof GivenUp);
        throw error;
      })
      .finally(() => {
        this.#folding = undefined;
      });
    return this.#folding;
  }

  async #fold(): Promise<void> {
    if (this.#log.generation === this.#generation) await this.#beginLog(this.#generation + 1);
    const root = this.#root;
    if (!root) return;
    const generation = this.#log.generation;
    const { disk } = this.#keeping;
    const adapter = new SnapshotFile(disk, this.#folder, snapshotName(generation), { signal: this.#givenUp.signal });
    const snapshot = { heading: this.#heading(generation), version: root.version, changes: changesOf(root) };
    await new Low<Snapshot>(adapter, snapshot).write();
    const former = this.#generation;
    this.#generation = generation;
    this.#snapshotBytes = adapter.bytes;
    this.#logBytes = this.#log.size;
    this.#owesFold = false;
    this.#isUnsure = false;
    await this.#forget(former - 1);
  }

  /** Writes go to the next log from here on; the one before stands whole. */
  async #beginLog(generation: number): Promise<void> {
    const { disk } = this.#keeping;
    const next = await ChangeLog.create(disk, this.#path(changesName(generation)), this.#heading(generation));
    try {
      await disk.syncFolder(this.#folder);
      await this.#turns.take(() => this.#log.settle().then(() => this.#goOn(next)));
    } catch (error) {
      await next.close();
      throw error;
    }
  }

  async #goOn(next: ChangeLog): Promise<void> {
    const former = this.#log;
    this.#log = next;
    await former.close();
  }

  async #forget(generation: number): Promise<void> {
    const { disk } = this.#keeping;
    for (const name of [snapshotName(generation), changesName(generation)]) await disk.remove(this.#path(name));
  }

  /** Tries again what has failed. @throws what the disk says */
  async heal(): Promise<void> {
    await this.#turns.take(() => this.#log.settle());
    if (this.#owesFold) await this.fold();
    this.#keeping.troubles.clear(this.name, 'writes');
  }

  /** Takes it from the disk; its name is free once this is over. @throws what the disk says; then it is there as it was */
  async remove(): Promise<void> {
    const { disk, path, troubles } = this.#keeping;
    await this.#end();
    const gone = `${path}/sandboxes/.gone-${this.name}`;
    const taking = this.#turns.take(async () => {
      await disk.remove(gone);
      await disk.rename(this.#folder, gone);
      await disk.syncFolder(`${path}/sandboxes`);
    });
    await taking.catch((error: unknown) => {
      this.#givenUp = new AbortController();
      throw error;
    });
    this.#isGone = true;
    troubles.clear(this.name, 'writes');
    troubles.clear(this.name, 'snapshots');
    await this.#log.close();
    await disk.remove(gone);
  }

  /** All that was acknowledged stands once this is over. */
  async close(): Promise<void> {
    await this.#end();
    await this.#turns.take(() => this.#log.settle().finally(() => this.#log.close()));
  }

  /** Writes nothing more: the folder is another one's. */
  leave(): void {
    this.#givenUp.abort();
  }

  async #end(): Promise<void> {
    this.leave();
    await this.#folding?.catch(() => undefined);
  }

  async #noting<T>(asked: 'writes' | 'snapshots', work: () => Promise<T>): Promise<T> {
    const { troubles } = this.#keeping;
    try {
      const done = await work();
      troubles.clear(this.name, asked);
      return done;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall !== undefined) troubles.note(this.name, asked, error);
      throw error;
    }
  }

  #heading(generation: number): Heading {
    return { sachet_state_folder: this.#keeping.formats.current, sandbox: this.name, generation };
  }

  #path = (name: string): string => `${this.#folder}/${name}`;
}
