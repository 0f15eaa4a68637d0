// What a sandbox begins with: the tables of the fixtures, and the counters that go on behind them.
import type { Readings } from '../contract/assumptions.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import {
  type CollectionName,
  collectionNames,
  type SingleName,
  type SingleOf,
  singleNames,
} from '../contract/records.ts';
import { internTimes } from '../contract/terms.ts';
import type { Identity, TableName } from '../domain/world.ts';
import { Collection } from './collection.ts';
import {
  asMade,
  type ClockState,
  type Freeze,
  type Image,
  keptImage,
  type Root,
  type Tables,
  tableNames,
} from './root.ts';

/** The fixtures as tables. Made once, shared by all sandboxes that are born from them. */
export interface Birth {
  readonly tables: Tables;
  readonly singles: { readonly [Name in SingleName]: SingleOf<Name> };
  readonly counters: Readonly<Record<string, number>>;
}

const isCollection = (name: TableName): name is CollectionName => (collectionNames as readonly string[]).includes(name);

export function birthOf(fixtures: Fixtures, freeze: Freeze): Birth {
  const counters: Record<string, number> = {};
  const tables: Record<string, Collection<TableName>> = {};
  for (const name of tableNames) {
    const collection = new Collection(name);
    const rows = isCollection(name) ? fixtures[name] : [];
    for (const [sequence, row] of rows.entries()) collection.put(sequence, freeze(row));
    tables[name] = collection;
    counters[name] = rows.length;
  }
  const administration_times = internTimes(fixtures.administration_times);
  const singles = Object.fromEntries(singleNames.map((name) => [name, freeze(fixtures[name])]));
  return {
    tables: tables as unknown as Tables,
    singles: { ...singles, administration_times } as Birth['singles'],
    counters,
  };
}

interface Newborn {
  readonly identity: Identity;
  readonly clock: ClockState;
  readonly readings: Readings;
}

/** The root a sandbox begins with, at version 1, kept as it was made. */
export function newRoot({ tables, singles, counters }: Birth, { identity, clock, readings }: Newborn): Root {
  const generations = { tokens: 0, labels: 0 };
  const history = { lives: 1, generations };
  const bent = { readings, chosen: readings, scenarios: [], expired: generations, rate_window: null };
  const values = { ...singles, identity, history, clock, ...bent, counters, generations };
  return madeAs({ tables, values }, 0);
}

/** A root at version 1 that began with this image, at this time of the sandbox. */
export function madeAs({ tables, values }: Image, at: number): Root {
  return { version: 1, tables, values, snapshots: new Map([[asMade, keptImage({ tables, values }, at)]]) };
}
