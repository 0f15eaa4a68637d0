// Calls that look like a breach, and may have been under way beside the answer that they should have heeded: judged by what follows.
import { Recent } from './recent.ts';
import type { Breach, Ruling } from './ruling.ts';

/** No client makes more calls side by side that ask for the very same. */
const mostAlike = 20;

interface Doubt extends Breach {
  /** How many such calls came that asked for the same. */
  readonly alike: number;
}

export class Doubts {
  readonly #ruling: Ruling;
  readonly #doubts = new Recent<string, Doubt>();

  constructor(ruling: Ruling) {
    this.#ruling = ruling;
  }

  /** A call came that looks like this breach. */
  came(
    key: string,
    breach: Breach,
    { isSure, isAlike }: { readonly isSure: boolean; readonly isAlike: boolean },
  ): void {
    const alike = (this.#doubts.get(key)?.alike ?? 0) + (isAlike ? 1 : 0);
    if (isSure || alike > mostAlike) this.#ruling.fail(breach.finding, ...breach.evidence);
    else this.#doubts.set(key, { ...breach, alike });
  }

  /** What came since speaks for the client. */
  clear(key: string): void {
    this.#doubts.delete(key);
  }

  has(key: string): boolean {
    return this.#doubts.has(key);
  }

  /** What nothing has spoken for yet. */
  get first(): Breach | undefined {
    return [...this.#doubts.values()][0];
  }
}
