// A map that keeps the entries that were set last, so that what is remembered of a client has a bound.

const most = 256;

export class Recent<Key, Value> extends Map<Key, Value> {
  override set(key: Key, value: Value): this {
    this.delete(key);
    if (this.size >= most) {
      const oldest = this.keys().next();
      if (!oldest.done) this.delete(oldest.value);
    }
    return super.set(key, value);
  }
}
