// Limits calls per minute: those to an invited sandbox, and tries to guess the token of an invite. Each server counts
// for itself.
import { LRUCache } from 'lru-cache';

const windowMilliseconds = 60_000;

export class CallLimit {
  readonly #calls: number;
  /** By a name, such as that of a sandbox, whether it exists or not. */
  readonly #windows = new LRUCache<string, { readonly endsAt: number; count: number }>({ max: 10_000 });

  /** @param calls per minute */
  constructor(calls: number) {
    this.#calls = calls;
  }

  /** Whole seconds until the next call; 0 if it may be now. @param now real time in milliseconds */
  secondsToWait(name: string, now: number): number {
    const window = this.#windows.get(name);
    if (!window || window.count < this.#calls) return 0;
    return Math.max(0, Math.ceil((window.endsAt - now) / 1000));
  }

  count(name: string, now: number): void {
    const window = this.#windows.get(name);
    if (window && window.endsAt > now) window.count += 1;
    else this.#windows.set(name, { endsAt: now + windowMilliseconds, count: 1 });
  }
}
