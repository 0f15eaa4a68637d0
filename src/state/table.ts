// A table of one sandbox. Its layers from the bottom to the top: the rows of the fixtures, which all sandboxes share,
// frozen rows of snapshots, and the sandbox's own rows. Only the top layer is written.
import { Refusal } from '../contract/refusal.ts';
import type { WalkFrom } from '../domain/world.ts';

export interface Row {
  readonly id: string;
}

/** A row with the number that it got at insert: the order of lists, and what a cursor holds. */
type NumberedRow<R> = readonly [seq: number, row: R];

/** A row in a layer; without a row it marks that the row of a layer below is removed. */
export interface LayerEntry<R> {
  readonly seq: number;
  readonly row: R | undefined;
}

/** One write, with enough data to undo it, and for a store to repeat it. */
export interface RowChange {
  readonly table: string;
  readonly id: string;
  readonly seq: number;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** The parts of the state that a table needs. */
export interface TableOwner {
  /** Keeps a change for undo and for the store. @throws Error outside of a transaction */
  note(change: RowChange): void;
  /** The next number of a purpose, from 0. */
  count(purpose: string): number;
  freeze<T>(row: T): T;
}

/** Groups the rows of a table; within a group they are in the order of `seq`. */
export interface Index<R> {
  readonly name: string;
  /** Undefined leaves the row out. */
  readonly groupOf: (row: R) => string | undefined;
}

/** One group of all rows, for tables that are listed. */
export const allRows: Index<Row> = { name: '', groupOf: () => '' };

/** A table with this many layers merges the upper ones before the next write: a lookup may search all of them. */
const maxLayers = 6;

/** Rows by id, and in groups. `size` and `depth` include the layers below. */
export class Layer<R extends Row> {
  readonly below: Layer<R> | undefined;
  readonly depth: number;
  readonly byId = new Map<string, LayerEntry<R>>();
  /** By the number of the index, then by group: this layer's entries with a row, in order. */
  readonly #groups: Map<string, LayerEntry<R>[]>[] = [];
  size: number;

  constructor(below?: Layer<R>) {
    this.below = below;
    this.size = below?.size ?? 0;
    this.depth = (below?.depth ?? 0) + 1;
  }

  find(id: string): LayerEntry<R> | undefined {
    return this.byId.get(id) ?? this.below?.find(id);
  }

  group(index: number, name: string): readonly LayerEntry<R>[] | undefined {
    return this.#groups[index]?.get(name);
  }

  /** Puts a row; undefined removes it. An entry that is the same in the layer below is not stored again. */
  put(id: string, entry: LayerEntry<R>, indexes: readonly Index<R>[]): void {
    const own = this.byId.get(id);
    const lower = this.below?.find(id);
    const isDifferent = entry.row !== lower?.row || (entry.row !== undefined && entry.seq !== lower?.seq);
    if (isDifferent) this.byId.set(id, entry);
    else this.byId.delete(id);
    const before = own ?? lower;
    this.size += Number(entry.row !== undefined) - Number(before?.row !== undefined);
    for (let index = 0; index < indexes.length; index += 1)
      this.#regroup(index, indexes[index] as Index<R>, own, isDifferent ? entry : undefined);
  }

  #regroup(number: number, index: Index<R>, before: LayerEntry<R> | undefined, after: LayerEntry<R> | undefined): void {
    const from = before?.row && index.groupOf(before.row);
    const to = after?.row && index.groupOf(after.row);
    if (from === undefined && to === undefined) return;
    this.#groups[number] ??= new Map();
    const groups = this.#groups[number];
    if (before && from !== undefined && (from !== to || before.seq !== after?.seq))
      removeFrom(groups, from, before.seq);
    if (after && to !== undefined) putInto(groups, to, after);
  }
}

function putInto<R>(groups: Map<string, LayerEntry<R>[]>, name: string, entry: LayerEntry<R>): void {
  const entries = groups.get(name) ?? [];
  const at = positionOf(entries, entry.seq);
  if (at === entries.length) entries.push(entry);
  else if (entries[at]?.seq === entry.seq) entries[at] = entry;
  else entries.splice(at, 0, entry);
  if (entries.length === 1) groups.set(name, entries);
}

