// The journal of one sandbox: its last calls with their answers, bounded by number and bytes; and the memory that all
// journals share.
import { bounds } from '../contract/control/bounds.ts';
import type { RequestsQuery } from '../contract/control/requests.ts';
import { type DeepReadonly, parseInstant } from '../contract/records.ts';
import type { Hashes } from '../domain/hashes.ts';
import { stopwatch } from '../system/time.ts';
import { type AnswerParts, Entry, factsOf, type RawHeaders, type Received } from './entry.ts';
import { matches } from './match.ts';
import { Redactor } from './redaction.ts';

export interface JournalListener {
  /** A call was answered that came after the last clear. */
  completed?(entry: Entry): void;
  /** The journal is about to forget the entry, to stay within its bounds. */
  evicting?(entry: Entry): void;
  cleared?(): void;
  closed?(): void;
}

export interface JournalBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** The entries that a verify counts. */
export interface Window {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** How many evicted entries may belong to it. */
  readonly evicted: number;
}

/** The sequence of an entry that the journal does not keep. */
const unkeptSequence = -1;
const never = Number.NEGATIVE_INFINITY;

export class Journal {
  readonly redactor: Redactor;
  readonly #budget: JournalBudget;
  readonly #bounds: JournalBounds;
  /** In the order of their arrival; their sequences have no gaps. */
  #entries: Entry[] = [];
  /** The sequence of the oldest entry kept, or of the next one. */
  #first = 0;
  /** The first sequence since the last clear. */
  #clearedTo = 0;
  /** The latest receipt of an evicted entry: the sandbox's clock may run backwards. */
  #evictedUntil = never;
  /** The approximate memory of its entries. */
  bytes = 0;
  protected isClosed = false;
  /** The headers of the last call, by method. */
  readonly #lastHeaders = new Map<string, RawHeaders>();
  readonly #listeners = new Set<JournalListener>();

  /** @param key the sandbox's own, for the tags of secrets; readers of the journal do not know it */
  constructor(hashes: Hashes, key: string, budget: JournalBudget, options: Partial<JournalBounds> = {}) {
    this.redactor = new Redactor(hashes, key);
    this.#budget = budget;
    this.#bounds = { maxEntries: bounds.journalEntries, maxBytes: bounds.journalBytes, ...options };
  }

  /** How many entries were evicted since the last clear. */
  get dropped(): number {
    return this.#first - this.#clearedTo;
  }

  /** The id of the oldest entry kept. */
  get oldest(): string | null {
    return this.#entries[0]?.id ?? null;
  }

  /** Adds a call on its arrival. Readers see its entry at once. */
  receive(received: Received): Entry {
    if (this.isClosed) return this.unkept(received);
    // A client sends the same headers with every call: equal ones are kept once.
    const lastHeaders = this.#lastHeaders.get(received.method);
    if (lastHeaders && isEqual(lastHeaders, received.headers)) received.headers = lastHeaders;
    else this.#lastHeaders.set(received.method, received.headers);
    const entry = new Entry(received, this.next, this.redactor);
    this.#add(entry);
    return entry;
  }

