// The files of one sandbox that is written: the current change log, and the snapshot that is made when the logs have outgrown it.
import { changesOf } from '../../state/changes.ts';
import type { Root } from '../../state/root.ts';
import { ChangeLog } from './change-log.ts';
import { headingOf } from './format.ts';
import { changesName, forgetOld } from './generations.ts';
import type { Place } from './place.ts';
import { writeSnapshot } from './snapshot-file.ts';
import type { Turns } from './turns.ts';

/** What there is of it. */
export interface Files {
  /** Of the snapshot. */
  readonly generation: number;
  readonly snapshotBytes: number;
  /** Of the logs since the snapshot. */
  readonly logBytes: number;
  readonly log: ChangeLog;
}

export class SandboxFiles {
  readonly #name: string;
  readonly #place: Place;
  readonly #folder: string;
  /** Whatever writes to the log, or puts another in its place, takes a turn. */
  readonly #turns: Turns;
  #log: ChangeLog;
  #generation: number;
  #snapshotBytes: number;
  #logBytes: number;
  /** A log before the current one may have lost what was acknowledged. */
  #hasLostBefore = false;

  constructor(
    name: string,
    place: Place,
    folder: string,
    { generation, snapshotBytes, logBytes, log }: Files,
    turns: Turns,
  ) {
    this.#name = name;
    this.#place = place;
    this.#folder = folder;
    this.#turns = turns;
    this.#log = log;
    this.#generation = generation;
    this.#snapshotBytes = snapshotBytes;
    this.#logBytes = logBytes;
  }

  get log(): ChangeLog {
    return this.#log;
  }

  /** The disk may have lost what was acknowledged: until the next snapshot has it, nothing can follow in a log. */
  get isUnsure(): boolean {
    return this.#hasLostBefore || this.#log.hasLost;
  }

  /** @param leastBytes what logs may take however small the snapshot is */
  isOutgrown(leastBytes: number): boolean {
    return this.#logBytes > Math.max(this.#snapshotBytes, leastBytes);
  }

  /** Writes a line. @throws what the disk says; then it is not there, or will be cut off */
  async write(payload: string, isSynced: boolean): Promise<void> {
    const before = this.#log.size;
    await this.#log.append(payload, isSynced);
    this.#logBytes += this.#log.size - before;
  }

  /**
   * Makes the state a snapshot, beside the writes: lines that come meanwhile stand in the log that goes on from it.
   * @param root gives what is acknowledged by then
   * @throws GivenUp; what the disk says
   */
  async fold(root: () => Root, signal: AbortSignal): Promise<void> {
    if (this.#log.hasLost || this.#log.generation === this.#generation) await this.#beginLog(this.#log.generation + 1);
    const heading = this.#heading(this.#log.generation);
    const document = { heading, version: root().version, changes: changesOf(root()) };
    this.#snapshotBytes = await writeSnapshot(this.#place, this.#folder, document, signal);
    this.#generation = heading.generation;
    this.#logBytes = this.#log.size;
    this.#hasLostBefore = false;
    // What cannot be removed now is so after the next one.
    await forgetOld(this.#place.disk, this.#folder).catch(() => undefined);
  }

  /** Writes go to the next log from here on; the one before stands whole. */
  async #beginLog(generation: number): Promise<void> {
    const { disk } = this.#place;
    // Somebody may have removed it.
    if (this.#log.hasLost) await disk.makeFolder(this.#folder);
    const next = await ChangeLog.create(disk, `${this.#folder}/${changesName(generation)}`, this.#heading(generation));
    try {
      await disk.syncFolder(this.#folder);
      await this.#turns.take(() => this.#goOn(next));
    } catch (error) {
      await next.close();
      throw error;
    }
  }

  async #goOn(next: ChangeLog): Promise<void> {
    const former = this.#log;
    await former.settle();
    this.#hasLostBefore ||= former.hasLost;
    this.#log = next;
    await former.close().catch(() => undefined);
  }

  #heading = (generation: number) => headingOf(this.#place.formats, this.#name, generation);
}
