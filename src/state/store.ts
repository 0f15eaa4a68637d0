// The store port: where the state of sandboxes is kept. Asynchronous in kind; a store that is at hand answers without a promise.
import type { Identity } from '../domain/world.ts';
import type { Change, Commit, Root } from './root.ts';

/** Answered at once, or later. */
export type Awaitable<T> = T | Promise<T>;

/** What changes lead from, and to. */
export interface Roots {
  /** None where they make the sandbox. */
  readonly from?: Root;
  /** At version base + 1, or 1 of a new one. Over a store that is at hand its tables are those of `from`, written in place. */
  readonly to: Root;
}

/** What it takes to read and write one sandbox. */
export type Turn = Pick<Store, 'since' | 'append'>;

/** An answered call, to be kept for all servers. */
export interface JournalRow {
  /** When it came, in milliseconds of `now`: what came before the last clear is told no more. */
  readonly startedAt: number;
  readonly text: string;
}

/** What a journal has from some row on. */
export interface JournalRows {
  /** Another one after the store was started anew: it may have lost its last rows, and given their numbers again. */
  readonly run: string;
  /** The number of the first of them: a higher one than was asked for where those between are kept no more. */
  readonly first: number;
  readonly rows: readonly JournalRow[];
  /** The number that followed the last row before the last clear, and when that was. */
  readonly clearedTo: number;
  readonly clearedAt: number;
}

/** The journals of the sandboxes, each a bounded number of rows in the order in which the calls were answered. */
export interface SharedJournals {
  /** Answered when all servers can read it. */
  write(name: string, row: JournalRow): Promise<void>;
  /** The rows from this number on; undefined where the sandbox is there no more. */
  read(name: string, from: number): Promise<JournalRows | undefined>;
  clear(name: string): Promise<void>;
}

/** A sandbox as a list tells it. */
export interface Listed {
  readonly name: string;
  readonly identity: Identity;
  /** Its last use at any server, in milliseconds of `now`. */
  readonly usedAt: number;
}

/** What a store has beside the rest that servers share: each of them sees, and is in the way of, what the others do. */
export interface Shared {
  /** The time of them all, in milliseconds since 1970, as the store's last answer told it. */
  now(): number;
  /**
   * Does the work while nobody else writes the sandbox. What the work appends stands once this is answered.
   * @throws as append does
   */
  inTurn<T>(name: string, work: (turn: Turn) => Promise<T>): Promise<T>;
  /** Notes that a sandbox is used: one with a time to live ends by its last use on any server. */
  used(name: string): void;
  /** The sandbox is not asked for by this server any more, until it loads it again. */
  letGo(name: string): void;
  readonly journals: SharedJournals;
  /** All sandboxes, without loading any. */
  list(): Promise<readonly Listed[]>;
  /** Sees to it that there is room for one more among so many, by what is over, or else was made by login and longest unused. Whether there is. */
  makeRoom(most: number): Promise<boolean>;
}

export interface Store {
  /** Where several servers share the store. */
  readonly shared?: Shared;
  /**
   * Whether every append is answered at once, without a promise. Sandboxes write their tables in place then: the roots that an append is
   * given hold until it has answered. An answer that comes later all the same is taken for a failure.
   */
  readonly isAtHand?: boolean;
  /** The names of the sandboxes that it has from before, the longest unchanged first. */
  names(): Awaitable<readonly string[]>;
  /** The sandbox as changes out of nothing, at its version; undefined where the store has no such sandbox. */
  load(name: string): Awaitable<Commit | undefined>;
  /** The commits after this version, in order, or the last as one out of nothing; undefined where the sandbox is there no more. */
  since(name: string, version: number): Awaitable<readonly Commit[] | undefined>;
  /**
   * Keeps the changes as version base + 1, all or none. `conflict`: the stored version is not the base; nothing was kept.
   * Base 0 makes the sandbox. A process has one append of a sandbox under way at a time.
   * @param roots for a store that also keeps states whole
   * @throws what keeps the store from answering; the changes may then have been kept or not, which `since` tells.
   */
  append(name: string, base: number, changes: Iterable<Change>, roots: Roots): Awaitable<'committed' | 'conflict'>;
  /** Forgets the sandbox; a name that it does not have is no error. */
  remove(name: string): Awaitable<void>;
  /** What it does not do now, and why, in words for everybody; undefined while it does all. */
  trouble(): string | undefined;
}

export const isPromise = <T>(value: Awaitable<T>): value is Promise<T> =>
  value instanceof Promise || typeof (value as { readonly then?: unknown } | undefined)?.then === 'function';

/** Goes on with an answer, at once where it is at hand. */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value);
}
