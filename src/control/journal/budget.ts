// The room that all journals of a server share. When it is full, the journal that holds the most gives its oldest entries up.
import { bounds } from '../../contract/admin/bounds.ts';

/** The part of itself that the largest journal gives up at once, so that looking for it is rare. */
const givenUp = 1 / 8;

/** A journal as the budget sees it. */
export interface Holder {
  readonly bytes: number;
  evictOldest(): void;
}

export class JournalBudget {
  readonly maxBytes: number;
  readonly #holders = new Set<Holder>();
  #bytes = 0;

  /** @param maxBytes over all journals */
  constructor(maxBytes: number = bounds.allJournalsBytes) {
    this.maxBytes = maxBytes;
  }

  /** What all journals hold together. */
  get bytes(): number {
    return this.#bytes;
  }

  join(holder: Holder): void {
    this.#holders.add(holder);
  }

  leave(holder: Holder): void {
    this.#holders.delete(holder);
  }

  /** A journal took so many bytes. */
  take(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.maxBytes) this.#shrink(this.#largest());
  }

  /** A journal gave so many bytes back. */
  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }

  #largest(): Holder {
    const [first, ...others] = this.#holders;
    if (!first) throw new Error('bytes are held by a journal that has joined');
    return others.reduce((largest, holder) => (holder.bytes > largest.bytes ? holder : largest), first);
  }

  #shrink(holder: Holder): void {
    const target = holder.bytes * (1 - givenUp);
    while (holder.bytes > target) holder.evictOldest();
  }
}
