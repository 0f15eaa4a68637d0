// Snapshot documents on a disk, by lowdb: what is written stands whole under its name, or not at all; what cannot be read is an error.
import { type Adapter, Low } from 'lowdb';
import type { Change } from '../../state/root.ts';
import type { OpenFile } from './disk.ts';
import { type Heading, headingFault } from './format.ts';
import { snapshotName } from './generations.ts';
import type { Place } from './place.ts';
import { documentOf, readDocument, type SnapshotDocument } from './snapshot-document.ts';
import { Unreadable } from './unreadable.ts';

/** What a name ends with until all that the file holds is written. */
export const unfinished = '.tmp';

/** Whoever waits for the document need not wait any longer. */
export class GivenUp extends Error {}

/** @param known see readDocument @throws Unreadable; NewerFormat; what the disk says */
export async function readSnapshot(place: Place, folder: string, heading: Heading, known: Map<string, Change>) {
  const adapter = new SnapshotFile(place, folder, { heading, known });
  const file = new Low<SnapshotDocument>(adapter, { heading, version: 0, changes: [] });
  await file.read();
  const fault = headingFault(file.data.heading, heading);
  if (fault) throw new Unreadable(fault);
  return { document: file.data, bytes: adapter.bytes };
}

/**
 * Writes a document, and gives its size in bytes.
 * @param signal gives up what is being written
 * @throws GivenUp; what the disk says
 */
export async function writeSnapshot(
  place: Place,
  folder: string,
  document: SnapshotDocument,
  signal?: AbortSignal,
): Promise<number> {
  const adapter = new SnapshotFile(place, folder, { heading: document.heading, signal });
  await new Low<SnapshotDocument>(adapter, document).write();
  return adapter.bytes;
}

interface Options {
  readonly heading: Heading;
  readonly known?: Map<string, Change>;
  readonly signal?: AbortSignal | undefined;
}

class SnapshotFile implements Adapter<SnapshotDocument> {
  readonly #place: Place;
  readonly #folder: string;
  readonly #path: string;
  readonly #options: Options;
  /** Of what was read or written last. */
  bytes = 0;

  constructor(place: Place, folder: string, options: Options) {
    this.#place = place;
    this.#folder = folder;
    this.#path = `${folder}/${snapshotName(options.heading.generation)}`;
    this.#options = options;
  }

  /** Never null, by which lowdb means to take its default: where there is no such file, or one that cannot be read, it throws. */
  read(): Promise<SnapshotDocument> {
    const { disk, formats } = this.#place;
    return readDocument(this.#counted(disk.read(this.#path)), formats.current, this.#options.known ?? new Map());
  }

  async *#counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.bytes = 0;
    for await (const piece of pieces) {
      this.bytes += piece.length;
      yield piece;
    }
  }

  async write(document: SnapshotDocument): Promise<void> {
    const { disk } = this.#place;
    const temporary = this.#path + unfinished;
    try {
      const file = await disk.create(temporary);
      await this.#fill(file, document).finally(() => file.close());
      await disk.rename(temporary, this.#path);
    } catch (error) {
      await disk.remove(temporary).catch(() => undefined);
      throw error;
    }
    await disk.syncFolder(this.#folder);
  }

  async #fill(file: OpenFile, document: SnapshotDocument): Promise<void> {
    this.bytes = 0;
    for (const slice of documentOf(document)) {
      if (this.#options.signal?.aborted) throw new GivenUp('the snapshot is not needed any more');
      await file.write(slice);
      this.bytes += slice.length;
    }
    await file.sync();
  }
}
