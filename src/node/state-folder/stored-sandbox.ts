// One sandbox on the disk: an append is a line of its change log; a log that has outgrown its snapshot is folded into the next one, beside
// the writes. What fails is noted, and tried again by `heal`.
import type { Change, Root } from '../../state/root.ts';
import { folderOf, type Place, sandboxesOf } from './place.ts';
import { type Files, SandboxFiles } from './sandbox-files.ts';
import { GivenUp } from './snapshot-file.ts';
import type { Asked, Troubles } from './troubles.ts';
import { Turns } from './turns.ts';

/** How sandboxes are kept. */
export interface Keeping extends Place {
  /** Whether a write is acknowledged once it stands, or before. */
  readonly sync: 'always' | 'interval';
  readonly troubles: Troubles;
  /** A log is not folded before it is larger than this, and than its snapshot. */
  readonly leastFoldedBytes: number;
}

export class StoredSandbox {
  readonly name: string;
  readonly #keeping: Keeping;
  readonly #turns = new Turns();
  readonly #files: SandboxFiles;
  #givenUp = new AbortController();
  #version: number;
  /** Acknowledged last; unknown until the first write. */
  #root: Root | undefined;
  #folding: Promise<void> | undefined;
  /** A fold has failed, or must make up for what the disk has lost. */
  #owesFold = false;
  /** A removal has failed on its way: its folder may have the other name. */
  #isAstray = false;
  #isGone = false;

  constructor(
    keeping: Keeping,
    { name, version, ...files }: Files & { readonly name: string; readonly version: number },
  ) {
    this.name = name;
    this.#keeping = keeping;
    this.#version = version;
    this.#files = new SandboxFiles(name, keeping, folderOf(keeping, name), files, this.#turns);
  }

  /** See Store. @throws what the disk says */
  append(base: number, changes: Iterable<Change>, root: Root): Promise<'committed' | 'conflict'> {
    return this.#turns.take(async () => {
      if (base !== this.#version) return 'conflict';
      await this.#noting('writes', () => this.#write(JSON.stringify({ version: base + 1, changes: [...changes] })));
      this.#keeping.troubles.clear(this.name, 'writes');
      this.#version = base + 1;
      this.#root = root;
      if (!this.#owesFold && this.#files.isOutgrown(this.#keeping.leastFoldedBytes)) this.#foldBeside();
      return 'committed';
    });
  }

  async #write(payload: string): Promise<void> {
    if (this.#files.isUnsure)
      throw new Error('the disk has failed, and what it may have lost is yet to be written anew');
    await this.#comeBack();
    await this.#files.write(payload, this.#keeping.sync === 'always');
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

  #fold(): Promise<void> {
    this.#folding ??= this.#noting('snapshots', () => this.#makeSnapshot()).finally(() => {
      this.#folding = undefined;
    });
    return this.#folding;
  }

  async #makeSnapshot(): Promise<void> {
    if (!this.#root) return;
    try {
      await this.#files.fold(() => this.#root as Root, this.#givenUp.signal);
      this.#owesFold = this.#files.isUnsure;
      this.#keeping.troubles.clear(this.name, 'snapshots');
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
    });
    if (this.#owesFold || this.#files.isUnsure) await this.#fold();
    this.#keeping.troubles.clear(this.name, 'writes');
  }

  /** Takes it from the disk; its name is free once this is over. @throws what the disk says; then it is there as it was */
  async remove(): Promise<void> {
    await this.#end();
    try {
      await this.#turns.take(() => this.#noting('writes', () => this.#takeAway()));
    } catch (error) {
      this.#givenUp = new AbortController();
      await this.present().catch(() => undefined);
      throw error;
    }
    this.#isGone = true;
    for (const asked of ['writes', 'snapshots'] as const) this.#keeping.troubles.clear(this.name, asked);
    // Its name is free: what cannot be cleared away now is so at the next start.
    await this.#files.log.close().catch(() => undefined);
    await this.#keeping.disk.remove(this.#otherName).catch(() => undefined);
  }

  async #takeAway(): Promise<void> {
    const { disk } = this.#keeping;
    await this.#comeBack();
    await disk.remove(this.#otherName);
    this.#isAstray = true;
    await disk.rename(folderOf(this.#keeping, this.name), this.#otherName);
    await disk.syncFolder(sandboxesOf(this.#keeping));
    this.#isAstray = false;
  }

  /** After a removal that failed on its way, it stands under its own name again. */
  async #comeBack(): Promise<void> {
    if (!this.#isAstray) return;
    const { disk } = this.#keeping;
    const names = await disk.folders(sandboxesOf(this.#keeping));
    if (!names.includes(this.name)) await disk.rename(this.#otherName, folderOf(this.#keeping, this.name));
    await disk.syncFolder(sandboxesOf(this.#keeping));
    this.#isAstray = false;
  }

  /** It stands where it is looked for, once this is over. @throws what the disk says */
  present(): Promise<void> {
    return this.#turns.take(() => this.#comeBack());
  }

  get #otherName(): string {
    return `${sandboxesOf(this.#keeping)}/.gone-${this.name}`;
  }

  /** All that was acknowledged stands once this is over. */
  async close(): Promise<void> {
    await this.#end();
    await this.#turns.take(async () => {
      await this.#comeBack();
      await this.#files.log.settle().finally(() => this.#files.log.close());
    });
  }

  /** Writes nothing more beside the calls: it ends, or the folder is another one's. */
  leave(): void {
    this.#givenUp.abort();
  }

  async #end(): Promise<void> {
    this.leave();
    await this.#folding?.catch(() => undefined);
  }

  async #noting<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall !== undefined) this.#keeping.troubles.note(this.name, asked, error);
      throw error;
    }
  }
}