function removeFrom<R>(groups: Map<string, LayerEntry<R>[]>, name: string, seq: number): void {
  const entries = groups.get(name) as LayerEntry<R>[];
  if (entries.length === 1) groups.delete(name);
  else entries.splice(positionOf(entries, seq), 1);
}

/** The position of the first entry with at least this number: by binary search, but most belong at the end. */
function positionOf(entries: readonly LayerEntry<unknown>[], seq: number): number {
  let [low, high] = [0, entries.length];
  if (high === 0 || (entries[high - 1] as LayerEntry<unknown>).seq < seq) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as LayerEntry<unknown>).seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position of a walk in one layer. */
interface Position<R extends Row> {
  readonly layer: Layer<R>;
  readonly entries: readonly LayerEntry<R>[];
  next: number;
}

/** The position whose next entry comes first in the direction of the walk. */
function firstOf<R extends Row>(positions: readonly Position<R>[], newestFirst: boolean): Position<R> | undefined {
  let first: Position<R> | undefined;
  let firstSeq = 0;
  for (const position of positions) {
    const seq = position.entries[position.next]?.seq;
    if (seq === undefined || (first && seq < firstSeq === newestFirst)) continue;
    first = position;
    firstSeq = seq;
  }
  return first;
}

export class Table<R extends Row, IndexName extends string = string> {
  readonly name: string;
  readonly #indexes: readonly Index<R>[];
  readonly #owner: TableOwner;
  readonly #maxRows: number;
  /** Called with every entry that is put, also by undo and by a store. */
  onPut: ((entry: LayerEntry<R>) => void) | undefined;
  #top: Layer<R>;
  /** Whether the top layer may be written. */
  #isOwn = false;
  #writes = 0;

  constructor(
    name: string,
    top: Layer<R>,
    indexes: readonly Index<R>[],
    owner: TableOwner,
    maxRows = Number.POSITIVE_INFINITY,
  ) {
    this.name = name;
    this.#top = top;
    this.#indexes = indexes;
    this.#owner = owner;
    this.#maxRows = maxRows;
  }

  get size(): number {
    return this.#top.size;
  }

  get top(): Layer<R> {
    return this.#top;
  }

  get(id: string): R | undefined {
    return this.#top.find(id)?.row;
  }

  get isFull(): boolean {
    return this.size >= this.#maxRows;
  }

  /** Adds a row after all others. @throws Refusal max_records */
  insert(row: R): void {
    if (this.get(row.id)) throw new Error(`${this.name} already has a record ${row.id}`);
    if (this.isFull) throw new Refusal('max_records', { what: this.name, value: this.#maxRows });
    this.#write(row.id, this.#owner.count(this.name), row);
  }

  /** Replaces the row with this id, which must exist. */
  replace(row: R): void {
    this.#write(row.id, this.#seqOf(row.id), row);
  }

  /** Removes the row with this id, which must exist. */
  remove(id: string): void {
    this.#write(id, this.#seqOf(id), undefined);
  }

  /** Puts a row at a sequence number that no other row has: an import keeps its numbers. */
  place(seq: number, row: R): void {
    this.#write(row.id, seq, row);
  }

  #seqOf(id: string): number {
    const entry = this.#top.find(id);
    if (!entry?.row) throw new Error(`${this.name} has no record ${id}`);
    return entry.seq;
  }

  #write(id: string, seq: number, row: R | undefined): void {
    const after = row && this.#owner.freeze(row);
    this.#owner.note({ table: this.name, id, seq, before: this.get(id), after });
    this.put(id, seq, after);
  }

  /** Puts a row, or removes it. Every write, undo and load goes through here. */
  put(id: string, seq: number, row: R | undefined): void {
    if (!this.#isOwn) {
      this.#top = this.#top.depth < maxLayers ? new Layer(this.#top) : this.#mergedLayers();
      this.#isOwn = true;
    }
    this.#writes += 1;
    const entry = { seq, row };
    this.#top.put(id, entry, this.#indexes);
    this.onPut?.(entry);
  }

