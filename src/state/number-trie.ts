// Values by number, copied on write: a clone costs nothing, and shares what neither has written. A number's digits to the base of 32 are the way
// to its value, so that nothing is compared, and what is used together lies together: of a table, mostly, the rows that were made last.

/** One digit of its numbers: 32 values or nodes of the next digit, and behind them who may write it. */
type Node = unknown[];

const bits = 5;
const width = 2 ** bits;
const mask = width - 1;
const ownerAt = width;
/** How many numbers a part of a node has, by the count of digits behind. */
const spans = Array.from({ length: 11 }, (_, digits) => width ** digits);

/** The digit that so many bits stand behind. Operations on bits see 32 of them. */
const digitOf = (number: number, shift: number): number =>
  (shift < 30 ? number >>> shift : Math.floor(number / 2 ** shift)) & mask;

const newNode = (owner: object): Node => {
  const node: Node = new Array(width + 1);
  node[ownerAt] = owner;
  return node;
};

function isEmpty(node: Node): boolean {
  for (let at = 0; at < width; at += 1) if (node[at] !== undefined) return false;
  return true;
}

/** Numbers are safe integers from 0 on, values are never undefined. */
export class NumberTrie<Value> {
  #owner = {};
  #root: Node;
  /** How many bits stand behind the first digit. */
  #shift: number;
  /** The first number that has more digits. */
  #end: number;
  #size: number;
  #last: number;

  constructor(from?: NumberTrie<Value>) {
    this.#root = from ? from.#root : newNode(this.#owner);
    this.#shift = from ? from.#shift : 0;
    this.#end = from ? from.#end : width;
    this.#size = from ? from.#size : 0;
    this.#last = from ? from.#last : -1;
  }

  get size(): number {
    return this.#size;
  }

  /** Behind it there is nothing; -1 where there never was anything. */
  get last(): number {
    return this.#last;
  }

  clone(): NumberTrie<Value> {
    // From here on both have to copy what both have.
    this.#owner = {};
    return new NumberTrie(this);
  }

  get(number: number): Value | undefined {
    if (number > this.#last) return undefined;
    const leaf = this.#leafOf(number);
    return typeof leaf === 'object' ? (leaf[number & mask] as Value | undefined) : undefined;
  }

  set(number: number, value: Value): void {
    while (number >= this.#end) this.#widen();
    this.#root = this.#own(this.#root);
    let node = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= bits) {
      const digit = digitOf(number, shift);
      const next = this.#own(node[digit] as Node | undefined);
      node[digit] = next;
      node = next;
    }
    if (node[number & mask] === undefined) this.#size += 1;
    if (number > this.#last) this.#last = number;
    node[number & mask] = value;
  }

  delete(number: number): void {
    if (this.get(number) === undefined) return;
    this.#root = this.#without(this.#root, number, this.#shift);
    this.#size -= 1;
  }

  /** All from this number on, upwards. */
  *from(first: number): Generator<[number, Value]> {
    for (let number = first; number <= this.#last; ) {
      const leaf = this.#leafOf(number);
      const next = startOf(number, leaf) + widthOf(leaf);
      for (; typeof leaf === 'object' && number < next; number += 1) {
        const value = leaf[number & mask] as Value | undefined;
        if (value !== undefined) yield [number, value];
      }
      number = next;
    }
  }

  /** All before this number, downwards. */
  *before(end: number): Generator<[number, Value]> {
    for (let number = Math.min(end - 1, this.#last); number >= 0; ) {
      const leaf = this.#leafOf(number);
      const start = startOf(number, leaf);
      for (; typeof leaf === 'object' && number >= start; number -= 1) {
        const value = leaf[number & mask] as Value | undefined;
        if (value !== undefined) yield [number, value];
      }
      number = start - 1;
    }
  }

  /** The node of a number's last digit; or how many numbers in a row there are that have none, of which this is one. */
  #leafOf(number: number): Node | number {
    let node = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= bits) {
      const next = node[digitOf(number, shift)] as Node | undefined;
      if (next === undefined) return spans[shift / bits] as number;
      node = next;
    }
    return node;
  }

  #widen(): void {
    if (this.#size > 0) {
      const root = newNode(this.#owner);
      root[0] = this.#root;
      this.#root = root;
    }
    this.#shift += bits;
    this.#end *= width;
  }

  /** A node that this may write: itself, a copy, or a new one. */
  #own(node: Node | undefined): Node {
    if (node === undefined) return newNode(this.#owner);
    if (node[ownerAt] === this.#owner) return node;
    const copy = node.slice();
    copy[ownerAt] = this.#owner;
    return copy;
  }

  /** The node without a number that it has. Nodes that are left empty are left out. */
  #without(node: Node, number: number, shift: number): Node {
    const own = this.#own(node);
    const digit = digitOf(number, shift);
    const next = shift > 0 ? this.#without(own[digit] as Node, number, shift - bits) : undefined;
    own[digit] = next && isEmpty(next) ? undefined : next;
    return own;
  }
}

const widthOf = (leaf: Node | number): number => (typeof leaf === 'number' ? leaf : width);
/** Where the numbers begin that stand in a leaf, or lack it. */
const startOf = (number: number, leaf: Node | number): number => number - (number % widthOf(leaf));
