// Records of a collection from the newest on, page by page, also those of a kind alone.
import type { CollectionName, RecordOf } from '../contract/records.ts';
import type { Draft } from '../state/draft.ts';

export interface NewestAsked<Row> {
  /** A sequence number: those before it. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Default: all are. */
  readonly isWanted?: (record: Row) => boolean;
  /** How many are looked at, at most. Default: no bound. */
  readonly most?: number;
}

export interface NewestRecords<Row> {
  readonly records: readonly Row[];
  /** Where to go on; only where there is more. */
  readonly before?: number;
  /** Whether the search ended at its bound, with more behind it. */
  readonly isCut: boolean;
}

/** Newest first. Costs what is looked at, not what is stored. */
export function newestRecords<Name extends CollectionName>(
  draft: Draft,
  collection: Name,
  { before, limit, isWanted = () => true, most = Number.POSITIVE_INFINITY }: NewestAsked<RecordOf<Name>>,
): NewestRecords<RecordOf<Name>> {
  const records: RecordOf<Name>[] = [];
  let looked = 0;
  let last = before;
  for (const [sequence, row] of draft.table(collection).newestFirst(before)) {
    const record = row as RecordOf<Name>;
    const isCut = looked === most;
    if (isCut || (records.length === limit && isWanted(record)))
      return { records, ...(last === undefined ? {} : { before: last }), isCut };
    if (isWanted(record)) records.push(record);
    looked += 1;
    last = sequence;
  }
  return { records, isCut: false };
}
