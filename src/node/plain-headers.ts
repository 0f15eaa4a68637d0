// The headers of a plain request: each name once. In the order, and by the names, that `Headers` would give them.
import type { IncomingHeaders } from '../http/incoming.ts';

type Pair = [name: string, value: string];

export class PlainHeaders implements IncomingHeaders {
  readonly #pairs: readonly Pair[];

  private constructor(pairs: readonly Pair[]) {
    this.#pairs = pairs;
  }

  /** @param raw names and values in turn, as Node gives them; undefined where a name comes twice: what that means, hangs on the name */
  static of(raw: readonly string[]): PlainHeaders | undefined {
    const pairs: Pair[] = [];
    for (let at = 0; at < raw.length; at += 2) {
      const pair: Pair = [String(raw[at]).toLowerCase(), String(raw[at + 1])];
      if (!insert(pairs, pair)) return undefined;
    }
    return new PlainHeaders(pairs);
  }

  /** @param name in lower case, as all the house asks */
  get(name: string): string | null {
    for (const pair of this.#pairs) if (pair[0] === name) return pair[1];
    return null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  [Symbol.iterator](): Iterator<Pair> {
    return this.#pairs[Symbol.iterator]();
  }
}

/** Puts a pair in its place by name; not where the name is there already. Headers are few, and come in an order of their own. */
function insert(pairs: Pair[], pair: Pair): boolean {
  let at = pairs.length;
  for (; at > 0; at -= 1) {
    const before = pairs[at - 1] as Pair;
    if (before[0] === pair[0]) return false;
    if (before[0] < pair[0]) break;
    pairs[at] = before;
  }
  pairs[at] = pair;
  return true;
}
