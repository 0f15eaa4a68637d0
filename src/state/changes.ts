// Change lists: how a root is told to a store, and made again from what the store kept.
import type { Readings } from '../contract/assumptions.ts';
import { internReadings } from '../contract/readings.ts';
import type { SingleOf } from '../contract/records.ts';
import { internTimes } from '../contract/terms.ts';
import type { RowOf, TableName } from '../domain/world.ts';
import { Collection } from './collection.ts';
import { differences } from './differences.ts';
import {
  type AllValues,
  type Change,
  type Commit,
  type Freeze,
  type Image,
  keptImage,
  type Root,
  restored,
  type Snapshot,
  type Tables,
  tableNames,
  type ValueName,
} from './root.ts';

/**
 * The changes that make this root out of nothing: as it was made, its snapshots, and what it is now, each told by what it has
 * otherwise than the one before. Made as they are taken, so that a store that keeps nothing pays nothing.
 */
export function* changesOf(root: Root): Generator<Change> {
  let told: Image | undefined;
  for (const [name, image] of root.snapshots) {
    yield* imageChanges(told, image);
    yield { keep: name, at: image.at };
    told = image;
  }
  yield* imageChanges(told, root);
}

function* imageChanges(from: Image | undefined, { tables, values }: Image): Generator<Change> {
  for (const value of Object.keys(values) as ValueName[])
    if (from?.values[value] !== values[value]) yield { value, to: values[value] };
  for (const table of tableNames)
    for (const [sequence, row] of differences<RowOf<TableName>>(from?.tables[table], tables[table]))
      yield { table, sequence, row };
}

/** The root after these changes, at this version; without a root, the changes make one out of nothing. */
export function applyChanges(root: Root | undefined, { version, changes }: Commit, freeze: Freeze): Root {
  const making = new Making(root, freeze);
  for (const change of changes) making.apply(change);
  return { version, ...making.image, snapshots: making.snapshots };
}

class Making {
  readonly #freeze: Freeze;
  readonly #written = new Map<TableName, Collection<TableName>>();
  #tables: Tables | undefined;
  #values: Record<string, unknown>;
  readonly snapshots: Map<string, Snapshot>;

  constructor(root: Root | undefined, freeze: Freeze) {
    this.#freeze = freeze;
    this.#tables = root?.tables;
    this.#values = { ...root?.values };
    this.snapshots = new Map(root?.snapshots);
  }

  get image(): Image {
    const tables = tableNames.map((name) => [
      name,
      this.#written.get(name) ?? this.#tables?.[name] ?? new Collection(name),
    ]);
    return { tables: Object.fromEntries(tables) as Tables, values: { ...this.#values } as unknown as AllValues };
  }

  apply(change: Change): void {
    if ('table' in change) this.#put(change);
    else if ('value' in change) this.#values[change.value] = kept(change, this.#freeze);
    else if ('empty' in change) this.#become(undefined);
    else if ('keep' in change) this.#keep(change);
    else if ('drop' in change) this.snapshots.delete(change.drop);
    else this.#restore(change.restore);
  }

  #put({ table, sequence, row }: Extract<Change, { readonly table: TableName }>): void {
    const collection =
      this.#written.get(table) ??
      (this.#tables?.[table] as Collection<TableName> | undefined)?.clone() ??
      new Collection(table);
    this.#written.set(table, collection);
    collection.put(sequence, this.#freeze(row) ?? undefined);
  }

  #keep({ keep, at }: Extract<Change, { readonly keep: string }>): void {
    const kept = keptImage(this.image, at);
    this.snapshots.set(keep, kept);
    this.#become(kept.tables);
  }

  #restore(name: string): void {
    const snapshot = this.snapshots.get(name);
    if (!snapshot) throw new Error(`a change list restores "${name}", of which there is no snapshot`);
    const { tables, values } = restored(snapshot, this.#values as unknown as AllValues);
    this.#become(tables);
    this.#values = { ...values };
  }

  /** What was written is shared from here on, so that further writes begin with a clone. */
  #become(tables: Tables | undefined): void {
    this.#tables = tables;
    this.#written.clear();
  }
}

/** What schemas are built from is interned, so that they are found again. */
function kept({ value, to }: { readonly value: ValueName; readonly to: unknown }, freeze: Freeze): unknown {
  if (value === 'readings' || value === 'chosen') return internReadings(to as Readings);
  return value === 'administration_times' ? internTimes(to as SingleOf<'administration_times'>) : freeze(to);
}
