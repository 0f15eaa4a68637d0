// A change log that is written: lines at its end. What was not acknowledged is cut off before anything else is written.
import type { Disk, OpenFile } from './disk.ts';
import type { Heading } from './format.ts';
import { lineOf } from './line.ts';

/** Somebody else was at a file that is this process's. */
export class TouchedError extends Error {}

export class ChangeLog {
  readonly generation: number;
  readonly #file: OpenFile;
  /** What of it is acknowledged, in bytes. */
  #size: number;
  /** What of that stands. */
  #syncedSize: number;
  /** Whether there may be more of it than is acknowledged. */
  #isTorn: boolean;
  /** One sync is under way at a time: a failure is told once, to whoever asks first. */
  #syncing: Promise<void> = Promise.resolve();
  #hasLost = false;

  private constructor(generation: number, file: OpenFile, { size, isTorn }: { size: number; isTorn: boolean }) {
    this.generation = generation;
    this.#file = file;
    this.#size = size;
    // What was read may not stand yet.
    this.#syncedSize = 0;
    this.#isTorn = isTorn;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** A sync has failed that what was acknowledged was waiting for: the system may have dropped it. */
  get hasLost(): boolean {
    return this.#hasLost;
  }

  /** A log without changes. Its folder is yet to be synced. */
  static async create(disk: Disk, path: string, heading: Heading): Promise<ChangeLog> {
    const log = new ChangeLog(heading.generation, await disk.create(path), { size: 0, isTorn: false });
    try {
      await log.append(JSON.stringify(heading), true);
    } catch (error) {
      await log.close();
      throw error;
    }
    return log;
  }

  /** One that was read: of this size, and with more behind it where its end is cut. */
  static async open(disk: Disk, path: string, { generation, size, isCut }: ReadSize): Promise<ChangeLog> {
    return new ChangeLog(generation, await disk.open(path), { size, isTorn: isCut });
  }

  /**
   * Writes a line.
   * @param isSynced whether it shall stand before this is over
   * @throws what the disk says; the line is then not there, or will be cut off
   */
  async append(payload: string, isSynced: boolean): Promise<void> {
    const line = lineOf(payload);
    await this.#mend();
    this.#requireUntouched();
    this.#isTorn = true;
    await this.#file.write(line);
    if (isSynced) await this.#file.sync();
    this.#isTorn = false;
    this.#size += line.length;
    if (isSynced) this.#syncedSize = this.#size;
  }

  /**
   * Whether nobody else has been at it: what another process wrote behind it is cut off the next time, by whoever still has the folder; what is missing
   * is lost.
   */
  #requireUntouched(): void {
    const size = this.#file.size();
    if (size === this.#size) return;
    if (size !== undefined && size > this.#size) this.#isTorn = true;
    else this.#hasLost = true;
    throw new TouchedError(
      `changes-${this.generation}.log was ${size === undefined ? 'removed' : 'changed'} by somebody else`,
    );
  }

  /** Whether so much can be written. @throws what the disk says */
  async tryToWrite(bytes: number): Promise<void> {
    await this.#mend();
    this.#isTorn = true;
    await this.#file.write(new Uint8Array(bytes));
    await this.#file.sync();
    await this.#mend();
  }

  /** Cuts off what is not acknowledged. */
  async #mend(): Promise<void> {
    if (!this.#isTorn) return;
    await this.#file.truncate(this.#size);
    await this.#inTurn(() => this.#sync());
    this.#isTorn = false;
  }

  /** What has been acknowledged by now stands once this is over; lines may be written meanwhile. */
  flush(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#syncedSize < this.#size) await this.#sync();
    });
  }

  #inTurn(sync: () => Promise<void>): Promise<void> {
    const syncing = this.#syncing.then(sync);
    this.#syncing = syncing.catch(() => undefined);
    return syncing;
  }

  async #sync(): Promise<void> {
    const size = this.#size;
    try {
      await this.#file.sync();
      this.#syncedSize = size;
    } catch (error) {
      this.#hasLost ||= this.#syncedSize < size;
      throw error;
    }
  }

  /** Nothing but what is acknowledged is there, and all of that stands. No line is written meanwhile. */
  async settle(): Promise<void> {
    await this.#mend();
    await this.flush();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

interface ReadSize {
  readonly generation: number;
  readonly size: number;
  readonly isCut: boolean;
}
