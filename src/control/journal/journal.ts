// The journal of one sandbox: the last calls it received and answered, bounded by their number and their bytes.
import { bounds } from '../../contract/admin/bounds.ts';
import type { Hashes } from '../../domain/hashes.ts';
import type { Awaitable } from '../../state/store.ts';
import type { JournalBudget } from './budget.ts';
import { type Answered, type Entry, type OpenEntry, openEntry, type Received } from './entry.ts';
import { EntryRing } from './entry-ring.ts';
import { KeptAnswer } from './kept-answer.ts';
import { Listeners } from './listeners.ts';
import { Redactor } from './redaction.ts';
import { type Filter, filtered, type Window, windowOf } from './window.ts';

/** Whose journal it is: told before all who listen. */
export interface JournalKeeper {
  /** Told by the server that has answered the call. */
  answered(entry: Entry): void;
  /** The call has its place in the journal. */
  completed(entry: Entry): void;
  cleared(): void;
}

/** How much one journal holds. */
export interface JournalBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export interface JournalOptions extends JournalBounds {
  readonly keeper: JournalKeeper;
}

/** The sequence of an entry that is not kept, or not yet. */
const nowhere = -1;
const never = Number.NEGATIVE_INFINITY;

export class Journal {
  readonly #redactor: Redactor;
  readonly #budget: JournalBudget;
  readonly #maxBytes: number;
  readonly #keeper: JournalKeeper | undefined;
  readonly #ring: EntryRing;
  /** The first sequence since the last clear. */
  #clearedTo = 0;
  #evictedUntil = never;
  #bytes = 0;
  #isClosed = false;
  readonly #received = new Listeners<Entry>();
  readonly #completed = new Listeners<Entry>();
  readonly #cleared = new Listeners<void>();
  readonly #closed = new Listeners<void>();

