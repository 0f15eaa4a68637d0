// How sandboxes are stored: the store, and the fixtures that their documents name.
import { LRUCache } from 'lru-cache';
import { type Hashes, hex } from '../domain/hashes.ts';
import { stateOf } from './document.ts';
import { type RecordOptions, type Seed, seedOf } from './state.ts';
import type { Loaded, Store, Whole } from './store.ts';

export interface Persistence {
  readonly store: Store;
  readonly recordOptions: RecordOptions;
  /** The name of the fixtures that a state was made of. */
  nameOf(seed: Seed): string;
  seedOf(whole: Whole): Seed;
}

/** The state of a sandbox that was loaded, and its version. */
export function loadedState(
  { whole, commits }: Loaded & { readonly whole: Whole },
  { seedOf, recordOptions }: Persistence,
) {
  const state = stateOf(whole.document, seedOf(whole), recordOptions);
  for (const { changes } of commits) state.apply(changes);
  return { state, version: commits.at(-1)?.version ?? whole.document.version };
}

/** How many fixtures are kept as tables, of sandboxes that have fixtures of their own. */
const maxSeeds = 100;

/** How sandboxes are stored: fixtures by a hash of theirs, so that a store keeps equal ones once. */
export function persistenceOver(store: Store, recordOptions: RecordOptions, hashes: Hashes): Persistence {
  const seeds = new LRUCache<string, Seed>({ max: maxSeeds });
  const names = new WeakMap<Seed, string>();
  return {
    store,
    recordOptions,
    nameOf: (seed) => {
      const name = names.get(seed) ?? hex(hashes.sha256(JSON.stringify(seed.fixtures))).slice(0, 16);
      names.set(seed, name);
      seeds.set(name, seed);
      return name;
    },
    seedOf: ({ document, fixtures }) => {
      const seed = seeds.get(document.fixtures) ?? seedOf(fixtures, recordOptions.freeze);
      names.set(seed, document.fixtures);
      seeds.set(document.fixtures, seed);
      return seed;
    },
  };
}
