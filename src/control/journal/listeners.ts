// Who wants to be told of something.

export class Listeners<T> {
  /** Made with the first of them. */
  #listeners: Set<(event: T) => void> | undefined;

  /** Gives what takes the listener out again. */
  add(listener: (event: T) => void): () => void {
    const listeners = this.#listeners ?? new Set();
    this.#listeners = listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  tell(event: T): void {
    if (this.#listeners) for (const listener of this.#listeners) listener(event);
  }
}
