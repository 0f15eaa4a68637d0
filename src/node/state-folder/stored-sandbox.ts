// One sandbox on the disk: an append is a line of its change log; a log that has outgrown its snapshot is folded into the next one, beside
// the writes. What fails is noted, and tried again by `heal`.
import { basename } from 'node:path';
import type { Change, Root } from '../../state/root.ts';
import type { Roots } from '../../state/store.ts';
import { TouchedError } from './change-log.ts';
import { type LoadedSandbox, loadSandbox } from './load-sandbox.ts';
import { folderOf, type Place, sandboxesOf } from './place.ts';
import { type Files, SandboxFiles } from './sandbox-files.ts';
import { GivenUp } from './snapshot-file.ts';
import type { Asked, Troubles } from './troubles.ts';
import { Turns } from './turns.ts';

/** How sandboxes are kept. */
export interface FolderSetting extends Place {
  /** Whether a write is acknowledged once it stands, or before. */
  readonly sync: 'always' | 'interval';
  readonly troubles: Troubles;
  /** A log is not folded before it is larger than this, and than its snapshot. */
  readonly leastFoldedBytes: number;
  /** Says that the folder is another process's: nothing may be written to it any more. */
  readonly lost?: AbortSignal | undefined;
}

/** Less than a log may grow by in a moment, and more than the system keeps for itself. */
const probeBytes = 65_536;
const mostHealsToWait = 64;

/** Nothing is taken until a snapshot has what the disk may have lost. */
class UnsureError extends Error {}

/** What it begins with. */
interface Begun {
  readonly name: string;
  readonly version: number;
  /** Unknown of one that was read, until the first write. */
  readonly root?: Root;
}

export class StoredSandbox {
  readonly name: string;
  readonly #setting: FolderSetting;
  readonly #turns = new Turns();
  readonly #files: SandboxFiles;
  #givenUp = new AbortController();
  #version: number;
  /** Acknowledged last; unknown until the first write. */
  #root: Root | undefined;
  #folding: Promise<void> | undefined;
  /** A fold has failed, or must make up for what the disk has lost. */
  #owesFold = false;
  #healsToWait = 0;
  #lastWait = 1;
  /** A removal has failed on its way: its folder may have the other name. */
  #isAstray = false;
  #isGone = false;

  constructor(setting: FolderSetting, { name, version, root, ...files }: Files & Begun) {
    this.name = name;
    this.#setting = setting;
    this.#version = version;
    this.#root = root;
    this.#files = new SandboxFiles(name, setting, folderOf(setting, name), files, this.#turns);
  }

  /** See Store. @throws what the disk says */
  append(base: number, changes: Iterable<Change>, { from, to }: Roots): Promise<'committed' | 'conflict'> {
    return this.#turns.take(async () => {
      if (base !== this.#version) return 'conflict';
      this.#root ??= from;
      await this.#noting('writes', () => this.#write(JSON.stringify({ version: base + 1, changes: [...changes] })));
      this.#setting.troubles.clear(this.name, 'writes');
      this.#version = base + 1;
      this.#root = to;
      if (!this.#owesFold && this.#files.isOutgrown(this.#setting.leastFoldedBytes)) this.#foldBeside();
      return 'committed';
    });
  }

  async #write(payload: string): Promise<void> {
    this.#setting.lost?.throwIfAborted();
    if (this.#files.isUnsure)
      throw new UnsureError('the disk has failed, and what it may have lost is yet to be written anew');
    await this.#comeBack();
    await this.#files.write(payload, this.#setting.sync === 'always');
  }

  /** What has been acknowledged by now stands once this is over. @throws what the disk says; nothing more is taken then until it is healed */
  async flush(): Promise<void> {
    if (this.#isGone) return;
    await this.#noting('writes', () => this.#files.log.flush());
  }

  #foldBeside(): void {
    // What fails is noted, and makes up for itself.
    this.#fold().catch(() => undefined);
  }

