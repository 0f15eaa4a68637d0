// A sandbox as a server holds it: its state, and what is no state: the journal, delayed calls, when it was last used.
import { type Hashes, hex, utf8 } from '../domain/hashes.ts';
import { asMade, type Change, type Keeping, type Root } from '../state/root.ts';
import { Sandbox } from '../state/sandbox.ts';
import type { Awaitable, Store } from '../state/store.ts';
import { Conduct } from './conduct/conduct.ts';
import { Delays } from './delays.ts';
import { Feed } from './feed.ts';
import type { JournalBudget } from './journal/budget.ts';
import type { Entry } from './journal/entry.ts';
import { Journal } from './journal/journal.ts';
import { type At, KeepingUp } from './keeping-up.ts';
import { Waits } from './waits.ts';

/** What a server holds sandboxes with. */
export interface Hosting {
  readonly store: Store;
  readonly keeping: Keeping;
  readonly hashes: Hashes;
  readonly budget: JournalBudget;
  /** Told of every call that a sandbox has answered. */
  readonly onCompleted?: ((entry: Entry, sandbox: string) => void) | undefined;
  /** Told of a bug, with the id of the request that met it. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

export class HostedSandbox extends Sandbox {
  readonly journal: Journal;
  readonly delays = new Delays();
  readonly feed = new Feed(this);
  readonly waits = new Waits();
  /** Made by a login that is not answered yet. */
  isAwaited = false;
  /** The machine's time of its last use, in milliseconds. */
  usedAt: number;
  readonly #keepingUp: KeepingUp;
  readonly #hashes: Hashes;
  #lives: number;
  #conduct: Conduct | undefined;

  constructor(
    name: string,
    root: Root,
    { store, keeping, hashes, budget, onCompleted, onFailure }: Hosting,
    usedAt: number,
  ) {
    super(name, root, store, keeping);
    const { identity, history } = root.values;
    this.#keepingUp = new KeepingUp(this, hashes);
    this.journal = new Journal(hashes, hex(hashes.hmac(utf8(identity.signingKey), 'journal')), budget);
    if (onCompleted) this.journal.onCompleted((entry) => onCompleted(entry, name));
    this.#followCalls(onFailure);
    this.#hashes = hashes;
    this.usedAt = usedAt;
    this.#lives = history.lives;
    this.observe(({ values }, changes) => this.#follow(values.history.lives, changes));
  }

  /** Reads as of this time of the machine: what is due by then has happened. `now` is the sandbox's time. @throws LifeOverError */
  readAt<T>(machine: number, run: At<T>): Awaitable<T> {
    return this.#keepingUp.at(machine, run, { enter: (work) => this.read(work), needsStore: false });
  }

  /** Writes as of this time of the machine; what is due by then comes first. @throws LifeOverError */
  writeAt<T>(machine: number, run: At<T>): Awaitable<T> {
    return this.#keepingUp.at(machine, run, { enter: (work) => this.write(work), needsStore: true });
  }

  /** Real seconds without use after which it is gone; null: it stays. */
  get ttlSeconds(): number | null {
    return this.root.values.identity.ttlSeconds;
  }

  /** Whether its time without use is over. */
  isOver(machine: number): boolean {
    return this.ttlSeconds !== null && machine - this.usedAt >= this.ttlSeconds * 1000;
  }

  /** How the client behaved since the journal was last cleared. */
  get conduct(): Conduct {
    this.#conduct ??= new Conduct(this.#hashes);
    return this.#conduct;
  }

  /** Its conduct is judged as calls of clients are completed, and forgotten with them. */
  #followCalls(onFailure: Hosting['onFailure']): void {
    this.journal.onCompleted((entry) => {
      if (entry.isByConsole) return;
      try {
        this.conduct.see(entry);
      } catch (error) {
        // The answer goes out all the same, unless bugs are thrown to whoever called.
        onFailure(error, entry.id);
      }
    });
    this.journal.onCleared(() => {
      this.#conduct = undefined;
    });
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
