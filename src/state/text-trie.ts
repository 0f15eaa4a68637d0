// Values by text, in no order, copied on write: a clone costs nothing, and shares what neither has written. A text stands where the first 28 bits of
// its hash lead to, four at a time, so that a look-up touches little memory: a few nodes, which are at hand, and one bucket.

/** Who may write it, then a bucket's texts, each as its bits, itself and its value, or a node's parts by the next digit. A bucket is never empty. */
type Part = unknown[];

const bitsPerDigit = 4;
const width = 2 ** bitsPerDigit;
/** How many bits stand behind the first digit. */
const firstShift = 31 - bitsPerDigit;
/** A bucket has at most so many texts, unless there are no more digits. */
const most = 16;
const entry = 3;

/** 31 bits that follow from all characters of a text: FNV-1a. */
export function bitsOf(text: string): number {
  let bits = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at += 1) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  return bits & 0x7fffffff;
}

const isBucket = (part: Part): boolean => typeof part[1] === 'number';
/** Where the part of a node stands that these bits lead to. */
const partAt = (bits: number, shift: number): number => 1 + ((bits >>> shift) & (width - 1));

function isEmpty(node: Part): boolean {
  for (let at = 1; at <= width; at += 1) if (node[at] !== undefined) return false;
  return true;
}

/** Where a text's value stands in a bucket; 0 where it has none. */
function valueAt(bucket: Part, bits: number, text: string): number {
  for (let at = 1; at < bucket.length; at += entry) if (bucket[at] === bits && bucket[at + 1] === text) return at + 2;
  return 0;
}

/** The values are never undefined. */
export class TextTrie<Value> {
  #owner = {};
  #root: Part | undefined;

  constructor(from?: TextTrie<Value>) {
    this.#root = from ? from.#root : undefined;
  }

  clone(): TextTrie<Value> {
    // From here on both have to copy what both have.
    this.#owner = {};
    return new TextTrie(this);
  }

  get(text: string): Value | undefined {
    return this.#find(bitsOf(text), text);
  }

  #find(bits: number, text: string): Value | undefined {
    let part = this.#root;
    for (let shift = firstShift; part && !isBucket(part); shift -= bitsPerDigit)
      part = part[partAt(bits, shift)] as Part | undefined;
    const at = part ? valueAt(part, bits, text) : 0;
    return at === 0 ? undefined : (part?.[at] as Value);
  }

  set(text: string, value: Value): void {
    this.#root = this.#with(this.#root, bitsOf(text), text, value, firstShift);
  }

  delete(text: string): void {
    const bits = bitsOf(text);
    if (this.#find(bits, text) !== undefined) this.#root = this.#without(this.#root as Part, bits, text, firstShift);
  }

  #with(part: Part | undefined, bits: number, text: string, value: unknown, shift: number): Part {
    if (!part) return [this.#owner, bits, text, value];
    const own = this.#own(part);
    if (!isBucket(own)) {
      const at = partAt(bits, shift);
      own[at] = this.#with(own[at] as Part | undefined, bits, text, value, shift - bitsPerDigit);
      return own;
    }
    const at = valueAt(own, bits, text);
    if (at > 0) own[at] = value;
    else if (own.length > most * entry && shift >= 0)
      return this.#with(this.#split(own, shift), bits, text, value, shift);
    else own.push(bits, text, value);
    return own;
  }

  /** A node in place of a bucket. */
  #split(bucket: Part, shift: number): Part {
    const node: Part = new Array(1 + width).fill(undefined);
    node[0] = this.#owner;
    for (let from = 1; from < bucket.length; from += entry) {
      const [bits, text, value] = bucket.slice(from, from + entry) as [number, string, unknown];
      const at = partAt(bits, shift);
      node[at] = this.#with(node[at] as Part | undefined, bits, text, value, shift - bitsPerDigit);
    }
    return node;
  }

  /** The part without a text that it has; none where nothing is left of it. */
  #without(part: Part, bits: number, text: string, shift: number): Part | undefined {
    const own = this.#own(part);
    if (isBucket(own)) {
      own.splice(valueAt(own, bits, text) - 2, entry);
      return own.length === 1 ? undefined : own;
    }
    const at = partAt(bits, shift);
    own[at] = this.#without(own[at] as Part, bits, text, shift - bitsPerDigit);
    return isEmpty(own) ? undefined : own;
  }

  /** A part that this may write: itself, or a copy. */
  #own(part: Part): Part {
    if (part[0] === this.#owner) return part;
    const copy = part.slice();
    copy[0] = this.#owner;
    return copy;
  }
}
