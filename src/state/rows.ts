// The rows of a table as a collection holds them: in trees of their own, or a few of them beside the trees of another.
import type { WalkFrom } from '../domain/world.ts';
import type { Declared, Place } from './row-index.ts';

/** What a table holds: a row is found by its id. */
export interface Identified {
  readonly id: string;
}

export type Placed<Row> = [sequence: number, row: Row];

export interface Rows<Row extends Identified> {
  readonly size: number;
  /** No row stands behind this place. */
  readonly last: number;
  readonly declared: readonly Declared<Row>[];
  /** Whether a row may be put at this place of them; where it may not, it may in `inTrees`. */
  takes(sequence: number, row: Row | undefined): boolean;
  /** Whether several hold them: from then on they are never written. */
  isShared: boolean;
  at(sequence: number): Row | undefined;
  sequenceOf(id: string): number | undefined;
  get(id: string): Row | undefined;
  /** All from this place on, oldest first. */
  from(sequence: number): Iterable<Placed<Row>>;
  /** All before this place, newest first. */
  before(sequence: number): Iterable<Placed<Row>>;
  /** The places of an index, told by its number among those that are declared. */
  places(index: number): Iterable<Place>;
  /** The sequence numbers of a group of an index. */
  group(index: number, group: string, from: WalkFrom): Iterable<number>;
  /** The first place of an index. */
  first(index: number): Place | undefined;
  /** The first of a group of an index. */
  firstOf(index: number, group: string): number | undefined;
  /** Puts a row in place of the one there, which it gives; undefined removes it. Done whole or, where an index throws of the row, not at all. */
  put(sequence: number, row: Row | undefined): Row | undefined;
  /** The same rows, for one who writes them while these here stay as they are. */
  next(): Rows<Row>;
  /** The same rows in trees of their own. */
  inTrees(): Rows<Row>;
}

/** Rows in trees, which are copied on write: a clone costs next to nothing, and shares what neither has written. */
export interface Trees<Row extends Identified> extends Rows<Row> {
  clone(): Trees<Row>;
}
