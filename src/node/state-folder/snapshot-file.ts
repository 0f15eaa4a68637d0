// A snapshot document on a disk, as lowdb's adapter: what is written stands whole under its name, or not at all.
import type { Adapter } from 'lowdb';
import type { Change } from '../../state/root.ts';
import type { Disk, OpenFile } from './disk.ts';
import type { Place } from './place.ts';
import { documentOf, readDocument, type Snapshot } from './snapshot-document.ts';

/** What a name ends with until all that the file holds is written. */
export const unfinished = '.tmp';

/** Whoever waits for the document need not wait any longer. */
export class GivenUp extends Error {}

export class SnapshotFile implements Adapter<Snapshot> {
  readonly #disk: Disk;
  readonly #format: number;
  readonly #folder: string;
  readonly #path: string;
  readonly #known: Map<string, Change>;
  readonly #signal: AbortSignal | undefined;
  /** Of what was read or written last. */
  bytes = 0;

  /**
   * @param known see readDocument
   * @param signal gives up what is being written
   */
  constructor(
    { disk, formats }: Pick<Place, 'disk' | 'formats'>,
    folder: string,
    name: string,
    { known = new Map<string, Change>(), signal }: Options = {},
  ) {
    this.#disk = disk;
    this.#format = formats.current;
    this.#folder = folder;
    this.#path = `${folder}/${name}`;
    this.#known = known;
    this.#signal = signal;
  }

  /** Never null: where there is no such file, or one that cannot be read, it throws, so that no defaults stand in its place. */
  read(): Promise<Snapshot> {
    return readDocument(this.#counted(this.#disk.read(this.#path)), this.#format, this.#known);
  }

  async *#counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.bytes = 0;
    for await (const piece of pieces) {
      this.bytes += piece.length;
      yield piece;
    }
  }

  async write(snapshot: Snapshot): Promise<void> {
    const temporary = this.#path + unfinished;
    try {
      const file = await this.#disk.create(temporary);
      await this.#fill(file, snapshot).finally(() => file.close());
      await this.#disk.rename(temporary, this.#path);
    } catch (error) {
      await this.#disk.remove(temporary).catch(() => undefined);
      throw error;
    }
    await this.#disk.syncFolder(this.#folder);
  }

  async #fill(file: OpenFile, snapshot: Snapshot): Promise<void> {
    this.bytes = 0;
    for (const slice of documentOf(snapshot)) {
      if (this.#signal?.aborted) throw new GivenUp('the snapshot is not needed any more');
      await file.write(slice);
      this.bytes += slice.length;
    }
    await file.sync();
  }
}

interface Options {
  readonly known?: Map<string, Change>;
  readonly signal?: AbortSignal;
}
