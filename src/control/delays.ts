// Waiting in real time, for calls that a fault delays. Ended early when the sandbox begins anew or goes.

export class Delays {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  /** Resolves after so many milliseconds, or when all are ended. */
  wait(milliseconds: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
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
