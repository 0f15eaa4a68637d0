// A map that keeps the entries that were set last, so that what is remembered of a client has a bound.

const most = 256;

export class Recent<Key, Value> {
  /** Made with the first entry: most are never set. */
  #map: Map<Key, Value> | undefined;

  get size(): number {
    return this.#map?.size ?? 0;
  }

  get(key: Key): Value | undefined {
    return this.#map?.get(key);
  }

  has(key: Key): boolean {
    return this.#map?.has(key) === true;
  }

  set(key: Key, value: Value): this {
    this.#map ??= new Map();
    this.#map.delete(key);
    if (this.#map.size >= most) {
      const oldest = this.#map.keys().next();
      if (!oldest.done) this.#map.delete(oldest.value);
    }
    this.#map.set(key, value);
    return this;
  }

  delete(key: Key): void {
    this.#map?.delete(key);
  }

  clear(): void {
    this.#map = undefined;
  }

  keys(): Iterable<Key> {
    return this.#map?.keys() ?? none;
  }

  values(): Iterable<Value> {
    return this.#map?.values() ?? none;
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    return (this.#map ?? none)[Symbol.iterator]();
  }
}

const none: readonly never[] = [];
