// A table of one sandbox. Its layers from the bottom to the top: the rows of the fixtures, which all sandboxes share,
// frozen rows of snapshots, and the sandbox's own rows. Only the top is written.
import { Refusal } from '../contract/refusal.ts';
import type { WalkFrom } from '../domain/world.ts';

export interface Row {
  readonly id: string;
}

/** A row at the number that it was given at insert; that is the order of lists, and what a cursor holds. */
export type Entry<R> = readonly [seq: number, row: R];

/** A row in place, or the mark of a removed row of a layer below. */
export interface Slot<R> {
  readonly seq: number;
  readonly row: R | undefined;
}

/** One write: enough to undo it, and enough for a store to repeat it. */
export interface RowChange {
  readonly table: string;
  readonly id: string;
  readonly seq: number;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** What a table asks of the state that it belongs to. */
export interface Writer {
  /** Keeps a change for undo and for the store. @throws Error outside of a transaction */
  note(change: RowChange): void;
  /** Gives the next number of a purpose, from 0. */
  count(purpose: string): number;
  freeze<T>(row: T): T;
  readonly maxRecords: number;
}

/** Groups the rows of a table; within a group they stand in the order of `seq`. */
export interface Index<R> {
  readonly name: string;
  /** Undefined leaves the row out. */
  readonly groupOf: (row: R) => string | undefined;
}

/** The group of all rows, of a table that is listed. */
export const all: Index<Row> = { name: '', groupOf: () => '' };

/** From so many layers on the upper ones are merged before the next write: a look-up passes through all of them. */
const mostLayers = 6;

/** Rows by id, and in groups. `size` and `depth` count the layers below, too. */
export class Layer<R extends Row> {
  readonly below: Layer<R> | undefined;
  readonly depth: number;
  readonly byId = new Map<string, Slot<R>>();
  /** By the number of the index: of each group the slots that hold a row, in order. */
  readonly #groups: Map<string, Slot<R>[]>[] = [];
  size: number;

  constructor(below?: Layer<R>) {
    this.below = below;
    this.size = below?.size ?? 0;
    this.depth = (below?.depth ?? 0) + 1;
  }

  find(id: string): Slot<R> | undefined {
    const slot = this.byId.get(id);
    return slot || !this.below ? slot : this.below.find(id);
  }

  group(index: number, name: string): readonly Slot<R>[] | undefined {
    return this.#groups[index]?.get(name);
  }

  /** Puts a row in place; undefined removes it. A row that the layer below has in the same way is not stored again. */
  put(id: string, slot: Slot<R>, indexes: readonly Index<R>[]): void {
    const own = this.byId.get(id);
    const lower = this.below?.find(id);
    const isHere = slot.row !== lower?.row || (slot.row !== undefined && slot.seq !== lower?.seq);
    if (isHere) this.byId.set(id, slot);
    else this.byId.delete(id);
    const before = own ? own.row : lower?.row;
    this.size += Number(slot.row !== undefined) - Number(before !== undefined);
    for (const [number, index] of indexes.entries()) this.#regroup(number, index, own, isHere ? slot : undefined);
  }

  #regroup(number: number, index: Index<R>, before: Slot<R> | undefined, after: Slot<R> | undefined): void {
    const from = before?.row && index.groupOf(before.row);
    const to = after?.row && index.groupOf(after.row);
    if (from === undefined && to === undefined) return;
    this.#groups[number] ??= new Map();
    const groups = this.#groups[number];
    if (before && after && from !== undefined && from === to && before.seq === after.seq) {
      const slots = groups.get(from) as Slot<R>[];
      slots[positionOf(slots, before.seq)] = after;
      return;
    }
    if (before && from !== undefined) leave(groups, from, before.seq);
    if (after && to !== undefined) join(groups, to, after);
  }
}

function join<R>(groups: Map<string, Slot<R>[]>, name: string, slot: Slot<R>): void {
  const slots = groups.get(name);
  if (!slots) groups.set(name, [slot]);
  else if ((slots.at(-1) as Slot<R>).seq < slot.seq) slots.push(slot);
  else slots.splice(positionOf(slots, slot.seq), 0, slot);
}

