// The journal of a sandbox that servers share: what each of them has answered is written to the store, and read from there by all, in one order. So
// it has completed calls alone, and those of other servers once it has caught up.
import type { Readings } from '../../contract/assumptions.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Hashes } from '../../domain/hashes.ts';
import type { JournalRow, JournalRows, Shared } from '../../state/store.ts';
import { orFailure } from '../../state/store-failure.ts';
import { machineTime, stopwatchBegan } from '../clock.ts';
import type { JournalBudget } from './budget.ts';
import type { Answered, Entry, Received } from './entry.ts';
import { entryText, readEntry } from './entry-text.ts';
import { Journal, type JournalOptions } from './journal.ts';

export interface SharedJournalOptions extends Partial<JournalOptions> {
  /** The name of the sandbox. */
  readonly name: string;
  readonly shared: Shared;
  /** Terms with these readings, for which these were asked. */
  readonly termsOf: (asked: Partial<Readings>) => Terms;
}

/** The store keeps a thousand: a server that answers some of a sandbox's calls sees the others before they go, since conduct is judged by all. */
const caughtUpEvery = 100;
/** How exactly servers know the store's time: a call that came so shortly before a clear may count as one after it. */
const clocksApartMilliseconds = 10;

export class SharedJournal extends Journal {
  readonly #name: string;
  readonly #shared: Shared;
  readonly #termsOf: SharedJournalOptions['termsOf'];
  /** The number of the first row that it has not read. */
  #unread = 0;
  #clearedRows = 0;
  #run: string | undefined;
  #written = 0;
  /** The last that was begun, and the one that will begin after it. */
  #reading: Promise<void> | undefined;
  #waiting: Promise<void> | undefined;

  constructor(hashes: Hashes, key: string, budget: JournalBudget, options: SharedJournalOptions) {
    super(hashes, key, budget, options);
    this.#name = options.name;
    this.#shared = options.shared;
    this.#termsOf = options.termsOf;
  }

  override receive(received: Received): Entry {
    return this.unkept(received);
  }

  /** An answer goes out when others can know of it. What the store does not take is in no journal, and no reason to refuse the call. */
  override async complete(entry: Entry, answered: Answered): Promise<void> {
    // A call to a sandbox that is gone concerns no other one of its name.
    if (this.isClosed) return;
    this.answer(entry, answered);
    const startedAt = entry.startedAt + this.#stopwatchBegan;
    await this.#shared.journals.write(this.#name, { startedAt, text: entryText(entry) }).catch(() => undefined);
    this.#written += 1;
    if (this.#written % caughtUpEvery === 0) void this.catchUp().catch(() => undefined);
  }

  /** Whoever asks while it reads waits for another time: what was answered since may be missing. @throws StoreFailure */
  override catchUp(): Promise<void> {
    this.#waiting ??= Promise.resolve(this.#reading?.catch(() => undefined)).then(() => {
      this.#waiting = undefined;
      this.#reading = this.#read();
      return this.#reading;
    });
    return this.#waiting;
  }

  override async clearAll(): Promise<void> {
    await orFailure(() => this.#shared.journals.clear(this.#name));
    await this.catchUp();
  }

  async #read(): Promise<void> {
    const found = await orFailure(() => this.#shared.journals.read(this.#name, this.#unread));
    if (!found) return;
    if (this.#run !== undefined && found.run !== this.#run) return this.#readAnew();
    this.#run = found.run;
    this.#take(found);
  }

  /** The store was started anew: what it has stands, and not what was read of it before. */
  #readAnew(): Promise<void> {
    this.#run = undefined;
    [this.#unread, this.#clearedRows] = [0, 0];
    this.clear();
    return this.#read();
  }

  #take({ first, rows, clearedTo, clearedAt }: JournalRows): void {
    if (clearedTo > this.#clearedRows) {
      this.#clearedRows = clearedTo;
      this.#unread = Math.max(this.#unread, clearedTo);
      this.clear();
    }
    if (first > this.#unread) this.pass(first - this.#unread);
    this.#unread = Math.max(this.#unread, first);
    for (const row of rows) {
      this.#unread += 1;
      if (row.startedAt >= clearedAt - clocksApartMilliseconds) this.take(this.#entryOf(row));
    }
  }

  /** By the time of all servers. Conduct is judged by which of two calls came first, so it is not made of whole milliseconds. */
  get #stopwatchBegan(): number {
    return stopwatchBegan + this.#shared.now() - machineTime();
  }

  #entryOf({ startedAt, text }: JournalRow): Entry {
    const own = { sequence: this.next, startedAt: startedAt - this.#stopwatchBegan, termsOf: this.#termsOf };
    return readEntry(text, own);
  }
}
