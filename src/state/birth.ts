// What a sandbox begins with: the tables of the fixtures, and the counters that go on behind them.
import type { Readings } from '../contract/assumptions.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { type CollectionName, collectionNames } from '../contract/records.ts';
import { internTimes } from '../contract/terms.ts';
import type { Identity, TableName } from '../domain/world.ts';
import { Collection } from './collection.ts';
import {
  type AllValues,
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
  /** But for what each sandbox has of its own. */
  readonly values: Omit<AllValues, keyof Newborn | 'chosen'>;
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
  return { tables: tables as unknown as Tables, values: valuesOf(fixtures, counters, freeze) };
}

function valuesOf(fixtures: Fixtures, counters: Readonly<Record<string, number>>, freeze: Freeze): Birth['values'] {
  const administration_times = internTimes(fixtures.administration_times);
  const generations = { tokens: 0, labels: 0 };
  return {
    operator: freeze(fixtures.operator),
    administration_times,
    timeline: freeze(fixtures.timeline),
    history: freeze({ lives: 1, generations }),
    scenarios: freeze([]),
    counters: freeze(counters),
    generations,
    expired: generations,
    rate_window: null,
  };
}

/** What each sandbox has of its own. */
interface Newborn {
  readonly identity: Identity;
  readonly clock: ClockState;
  readonly readings: Readings;
}

/** The root that a sandbox begins with, at version 1, kept as it was made, at this time of the sandbox. */
export function newRoot({ tables, values: shared }: Birth, { identity, clock, readings }: Newborn, at = 0): Root {
  const values = valuesWith(shared, { identity, clock, readings });
  return { version: 1, tables, values, snapshots: new Map([[asMade, { tables, values, at }]]) };
}

/** Name by name, so that the values of all sandboxes are objects of one shape. */
function valuesWith(shared: Birth['values'], { identity, clock, readings }: Newborn): AllValues {
  return {
    operator: shared.operator,
    administration_times: shared.administration_times,
    timeline: shared.timeline,
    identity,
    history: shared.history,
    clock,
    readings,
    chosen: readings,
    scenarios: shared.scenarios,
    counters: shared.counters,
    generations: shared.generations,
    expired: shared.expired,
    rate_window: shared.rate_window,
  };
}

/** A root at version 1 that began with this image, at this time of the sandbox. */
export function madeAs({ tables, values }: Image, at: number): Root {
  return { version: 1, tables, values, snapshots: new Map([[asMade, keptImage({ tables, values }, at)]]) };
}
