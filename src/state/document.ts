// A sandbox as one document: what stores keep it as, and what a person can read and compare.
import { indexesOf, internedRow, type Made, nothing, type RecordOptions, type Seed, State } from './state.ts';
import { Layer, ownSlots, type Row } from './table.ts';

/** The rows of a table that differ from the fixtures'. */
interface StoredTable {
  /** True if the fixtures' rows do not count: the table was emptied. */
  readonly isEmptied?: true;
  /** By their numbers. A removed row of the fixtures has its id alone. */
  readonly rows: readonly StoredRow[];
}
type StoredRow = { readonly seq: number; readonly row: Row } | { readonly seq: number; readonly id: string };

type StoredTables = Readonly<Record<string, StoredTable>>;

/** @example { "sachet_sandbox": 2, "sandbox": "stage", "version": 7, "fixtures": "9f86d0…", "tables": {…}, … } */
export interface SandboxDocument {
  readonly sachet_sandbox: typeof documentFormat;
  readonly sandbox: string;
  readonly version: number;
  /** The name of the fixtures that it was made of. */
  readonly fixtures: string;
  readonly made: Made;
  readonly tables: StoredTables;
  /** In the order in which they were kept; '' is the sandbox as it was made. */
  readonly snapshots: readonly { readonly name: string; readonly at: number; readonly tables: StoredTables }[];
}

export const documentFormat = 2;

/** @param fixtures the name of the sandbox's fixtures in the store */
export function documentOf(state: State, version: number, fixtures: string): SandboxDocument {
  const { made, snapshots } = state;
  const own = Array.from(state.tables, ({ name, top }) => [name, top] as const);
  return {
    sachet_sandbox: documentFormat,
    sandbox: made.identity.name,
    version,
    fixtures,
    made,
    tables: storedTables(state.seed, own),
    snapshots: Array.from(snapshots, ([name, { at, tops }]) => ({ name, at, tables: storedTables(state.seed, tops) })),
  };
}

function storedTables({ layers }: Seed, tops: Iterable<readonly [name: string, top: Layer<Row>]>): StoredTables {
  const tables: Record<string, StoredTable> = {};
  for (const [name, top] of tops) {
    const { lowest, slots } = ownSlots(top);
    const isEmptied = lowest.size > 0 || !layers.get(name)?.size ? undefined : true;
    if (slots.size === 0 && !isEmptied) continue;
    const rows = Array.from(slots, ([id, { seq, row }]): StoredRow => (row ? { seq, row } : { seq, id }));
    rows.sort((a, b) => a.seq - b.seq);
    tables[name] = isEmptied ? { isEmptied, rows } : { rows };
  }
  return tables;
}

/** The state that a document tells, over the rows of its fixtures. */
export function stateOf({ made, tables, snapshots }: SandboxDocument, seed: Seed, recordOptions: RecordOptions): State {
  const kept = snapshots.map(
    ({ name, at, tables }) => [name, { at, tops: topsOf(tables, seed, recordOptions) }] as const,
  );
  return new State(seed, made, recordOptions, { tops: topsOf(tables, seed, recordOptions), snapshots: new Map(kept) });
}

function topsOf(tables: StoredTables, { layers }: Seed, { freeze }: RecordOptions): Map<string, Layer<Row>> {
  const tops = new Map<string, Layer<Row>>();
  for (const [name, { isEmptied, rows }] of Object.entries(tables)) {
    const lowest = (isEmptied ? undefined : layers.get(name)) ?? nothing;
    const layer = new Layer(lowest);
    for (const stored of rows) {
      const row = 'row' in stored ? freeze(internedRow(stored.row)) : undefined;
      layer.put('row' in stored ? stored.row.id : stored.id, { seq: stored.seq, row }, indexesOf(name));
    }
    tops.set(name, layer);
  }
  return tops;
}
