// The journal of one sandbox: the last calls it received and answered, bounded by their number and their bytes.
import { bounds } from '../contract/control/bounds.ts';
import type { Hashes } from '../domain/hashes.ts';
import { stopwatch } from '../system/time.ts';
import type { JournalBudget } from './budget.ts';
import { type Answered, Entry, type RawHeaders, type Received } from './entry.ts';
import { Redactor } from './redaction.ts';
import { type Filter, filtered, type Window, windowOf } from './window.ts';

/** Follows a journal, before everybody else who listens. */
export interface JournalKeeper {
  /** The call has its place in the journal. */
  completed(entry: Entry): void;
  /** The journal is about to forget the entry, to stay within its bounds. */
  evicting(entry: Entry): void;
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

/** The ring grows by one up to so many entries: most journals hold few calls. */
const few = 8;
/** The sequence of an entry that is not kept, or not yet. */
const nowhere = -1;
const never = Number.NEGATIVE_INFINITY;

export class Journal {
  readonly #redactor: Redactor;
  readonly #budget: JournalBudget;
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #keeper: JournalKeeper | undefined;
  readonly #ring: EntryRing;
  /** The first sequence since the last clear. */
  #clearedTo = 0;
  #evictedUntil = never;
  #bytes = 0;
  #isClosed = false;
  /** By method: the headers of the last call. */
  readonly #lastHeaders = new Map<string, RawHeaders>();
  readonly #received = new Listeners<Entry>();
  readonly #completed = new Listeners<Entry>();
  readonly #cleared = new Listeners<void>();
  readonly #closed = new Listeners<void>();

