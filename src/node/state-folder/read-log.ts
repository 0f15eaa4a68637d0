// A change log that is read: its lines, one after another, until its end or a damage.
import type { Change } from '../../state/root.ts';
import type { Disk } from './disk.ts';
import { type Heading, headingFault } from './format.ts';
import { changesName } from './generations.ts';
import { readLine } from './line.ts';
import { segmentsOf } from './segments.ts';
import { Unreadable } from './unreadable.ts';

/** Where a change log is damaged. */
export interface DamagedAt {
  /** Where the line begins, in bytes. */
  readonly offset: number;
  /** The version that the log leads to before it. */
  readonly version: number;
  /** How many lines there are from there on. */
  readonly lines: number;
}

/** A change log that cannot be read. */
export class UnreadableLine extends Unreadable {
  readonly at: DamagedAt;
  constructor(words: string, at: DamagedAt) {
    super(words);
    this.at = at;
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
  /** Whether it ends in the middle of a line. */
  readonly isCut: boolean;
  /** Of that line, in bytes. */
  readonly cutBytes: number;
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
    for (const { bytes, offset, isEnded } of segments) reading.take(readLine(bytes, isEnded), offset, bytes.length);
  reading.requireWhole();
  return reading;
}

class LogReading implements ReadLog {
  readonly #expected: Heading;
  readonly changes: Change[] = [];
  format: number;
  version: number;
  size = 0;
  cutBytes = 0;
  #line = 0;
  #damage: { readonly words: string; readonly offset: number } | undefined;
  #linesBehind = 0;
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
    return this.cutBytes > 0 || this.size === 0;
  }

  take(line: ReturnType<typeof readLine>, offset: number, bytes: number): void {
    this.#line += 1;
    if (this.#damage) this.#linesBehind += 1;
    else if (line === 'cut') this.cutBytes = bytes;
    else {
      const fault = 'fault' in line ? line.fault : this.#read(parsed(line.payload));
      if (fault) this.#damage = { words: `line ${this.#line}, at byte ${offset}: ${fault}`, offset };
      else this.size = offset + bytes + 1;
    }
  }

  /** @throws UnreadableLine */
  requireWhole(): void {
    if (!this.#damage) return;
    const { words, offset } = this.#damage;
    throw new UnreadableLine(words, { offset, version: this.version, lines: this.#linesBehind + 1 });
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