  /** The rows of a group, lazily: unread rows cost nothing. Collect the rows that you need before you write. */
  *walk(index: IndexName, group: string, { after, newestFirst = false }: WalkFrom = {}): Generator<NumberedRow<R>> {
    const writes = this.#writes;
    const start = newestFirst ? (after ?? Number.POSITIVE_INFINITY) : (after ?? -1) + 1;
    const positions = this.#positions(index, group, start, newestFirst);
    for (let first = firstOf(positions, newestFirst); first; first = firstOf(positions, newestFirst)) {
      const entry = first.entries[first.next] as LayerEntry<R>;
      first.next += newestFirst ? -1 : 1;
      const row = entry.row as R;
      if (this.#isReplaced(row.id, first.layer)) continue;
      yield [entry.seq, row];
      if (this.#writes !== writes)
        throw new Error(`${this.name} was written during a walk: collect the rows before you write`);
    }
  }

  #positions(name: string, group: string, start: number, newestFirst: boolean): Position<R>[] {
    const index = this.#indexes.findIndex((one) => one.name === name);
    if (index < 0) throw new Error(`${this.name} has no index ${name}`);
    const positions: Position<R>[] = [];
    for (let layer: Layer<R> | undefined = this.#top; layer; layer = layer.below) {
      const entries = layer.group(index, group);
      if (entries) positions.push({ layer, entries, next: positionOf(entries, start) - Number(newestFirst) });
    }
    return positions;
  }

  firstOf(index: IndexName, group: string): R | undefined {
    for (const [, row] of this.walk(index, group)) return row;
    return undefined;
  }

  /** All rows, oldest first, or those after this number. */
  entries(after?: number): Iterable<NumberedRow<R>> {
    if (this.#indexes.length > 0) return this.walk(allRows.name as IndexName, '', { after });
    const entries = this.unordered().filter(({ seq }) => seq > (after ?? -1));
    return entries.sort((a, b) => a.seq - b.seq).map(({ seq, row }) => [seq, row as R]);
  }

  /** All rows, newest first, or those before this number. */
  newestFirst(before?: number): Generator<NumberedRow<R>> {
    return this.walk(allRows.name as IndexName, '', { after: before, newestFirst: true });
  }

  /** All entries with a row, in any order. */
  unordered(): LayerEntry<R>[] {
    const { lowest, entries } = entriesAboveLowest(this.#top);
    return [...new Map([...lowest.byId, ...entries]).values()].filter(({ row }) => row);
  }

  /** The current rows, as a layer that no longer changes: the next write goes into a new layer. */
  freeze(): Layer<R> {
    this.#isOwn = false;
    return this.#top;
  }

  #isReplaced(id: string, inLayer: Layer<R>): boolean {
    for (let layer: Layer<R> | undefined = this.#top; layer && layer !== inLayer; layer = layer.below)
      if (layer.byId.has(id)) return true;
    return false;
  }

  /** Merges the upper layers. A layer is copied if those above have half as many rows: large ones are copied seldom. */
  #mergedLayers(): Layer<R> {
    const above: Layer<R>[] = [];
    let [base, size] = [this.#top, 0];
    while (base.below && (above.length < 2 || base.byId.size <= 2 * size)) {
      above.push(base);
      size += base.byId.size;
      base = base.below;
    }
    const merged = new Layer(base);
    for (const layer of above.reverse()) for (const [id, entry] of layer.byId) merged.put(id, entry, this.#indexes);
    return merged;
  }
}

/** The sandbox's own rows and marks of removed ones: the entries of the layers above the lowest one. */
export function entriesAboveLowest<R extends Row>(
  top: Layer<R>,
): { readonly lowest: Layer<R>; readonly entries: Map<string, LayerEntry<R>> } {
  if (!top.below) return { lowest: top, entries: new Map() };
  const { lowest, entries } = entriesAboveLowest(top.below);
  for (const [id, entry] of top.byId) entries.set(id, entry);
  return { lowest, entries };
}

/** A lowest layer with these rows, numbered from 0. */
export function seedLayer<R extends Row>(rows: Iterable<R>, indexes: readonly Index<R>[]): Layer<R> {
  const layer = new Layer<R>();
  let seq = 0;
  for (const row of rows) layer.put(row.id, { seq: seq++, row }, indexes);
  return layer;
}