  /** @param key the sandbox's own, for the tags of secrets; known to nobody who reads the journal */
  constructor(hashes: Hashes, key: string, budget: JournalBudget, options: Partial<JournalOptions> = {}) {
    const { maxEntries = bounds.journalEntries, maxBytes = bounds.journalBytes, keeper } = options;
    this.#redactor = new Redactor(hashes, key);
    this.#budget = budget;
    this.#maxEntries = maxEntries;
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
  receive(received: Received): Entry {
    if (this.#isClosed) return this.unkept(received);
    // A client sends the same headers with every call: equal ones are kept once.
    const lastHeaders = this.#lastHeaders.get(received.method);
    if (lastHeaders && isEqual(lastHeaders, received.headers)) received.headers = lastHeaders;
    else this.#lastHeaders.set(received.method, received.headers);
    const entry = new Entry(received, this.#ring.next, this.#redactor);
    this.#add(entry);
    this.#received.tell(entry);
    return entry;
  }

  /** Adds the answer. An entry that was evicted meanwhile stays so; one that was cleared concerns nobody any more. */
  async complete(entry: Entry, answered: Answered): Promise<void> {
    if (entry.sequence < this.#clearedTo) return;
    const bytes = entry.complete(answered);
    const isKept = entry.sequence >= this.#ring.first;
    if (isKept) this.#grow(bytes);
    this.#keeper?.completed(entry);
    this.#completed.tell(entry);
    if (!isKept) this.#keeper?.evicting(entry);
  }

  /** The caller in process has the answer: calls that it makes from now on may follow from it. */
  handOver({ answer }: Entry): void {
    if (answer) follow(answer.handedOver, this.#ring.next);
  }

  /** Has all that was answered until now, by whichever server. */
  async catchUp(): Promise<void> {}

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The number of the next entry. */
  protected get next(): number {
    return this.#ring.next;
  }

  /** An entry that is under way, and has no place in the journal. */
  protected unkept(received: Received): Entry {
    return new Entry(received, nowhere, this.#redactor);
  }

  /** Takes in an entry that is completed. */
  protected take(entry: Entry): void {
    if (this.#isClosed) return;
    this.#add(entry);
    this.#keeper?.completed(entry);
    this.#completed.tell(entry);
  }

  /** So many entries came that it never had: as if they had been evicted. */
  protected pass(count: number): void {
    this.#giveUpAll();
    this.#ring.pass(count);
    this.#evictedUntil = Number.POSITIVE_INFINITY;
  }

  #add(entry: Entry): void {
    if (this.#ring.next - this.#ring.first === this.#maxEntries) this.evictOldest();
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
  async clearAll(): Promise<void> {
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
    this.#lastHeaders.clear();
    this.#ring.clear();
  }

  evictOldest(): void {
    const { oldest } = this.#ring;
    if (!oldest) return;
    this.#keeper?.evicting(oldest);
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

  #grow(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) this.evictOldest();
    this.#budget.take(bytes, this);
  }
}

/** Steps of the queue of microtasks within which a client hands an answer through its layers. */
const layerSteps = 16;

/** Notes when a call in process may follow from an answer: at once, and surely after it has passed the layers of its client. */
function follow(handedOver: { from: number; settledAt: number }, next: number): void {
  handedOver.from = next;
  let steps = layerSteps;
  const step = (): void => {
    steps -= 1;
    if (steps >= 0) queueMicrotask(step);
    else handedOver.settledAt = stopwatch();
  };
  step();
}

function isEqual(one: RawHeaders, other: RawHeaders): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/**
 * The entries in the order in which they came: added at one end, taken out at the other. Found by id only by readers, who are few beside the calls,
 * so an index would cost more than it saves.
 */
class EntryRing {
  readonly #maxEntries: number;
  /** The entry of sequence n stands at n modulo the bound. */
  #slots: (Entry | undefined)[] = [];
  /** The sequence of the oldest entry, or of the next if there is none. Written by the ring alone. */
  first = 0;
  /** The sequence that the next entry has. Written by the ring alone. */
  next = 0;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get oldest(): Entry | undefined {
    return this.first < this.next ? this.#slots[this.first % this.#maxEntries] : undefined;
  }

  get(id: string): Entry | undefined {
    for (const entry of this.backFrom(this.next)) if (entry.id === id) return entry;
    return undefined;
  }

  /** The entries from this sequence on. */
  *from(sequence: number): Generator<Entry> {
    for (let at = Math.max(sequence, this.first); at < this.next; at += 1) {
      const entry = this.#slots[at % this.#maxEntries];
      if (entry) yield entry;
    }
  }

  /** The entries before this sequence, newest first. */
  *backFrom(sequence: number): Generator<Entry> {
    for (let at = Math.min(sequence, this.next) - 1; at >= this.first; at -= 1) {
      const entry = this.#slots[at % this.#maxEntries];
      if (entry) yield entry;
    }
  }

  /** Adds the entry whose sequence is the next; there must be room. */
  add(entry: Entry): void {
    const at = this.next % this.#maxEntries;
    // An array that grows, or is spread into another, takes room for many at once: most journals hold few calls.
    if (at === this.#slots.length && at < few) this.#slots = this.#slots.concat(entry);
    else this.#slots[at] = entry;
    this.next += 1;
  }

  removeOldest(): void {
    if (this.first === this.next) return;
    this.#slots[this.first % this.#maxEntries] = undefined;
    this.first += 1;
  }

  /** Leaves out so many sequences; the ring is empty. */
  pass(count: number): void {
    this.next += count;
    this.first = this.next;
  }

  clear(): void {
    this.#slots = [];
    this.first = this.next;
  }
}

/** Who wants to be told of something. */
class Listeners<T> {
  /** Made with the first of them, gone with the last. */
  #listeners: Set<(event: T) => void> | undefined;

  /** Gives what takes the listener out again. */
  add(listener: (event: T) => void): () => void {
    const listeners = this.#listeners ?? new Set();
    this.#listeners = listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners === listeners) this.#listeners = undefined;
    };
  }

  tell(event: T): void {
    if (this.#listeners) for (const listener of this.#listeners) listener(event);
  }
}
