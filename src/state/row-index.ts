// An index of a table: the places of its rows, group by group, and within a group in the order of their sequence numbers.
import { indexes, type RowOf, type TableName, type WalkFrom } from '../domain/world.ts';
import { BTree, type Tree } from './btree.ts';
import { firstOf, joined, left, type Members, sequencesOf } from './members.ts';

export interface Place {
  readonly group: string;
  readonly sequence: number;
}

const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
export const byPlace = (a: Place, b: Place): number =>
  a.group === b.group ? a.sequence - b.sequence : byText(a.group, b.group);

/** An index as it is declared: which group a row belongs to; undefined leaves it out. */
export interface Declared<Row> {
  readonly name: string;
  readonly groupOf: (row: Row) => string | undefined;
}

export class RowIndex<Row> {
  readonly declared: Declared<Row>;
  readonly #groups: Tree<string, Members>;
  #owner = {};
  // Kept from judging to moving: an object per index and row would be garbage.
  #from: string | undefined;
  #to: string | undefined;

  constructor(declared: Declared<Row>, groups: Tree<string, Members> = new BTree<string, Members>(undefined, byText)) {
    this.declared = declared;
    this.#groups = groups;
  }

  clone(): RowIndex<Row> {
    // From here on both have to clone what both have.
    this.#owner = {};
    return new RowIndex(this.declared, this.#groups.clone());
  }

  /** Finds the group that a row leaves and the one that it comes to. @throws what the index throws of such a row; nothing is written by then */
  judge(former: Row | undefined, row: Row | undefined): void {
    const { groupOf } = this.declared;
    this.#from = former && groupOf(former);
    this.#to = row && groupOf(row);
  }

  /** Moves the place between the groups that were found last. */
  move(sequence: number): void {
    const [from, to] = [this.#from, this.#to];
    if (from === to) return;
    if (from !== undefined) this.#leave(from, sequence);
    if (to !== undefined) this.#join(to, sequence);
  }

  *places(): Generator<Place> {
    for (const [group, members] of this.#groups.entries())
      for (const sequence of sequencesOf(members, {})) yield { group, sequence };
  }

  group(group: string, from: WalkFrom): Iterable<number> {
    const members = this.#groups.get(group);
    return members === undefined ? [] : sequencesOf(members, from);
  }

  first(): Place | undefined {
    const group = this.#groups.minKey();
    return group === undefined ? undefined : { group, sequence: this.firstOf(group) as number };
  }

  /** The first sequence number of a group. */
  firstOf(group: string): number | undefined {
    const members = this.#groups.get(group);
    return members === undefined ? undefined : firstOf(members);
  }

  #join(group: string, sequence: number): void {
    const before = this.#groups.get(group);
    const members = joined(before, sequence, this.#owner);
    if (members !== before) this.#groups.set(group, members);
  }

  #leave(group: string, sequence: number): void {
    const before = this.#groups.get(group);
    const members = before === undefined ? undefined : left(before, sequence, this.#owner);
    if (members === undefined) this.#groups.delete(group);
    else if (members !== before) this.#groups.set(group, members);
  }
}

const declared = new Map<TableName, readonly Declared<never>[]>();

/** The indexes that a table is declared with. */
export function indexesOf<Name extends TableName>(name: Name): readonly Declared<RowOf<Name>>[] {
  const known = declared.get(name);
  if (known) return known as unknown as readonly Declared<RowOf<Name>>[];
  const groups: Readonly<Record<string, Declared<RowOf<Name>>['groupOf']>> =
    ((indexes as Readonly<Record<string, object>>)[name] as never) ?? {};
  const made = Object.entries(groups).map(([index, groupOf]) => ({ name: index, groupOf }));
  declared.set(name, made as unknown as readonly Declared<never>[]);
  return made;
}
