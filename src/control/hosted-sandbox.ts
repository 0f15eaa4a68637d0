// A sandbox as a server holds it: its state, and what is no state: the journal, delayed calls, when it was last used.
import { type Hashes, hex, utf8 } from '../domain/hashes.ts';
import type { Draft } from '../state/draft.ts';
import { asMade, type Change, type Keeping, type Root } from '../state/root.ts';
import { Sandbox } from '../state/sandbox.ts';
import { type Awaitable, andThen, type Store } from '../state/store.ts';
import { StoreFailure } from '../state/store-failure.ts';
import { Delays } from './delays.ts';
import { Feed } from './feed.ts';
import type { JournalBudget } from './journal/budget.ts';
import { Journal } from './journal/journal.ts';
import { catchUp, isBehind } from './timeline.ts';
import { after } from './timeout.ts';
import { Waits } from './waits.ts';

/** What a server holds sandboxes with. */
export interface Hosting {
  readonly store: Store;
  readonly keeping: Keeping;
  readonly hashes: Hashes;
  readonly budget: JournalBudget;
}

/** Some ten milliseconds' worth. */
const stepsAtOnce = 250;

/** What is done at a time of the sandbox. */
type At<T> = (draft: Draft, now: number) => T;
const behind = Symbol('more steps are due than are taken on the way in');
type Enter<T> = (work: (draft: Draft) => T | typeof behind) => Awaitable<T | typeof behind>;

/** The sandbox began anew, or is gone, while a call was under way: it may write nothing, and no answer of it would be true. */
export class LifeOverError extends Error {}

export class HostedSandbox extends Sandbox {
  readonly journal: Journal;
  readonly delays = new Delays();
  readonly feed = new Feed(this);
  readonly waits = new Waits();
  /** Real seconds without use after which it is gone. */
  readonly ttlSeconds: number | undefined;
  /** The machine's time of its last use, in milliseconds. */
  usedAt: number;
  readonly #hashes: Hashes;
  #keepingUp: Promise<boolean> | undefined;
  #lives: number;

  constructor(
    name: string,
    root: Root,
    { store, keeping, hashes, budget }: Hosting,
    usedAt: number,
    ttlSeconds?: number,
  ) {
    super(name, root, store, keeping);
    const { identity, history } = root.values;
    this.#hashes = hashes;
    this.journal = new Journal(hashes, hex(hashes.hmac(utf8(identity.signingKey), 'journal')), budget);
    this.usedAt = usedAt;
    this.ttlSeconds = ttlSeconds;
    this.#lives = history.lives;
    this.observe(({ values }, changes) => this.#follow(values.history.lives, changes));
  }

  /** Reads as of this time of the machine: what is due by then has happened. `now` is the sandbox's time. @throws LifeOverError */
  readAt<T>(machine: number, run: At<T>): Awaitable<T> {
    return this.#at(machine, run, (work) => this.read(work));
  }

  /** Writes as of this time of the machine; what is due by then comes first. @throws LifeOverError */
  writeAt<T>(machine: number, run: At<T>): Awaitable<T> {
    return this.#at(machine, run, (work) => this.write(work));
  }

  /** Few steps are taken on the way in; where more are due, they are kept before. */
  #at<T>(machine: number, run: At<T>, enter: Enter<T>): Awaitable<T> {
    if (isBehind(this.root, machine)) return this.#afterSteps(machine, run, enter);
    const entered = enter((draft) => this.#caughtUp(draft, machine, run, stepsAtOnce));
    return andThen(entered, (value) => (value === behind ? this.#afterSteps(machine, run, enter) : value));
  }

  #caughtUp<T>(draft: Draft, machine: number, run: At<T>, most: number): T | typeof behind {
    const now = catchUp(draft, this.#hashes, machine, most);
    return now === undefined ? behind : run(draft, now);
  }

  /** A call that waited goes on in the life in which it came, or not at all. */
  async #afterSteps<T>(machine: number, run: At<T>, enter: Enter<T>): Promise<T> {
    const { lives } = this.root.values.history;
    const live: At<T> = (draft, now) => {
      if (draft.value('history').lives !== lives) throw new LifeOverError('the sandbox began anew');
      return run(draft, now);
    };
    this.#keepingUp ??= this.#keepUp(machine).finally(() => {
      this.#keepingUp = undefined;
    });
    if (await this.#keepingUp) return this.#at(machine, live, enter);
    // The store does not keep them: the call takes them all, for itself.
    return (await enter((draft) => this.#caughtUp(draft, machine, live, Number.POSITIVE_INFINITY))) as T;
  }

  /**
   * Takes and keeps what is due, in transactions of their own: whatever becomes of the calls that wait for it, nobody goes through it again, and
   * other sandboxes have their turn between them. False where the store fails.
   */
  async #keepUp(machine: number): Promise<boolean> {
    try {
      for (;;) {
        await this.write((draft) => catchUp(draft, this.#hashes, machine, stepsAtOnce));
        if (!isBehind(this.root, machine)) return true;
        await new Promise<void>((resolve) => after(0, resolve));
      }
    } catch (error) {
      if (error instanceof StoreFailure) return false;
      throw error;
    }
  }

  /** Whether its time without use is over. */
  isOver(machine: number): boolean {
    return this.ttlSeconds !== undefined && machine - this.usedAt >= this.ttlSeconds * 1000;
  }

  /** A reset forgets the calls before it. Calls that wait in a life that is over wait no longer; they find out when they go on. */
  #follow(lives: number, changes: Iterable<Change>): void {
    if (lives === this.#lives) return;
    this.#lives = lives;
    for (const change of changes) if ('restore' in change && change.restore === asMade) this.journal.clear();
    this.delays.endAll();
  }

  /** Lets nothing wait any more: delayed calls go on, waits and streams end. */
  close(): void {
    this.delays.close();
    this.feed.end();
    this.journal.close();
  }

  override end(): void {
    super.end();
    this.close();
  }
}
