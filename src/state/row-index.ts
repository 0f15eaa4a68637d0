// An index of a collection: the places of its rows, group by group, and within a group in the order of their sequence numbers.
import { indexes, type RowOf, type TableName } from '../domain/world.ts';
import { BTree, type Tree } from './btree.ts';

export interface Place {
  readonly group: string;
  readonly sequence: number;
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byPlace = (a: Place, b: Place): number =>
  a.group === b.group ? a.sequence - b.sequence : a.group < b.group ? -1 : 1;

type GroupOf<Row> = (row: Row) => string | undefined;

export class RowIndex<Row> {
  readonly name: string;
  readonly tree: Tree<Place, undefined>;
  readonly #groupOf: GroupOf<Row>;
  #from: string | undefined;
  #to: string | undefined;

  constructor(name: string, groupOf: GroupOf<Row>, tree: Tree<Place, undefined> = new BTree(undefined, byPlace)) {
    this.name = name;
    this.tree = tree;
    this.#groupOf = groupOf;
  }

  clone(): RowIndex<Row> {
    return new RowIndex(this.name, this.#groupOf, this.tree.clone());
  }

  /** Finds the group that a row leaves and the one that it comes to. @throws what the index throws of such a row; nothing is written by then */
  judge(former: Row | undefined, row: Row | undefined): void {
    this.#from = former && this.#groupOf(former);
    this.#to = row && this.#groupOf(row);
  }

  /** Moves the place between the groups that were found last. */
  move(sequence: number): void {
    const [from, to] = [this.#from, this.#to];
    if (from === to) return;
    if (from !== undefined) this.tree.delete({ group: from, sequence });
    if (to !== undefined) this.tree.set({ group: to, sequence }, undefined);
  }
}

/** The indexes that a table is declared with, of no rows. */
export function emptyIndexes<Name extends TableName>(name: Name): RowIndex<RowOf<Name>>[] {
  const declared = (indexes as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name] ?? {};
  return Object.entries(declared).map(([index, groupOf]) => new RowIndex(index, groupOf as GroupOf<RowOf<Name>>));
}