  /** Adds the answer. An entry that was evicted meanwhile is reported but not kept; one that was cleared is neither. */
  async complete(entry: Entry, answered: AnswerParts): Promise<void> {
    const bytes = entry.complete(answered);
    if (entry.sequence < this.#clearedTo) return;
    const isKept = entry.sequence >= this.#first;
    if (isKept) this.#grow(bytes);
    this.#reportCompleted(entry);
    if (!isKept) this.#reportEvicting(entry);
  }

  /** The caller in process has the answer: calls that it makes from now on may follow from it. */
  delivered({ answer }: Entry): void {
    if (!answer) return;
    const { delivery } = answer;
    delivery.before = this.next;
    let steps = clientSteps;
    const step = (): void => {
      steps -= 1;
      if (steps >= 0) queueMicrotask(step);
      else delivery.settledAt = stopwatch();
    };
    step();
  }

  /** Reads what other servers have answered until now. */
  async catchUp(): Promise<void> {}

  /** The sequence of the next entry. */
  protected get next(): number {
    return this.#first + this.#entries.length;
  }

  protected unkept(received: Received): Entry {
    return new Entry(received, unkeptSequence, this.redactor);
  }

  /** Adds a completed entry. */
  protected addCompleted(entry: Entry): void {
    if (this.isClosed) return;
    this.#add(entry);
    this.#reportCompleted(entry);
  }

  /** Counts entries that this journal never had as evicted, with all before them. */
  protected skip(count: number): void {
    this.#forgetAll();
    this.#first += count;
    this.#evictedUntil = Number.POSITIVE_INFINITY;
  }

  #add(entry: Entry): void {
    if (this.#entries.length === this.#bounds.maxEntries) this.evictOldest();
    this.#entries.push(entry);
    this.#grow(entry.bytes);
  }

  #reportCompleted(entry: Entry): void {
    for (const listener of this.#listeners) listener.completed?.(entry);
  }

  #reportEvicting(entry: Entry): void {
    for (const listener of this.#listeners) listener.evicting?.(entry);
  }

  /** Without an index: lookups are rare compared with calls. */
  get(id: string): Entry | undefined {
    return this.#entries.findLast((entry) => entry.id === id);
  }

  /** The entries that pass the filter, oldest first. After an id that is not kept: all that are. */
  list({ since, cursor, limit, ...match }: DeepReadonly<RequestsQuery> = {}): Entry[] {
    const instant = since === undefined ? never : (parseInstant(since) ?? never);
    const from = Math.max(this.#sequenceAfter(since), this.#sequenceAfter(cursor)) - this.#first;
    const entries = this.#entries.slice(Math.max(from, 0));
    return entries.filter((entry) => entry.receivedAt >= instant && matches(match, factsOf(entry))).slice(0, limit);
  }

  #sequenceAfter(id: string | undefined): number {
    const entry = id === undefined ? undefined : this.get(id);
    return entry ? entry.sequence + 1 : 0;
  }

  /** All entries, or those before the entry with this id, newest first. */
  newestFirst(before?: string): readonly Entry[] {
    const end = before === undefined ? undefined : this.get(before)?.sequence;
    return this.#entries.slice(0, end === undefined ? undefined : end - this.#first).reverse();
  }

  /**
   * All entries since an entry or an instant, else since the last clear; undefined for an id that is not kept. Since an
   * instant, all evicted entries count if any may be that young: the journal does not know their times.
   */
  window(since: string | undefined): Window | undefined {
    const entries = this.list({ since });
    if (since === undefined) return { entries, evicted: this.dropped };
    const instant = parseInstant(since);
    if (instant === undefined) return this.get(since) && { entries, evicted: 0 };
    return { entries, evicted: this.#evictedUntil >= instant ? this.dropped : 0 };
  }

  /** Forgets everything, on all servers. */
  async clearAll(): Promise<void> {
    this.clear();
  }

  clear(): void {
    this.#forgetAll();
    this.#clearedTo = this.#first;
    this.#evictedUntil = never;
    for (const listener of this.#listeners) listener.cleared?.();
  }

  /** Forgets everything and keeps no more calls. */
  close(): void {
    this.clear();
    this.isClosed = true;
    for (const listener of this.#listeners) listener.closed?.();
  }

  #forgetAll(): void {
    this.#budget.release(this.bytes);
    this.#budget.leave(this);
    this.bytes = 0;
    this.#lastHeaders.clear();
    this.#first = this.next;
    this.#entries = [];
  }

  evictOldest(): void {
    const [oldest] = this.#entries;
    if (!oldest) return;
    this.#reportEvicting(oldest);
    this.#entries.shift();
    this.#first += 1;
    this.bytes -= oldest.bytes;
    this.#budget.release(oldest.bytes);
    this.#evictedUntil = Math.max(this.#evictedUntil, oldest.receivedAt);
  }

  /** A listener to a closed journal hears that at once. @returns a function that ends it */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    if (this.isClosed) listener.closed?.();
    return () => void this.#listeners.delete(listener);
  }

  #grow(bytes: number): void {
    this.bytes += bytes;
    while (this.bytes > this.#bounds.maxBytes) this.evictOldest();
    this.#budget.take(bytes, this);
  }
}

/** Microtasks within which a client in process hands an answer through its layers (docs/decisions/0009). */
const clientSteps = 16;

function isEqual(one: RawHeaders, other: RawHeaders): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** The part of its bytes that the largest journal gives up at once, so that the budget looks for the largest rarely. */
const evictedShare = 1 / 8;

/** The memory that all journals of a server share. When it is full, the largest journal evicts its oldest entries. */
export class JournalBudget {
  readonly #maxBytes: number;
  readonly #holders = new Set<Journal>();
  /** The bytes of all journals together. */
  bytes = 0;

  constructor(maxBytes: number = bounds.allJournalsBytes) {
    this.#maxBytes = maxBytes;
  }

  take(bytes: number, holder: Journal): void {
    this.#holders.add(holder);
    this.bytes += bytes;
    while (this.bytes > this.#maxBytes) this.#shrinkLargest();
  }

  release(bytes: number): void {
    this.bytes -= bytes;
  }

  /** The journal holds nothing any more. It joins again when it takes bytes. */
  leave(holder: Journal): void {
    this.#holders.delete(holder);
  }

  #shrinkLargest(): void {
    const largest = [...this.#holders].reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const target = largest.bytes * (1 - evictedShare);
    while (largest.bytes > target) largest.evictOldest();
  }
}
