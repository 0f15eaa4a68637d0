// A change log that is read: its lines, one after another, until its end or a damage.
import type { Change } from '../../state/root.ts';
import type { Disk } from './disk.ts';
import { type Heading, headingFault } from './format.ts';
import { changesName } from './generations.ts';
import { readLine } from './line.ts';
import { segmentsOf } from './segments.ts';
import { Unreadable } from './unreadable.ts';

/** Where a change log cannot be read. */
export class UnreadableLine extends Unreadable {
  /** Where the line begins, in bytes. */
  readonly offset: number;
  /** The version that the log leads to before it. */
  readonly version: number;

  constructor(words: string, { offset, version }: { readonly offset: number; readonly version: number }) {
    super(words);
    this.offset = offset;
    this.version = version;
  }
}

/** A change log as it was read. */
export interface ReadLog {
  readonly format: number;
  readonly changes: readonly Change[];
  /** The version that it leads to. */
  readonly version: number;
  /** Of its whole lines, in bytes. */
  readonly size: number;
  /** Whether its last line was never written whole. */
  readonly isCut: boolean;
}

interface Line {
  readonly version: number;
  readonly changes: readonly Change[];
}

/**
 * Reads a change log.
 * @param from the version that it goes on from
 * @param isBehindSnapshot whether that is a snapshot's, and not the former log's
 * @throws UnreadableLine, or what the disk says
 */
export async function readLog(
  disk: Disk,
  folder: string,
  expected: Heading,
  { from, isBehindSnapshot }: { readonly from: number; readonly isBehindSnapshot: boolean },
): Promise<ReadLog> {
  const reading = new LogReading(expected, from, isBehindSnapshot);
  const pieces = disk.read(`${folder}/${changesName(expected.generation)}`);
  for await (const segments of segmentsOf(pieces))
    for (const { bytes, offset, isEnded } of segments) reading.take(readLine(bytes, isEnded), offset, bytes.length + 1);
  return reading;
}

class LogReading implements ReadLog {
  readonly #expected: Heading;
  readonly changes: Change[] = [];
  format: number;
  version: number;
  size = 0;
  #line = 0;
  #hasCutLine = false;
  readonly #from: number;
  /** The version of the line to come; unknown of the first one behind a snapshot, which may have been made later. */
  #next: number | undefined;

  constructor(expected: Heading, from: number, isBehindSnapshot: boolean) {
    this.#expected = expected;
    this.format = expected.sachet_state_folder;
    this.version = from;
    this.#from = from;
    this.#next = isBehindSnapshot ? undefined : from + 1;
  }

  /** A log without its first line was cut off there. */
  get isCut(): boolean {
    return this.#hasCutLine || this.size === 0;
  }

  take(line: ReturnType<typeof readLine>, offset: number, bytes: number): void {
    this.#line += 1;
    if (line === 'cut') {
      this.#hasCutLine = true;
      return;
    }
    const fault = 'fault' in line ? line.fault : this.#read(parsed(line.payload));
    if (fault)
      throw new UnreadableLine(`line ${this.#line}, at byte ${offset}: ${fault}`, { offset, version: this.version });
    this.size = offset + bytes;
  }

  /** What is wrong with it, where something is. What the snapshot has already is passed over. */
  #read(payload: Partial<Line & Heading>): string | undefined {
    if (this.#line === 1) {
      const fault = headingFault(payload, this.#expected);
      this.format = payload.sachet_state_folder ?? this.format;
      return fault;
    }
    const { version, changes } = payload;
    if (version === undefined || !Array.isArray(changes)) return 'it is no change';
    if (!this.#follows(version)) return `version ${version} follows version ${(this.#next ?? this.#from + 1) - 1}`;
    this.#next = version + 1;
    if (version <= this.version) return undefined;
    for (const change of changes) this.changes.push(change);
    this.version = version;
    return undefined;
  }

  /** Lines that the snapshot has may be missing before those that it has not: a loss of power may have taken them from the log alone. */
  #follows(version: number): boolean {
    if (this.#next === undefined) return version <= this.#from + 1;
    return version === this.#next || (version === this.#from + 1 && this.#next <= this.#from);
  }
}

/** What is no object has none of its fields. */
function parsed(payload: string): Partial<Line & Heading> {
  try {
    return Object(JSON.parse(payload)) as Partial<Line & Heading>;
  } catch {
    return {};
  }
}
