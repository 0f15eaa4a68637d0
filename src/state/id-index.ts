// Where rows are found by their ids. The tree compares numbers, which stand in it: texts would have to be fetched one by one, and
// what a look-up costs is the memory that it touches. An id stands there by 31 bits of its characters; those that share them, together.
import { BTree, type Tree } from './btree.ts';
import { byNumber } from './row-index.ts';
import type { Identified } from './rows.ts';

/** A sequence number, or those of several ids that agree in their bits. */
type Found = number | readonly number[];

/** 31 bits that follow from all characters of a text: FNV-1a. */
export function bitsOf(text: string): number {
  let bits = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at += 1) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  return bits & 0x7fffffff;
}

/** Gives the row of a sequence number. */
type At<Row> = (sequence: number) => Row | undefined;

/** It knows the sequence numbers alone: the ids are read from the rows there. */
export class IdIndex<Row extends Identified> {
  readonly #tree: Tree<number, Found>;

  constructor(tree: Tree<number, Found> = new BTree<number, Found>(undefined, byNumber)) {
    this.#tree = tree;
  }

  clone(): IdIndex<Row> {
    return new IdIndex(this.#tree.clone());
  }

  sequenceOf(id: string, at: At<Row>): number | undefined {
    const found = this.#tree.get(bitsOf(id));
    if (typeof found === 'object') return among(found, id, at);
    return found !== undefined && at(found)?.id === id ? found : undefined;
  }

  row(id: string, at: At<Row>): Row | undefined {
    const found = this.#tree.get(bitsOf(id));
    const sequence = typeof found === 'object' ? among(found, id, at) : found;
    const row = sequence === undefined ? undefined : at(sequence);
    return row?.id === id ? row : undefined;
  }

  /** Notes where an id is found from now on, whether or not it was found elsewhere. */
  set(id: string, sequence: number, at: At<Row>): void {
    const bits = bitsOf(id);
    // That is all, mostly.
    if (this.#tree.setIfNotPresent(bits, sequence)) return;
    const others = without(this.#tree.get(bits), this.sequenceOf(id, at));
    this.#tree.set(bits, others.length === 0 ? sequence : [...others, sequence]);
  }

  /** Forgets an id that is found at this sequence number. */
  delete(id: string, sequence: number): void {
    const bits = bitsOf(id);
    const [first, ...more] = without(this.#tree.get(bits), sequence);
    if (first === undefined) this.#tree.delete(bits);
    else this.#tree.set(bits, more.length === 0 ? first : [first, ...more]);
  }
}

const among = <Row extends Identified>(found: readonly number[], id: string, at: At<Row>): number | undefined =>
  found.find((sequence) => at(sequence)?.id === id);

const without = (found: Found = [], sequence: number | undefined): readonly number[] =>
  (typeof found === 'number' ? [found] : found).filter((one) => one !== sequence);
