// Counts wrong tokens of invite links by sandbox, so that a stranger cannot try many. Each server counts for itself.
import { LRUCache } from 'lru-cache';
import { bounds } from '../contract/control/bounds.ts';

const windowMilliseconds = 60_000;

export class WrongClaims {
  /** By the name of the sandbox, whether it exists or not. */
  readonly #windows = new LRUCache<string, { readonly endsAt: number; readonly count: number }>({ max: 10_000 });

  /** Whole seconds until the next try; 0 if it may be now. @param now real time in milliseconds */
  secondsToWait(sandbox: string, now: number): number {
    const window = this.#windows.get(sandbox);
    if (!window || window.count < bounds.wrongClaims) return 0;
    return Math.max(0, Math.ceil((window.endsAt - now) / 1000));
  }

  /** Counts a wrong token. */
  note(sandbox: string, now: number): void {
    const window = this.#windows.get(sandbox);
    const isOpen = window !== undefined && window.endsAt > now;
    this.#windows.set(
      sandbox,
      isOpen ? { ...window, count: window.count + 1 } : { endsAt: now + windowMilliseconds, count: 1 },
    );
  }
}
