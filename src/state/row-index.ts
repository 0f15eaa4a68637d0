// An index of a table: the places of its rows, group by group, and within a group in the order of their sequence numbers.
import { indexes, type RowOf, type TableName } from '../domain/world.ts';
import { BTree, type Tree } from './btree.ts';

export interface Place {
  readonly group: string;
  readonly sequence: number;
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const byPlace = (a: Place, b: Place): number =>
  a.group === b.group ? a.sequence - b.sequence : a.group < b.group ? -1 : 1;

/** An index as it is declared: which group a row belongs to; undefined leaves it out. */
export interface Declared<Row> {
  readonly name: string;
  readonly groupOf: (row: Row) => string | undefined;
}

export class RowIndex<Row> {
  readonly declared: Declared<Row>;
  readonly tree: Tree<Place, undefined>;
  #from: string | undefined;
  #to: string | undefined;

  constructor(declared: Declared<Row>, tree: Tree<Place, undefined> = new BTree(undefined, byPlace)) {
    this.declared = declared;
    this.tree = tree;
  }

  clone(): RowIndex<Row> {
    return new RowIndex(this.declared, this.tree.clone());
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
    if (from !== undefined) this.tree.delete({ group: from, sequence });
    if (to !== undefined) this.tree.set({ group: to, sequence }, undefined);
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
