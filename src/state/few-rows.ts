// A few rows beside the trees that they go on from, which others share: most sandboxes never have more rows of their own, and trees of
// their own would take ten times the memory. What is asked for is looked for among the few first; beyond a bound they go into trees.
import type { WalkFrom } from '../domain/world.ts';
import { byNumber, isBehind } from './members.ts';
import { byPlace, type Declared, type Place } from './row-index.ts';
import type { Identified, Placed, Rows, Trees } from './rows.ts';

/** So many are looked through in the time of a look into a tree. */
const most = 16;

/** A row at its place; none where one was removed that the trees have. */
interface Own<Row> {
  readonly sequence: number;
  readonly row: Row | undefined;
}

export class FewRows<Row extends Identified> implements Rows<Row> {
  /** Never written while this goes on from it. */
  readonly #trees: Trees<Row>;
  /** In the order in which they were put. A new array each time, put together by `concat`: one that grows takes room for many. */
  #own: readonly Own<Row>[];
  #size: number;
  #last: number;
  isShared = false;

  constructor(trees: Trees<Row>, from?: FewRows<Row>) {
    this.#trees = trees;
    this.#own = from ? from.#own : [];
    this.#size = from ? from.#size : trees.size;
    this.#last = from ? from.#last : trees.last;
  }

  get size(): number {
    return this.#size;
  }

  get last(): number {
    return this.#last;
  }

  get declared(): readonly Declared<Row>[] {
    return this.#trees.declared;
  }

  /** A row whose id another place has: which of them is found, only trees remember. */
  takes(sequence: number, row: Row | undefined): boolean {
    const known = row && this.sequenceOf(row.id);
    return this.#own.length < most && (known === undefined || known === sequence);
  }

  at(sequence: number): Row | undefined {
    const own = this.#ownAt(sequence);
    return own ? own.row : this.#trees.at(sequence);
  }

  sequenceOf(id: string): number | undefined {
    for (let at = this.#own.length - 1; at >= 0; at -= 1) {
      const own = this.#own[at];
      if (own?.row?.id === id) return own.sequence;
    }
    const sequence = this.#trees.sequenceOf(id);
    return sequence === undefined || this.#ownAt(sequence) ? undefined : sequence;
  }

  get(id: string): Row | undefined {
    const sequence = this.sequenceOf(id);
    return sequence === undefined ? undefined : this.at(sequence);
  }

  from(sequence: number): Iterable<Placed<Row>> {
    const own = this.#placed((at) => at >= sequence).sort(oldestFirst);
    return this.#merged(this.#trees.from(sequence), own, oldestFirst, sequenceOfRow);
  }

  before(sequence: number): Iterable<Placed<Row>> {
    const own = this.#placed((at) => at < sequence).sort(newestFirst);
    return this.#merged(this.#trees.before(sequence), own, newestFirst, sequenceOfRow);
  }

  places(index: number): Iterable<Place> {
    const own = this.#ownPlaces(index).sort(byPlace);
    return this.#merged(this.#trees.places(index), own, byPlace, sequenceOfPlace);
  }

  group(index: number, group: string, from: WalkFrom): Iterable<number> {
    const { after, newestFirst = false } = from;
    const own: number[] = [];
    for (const { group: found, sequence } of this.#ownPlaces(index))
      if (found === group && isBehind(sequence, after, newestFirst)) own.push(sequence);
    const order = newestFirst ? byNumberBackwards : byNumber;
    return this.#merged(this.#trees.group(index, group, from), own.sort(order), order, itself);
  }

  first(index: number): Place | undefined {
    const theirs = this.#trees.first(index);
    if (theirs && this.#ownAt(theirs.sequence)) return firstOf(this.places(index));
    let first = theirs;
    for (const place of this.#ownPlaces(index)) if (!first || byPlace(place, first) < 0) first = place;
    return first;
  }

  firstOf(index: number, group: string): number | undefined {
    return firstOf(this.group(index, group, {}));
  }

  put(sequence: number, row: Row | undefined): Row | undefined {
    if (row) for (const { groupOf } of this.declared) groupOf(row);
    const former = this.at(sequence);
    const others = this.#own.filter((own) => own.sequence !== sequence);
    // A row that is the trees' own is none of these: what is taken back leaves nothing behind.
    this.#own = this.#trees.at(sequence) === row ? others : others.concat({ sequence, row });
    this.#size += (row ? 1 : 0) - (former ? 1 : 0);
    if (row && sequence > this.#last) this.#last = sequence;
    return former;
  }

  next(): Rows<Row> {
    return new FewRows(this.#trees, this);
  }

  inTrees(): Rows<Row> {
    const trees = this.#trees.clone();
    for (const { sequence, row } of this.#own) trees.put(sequence, row);
    return trees;
  }

  #ownAt(sequence: number): Own<Row> | undefined {
    for (const own of this.#own) if (own.sequence === sequence) return own;
    return undefined;
  }

  #placed(isMeant: (sequence: number) => boolean): Placed<Row>[] {
    const placed: Placed<Row>[] = [];
    for (const { sequence, row } of this.#own) if (row && isMeant(sequence)) placed.push([sequence, row]);
    return placed;
  }

  #ownPlaces(index: number): Place[] {
    const groupOf = this.declared[index]?.groupOf;
    const places: Place[] = [];
    for (const { sequence, row } of this.#own) {
      const group = row && groupOf?.(row);
      if (group !== undefined) places.push({ group, sequence });
    }
    return places;
  }

  /** Both in their order; what stands in the trees at a place of its own is passed over. */
  *#merged<T>(theirs: Iterable<T>, own: readonly T[], order: Order<T>, sequenceOf: (of: T) => number): Generator<T> {
    let next = 0;
    for (const their of theirs) {
      if (this.#ownAt(sequenceOf(their))) continue;
      for (; next < own.length && order(own[next] as T, their) < 0; next += 1) yield own[next] as T;
      yield their;
    }
    for (; next < own.length; next += 1) yield own[next] as T;
  }
}

type Order<T> = (a: T, b: T) => number;
const byNumberBackwards: Order<number> = (a, b) => b - a;
const oldestFirst: Order<Placed<unknown>> = ([a], [b]) => a - b;
const newestFirst: Order<Placed<unknown>> = ([a], [b]) => b - a;
const itself = (sequence: number): number => sequence;
const sequenceOfRow = ([sequence]: Placed<unknown>): number => sequence;
const sequenceOfPlace = ({ sequence }: Place): number => sequence;

function firstOf<T>(all: Iterable<T>): T | undefined {
  for (const first of all) return first;
  return undefined;
}
