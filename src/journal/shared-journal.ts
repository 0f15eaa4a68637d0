// The journal of a sandbox that servers share: what each of them has answered is written to the store, and read from there by all, in one order. So
// it has completed calls alone, and those of other servers once it has caught up.
import type { AssumptionId, Choices } from '../contract/assumptions.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import type { Hashes } from '../domain/hashes.ts';
import { callStore, type JournalRow, type JournalRows, type SharedStore } from '../state/store.ts';
import { machineTime, stopwatchBegan } from '../system/time.ts';
import type { JournalBudget } from './budget.ts';
import type { Decision } from './decision.ts';
import { Answer, type Answered, Entry, entryBytes, type Received } from './entry.ts';
import { Journal, type JournalOptions } from './journal.ts';
import type { Header } from './redaction.ts';

// An entry as a text, by which servers that share a store tell each other of the calls that they have answered. It holds no secrets.

type Asked = Partial<Record<AssumptionId, unknown>>;
interface TextAnswer extends Omit<Answered, 'decided'> {
  readonly decision: Omit<Decision, 'assumptions'> & { readonly asked?: Asked };
}
interface TextEntry extends Omit<Received, 'startedAt' | 'headers'> {
  readonly headers: readonly Header[];
  readonly answer: TextAnswer;
}

/** Without when it began: each process measures that from a moment of its own. */
function entryText(entry: Entry): string {
  const { answer, id, receivedAt, isOverPort, isByConsole, method, path, query, operation, headers, body } = entry;
  if (!answer) throw new Error('only an answered call is told to others');
  const { status, answeredAt, durationMilliseconds, caller } = answer;
  const { stage, rules, reported, faults, isInjected, isLost, next, details, assumptions } = answer.decision;
  const asked =
    assumptions && Object.fromEntries(Array.from(assumptions.asked, (one) => [one, assumptions.choices[one]]));
  const told: TextEntry = {
    ...{ id, receivedAt, isOverPort, isByConsole, method, path, query, operation, headers, body },
    answer: {
      ...{ status, headers: answer.headers, body: answer.body, answeredAt, durationMilliseconds, caller },
      decision: { stage, rules, reported, faults, isInjected, isLost, next, details, ...(asked && { asked }) },
    },
  };
  return JSON.stringify(told);
}

/** What a text does not say, but its reader. */
interface Reader {
  readonly sequence: number;
  /** When the call began, by this process's stopwatch. */
  readonly startedAt: number;
  /** Terms with these assumptions, for which these were asked. */
  readonly resolvedAssumptions: (asked: Partial<Choices>) => Assumptions;
}

function readEntry(text: string, { sequence, startedAt, resolvedAssumptions }: Reader): Entry {
  const { answer, headers, ...received }: TextEntry = JSON.parse(text);
  const { asked, ...decision } = answer.decision;
  const assumptions = asked && resolvedAssumptions(asked as Partial<Choices>);
  const entry = new Entry({ ...received, startedAt, headers: headers.flat() }, sequence, undefined);
  entry.answer = new Answer(
    answer,
    { ...decision, assumptions },
    { redactor: undefined, received: { isOverPort: false } },
  );
  // Calls of other processes follow from an answer as those over a port do: by their times.
  entry.answer.handedOver.from = 0;
  entry.bytes = entryBytes + text.length;
  return entry;
}

export interface SharedJournalOptions extends Partial<JournalOptions> {
  /** The name of the sandbox. */
  readonly name: string;
  readonly shared: SharedStore;
  /** Terms with these readings, for which these were asked. */
  readonly resolvedAssumptions: (asked: Partial<Choices>) => Assumptions;
}

/** The store keeps a thousand: a server that answers some of a sandbox's calls sees the others before they go, since conduct is judged by all. */
const caughtUpEvery = 100;
/** How exactly servers know the store's time: a call that came so shortly before a clear may count as one after it. */
const clocksApartMilliseconds = 10;

export class SharedJournal extends Journal {
  readonly #name: string;
  readonly #shared: SharedStore;
  readonly #resolvedAssumptions: SharedJournalOptions['resolvedAssumptions'];
  /** The number of the first row that it has not read. */
  #unread = 0;
  #clearedRows = 0;
  #run: string | undefined;
  #written = 0;
  /** The last that was begun, and the one that will begin after it. */
  #choice: Promise<void> | undefined;
  #waiting: Promise<void> | undefined;

  constructor(hashes: Hashes, key: string, budget: JournalBudget, options: SharedJournalOptions) {
    super(hashes, key, budget, options);
    this.#name = options.name;
    this.#shared = options.shared;
    this.#resolvedAssumptions = options.resolvedAssumptions;
  }

  override receive(received: Received): Entry {
    return this.unkept(received);
  }

  /** An answer goes out when others can know of it. What the store does not take is in no journal, and no reason to refuse the call. */
  override async complete(entry: Entry, answered: Answered): Promise<void> {
    // A call to a sandbox that is gone concerns no other one of its name.
    if (this.isClosed) return;
    entry.complete(answered);
    const startedAt = entry.startedAt + this.#stopwatchBegan;
    await this.#shared.journals.write(this.#name, { startedAt, text: entryText(entry) }).catch(() => undefined);
    this.#written += 1;
    if (this.#written % caughtUpEvery === 0) void this.catchUp().catch(() => undefined);
  }

  /** Whoever asks while it reads waits for another time: what was answered since may be missing. @throws StoreFailure */
  override catchUp(): Promise<void> {
    this.#waiting ??= Promise.resolve(this.#choice?.catch(() => undefined)).then(() => {
      this.#waiting = undefined;
      this.#choice = this.#read();
      return this.#choice;
    });
    return this.#waiting;
  }

  override async clearAll(): Promise<void> {
    await callStore(() => this.#shared.journals.clear(this.#name));
    await this.catchUp();
  }

  async #read(): Promise<void> {
    const found = await callStore(() => this.#shared.journals.read(this.#name, this.#unread));
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
    const own = {
      sequence: this.next,
      startedAt: startedAt - this.#stopwatchBegan,
      resolvedAssumptions: this.#resolvedAssumptions,
    };
    return readEntry(text, own);
  }
}
