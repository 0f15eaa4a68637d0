// The change log. Each line is `length checksum {"sandbox":…,"version":…,…}`, with the length of the JSON in bytes and
// its CRC-32. A line has the document of a new sandbox, the changes of a version, or version 0 for a removed sandbox.
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
/** No head is longer. */
const headBytes = 32;

export function lineOf(entry: LogEntry): Buffer {
  const json = Buffer.from(JSON.stringify(entry));
  return Buffer.concat([Buffer.from(headOf(json)), json, Buffer.from('\n')]);
}

/** A damaged line, or a change that does not follow the one before. */
export class DamagedLine extends Unreadable {
  /** Where the line begins, in bytes. */
  readonly offset: number;
  /** The sandbox that the line changes, if its document is missing. */
  readonly orphan: string | undefined;
  constructor(line: number, offset: number, fault: string, orphan?: string) {
    super(`line ${line}, at byte ${offset}: ${fault}`);
    this.offset = offset;
    this.orphan = orphan;
  }
}

/** A document, and the changes after it. */
export interface LoggedSandbox {
  readonly document: SandboxDocument;
  readonly commits: Commit[];
}

export interface ReadLog {
  /** By name, the longest unchanged first. */
  readonly sandboxes: ReadonlyMap<string, LoggedSandbox>;
  /** The size of all complete lines, in bytes. */
  readonly size: number;
  /** The size of an unfinished last line. Its change was never acknowledged. */
  readonly cutBytes: number;
}

/**
 * Reads a log. After a crash during a compaction, a document may be older or newer than the log, or missing: lines of a
 * sandbox that do not fit count as damage only if no later line creates or removes that sandbox.
 * @param documents by the names of their sandboxes
 * @throws DamagedLine
 */
export function readLog(bytes: Buffer, documents: ReadonlyMap<string, SandboxDocument>): ReadLog {
  const sandboxes = new Map<string, LoggedSandbox>();
  for (const [name, document] of documents) sandboxes.set(name, { document, commits: [] });
  const damage = new Map<string, DamagedLine>();
  let size = 0;
  for (const { entry, line, offset, end } of entriesOf(bytes)) {
    const { sandbox, changes } = entry;
    const orphan = sandboxes.has(sandbox) ? undefined : sandbox;
    const fault = replay(sandboxes, entry);
    if (!changes) damage.delete(sandbox);
    else if (fault && !damage.has(sandbox)) damage.set(sandbox, new DamagedLine(line, offset, fault, orphan));
    size = end;
  }
  const [first] = damage.values();
  if (first) throw first;
  return { sandboxes, size, cutBytes: bytes.length - size };
}

/** The entries of all lines, except for an unfinished last one. `offset` and `end` are in bytes. @throws DamagedLine */
function* entriesOf(bytes: Buffer) {
  for (let [offset, line] = [0, 1]; offset < bytes.length; line += 1) {
    const newline = bytes.indexOf(10, offset);
    const text = bytes.subarray(offset, newline < 0 ? bytes.length : newline);
    if (newline < 0 && isUnfinished(text)) return;
    const entry = newline < 0 ? 'the end of the line is missing' : readEntry(text);
    if (typeof entry === 'string') throw new DamagedLine(line, offset, entry);
    yield { entry, line, offset, end: newline + 1 };
    offset = newline + 1;
  }
}

/** Applies an entry. @returns the fault, if any */
function replay(sandboxes: Map<string, LoggedSandbox>, entry: LogEntry): string | undefined {
  const { sandbox: name, version, document, changes } = entry;
  const known = sandboxes.get(name);
  if (!changes) {
    sandboxes.delete(name);
    if (document) sandboxes.set(name, { document, commits: [] });
    return undefined;
  }
  if (!known) return `the document of "${name}" is missing`;
  const last = known.commits.at(-1)?.version ?? known.document.version;
  if (version !== last + 1) {
    const isInDocument = known.commits.length === 0 && version <= last;
    return isInDocument ? undefined : `version ${version} of "${name}" follows version ${last}`;
  }
  known.commits.push({ version, changes });
  // The last in the map is the last changed.
  sandboxes.delete(name);
  sandboxes.set(name, known);
  return undefined;
}

/** The entry of a line, or the fault of the line. */
function readEntry(line: Buffer): LogEntry | string {
  const [found = ''] = head.exec(line.toString('latin1', 0, headBytes)) ?? [];
  if (!found) return 'it does not begin with a length and a checksum';
  const json = line.subarray(found.length);
  if (found !== headOf(json))
    return `it begins with "${found.trim()}", but the length and checksum of its content are "${headOf(json).trim()}"`;
  const entry = Object(JSON.parse(json.toString())) as Partial<LogEntry>;
  const isEntry = entry.version === 0 || entry.document || Array.isArray(entry.changes);
  return entry.sandbox !== undefined && isEntry ? (entry as LogEntry) : 'it is not a change';
}

/** Whether bytes are the beginning of a line. A loss of power may leave NULs instead of the rest. */
function isUnfinished(line: Buffer): boolean {
  let end = line.length;
  while (end > 0 && line[end - 1] === 0) end -= 1;
  const text = line.toString('latin1', 0, Math.min(end, headBytes));
  const [found = '', length] = head.exec(text) ?? [];
  return found ? end <= found.length + Number(length) : beginningOfHead.test(text) && end < headBytes;
}