function leave<R>(groups: Map<string, Slot<R>[]>, name: string, seq: number): void {
  const slots = groups.get(name) as Slot<R>[];
  if (slots.length === 1) groups.delete(name);
  else slots.splice(positionOf(slots, seq), 1);
}

/** The place of the first slot of at least this number: by binary search, but most are put at the end. */
function positionOf(slots: readonly Slot<unknown>[], seq: number): number {
  let [low, high] = [0, slots.length];
  if (high === 0 || (slots[high - 1] as Slot<unknown>).seq < seq) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slots[middle] as Slot<unknown>).seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A part of a walk: the slots of a group in one layer, and the next of them. */
interface Strand<R extends Row> {
  readonly layer: Layer<R>;
  readonly slots: readonly Slot<R>[];
  next: number;
}

/** The strand whose next slot comes first in the walk's direction. */
function nextOf<R extends Row>(strands: readonly Strand<R>[], newestFirst: boolean): Strand<R> | undefined {
  let first: Strand<R> | undefined;
  let firstSeq = 0;
  for (const strand of strands) {
    const seq = strand.slots[strand.next]?.seq;
    if (seq === undefined || (first && seq < firstSeq === newestFirst)) continue;
    first = strand;
    firstSeq = seq;
  }
  return first;
}

/** How a table is made. */
interface TableOptions<R> {
  readonly indexes: readonly Index<R>[];
  /** Whether it may hold no more than `maxRecords`. */
  readonly isBounded: boolean;
  readonly writer: Writer;
}

export class Table<R extends Row> {
  readonly name: string;
  readonly #indexes: readonly Index<R>[];
  readonly #isBounded: boolean;
  readonly #writer: Writer;
  /** Told of every slot that is put in place, also by undo and by a store. */
  onPut: ((slot: Slot<R>) => void) | undefined;
  #top: Layer<R>;
  /** Whether the sandbox may write into the layer on top. */
  #isOwn = false;
  #writes = 0;

  constructor(name: string, top: Layer<R>, { indexes, isBounded, writer }: TableOptions<R>) {
    this.name = name;
    this.#top = top;
    this.#indexes = indexes;
    this.#isBounded = isBounded;
    this.#writer = writer;
  }

  get size(): number {
    return this.#top.size;
  }

  get(id: string): R | undefined {
    return this.#top.find(id)?.row;
  }

  /** Whether it holds as many rows as it may. */
  get isFull(): boolean {
    return this.#isBounded && this.size >= this.#writer.maxRecords;
  }

  /** Adds a row behind all others. @throws Refusal max_records */
  insert(row: R): void {
    if (this.get(row.id)) throw new Error(`${this.name} has a record ${row.id} already`);
    if (this.isFull) throw new Refusal('max_records', { what: this.name, value: this.#writer.maxRecords });
    this.#write(row.id, this.#writer.count(this.name), row);
  }

  /** Puts a row in the place of the one with its id. */
  replace(row: R): void {
    this.#write(row.id, this.#seqOf(row.id), row);
  }

  remove(id: string): void {
    this.#write(id, this.#seqOf(id), undefined);
  }

  /** Puts a row at a number that nobody else has. */
  place(seq: number, row: R): void {
    this.#write(row.id, seq, row);
  }

  #seqOf(id: string): number {
    const slot = this.#top.find(id);
    if (!slot?.row) throw new Error(`${this.name} has no record ${id}`);
    return slot.seq;
  }

  #write(id: string, seq: number, row: R | undefined): void {
    const after = row && this.#writer.freeze(row);
    this.#writer.note({ table: this.name, id, seq, before: this.get(id), after });
    this.put(id, seq, after);
  }