  /** None begins once there shall be none any more. */
  async #fold(): Promise<void> {
    if (this.#givenUp.signal.aborted) return;
    this.#folding ??= this.#noting('snapshots', () => this.#makeSnapshot()).finally(() => {
      this.#folding = undefined;
    });
    await this.#folding;
  }

  async #makeSnapshot(): Promise<void> {
    if (!this.#root) return;
    try {
      await this.#files.fold(() => this.#root as Root, this.#givenUp.signal);
      this.#owesFold = this.#files.isUnsure;
      this.#healsToWait = 0;
      this.#lastWait = 1;
      this.#setting.troubles.clear(this.name, 'snapshots');
    } catch (error) {
      this.#owesFold = !(error instanceof GivenUp);
      throw error;
    }
  }

  /** Tries again what has failed. @throws what the disk says */
  async heal(): Promise<void> {
    if (this.#isGone) return;
    await this.#turns.take(async () => {
      await this.#comeBack();
      await this.#files.log.settle();
      if (!this.#files.isUnsure) await this.#files.log.tryToWrite(probeBytes);
    });
    await this.#makeUp();
    if (!this.#files.isUnsure) this.#setting.troubles.clear(this.name, 'writes');
  }

  /**
   * A snapshot that does not fit takes the last space from the writes while it is tried: each time it waits twice as long, up to a minute. Where
   * no writes are taken, there is nothing to wait for.
   */
  async #makeUp(): Promise<void> {
    if (!this.#owesFold && !this.#files.isUnsure) return;
    this.#healsToWait -= 1;
    if (this.#healsToWait > 0 && !this.#files.isUnsure) return;
    this.#lastWait = Math.min(mostHealsToWait, this.#lastWait * 2);
    this.#healsToWait = this.#lastWait;
    await this.#fold();
  }

  /** Takes it from the disk; its name is free once this is over. @throws what the disk says; then it is there as it was */
  async remove(): Promise<void> {
    await this.#end();
    try {
      await this.#turns.take(() => this.#noting('writes', () => this.#takeAway()));
    } catch (error) {
      this.#givenUp = new AbortController();
      await this.#turns.take(() => this.#comeBack()).catch(() => undefined);
      throw error;
    }
    this.#isGone = true;
    this.#setting.troubles.forget(this.name);
    // Its name is free: what cannot be cleared away now is so at the next start.
    await this.#files.log.close().catch(() => undefined);
    await this.#setting.disk.remove(this.#otherName).catch(() => undefined);
  }

  async #takeAway(): Promise<void> {
    const { disk } = this.#setting;
    await this.#comeBack();
    await disk.remove(this.#otherName);
    this.#isAstray = true;
    const names = await disk.folders(sandboxesOf(this.#setting));
    if (names.includes(this.name)) await disk.rename(folderOf(this.#setting, this.name), this.#otherName);
    await disk.syncFolder(sandboxesOf(this.#setting));
    this.#isAstray = false;
  }

  /** After a removal that failed on its way, it stands under its own name again. */
  async #comeBack(): Promise<void> {
    if (!this.#isAstray) return;
    const { disk } = this.#setting;
    const names = await disk.folders(sandboxesOf(this.#setting));
    const other = basename(this.#otherName);
    if (!names.includes(this.name) && names.includes(other))
      await disk.rename(this.#otherName, folderOf(this.#setting, this.name));
    await disk.syncFolder(sandboxesOf(this.#setting));
    this.#isAstray = false;
  }

  /** Reads it anew: what it has acknowledged, and nothing else. @throws what the disk says; StateDamage */
  read(): Promise<LoadedSandbox | undefined> {
    return this.#turns.take(async () => {
      await this.#comeBack();
      await this.#files.log.settle();
      return loadSandbox(this.#setting, this.name);
    });
  }

  get #otherName(): string {
    return folderOf(this.#setting, `.gone-${this.name}`);
  }

  /** All that was acknowledged stands once this is over; of a folder that is another one's nothing is touched. */
  async close(): Promise<void> {
    await this.#end();
    try {
      if (!this.#setting.lost?.aborted) await this.#settle();
    } finally {
      await this.#turns.take(() => this.#files.log.close());
    }
  }

  async #settle(): Promise<void> {
    const settling = this.#turns.take(async () => {
      await this.#comeBack();
      await this.#files.log.settle();
    });
    await settling.catch((error: unknown) => {
      if (!this.#files.isUnsure) throw error;
    });
    if (!this.#files.isUnsure) return;
    // What the disk may have lost is in memory alone.
    this.#givenUp = new AbortController();
    await this.#fold();
  }

  /** No fold goes on, and none begins. */
  async #end(): Promise<void> {
    this.#givenUp.abort();
    await this.#folding?.catch(() => undefined);
  }

  async #noting<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isTrouble(asked, error)) this.#setting.troubles.note(this.name, asked, error);
      throw error;
    }
  }
}

/** A write that cannot be made for another reason than the disk is its own trouble; a snapshot is everybody's. */
const isTrouble = (asked: Asked, error: unknown): boolean =>
  asked === 'snapshots'
    ? !(error instanceof GivenUp)
    : error instanceof TouchedError ||
      error instanceof UnsureError ||
      (error as NodeJS.ErrnoException).syscall !== undefined;
