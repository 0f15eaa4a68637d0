// Who wants to be told of something.

export class Listeners<T> {
  readonly #listeners = new Set<(event: T) => void>();

  /** Gives what takes the listener out again. */
  add(listener: (event: T) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tell(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }
}
