// Waiting in real time, for calls that a fault delays. Ended early when the sandbox begins anew or goes.

export class Delays {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  /** Resolves after so many milliseconds, when all are ended, or when whoever waits has gone. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (this.#isClosed || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.#waiting.delete(end);
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