  /** @param key the sandbox's own, for the tags of secrets; known to nobody who reads the journal */
  constructor(hashes: Hashes, key: string, budget: JournalBudget, options: Partial<JournalOptions> = {}) {
    const { maxEntries = bounds.journalEntries, maxBytes = bounds.journalBytes, keeper } = options;
    this.#redactor = new Redactor(hashes, key);
    this.#budget = budget;
    this.#maxBytes = maxBytes;
    this.#keeper = keeper;
    this.#ring = new EntryRing(maxEntries);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The sequence number from which on nothing was cleared. */
  get clearedTo(): number {
    return this.#clearedTo;
  }

  /** How many entries were evicted since the last clear. */
  get dropped(): number {
    return this.#ring.first - this.#clearedTo;
  }

  /** The id of the oldest entry kept. */
  get oldest(): string | null {
    return this.#ring.oldest?.id ?? null;
  }

  /** Keeps a call on its arrival; its entry can be seen at once. */
  receive(received: Received): OpenEntry {
    if (this.#isClosed) return this.unkept(received);
    const entry = openEntry(received, this.#ring.next, this.#redactor);
    this.#add(entry);
    this.#received.tell(entry);
    return entry;
  }

  /** Adds the answer. An entry that was evicted meanwhile stays so; one that was cleared concerns nobody any more. */
  complete(entry: OpenEntry, answered: Answered): Awaitable<void> {
    if (entry.sequence < this.#clearedTo) return;
    const bytes = this.answer(entry, answered);
    if (entry.sequence >= this.#ring.first) this.#grow(bytes);
    this.#tellCompleted(entry);
  }

  /** Has all that was answered until now, by whichever server. */
  catchUp(): Awaitable<void> {}

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The number of the next entry. */
  protected get next(): number {
    return this.#ring.next;
  }

  /** An entry that is under way, and has no place in the journal. */
  protected unkept(received: Received): OpenEntry {
    return openEntry(received, nowhere, this.#redactor);
  }

  /** Gives an entry its answer, and tells whoever keeps the journal; gives the bytes of it. */
  protected answer(entry: OpenEntry, answered: Answered): number {
    const answer = new KeptAnswer(answered, this.#redactor, entry.isOverPort);
    if (!entry.isOverPort) this.#seenNext(answer.seen);
    entry.answer = answer;
    entry.bytes += answer.bytes;
    this.#keeper?.answered(entry);
    return answer.bytes;
  }

  /** Takes in an entry that is completed. */
  protected take(entry: OpenEntry): void {
    if (this.#isClosed) return;
    this.#add(entry);
    this.#tellCompleted(entry);
  }

  /** So many entries came that it never had: as if they had been evicted. */
  protected pass(count: number): void {
    this.#giveUpAll();
    this.#ring.pass(count);
    this.#evictedUntil = Number.POSITIVE_INFINITY;
  }

  #tellCompleted(entry: OpenEntry): void {
    this.#keeper?.completed(entry);
    this.#completed.tell(entry);
  }

  #add(entry: OpenEntry): void {
    if (this.#ring.isFull) this.evictOldest();
    this.#ring.add(entry);
    this.#grow(entry.bytes);
  }

  get(id: string): Entry | undefined {
    return this.#ring.get(id);
  }

  /** The entries asked for, oldest first. */
  list(filter: Filter = {}): Entry[] {
    return filtered(this.#ring, filter);
  }

  /** All entries newest first, or those that came before the one of this id; all where that is not kept. */
  newestFirst(before?: string): Iterable<Entry> {
    const last = before === undefined ? undefined : this.#ring.get(before);
    return this.#ring.backFrom(last?.sequence ?? Number.POSITIVE_INFINITY);
  }

  /** All since an entry or an instant, else since the last clear; undefined for an id that is not kept. */
  window(since: string | undefined): Window | undefined {
    return windowOf(this.#ring, since, { count: this.dropped, until: this.#evictedUntil });
  }

  /** Forgets everything, on all servers. */
  clearAll(): Awaitable<void> {
    this.clear();
  }

  /** Forgets everything. */
  clear(): void {
    this.#giveUpAll();
    this.#clearedTo = this.#ring.next;
    this.#evictedUntil = never;
    this.#keeper?.cleared();
    this.#cleared.tell();
  }

  /** Forgets everything and keeps nothing more. Whoever waits is told so. */
  close(): void {
    this.clear();
    this.#isClosed = true;
    this.#closed.tell();
  }

  #giveUpAll(): void {
    this.#budget.giveBack(this.#bytes);
    this.#budget.leave(this);
    this.#bytes = 0;
    this.#ring.clear();
  }

  evictOldest(): void {
    const { oldest } = this.#ring;
    if (!oldest) return;
    this.#ring.removeOldest();
    this.#bytes -= oldest.bytes;
    this.#budget.giveBack(oldest.bytes);
    this.#evictedUntil = Math.max(this.#evictedUntil, oldest.receivedAt);
  }

  /** Calls back on every arrival. Gives what ends that. */
  onReceived(listener: (entry: Entry) => void): () => void {
    return this.#received.add(listener);
  }

  /** Calls back on every answer, but for calls that came before the last clear. Gives what ends that. */
  onCompleted(listener: (entry: Entry) => void): () => void {
    return this.#completed.add(listener);
  }

  /** Calls back when everything is forgotten. Gives what ends that. */
  onCleared(listener: () => void): () => void {
    return this.#cleared.add(listener);
  }

  /** Calls back when the journal is closed; at once where it is. Gives what ends that. */
  onClosed(listener: () => void): () => void {
    if (this.#isClosed) listener();
    return this.#closed.add(listener);
  }

  /** In process an answer is read in a later turn than the one it is given in: calls that come before are under way beside it. */
  #seenNext(seen: { from: number }): void {
    queueMicrotask(() => {
      seen.from = this.#ring.next;
    });
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) this.evictOldest();
    this.#budget.take(bytes, this);
  }
}