  /** The rows of a group. Costs what is taken, not what is stored. Take all that you need before you write. */
  *walk(index: string, group: string, from: WalkFrom = {}): Generator<Entry<R>> {
    const writes = this.#writes;
    const { newestFirst = false } = from;
    const strands = this.#strands(index, group, from);
    for (let strand = nextOf(strands, newestFirst); strand; strand = nextOf(strands, newestFirst)) {
      const { seq, row } = strand.slots[strand.next] as Slot<R>;
      strand.next += newestFirst ? -1 : 1;
      if (!row || this.#isReplaced(row.id, strand.layer)) continue;
      yield [seq, row];
      if (this.#writes !== writes) throw new Error(`${this.name} was written during a walk: take what you need before`);
    }
  }

  firstOf(index: string, group: string): R | undefined {
    for (const [, row] of this.walk(index, group)) return row;
    return undefined;
  }

  /** All rows, or those after this number. */
  entries(after?: number): Iterable<Entry<R>> {
    if (this.#indexes.length > 0) return this.walk(all.name, '', { after });
    const slots = this.slots().filter(({ seq }) => seq > (after ?? -1));
    return slots.sort((a, b) => a.seq - b.seq).map(({ seq, row }) => [seq, row as R]);
  }

  newestFirst(before?: number): Generator<Entry<R>> {
    return this.walk(all.name, '', { after: before, newestFirst: true });
  }

  /** Puts a row in place, or removes it. Every write, undo and load goes through here. */
  put(id: string, seq: number, row: R | undefined): void {
    if (!this.#isOwn) {
      this.#top = this.#top.depth < mostLayers ? new Layer(this.#top) : this.#merged();
      this.#isOwn = true;
    }
    this.#writes += 1;
    const slot = { seq, row };
    this.#top.put(id, slot, this.#indexes);
    this.onPut?.(slot);
  }

  /** All rows, in no order that matters. */
  slots(): Slot<R>[] {
    const { lowest, slots } = ownSlots(this.#top);
    const found: Slot<R>[] = [];
    for (const [id, slot] of lowest.byId) if (slot.row && !slots.has(id)) found.push(slot);
    for (const slot of slots.values()) if (slot.row) found.push(slot);
    return found;
  }

  /** The rows as they are now: the next write goes into another layer. */
  freeze(): Layer<R> {
    this.#isOwn = false;
    return this.#top;
  }

  get top(): Layer<R> {
    return this.#top;
  }

  #strands(name: string, group: string, { after, newestFirst = false }: WalkFrom): Strand<R>[] {
    let index = this.#indexes.length - 1;
    while (index >= 0 && this.#indexes[index]?.name !== name) index -= 1;
    if (index < 0) throw new Error(`${this.name} has no index ${name}`);
    const strands: Strand<R>[] = [];
    for (let layer: Layer<R> | undefined = this.#top; layer; layer = layer.below) {
      const slots = layer.group(index, group);
      if (!slots) continue;
      const from = newestFirst ? (after ?? Number.POSITIVE_INFINITY) : (after ?? -1) + 1;
      const at = from === 0 ? 0 : positionOf(slots, from);
      strands.push({ layer, slots, next: newestFirst ? at - 1 : at });
    }
    return strands;
  }

  #isReplaced(id: string, inLayer: Layer<R>): boolean {
    for (let layer: Layer<R> | undefined = this.#top; layer && layer !== inLayer; layer = layer.below)
      if (layer.byId.has(id)) return true;
    return false;
  }

  /** The upper layers in one. A layer is copied if those above have half as much: big ones are copied seldom. */
  #merged(): Layer<R> {
    const above: Layer<R>[] = [];
    let [base, size] = [this.#top, 0];
    while (base.below && (above.length < 2 || base.byId.size <= 2 * size)) {
      above.push(base);
      size += base.byId.size;
      base = base.below;
    }
    const merged = new Layer(base);
    for (const layer of above.reverse()) for (const [id, slot] of layer.byId) merged.put(id, slot, this.#indexes);
    return merged;
  }
}

/** What stands above the lowest layer: rows, and the marks of removed ones. */
export function ownSlots<R extends Row>(
  top: Layer<R>,
): { readonly lowest: Layer<R>; readonly slots: Map<string, Slot<R>> } {
  if (!top.below) return { lowest: top, slots: new Map() };
  const { lowest, slots } = ownSlots(top.below);
  for (const [id, slot] of top.byId) slots.set(id, slot);
  return { lowest, slots };
}

/** A layer of rows that have no layer below, numbered from 0. */
export function seedLayer<R extends Row>(rows: Iterable<R>, indexes: readonly Index<R>[]): Layer<R> {
  const layer = new Layer<R>();
  let seq = 0;
  for (const row of rows) layer.put(row.id, { seq: seq++, row }, indexes);
  return layer;
}
