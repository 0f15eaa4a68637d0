// The store port: where the state of sandboxes is kept beside memory, as a document and the changes behind it.
import type { Fixtures } from '../contract/fixtures.ts';
import type { Identity } from '../domain/world.ts';
import type { SandboxDocument } from './document.ts';
import type { StoredChange } from './state.ts';

/** A sandbox at one version, and the fixtures that its document names. */
export interface Whole {
  readonly document: SandboxDocument;
  readonly fixtures: Fixtures;
}

/** What led to a version. */
export interface Commit {
  readonly version: number;
  readonly changes: readonly StoredChange[];
}

/** A sandbox as it is stored: a document, if the commits alone do not lead there, and the commits behind it. */
export interface Loaded {
  readonly whole?: Whole;
  readonly commits: readonly Commit[];
}

export interface Store {
  /** If several servers share the store. */
  readonly shared?: SharedStore;
  /** The sandboxes that it has from before, the longest unchanged first. */
  names(): Promise<readonly string[]>;
  /** What was stored after this version, 0 for everything; undefined if there is no such sandbox. */
  load(name: string, version: number): Promise<Loaded | undefined>;
  /**
   * Keeps the changes as the version behind this one, all or none. Version 0 creates the sandbox: the whole is stored.
   * A process has one append of a sandbox in progress at a time.
   * @param whole builds the sandbox's document from memory. Call it before `append` resolves, or while no append of the
   * sandbox is in progress.
   * @returns false if the stored version is another one; nothing was kept
   * @throws what keeps the store from answering
   */
  append(
    name: string,
    version: number,
    changes: readonly StoredChange[],
    whole: (version: number) => Whole,
  ): Promise<boolean>;
  /** Forgets the sandbox; a name that it does not have is no error. */
  remove(name: string): Promise<void>;
  /** What it cannot do now, and why, in words for everybody; undefined while it does all. */
  trouble(): string | undefined;
}

/** An answered call, to be kept for all servers. */
export interface JournalRow {
  /** When it came, in milliseconds of the shared `now`: what came before the last clear is told no more. */
  readonly startedAt: number;
  readonly text: string;
}

/** What a journal has from some row on. */
export interface JournalRows {
  /** Another one after the store was started anew: it may have lost its last rows, and given their numbers again. */
  readonly run: string;
  /** The number of the first of them: a higher one than was asked for if those between are kept no more. */
  readonly first: number;
  readonly rows: readonly JournalRow[];
  /** The number that followed the last row before the last clear, and when that was. */
  readonly clearedTo: number;
  readonly clearedAt: number;
}

/** The journals of the sandboxes, each a bounded number of rows in the order in which the calls were answered. */
export interface SharedJournals {
  /** Resolves when all servers can read it. */
  write(name: string, row: JournalRow): Promise<void>;
  /** The rows from this number on; undefined if there is no such sandbox any more. */
  read(name: string, from: number): Promise<JournalRows | undefined>;
  clear(name: string): Promise<void>;
}

/** A sandbox as a list tells it. */
export interface Listed {
  readonly name: string;
  readonly identity: Identity;
  /** Its last use at any server, in milliseconds of the shared `now`. */
  readonly usedAt: number;
}

/** What a store has beside the rest if servers share it. */
export interface SharedStore {
  /** The time of them all, in milliseconds since 1970. */
  now(): number;
  /** Notes that a sandbox is used: one with a time to live ends by its last use on any server. */
  used(name: string): void;
  /** This server does not ask for the sandbox any more, until it loads it again. */
  letGo(name: string): void;
  readonly journals: SharedJournals;
  /** All sandboxes, without loading any. */
  list(): Promise<readonly Listed[]>;
  /** Deletes what is over, then what was made by login and is longest unused. Resolves to false if there is no room. */
  makeRoom(most: number): Promise<boolean>;
}

/** The store failed. The outcome is unknown; the service answers 500. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}

/** The sandbox was deleted; nothing can be read from it or written to it any more. */
export class SandboxGone extends Error {}

/** What the store answers; what it throws is a StoreFailure. */
export async function fromStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof SandboxGone || cause instanceof StoreFailure) throw cause;
    throw new StoreFailure('the store did not answer', { cause });
  }
}
