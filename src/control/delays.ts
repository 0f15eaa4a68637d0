// Waiting in real time, for calls that a fault delays. Ended early when the sandbox begins anew or goes.
import { bounds } from '../contract/admin/bounds.ts';
import { Refusal } from '../contract/refusal.ts';

interface Waiter {
  /** Who waits has gone once it is aborted. */
  readonly signal?: AbortSignal;
  /** What is held while it waits. */
  readonly bytes?: number;
}

export class Delays {
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #isClosed = false;

  /** How many wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** What those who wait hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Resolves after so many milliseconds, when all are ended, or when whoever waits has gone.
   * @throws Refusal max_delayed where as many wait, or hold as much, as may.
   */
  wait(milliseconds: number, { signal, bytes = 0 }: Waiter = {}): Promise<void> {
    if (this.#isClosed || signal?.aborted) return Promise.resolve();
    if (this.#waiting.size >= bounds.delayedCalls || this.#bytes + bytes > bounds.delayedBytes)
      throw new Refusal('max_delayed');
    this.#bytes += bytes;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        if (this.#waiting.delete(end)) this.#bytes -= bytes;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener('abort', end);
      this.#waiting.add(end);
    });
  }

  /** Ends all, and lets nothing wait from here on. */
  close(): void {
    this.#isClosed = true;
    this.endAll();
  }

  endAll(): void {
    for (const end of [...this.#waiting]) end();
  }
}
