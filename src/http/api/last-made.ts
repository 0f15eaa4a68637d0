// What was made last, as long as all of it takes no more than it may: a client may read through all that is stored.

/** What the values of one kind take at most, in characters, whichever sandboxes of the process they are of. */
const mostCharacters = 2_097_152;
/** What one takes beside its text, roughly. */
const overhead = 200;

export class LastMade<Key, Value extends { readonly length: number }> {
  readonly #made = new Map<Key, Value>();
  #characters = 0;

  get(key: Key): Value | undefined {
    return this.#made.get(key);
  }

  /** Keeps a value in place of the one that is kept for the key; the oldest ones go. */
  set(key: Key, value: Value): void {
    this.#forget(key);
    this.#made.set(key, value);
    this.#characters += value.length + overhead;
    for (const oldest of this.#made.keys()) {
      if (this.#characters <= mostCharacters) return;
      this.#forget(oldest);
    }
  }

  #forget(key: Key): void {
    const value = this.#made.get(key);
    if (!value) return;
    this.#made.delete(key);
    this.#characters -= value.length + overhead;
  }
}
