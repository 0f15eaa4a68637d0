// The fixtures: all data a sandbox is born from, and where each record of it came from.
import type { CollectionName, RecordOf, SingleName, SingleOf } from './records.ts';

/**
 * All data a sandbox is born from, by collection.
 * @example const { users }: Fixtures = loadFixtures('./fixtures');
 */
export type Fixtures = { readonly [Name in CollectionName]: readonly RecordOf<Name>[] } & {
  readonly [Name in SingleName]: SingleOf<Name>;
};

/** A parsed JSON file and the name to say in a fault. */
export interface FixtureFile {
  readonly name: string;
  readonly content: unknown;
}

/** The place of a record. */
interface Origin {
  readonly file: string;
  readonly path: string;
}

/** Where each record came from, for faults found after the merge. */
export type Origins = Pick<ReadonlyMap<object, Origin>, 'get'>;
