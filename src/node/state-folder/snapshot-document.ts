// A snapshot document: one JSON object, written in lines so that neither writing nor reading it needs it whole in memory. Its last line
// has the CRC-32 of all before it.
import { crc32 } from 'node:zlib';
import type { Change, Commit } from '../../state/root.ts';
import { type Heading, requireKnown } from './format.ts';
import { checksumOf } from './line.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { Unreadable } from './unreadable.ts';

/** A sandbox at a version, as the changes that make it out of nothing. */
export interface SnapshotDocument extends Commit {
  readonly heading: Heading;
}

/** Written at once; what waits is served between two slices. Few changes may be all that is told of many rows (differences.ts). */
const most = { sliceCharacters: 65_536, sliceChanges: 64 };
const opening = '"changes":[';
const endOf = (crc: number): string => `],"crc32":"${checksumOf(crc)}"}`;

/** The document, slice by slice; the changes are taken as it is written. */
export function* documentOf({ heading, version, changes }: SnapshotDocument): Generator<Buffer> {
  let crc = 0;
  let slice = `${JSON.stringify({ ...heading, version }).slice(0, -1)},${opening}\n`;
  let comma = '';
  let told = 0;
  const written = (): Buffer => {
    const bytes = Buffer.from(slice);
    crc = crc32(bytes, crc);
    slice = '';
    return bytes;
  };
  for (const change of changes) {
    slice += `${comma}${JSON.stringify(change)}\n`;
    comma = ',';
    told += 1;
    if (slice.length >= most.sliceCharacters || told % most.sliceChanges === 0) yield written();
  }
  yield written();
  yield Buffer.from(`${endOf(crc)}\n`);
}

/**
 * Reads a document.
 * @param known changes by their text: equal ones of several documents are then one and the same, as sandboxes share what they were born with
 * @param format the latest that is read
 * @throws Unreadable; NewerFormat
 */
export async function readDocument(
  pieces: AsyncIterable<Uint8Array>,
  format: number,
  known: Map<string, Change>,
): Promise<SnapshotDocument> {
  const reading = new Reading(format, known);
  for await (const segments of segmentsOf(pieces)) for (const segment of segments) reading.take(segment);
  return reading.document();
}

class Reading {
  readonly #format: number;
  readonly #known: Map<string, Change>;
  readonly #changes: Change[] = [];
  #line = 0;
  #crc = 0;
  #isBirth = true;
  #isOver = false;
  #head: (Heading & { readonly version: number }) | undefined;

  constructor(format: number, known: Map<string, Change>) {
    this.#format = format;
    this.#known = known;
  }

  take({ bytes, isEnded }: Segment): void {
    this.#line += 1;
    const text = bytes.toString();
    if (!isEnded || this.#isOver) throw new Unreadable('it is cut off, or has bytes behind its end');
    if (text.startsWith(']')) this.#end(text);
    else {
      this.#crc = crc32('\n', crc32(bytes, this.#crc));
      if (this.#line === 1) this.#begin(this.#parsed(`${text}]}`));
      else this.#changes.push(this.#change(text.startsWith(',') ? text.slice(1) : text));
    }
  }

  /** What a newer version wrote may have another form from here on. */
  #begin(head: Heading & { readonly version: number }): void {
    requireKnown(head.sachet_state_folder, this.#format);
    this.#head = head;
  }

  document(): SnapshotDocument {
    if (!this.#head || !this.#isOver) throw new Unreadable('it is cut off');
    const { version, sachet_state_folder, sandbox, generation } = this.#head;
    return { heading: { sachet_state_folder, sandbox, generation }, version, changes: this.#changes };
  }

  #end(text: string): void {
    if (text !== endOf(this.#crc))
      throw new Unreadable(`its last line is "${text.slice(0, 40)}", and its bytes make that "${endOf(this.#crc)}"`);
    this.#isOver = true;
  }

  /** Until the state as it was made is kept, the lines are those of all sandboxes that were born alike. */
  #change(text: string): Change {
    const known = this.#isBirth ? this.#known.get(text) : undefined;
    const change = known ?? this.#parsed<Change>(text);
    if ('keep' in change) this.#isBirth = false;
    if (this.#isBirth) this.#known.set(text, change);
    return change;
  }

  #parsed<T>(text: string): T {
    try {
      return JSON.parse(text) as T;
    } catch {
      // Not by the parser's words: they quote what may be a secret.
      throw new Unreadable(`line ${this.#line} is no JSON`);
    }
  }
}
