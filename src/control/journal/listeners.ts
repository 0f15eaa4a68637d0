// Who wants to be told of something.

export class Listeners<T> {
  /** Made with the first of them, gone with the last. */
  #listeners: Set<(event: T) => void> | undefined;

  /** Gives what takes the listener out again. */
  add(listener: (event: T) => void): () => void {
    const listeners = this.#listeners ?? new Set();
    this.#listeners = listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners === listeners) this.#listeners = undefined;
    };
  }

  tell(event: T): void {
    if (this.#listeners) for (const listener of this.#listeners) listener(event);
  }
}
