// The entries of a journal in the order they came: added at one end, taken out at the other, which costs the same however many there are.
// Found by id by whoever looks at the journal; those are few beside the calls, so an index would cost more than it saves.
import type { OpenEntry } from './entry.ts';

const few = 8;

export class EntryRing {
  readonly #maxEntries: number;
  /** The entry of sequence n stands at n modulo the bound. */
  #slots: (OpenEntry | undefined)[] = [];
  #first = 0;
  #next = 0;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** The sequence of the oldest entry, or of the next where there is none. */
  get first(): number {
    return this.#first;
  }

  /** The sequence that the next entry has. */
  get next(): number {
    return this.#next;
  }

  get isFull(): boolean {
    return this.#next - this.#first === this.#maxEntries;
  }

  get oldest(): OpenEntry | undefined {
    return this.#first < this.#next ? this.#slots[this.#first % this.#maxEntries] : undefined;
  }

  get(id: string): OpenEntry | undefined {
    for (const entry of this.backFrom(this.#next)) if (entry.id === id) return entry;
    return undefined;
  }

  /** The entries from this sequence on. */
  *from(sequence: number): Generator<OpenEntry> {
    for (let at = Math.max(sequence, this.#first); at < this.#next; at += 1) {
      const entry = this.#slots[at % this.#maxEntries];
      if (entry) yield entry;
    }
  }

  /** The entries before this sequence, newest first. */
  *backFrom(sequence: number): Generator<OpenEntry> {
    for (let at = Math.min(sequence, this.#next) - 1; at >= this.#first; at -= 1) {
      const entry = this.#slots[at % this.#maxEntries];
      if (entry) yield entry;
    }
  }

  /** Adds the entry whose sequence is the next; there must be room. */
  add(entry: OpenEntry): void {
    const at = this.#next % this.#maxEntries;
    // An array that grows, or is spread into another, takes room for many at once: most journals hold few calls.
    if (at === this.#slots.length && at < few) this.#slots = this.#slots.concat(entry);
    else this.#slots[at] = entry;
    this.#next += 1;
  }

  removeOldest(): void {
    if (this.#first === this.#next) return;
    this.#slots[this.#first % this.#maxEntries] = undefined;
    this.#first += 1;
  }

  /** Leaves out so many sequences; the ring is empty. */
  pass(count: number): void {
    this.#next += count;
    this.#first = this.#next;
  }

  clear(): void {
    this.#slots = [];
    this.#first = this.#next;
  }
}
