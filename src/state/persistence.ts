// Sandboxes as documents: the format of stores, readable and comparable.
import { LRUCache } from 'lru-cache';
import { storedChoices } from '../contract/resolved-assumptions.ts';
import { type Hashes, hex } from '../domain/hashes.ts';
import { emptyLayer, indexesOf, type RecordOptions, type Seed, type Snapshot, State, seedOf } from './state.ts';
import {
  type Commit,
  documentFormat,
  type SandboxDocument,
  type Store,
  type StoredRow,
  type StoredSandbox,
  type StoredTable,
  type StoredTables,
} from './store.ts';
import { entriesAboveLowest, Layer, type Row } from './table.ts';
import { internRow } from './values.ts';

/** @param fixtures the name of the sandbox's fixtures in the store */
export function documentOf(state: State, version: number, fixtures: string): SandboxDocument {
  const { initial, seed, snapshots } = state;
  const tops = Array.from(state.tables, ({ name, top }) => [name, top] as const);
  return {
    sachet_sandbox: documentFormat,
    sandbox: initial.identity.name,
    version,
    fixtures,
    made: initial,
    tables: storedTables(seed, tops),
    snapshots: Array.from(snapshots, ([name, { at, tops }]) => ({ name, at, tables: storedTables(seed, tops) })),
  };
}

function storedTables({ layers }: Seed, tops: Iterable<readonly [name: string, top: Layer<Row>]>): StoredTables {
  const tables: Record<string, StoredTable> = {};
  for (const [name, top] of tops) {
    const { lowest, entries } = entriesAboveLowest(top);
    const isEmptied = lowest.size > 0 || !layers.get(name)?.size ? undefined : true;
    if (entries.size === 0 && !isEmptied) continue;
    const rows = Array.from(entries, ([id, { seq, row }]): StoredRow => (row ? { seq, row } : { seq, id }));
    rows.sort((a, b) => a.seq - b.seq);
    tables[name] = isEmptied ? { isEmptied, rows } : { rows };
  }
  return tables;
}

export function stateOf({ made, tables, snapshots }: SandboxDocument, seed: Seed, options: RecordOptions): State {
  const snapshotsByName = new Map<string, Snapshot>();
  for (const { name, at, tables } of snapshots) snapshotsByName.set(name, { at, tops: topsOf(tables, seed, options) });
  const initial = { ...made, readings: storedChoices(made.readings) };
  return new State(seed, initial, options, topsOf(tables, seed, options), snapshotsByName);
}

function topsOf(tables: StoredTables, { layers }: Seed, { freeze }: RecordOptions): Map<string, Layer<Row>> {
  const tops = new Map<string, Layer<Row>>();
  for (const [name, { isEmptied, rows }] of Object.entries(tables)) {
    const layer = new Layer((isEmptied ? undefined : layers.get(name)) ?? emptyLayer);
    for (const stored of rows) {
      const row = 'row' in stored ? freeze(internRow(stored.row)) : undefined;
      layer.put('row' in stored ? stored.row.id : stored.id, { seq: stored.seq, row }, indexesOf(name));
    }
    tops.set(name, layer);
  }
  return tops;
}

/** How many fixtures are kept as tables. */
const maxSeeds = 100;

/** A store, and the seeds of its sandboxes. */
export type Persistence = ReturnType<typeof persistenceOver>;

/** Names fixtures by their hash, so that a store keeps equal ones once. */
export function persistenceOver(store: Store, options: RecordOptions, hashes: Hashes) {
  const seeds = new LRUCache<string, Seed>({ max: maxSeeds });
  return {
    store,
    /** The state as it is stored. */
    storedSandbox(state: State, version: number): StoredSandbox {
      const { seed } = state;
      seed.name ??= hex(hashes.sha256(JSON.stringify(seed.fixtures))).slice(0, 16);
      seeds.set(seed.name, seed);
      return { document: documentOf(state, version, seed.name), fixtures: seed.fixtures };
    },
    /** The state of a sandbox that was loaded, and its version. */
    open({ document, fixtures }: StoredSandbox, commits: readonly Commit[]): { state: State; version: number } {
      const name = document.fixtures;
      const seed = seeds.get(name) ?? { ...seedOf(fixtures, options.freeze), name };
      seeds.set(name, seed);
      const state = stateOf(document, seed, options);
      for (const { changes } of commits) state.apply(changes);
      return { state, version: commits.at(-1)?.version ?? document.version };
    },
  };
}
