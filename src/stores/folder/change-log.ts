// The change log of a sandbox: a line per version, `length checksum {"version":…,"changes":[…]}`. The length counts the bytes of the JSON, the
// checksum is their CRC-32. What was not acknowledged is cut off before anything else is written.
import { crc32 } from 'node:zlib';
import type { Commit } from '../../state/store.ts';
import type { Disk, OpenFile } from './disk.ts';
import { checksumOf, Unreadable } from './document-file.ts';

const headOf = (payload: Uint8Array): string => `${payload.length} ${checksumOf(crc32(payload))} `;
const head = /^(\d+) ([0-9a-f]{8}) /;
const beginningOfHead = /^(?:\d+(?: [0-9a-f]{0,8})?)?$/;
/** Longer than any head is. */
const headBytes = 32;

export function lineOf(commit: Commit): Buffer {
  const payload = Buffer.from(JSON.stringify(commit));
  return Buffer.concat([Buffer.from(headOf(payload)), payload, Buffer.from('\n')]);
}

/** A log that is damaged; what is before the damage is whole. */
export class DamagedLine extends Unreadable {
  /** Where the damaged line begins, in bytes, and the version before it. */
  readonly offset: number;
  readonly version: number;
  constructor(words: string, offset: number, version: number) {
    super(words);
    this.offset = offset;
    this.version = version;
  }
}

/** A log as it was read. */
export interface ReadLog {
  readonly commits: readonly Commit[];
  /** Of its whole lines, in bytes. */
  readonly size: number;
  /** Of the line that its end is in the middle of. */
  readonly cutBytes: number;
}

/**
 * Reads a log. Lines of versions up to `version`, which the document has, are passed over.
 * @throws DamagedLine
 */
export function readLog(bytes: Buffer, version: number): ReadLog {
  const commits: Commit[] = [];
  let [offset, number, last] = [0, 0, undefined as number | undefined];
  while (offset < bytes.length) {
    const newline = bytes.indexOf(10, offset);
    const line = bytes.subarray(offset, newline < 0 ? bytes.length : newline);
    if (newline < 0 && isBeginning(line)) break;
    number += 1;
    const found = newline < 0 ? 'it has no end' : readLine(line, last, version);
    const before = Math.max(last ?? version, version);
    if (typeof found === 'string') throw new DamagedLine(`line ${number}, at byte ${offset}: ${found}`, offset, before);
    if (found.version > version) commits.push(found);
    last = found.version;
    offset = newline + 1;
  }
  return { commits, size: offset, cutBytes: bytes.length - offset };
}

/**
 * The commit of a line, or what is wrong with it. Lines that the document has may be missing before those that it has not: a loss of power
 * may have taken them from the log alone.
 */
function readLine(line: Buffer, before: number | undefined, document: number): Commit | string {
  const [found = ''] = head.exec(line.toString('latin1', 0, headBytes)) ?? [];
  if (!found) return 'it does not begin with a length and a checksum';
  const payload = line.subarray(found.length);
  const expected = headOf(payload);
  if (found !== expected) return `it begins with "${found.trim()}", and its bytes make that "${expected.trim()}"`;
  const { version, changes } = commitIn(payload.toString());
  if (version === undefined || !Array.isArray(changes)) return 'it is no change';
  const last = before ?? 0;
  const follows = version <= document ? version > last : version === Math.max(last, document) + 1;
  return follows ? { version, changes } : `version ${version} follows version ${before ?? document}`;
}

function commitIn(json: string): Partial<Commit> {
  try {
    return Object(JSON.parse(json)) as Partial<Commit>;
  } catch {
    return {};
  }
}

/** Whether the bytes are a line of which the rest was never written. After a loss of power such bytes may stand as NUL. */
function isBeginning(line: Buffer): boolean {
  let end = line.length;
  while (end > 0 && line[end - 1] === 0) end -= 1;
  const text = line.toString('latin1', 0, Math.min(end, headBytes));
  const [found = '', length] = head.exec(text) ?? [];
  return found ? end <= found.length + Number(length) : beginningOfHead.test(text) && end < headBytes;
}

/** Somebody else was at a file that is this process's. */
export class TouchedError extends Error {}

export class ChangeLog {
  readonly #file: OpenFile;
  /** What of it is acknowledged, and what of that is synced, in bytes. */
  #size: number;
  #syncedSize = 0;
  /** Whether there may be more of it than is acknowledged. */
  #isTorn: boolean;

  private constructor(file: OpenFile, size: number, isTorn: boolean) {
    this.#file = file;
    this.#size = size;
    this.#isTorn = isTorn;
  }

  static async create(disk: Disk, path: string): Promise<ChangeLog> {
    return new ChangeLog(await disk.create(path), 0, false);
  }

  /** One that was read. Its end is cut off with the next line. */
  static async open(disk: Disk, path: string, { size, cutBytes }: Omit<ReadLog, 'commits'>): Promise<ChangeLog> {
    return new ChangeLog(await disk.open(path), size, cutBytes > 0);
  }

  get size(): number {
    return this.#size;
  }

  /** @throws TouchedError, what the disk says; the line is then not there, or will be cut off */
  async append(line: Uint8Array, isSynced: boolean): Promise<void> {
    await this.settle();
    if (this.#file.size() !== this.#size) throw new TouchedError('changes.log was changed by somebody else');
    this.#isTorn = true;
    await this.#file.write(line);
    if (isSynced) await this.#file.sync();
    this.#isTorn = false;
    this.#size += line.length;
    if (isSynced) this.#syncedSize = this.#size;
  }

  /** Cuts off what is not acknowledged. */
  async settle(): Promise<void> {
    const size = this.#file.size();
    if (size === undefined || size < this.#size)
      throw new TouchedError(`changes.log was ${size === undefined ? 'removed' : 'cut'} by somebody else`);
    if (!this.#isTorn) return;
    await this.#file.truncate(this.#size);
    await this.#file.sync();
    this.#isTorn = false;
  }

  /** All that is acknowledged stands once this is over. */
  async flush(): Promise<void> {
    const size = this.#size;
    if (this.#syncedSize === size) return;
    await this.#file.sync();
    this.#syncedSize = Math.max(this.#syncedSize, size);
  }

  /** Begins anew: a document has all of it. If this fails, the lines are passed over when they are read. */
  async empty(): Promise<void> {
    [this.#size, this.#syncedSize, this.#isTorn] = [0, 0, true];
    await this.settle();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
