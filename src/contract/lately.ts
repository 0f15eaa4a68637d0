// What follows from its key and takes longer to make than to find.

/** Values by their keys, as many as there is room for: where there is none, the one that was kept first goes. */
export class Lately<Key, Value> {
  readonly #most: number;
  readonly #values = new Map<Key, Value>();

  /** @param most how many it keeps */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  /** Keeps a value, and gives it. */
  keep(key: Key, value: Value): Value {
    if (this.#values.size >= this.#most && !this.#values.has(key)) this.#forgetFirst();
    this.#values.set(key, value);
    return value;
  }

  #forgetFirst(): void {
    for (const first of this.#values.keys()) {
      this.#values.delete(first);
      return;
    }
  }
}
