// A sandbox as a server holds it: its state, and what is no state: the journal, delayed calls, when it was last used.
import { type Hashes, hex, utf8 } from '../domain/hashes.ts';
import type { Draft } from '../state/draft.ts';
import { asMade, type Change, type Keeping, type Root } from '../state/root.ts';
import { Sandbox } from '../state/sandbox.ts';
import type { Awaitable, Store } from '../state/store.ts';
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

  /** Reads as of this time of the machine: what is due by then has happened. `now` is the sandbox's time. */
  readAt<T>(machine: number, run: (draft: Draft, now: number) => T): Awaitable<T> {
    const reading = () => this.read((draft) => run(draft, catchUp(draft, this.#hashes, machine)));
    return isBehind(this.root, machine) ? this.#keepUp(machine).then(reading) : reading();
  }

  /** Writes as of this time of the machine; what is due by then comes first. */
  writeAt<T>(machine: number, run: (draft: Draft, now: number) => T): Awaitable<T> {
    const writing = () => this.write((draft) => run(draft, catchUp(draft, this.#hashes, machine)));
    return isBehind(this.root, machine) ? this.#keepUp(machine).then(writing) : writing();
  }

  /**
   * Takes and keeps what is due, in transactions of their own: whatever becomes of the call, nobody goes through it again. Others have
   * their turn between them. A store that fails keeps nobody from reading.
   */
  async #keepUp(machine: number): Promise<void> {
    try {
      for (;;) {
        await this.write((draft) => catchUp(draft, this.#hashes, machine, stepsAtOnce));
        if (!isBehind(this.root, machine)) return;
        await new Promise<void>((resolve) => after(0, resolve));
      }
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
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
