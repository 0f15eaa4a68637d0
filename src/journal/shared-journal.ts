// The journal of a sandbox that several servers share. Every server writes its answered calls to the store, and reads
// all of them from there, in one order. So it has only completed calls, and those of other servers once it has caught
// up.
import type { AssumptionId, Choices } from '../contract/assumptions.ts';
import { Assumptions, internChoices } from '../contract/resolved-assumptions.ts';
import type { Hashes } from '../domain/hashes.ts';
import { callStore, type JournalRow, type JournalRows, type SharedStore } from '../state/store.ts';
import { machineTime, stopwatchBegan } from '../system/time.ts';
import type { Decision } from './decision.ts';
import { Answer, type AnswerParts, Entry, entryBytes, type Received } from './entry.ts';
import { Journal, type JournalBudget } from './journal.ts';
import { alreadyRedacted, type Header } from './redaction.ts';

/** What `Entry.toJSON` writes for an answered call: without secrets, and without `startedAt`, which the row has. */
interface StoredEntry extends Omit<Received, 'startedAt' | 'headers'> {
  readonly headers: readonly Header[];
  readonly answer: Omit<AnswerParts, 'outcome'> & {
    readonly decision: Omit<Decision, 'assumptions'> & { readonly asked?: Partial<Record<AssumptionId, unknown>> };
  };
}

interface SharedJournalOptions {
  /** The name of the sandbox. */
  readonly name: string;
  readonly shared: SharedStore;
  readonly resolvedAssumptions: () => Assumptions;
}

/** The store keeps a thousand calls. The conduct report is complete only if they are read in time. */
const callsBetweenReads = 100;
/** How far the clocks of servers may differ: a call shortly before a clear may count as one after it. */
const clockDriftMilliseconds = 10;

export class SharedJournal extends Journal {
  readonly #options: SharedJournalOptions;
  /** The number of the first row that it has not read. */
  #unread = 0;
  #clearedRows = 0;
  /** Identifies the store's rows; another run starts the numbers again. */
  #run: string | undefined;
  #written = 0;
  /** The read that was started last, and the one that starts after it. */
  #reading: Promise<void> | undefined;
  #nextRead: Promise<void> | undefined;

  constructor(hashes: Hashes, key: string, budget: JournalBudget, options: SharedJournalOptions) {
    super(hashes, key, budget);
    this.#options = options;
  }

  override receive(received: Received): Entry {
    return this.unkept(received);
  }

  /** Resolves when other servers can read the call. A call that the store rejects is answered, but in no journal. */
  override async complete(entry: Entry, answered: AnswerParts): Promise<void> {
    entry.complete(answered);
    // The store may have another sandbox of this name by now.
    if (this.isClosed) return;
    const startedAt = entry.received.startedAt + this.#stopwatchBegan;
    const { name, shared } = this.#options;
    await shared.journals.write(name, { startedAt, text: JSON.stringify(entry) }).catch(() => undefined);
    this.#written += 1;
    if (this.#written % callsBetweenReads === 0) void this.catchUp().catch(() => undefined);
  }

  /** During a read it waits for a further one: the first may miss new calls. @throws StoreFailure */
  override catchUp(): Promise<void> {
    this.#nextRead ??= Promise.resolve(this.#reading?.catch(() => undefined)).then(() => {
      this.#nextRead = undefined;
      this.#reading = this.#read();
      return this.#reading;
    });
    return this.#nextRead;
  }

  override async clearAll(): Promise<void> {
    const { name, shared } = this.#options;
    await callStore(() => shared.journals.clear(name));
    await this.catchUp();
  }

  async #read(): Promise<void> {
    const { name, shared } = this.#options;
    const found = await callStore(() => shared.journals.read(name, this.#unread));
    if (!found) return;
    if (this.#run === undefined || found.run === this.#run) {
      this.#run = found.run;
      this.#addRows(found);
      return;
    }
    // The store was restarted: earlier reads of it do not count.
    this.#run = undefined;
    this.#unread = 0;
    this.#clearedRows = 0;
    this.clear();
    await this.#read();
  }

  #addRows({ first, rows, clearedTo, clearedAt }: JournalRows): void {
    if (clearedTo > this.#clearedRows) {
      this.#clearedRows = clearedTo;
      this.#unread = Math.max(this.#unread, clearedTo);
      this.clear();
    }
    if (first > this.#unread) this.skip(first - this.#unread);
    this.#unread = Math.max(this.#unread, first);
    for (const row of rows) {
      this.#unread += 1;
      if (row.startedAt >= clearedAt - clockDriftMilliseconds) this.addCompleted(this.#entryOf(row));
    }
  }

  /** The start of this process's stopwatch in shared time. Not rounded: conduct depends on the order of calls. */
  get #stopwatchBegan(): number {
    return stopwatchBegan + this.#options.shared.now() - machineTime();
  }

  #entryOf({ startedAt, text }: JournalRow): Entry {
    const { answer, headers, ...received }: StoredEntry = JSON.parse(text);
    const { asked, ...decision } = answer.decision;
    const assumptions = asked && withChoices(this.#options.resolvedAssumptions(), asked as Partial<Choices>);
    const call = { ...received, startedAt: startedAt - this.#stopwatchBegan, headers: headers.flat() };
    const entry = new Entry(call, this.next, alreadyRedacted);
    entry.answer = new Answer(answer, { ...decision, assumptions }, entry.redactor);
    // For calls of other processes only times tell what follows from an answer.
    entry.answer.delivery.before = 0;
    entry.bytes = entryBytes + text.length;
    return entry;
  }
}

/** These assumptions with the choices that a call asked for at another server, and the trace that it asked. */
function withChoices({ choices, administrationTimes }: Assumptions, asked: Partial<Choices>): Assumptions {
  const assumptions = new Assumptions(internChoices({ ...choices, ...asked }), administrationTimes);
  for (const id of Object.keys(asked) as AssumptionId[]) assumptions.get(id);
  return assumptions.interned;
}
