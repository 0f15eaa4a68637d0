// The room that all journals of a server share. When it is full, the journal that holds the most gives its oldest entries up.
import { bounds } from '../contract/control/bounds.ts';

/** The part of itself that a journal gives up at once; one that is smaller than the largest by no more is as good as it. */
const givenUp = 1 / 8;

/** A journal as the budget sees it. */
export interface Holder {
  readonly bytes: number;
  evictOldest(): void;
}

export class JournalBudget {
  readonly maxBytes: number;
  readonly #holders = new Set<Holder>();
  /** Those as good as the largest when all were last looked through, which takes long where there are many: they pay in turn. */
  #large: Holder[] = [];
  /** What one of them holds at least. */
  #least = 0;
  #bytes = 0;

  /** @param maxBytes over all journals */
  constructor(maxBytes: number = bounds.allJournalsBytes) {
    this.maxBytes = maxBytes;
  }

  /** What all journals hold together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A journal that holds nothing any more; it joins again with what it takes. */
  leave(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#large = [];
  }

  /** A journal took so many bytes. */
  take(bytes: number, holder: Holder): void {
    this.#holders.add(holder);
    this.#bytes += bytes;
    while (this.#bytes > this.maxBytes) this.#shrink(this.#largest(holder));
  }

  /** A journal gave so many bytes back. */
  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** @param taker has grown: it may be much larger than those that were the largest */
  #largest(taker: Holder): Holder {
    let found = this.#large.pop();
    while (found && found.bytes < this.#least) found = this.#large.pop();
    return found && found.bytes >= taker.bytes * (1 - givenUp) ? found : this.#lookedFor();
  }

  #lookedFor(): Holder {
    let largest: Holder | undefined;
    for (const holder of this.#holders) if (!largest || holder.bytes > largest.bytes) largest = holder;
    if (!largest) throw new Error('bytes are held by a journal that has joined');
    this.#least = largest.bytes * (1 - givenUp);
    this.#large = [];
    for (const holder of this.#holders) if (holder !== largest && holder.bytes >= this.#least) this.#large.push(holder);
    return largest;
  }

  #shrink(holder: Holder): void {
    const target = holder.bytes * (1 - givenUp);
    while (holder.bytes > target) holder.evictOldest();
  }
}
