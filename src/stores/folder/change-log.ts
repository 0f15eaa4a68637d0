// The lines of the change log: `length checksum {"sandbox":…,"version":…,…}`. The length is that of the JSON in bytes,
// the checksum its CRC-32. A line has a new sandbox's document, the changes of a version, or version 0: it was removed.
import { crc32 } from 'node:zlib';
import type { StoredChange } from '../../state/state.ts';
import type { Commit, SandboxDocument } from '../../state/store.ts';
import { checksumOf, Unreadable } from './document-file.ts';

interface LogEntry {
  readonly sandbox: string;
  readonly version: number;
  readonly document?: SandboxDocument;
  readonly changes?: readonly StoredChange[];
}

const headOf = (json: Uint8Array): string => `${json.length} ${checksumOf(crc32(json))} `;
const head = /^(\d+) [0-9a-f]{8} /;
const beginningOfHead = /^(?:\d+(?: [0-9a-f]{0,8})?)?$/;
/** More than any head has. */
const headBytes = 32;

export function lineOf(entry: LogEntry): Buffer {
  const json = Buffer.from(JSON.stringify(entry));
  return Buffer.concat([Buffer.from(headOf(json)), json, Buffer.from('\n')]);
}

/** A line is not as it was written; `offset` is where it begins, in bytes. */
export class DamagedLine extends Unreadable {
  readonly offset: number;
  /** The sandbox that the line changes, if its document is missing. */
  readonly orphan: string | undefined;
  constructor(line: number, offset: number, fault: string, orphan?: string) {
    super(`line ${line}, at byte ${offset}: ${fault}`);
    this.offset = offset;
    this.orphan = orphan;
  }
}

/** A document, and the changes behind it. */
export interface Logged {
  readonly document: SandboxDocument;
  readonly commits: readonly Commit[];
}

export interface ReadLog {
  /** The sandboxes, the longest unchanged first. */
  readonly sandboxes: ReadonlyMap<string, Logged>;
  /** The size of the whole lines, in bytes. */
  readonly size: number;
  /** The size of an unfinished line behind them: it was never acknowledged. */
  readonly cutBytes: number;
}

/**
 * Reads a log.
 * @param documents by the names of their sandboxes
 * @throws DamagedLine
 */
export function readLog(bytes: Buffer, documents: ReadonlyMap<string, SandboxDocument>): ReadLog {
  const replay = new Replay(documents);
  let [offset, line] = [0, 0];
  while (offset < bytes.length) {
    const newline = bytes.indexOf(10, offset);
    const text = bytes.subarray(offset, newline < 0 ? bytes.length : newline);
    if (newline < 0 && isUnfinished(text)) break;
    line += 1;
    const entry = newline < 0 ? 'it has no end' : readEntry(text);
    if (typeof entry === 'string') throw new DamagedLine(line, offset, entry);
    const fault = replay.take(entry);
    if (fault !== undefined) replay.note(entry.sandbox, line, offset, fault);
    offset = newline + 1;
  }
  replay.end();
  return { sandboxes: replay.sandboxes, size: offset, cutBytes: bytes.length - offset };
}

/**
 * The sandboxes behind the lines read by now. After a crash during a fold a document may be older or newer than the log
 * says, or missing. A line that creates or removes the sandbox overrides it.
 */
class Replay {
  readonly sandboxes: Map<string, { readonly document: SandboxDocument; readonly commits: Commit[] }>;
  /** The first line of a sandbox that does not fit. */
  readonly #damage = new Map<string, DamagedLine>();

  constructor(documents: ReadonlyMap<string, SandboxDocument>) {
    this.sandboxes = new Map(Array.from(documents, ([name, document]) => [name, { document, commits: [] }]));
  }

  /** Gives what is wrong with the entry. */
  take({ sandbox: name, version, document, changes }: LogEntry): string | undefined {
    const known = this.sandboxes.get(name);
    if (!changes) {
      this.#damage.delete(name);
      this.sandboxes.delete(name);
      if (document) this.sandboxes.set(name, { document, commits: [] });
      return undefined;
    }
    if (!known) return `"${name}" has no document`;
    const last = known.commits.at(-1)?.version ?? known.document.version;
    if (version !== last + 1) {
      const isInDocument = known.commits.length === 0 && version <= last;
      return isInDocument ? undefined : `version ${version} of "${name}" follows version ${last}`;
    }
    known.commits.push({ version, changes });
    this.sandboxes.delete(name);
    this.sandboxes.set(name, known);
    return undefined;
  }

  note(name: string, line: number, offset: number, fault: string): void {
    if (this.#damage.has(name)) return;
    const orphan = this.sandboxes.has(name) ? undefined : name;
    this.#damage.set(name, new DamagedLine(line, offset, fault, orphan));
  }

  /** @throws DamagedLine if a line did not fit after all */
  end(): void {
    for (const damage of this.#damage.values()) throw damage;
  }
}

/** The entry of a line, or what is wrong with it. */
function readEntry(line: Buffer): LogEntry | string {
  const [found = ''] = head.exec(line.toString('latin1', 0, headBytes)) ?? [];
  if (!found) return 'it does not begin with a length and a checksum';
  const json = line.subarray(found.length);
  if (found !== headOf(json))
    return `it begins with "${found.trim()}", and its bytes make that "${headOf(json).trim()}"`;
  const entry = Object(JSON.parse(json.toString())) as Partial<LogEntry>;
  const isEntry = entry.version === 0 || entry.document || Array.isArray(entry.changes);
  return entry.sandbox !== undefined && isEntry ? (entry as LogEntry) : 'it is no change';
}

/** Whether bytes are the beginning of a line. A loss of power may leave NULs in the place of the rest. */
function isUnfinished(line: Buffer): boolean {
  let end = line.length;
  while (end > 0 && line[end - 1] === 0) end -= 1;
  const text = line.toString('latin1', 0, Math.min(end, headBytes));
  const [found = '', length] = head.exec(text) ?? [];
  return found ? end <= found.length + Number(length) : beginningOfHead.test(text) && end < headBytes;
}
