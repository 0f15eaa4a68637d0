// The store port: stores keep each sandbox as a document and the changes after it.
import type { Fixtures } from '../contract/fixtures.ts';
import type { Identity } from '../domain/world.ts';
import type { InitialValues, StoredChange } from './state.ts';
import type { Row } from './table.ts';

export const documentFormat = 2;

/** @example { "sachet_sandbox": 2, "sandbox": "stage", "version": 7, "fixtures": "9f86d0…", "tables": {…}, … } */
export interface SandboxDocument {
  readonly sachet_sandbox: typeof documentFormat;
  readonly sandbox: string;
  readonly version: number;
  /** The name of its fixtures. */
  readonly fixtures: string;
  readonly made: InitialValues;
  readonly tables: StoredTables;
  /** In the order in which they were kept. */
  readonly snapshots: readonly { readonly name: string; readonly at: number; readonly tables: StoredTables }[];
}

export type StoredTables = Readonly<Record<string, StoredTable>>;

/** The rows of a table that differ from the fixtures'. */
export interface StoredTable {
  /** True if the table was emptied: then the fixtures' rows are gone. */
  readonly isEmptied?: true;
  /** By their numbers. */
  readonly rows: readonly StoredRow[];
}

/** A row, or the id of a removed row of the fixtures. */
export type StoredRow = { readonly seq: number; readonly row: Row } | { readonly seq: number; readonly id: string };

/** A sandbox at one version, and the fixtures that its document names. */
export interface StoredSandbox {
  readonly document: SandboxDocument;
  readonly fixtures: Fixtures;
}

/** The changes that lead to a version. */
export interface Commit {
  readonly version: number;
  readonly changes: readonly StoredChange[];
}

/** The commits after a version. If they do not reach back to it, `whole` has the sandbox before them. */
export interface LoadedSandbox {
  readonly whole?: StoredSandbox;
  readonly commits: readonly Commit[];
}

export interface Store {
  /** Only if several servers share the store. */
  readonly shared?: SharedStore;
  /** The sandboxes in the store, the longest unchanged first. */
  names(): Promise<readonly string[]>;
  /** Everything after this version, with 0 the whole sandbox; undefined if it does not exist. */
  load(name: string, version: number): Promise<LoadedSandbox | undefined>;
  /**
   * Stores all changes or none, as the version after this one. Version 0 creates the sandbox and stores `whole(1)`.
   * A process has one append per sandbox in progress at a time.
   * @param whole builds the document from memory. Call it before `append` resolves, or while no append of the sandbox
   * is in progress.
   * @returns false if the stored version is another one; nothing was stored
   * @throws any error of the store
   */
  append(
    name: string,
    version: number,
    changes: readonly StoredChange[],
    whole: (version: number) => StoredSandbox,
  ): Promise<boolean>;
  /** Removes the sandbox, if it exists. */
  remove(name: string): Promise<void>;
  /** The store's current problem; undefined while it works. `/health` shows it: no secrets, no paths. */
  problem(): string | undefined;
}

/** A store that a server has opened. */
export interface OpenStore {
  /** The path of the folder, or the URL of the database without user and password. */
  readonly place: string;
  /** How many sandboxes it has. */
  readonly sandboxes: number;
  readonly store: Store;
  /** Resolves when every acknowledged write is stored. */
  close(): Promise<void>;
}

/** An answered call, stored for all servers. */
export interface JournalRow {
  /** When the request came, in milliseconds of the shared `now`: readers skip rows from before the last clear. */
  readonly startedAt: number;
  readonly text: string;
}

/** The rows of a journal from some number on. */
export interface JournalRows {
  /** Differs after a restart of the store, which may have lost its last rows and used their numbers again. */
  readonly run: string;
  /** The number of the first row, higher than requested if rows between were pruned. */
  readonly first: number;
  readonly rows: readonly JournalRow[];
  /** The number of the first row after the last clear, and the time of that clear. */
  readonly clearedTo: number;
  readonly clearedAt: number;
}

/** The journals of the sandboxes, each with a bounded number of rows in the order of the responses. */
export interface SharedJournals {
  /** Resolves when all servers can read the row. */
  write(name: string, row: JournalRow): Promise<void>;
  /** The rows from this number on; undefined if the sandbox does not exist. */
  read(name: string, from: number): Promise<JournalRows | undefined>;
  clear(name: string): Promise<void>;
}

export interface SandboxListing {
  readonly name: string;
  readonly identity: Identity;
  /** Its last use at any server, in milliseconds of the shared `now`. */
  readonly usedAt: number;
}

/** The additional methods of a store that several servers share. */
export interface SharedStore {
  /** The common time of all servers, in milliseconds since 1970. */
  now(): number;
  /** Notes that a sandbox is used: its time to live counts from its last use at any server. */
  noteUse(name: string): void;
  /** This server stops using the sandbox, until it loads it again. */
  release(name: string): void;
  readonly journals: SharedJournals;
  /** All sandboxes, without loading any. */
  list(): Promise<readonly SandboxListing[]>;
  /** Makes room for one more: deletes expired sandboxes, then those created by login, the longest unused first. */
  makeRoom(most: number): Promise<boolean>;
}

/** The store failed. The outcome is unknown; the service answers 500. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}

/** The sandbox was deleted; nothing can be read from it or written to it any more. */
export class SandboxDeletedError extends Error {}

/** Calls the store. @throws StoreFailure if the call fails */
export async function callStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof SandboxDeletedError || cause instanceof StoreFailure) throw cause;
    throw new StoreFailure('the store did not answer', { cause });
  }
}
