// A sandbox on a server: its state, and besides the state its journal, conduct report, delayed calls and last use.
import { Conduct } from '../conduct/conduct.ts';
import { type Hashes, hex, utf8 } from '../domain/hashes.ts';
import type { Identity } from '../domain/world.ts';
import type { Entry } from '../journal/entry.ts';
import { Journal, type JournalBudget, type JournalListener } from '../journal/journal.ts';
import { Feed } from '../journal/live-events.ts';
import { SharedJournal } from '../journal/shared-journal.ts';
import { timeOf } from '../state/clock.ts';
import type { Persistence } from '../state/persistence.ts';
import { type Change, initialSnapshot, type State, type StoredChange } from '../state/state.ts';
import { SandboxDeletedError, type SharedStore, StoreFailure } from '../state/store.ts';
import { TransactionRunner } from '../state/transaction-runner.ts';
import { machineTime, pause } from '../system/time.ts';
import { resolvedAssumptions } from './sandbox-world.ts';
import { advanceTimeline, hasDueSteps } from './timeline.ts';
import { Delays, Polling, Waits } from './waiting.ts';

export interface HostingOptions {
  /** Undefined in memory. */
  readonly persistence?: Persistence | undefined;
  readonly hashes: Hashes;
  readonly budget: JournalBudget;
  /** Called with the error of a bug, and the id of the request that hit it. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** The sandbox was reset or deleted during a call, which then writes nothing. */
export class SandboxResetError extends Error {}

/** True if the sandbox was reset or deleted during a request. */
export const isSandboxOver = (error: unknown): boolean =>
  error instanceof SandboxResetError || error instanceof SandboxDeletedError;

/** Steps of the timeline in one transaction: some ten milliseconds of work. */
const stepsAtOnce = 250;

/** Large parts are created on first use: most sandboxes of a test run never need them. */
export class HostedSandbox extends TransactionRunner implements JournalListener {
  /** Real time of its last use on this server, in milliseconds since 1970. */
  usedAt: number;
  /** True while the login that created it is in progress: until then it is not deleted to make room. */
  isAwaitingLogin = false;
  readonly delays = new Delays();
  /** The waits for requests. A new epoch ends them. */
  readonly waits = new Waits();
  readonly #options: HostingOptions;
  #epoch: number;
  #journal: Journal | undefined;
  #conduct: Conduct | undefined;
  /** Completed calls that conduct has not seen yet. */
  #unjudged: Entry[] = [];
  #advancing: Promise<StoreFailure | undefined> | undefined;
  #feed: Feed | undefined;
  #polling: Polling | undefined;
  #isClosed = false;

  constructor(state: State, version: number, options: HostingOptions, usedAt: number) {
    super(state, version, options.persistence);
    this.#options = options;
    this.usedAt = usedAt;
    this.#epoch = epochOf(state);
  }

  get #shared(): SharedStore | undefined {
    return this.#options.persistence?.store.shared;
  }

  get identity(): Identity {
    return this.state.initial.identity;
  }

  get journal(): Journal {
    this.#journal ??= this.#newJournal();
    return this.#journal;
  }

  get feed(): Feed {
    if (!this.#feed) {
      this.#feed = new Feed(this);
      if (this.#isClosed) this.#feed.end();
    }
    return this.#feed;
  }

  /** Reads at this real time, after the steps of the timeline that are due by then. @throws SandboxResetError */
  async readAt<T>(machine: number, read: (state: State, now: number) => T): Promise<T> {
    const run = this.#inEpoch(machine, read);
    const failure = await this.advance(machine);
    return failure ? this.readAdvanced(machine, run) : this.read(run);
  }

  /** Writes at this real time, after the steps that are due by then. @throws SandboxResetError, StoreFailure */
  async writeAt<T>(machine: number, work: (state: State, now: number) => T): Promise<T> {
    const run = this.#inEpoch(machine, work);
    const failure = await this.advance(machine);
    if (failure) throw failure;
    return this.write(run);
  }

  /** Work that throws SandboxResetError if the sandbox was reset while it waited for the timeline. */
  #inEpoch<T>(machine: number, work: (state: State, now: number) => T): (state: State) => T {
    const epoch = hasDueSteps(this.state, machine) ? epochOf(this.state) : undefined;
    return (state) => {
      if (epoch !== undefined && epochOf(state) !== epoch)
        throw new SandboxResetError('the sandbox was reset during the call');
      return work(state, timeOf(state.value('clock'), machine));
    };
  }

  /**
   * Takes the due steps of the timeline in separate transactions: they stay if the call that waits for them fails, and
   * other sandboxes can run in between. @returns the failure if the store fails
   */
  async advance(machine: number): Promise<StoreFailure | undefined> {
    while (hasDueSteps(this.state, machine)) {
      this.#advancing ??= this.#advanceSome(machine).finally(() => {
        this.#advancing = undefined;
      });
      const failure = await this.#advancing;
      if (failure) return failure;
    }
    return undefined;
  }

  async #advanceSome(machine: number): Promise<StoreFailure | undefined> {
    try {
      await this.write((state) => advanceTimeline(state, this.#options.hashes, machine, stepsAtOnce));
      if (hasDueSteps(this.state, machine)) await pause(0);
      return undefined;
    } catch (error) {
      if (error instanceof StoreFailure) return error;
      throw error;
    }
  }

  /** Reads with the steps of the timeline that a failing store did not keep. */
  readAdvanced<T>(machine: number, read: (state: State) => T): Promise<T> {
    return this.dryRun((state) => {
      advanceTimeline(state, this.#options.hashes, machine);
      return read(state);
    });
  }

  /** Real time in milliseconds since 1970. */
  now(): number {
    return this.#shared?.now() ?? machineTime();
  }

  /** Whether it was unused for its time to live. */
  isExpired(): boolean {
    const { ttlSeconds } = this.identity;
    return ttlSeconds !== null && this.now() - this.usedAt >= ttlSeconds * 1000;
  }

  #newJournal(): Journal {
    const { hashes, budget } = this.#options;
    const key = hex(hashes.hmac(utf8(this.identity.signingKey), 'journal'));
    const shared = this.#shared;
    const journal = shared
      ? new SharedJournal(hashes, key, budget, {
          name: this.name,
          shared,
          resolvedAssumptions: () => resolvedAssumptions(this.state),
        })
      : new Journal(hashes, key, budget);
    // Before all others: they may ask for the conduct.
    journal.listen(this);
    if (this.#isClosed) journal.close();
    return journal;
  }

  /** The conduct of the clients since the last clear. Calls are judged when it is read, and before their eviction. */
  judge(): Conduct {
    this.#conduct ??= new Conduct(this.#options.hashes);
    const unjudged = this.#unjudged;
    this.#unjudged = [];
    for (const entry of unjudged) {
      entry.isJudged = true;
      try {
        this.#conduct.observe(entry);
      } catch (error) {
        this.#options.onFailure(error, entry.id);
      }
    }
    return this.#conduct;
  }

  completed(entry: Entry): void {
    this.isAwaitingLogin = false;
    if (!entry.received.isByConsole) this.#unjudged.push(entry);
  }

  evicting(entry: Entry): void {
    if (entry.answer && !entry.received.isByConsole && !entry.isJudged) this.judge();
  }

  cleared(): void {
    this.#conduct = undefined;
    this.#unjudged = [];
  }

  /** Over a shared store, polls for writes of other servers to the sandbox. @returns a function that ends this */
  follow(): () => void {
    if (!this.#shared) return () => undefined;
    this.#polling ??= new Polling(async () => {
      await this.catchUp();
      await this.journal.catchUp();
    });
    return this.#polling.follow();
  }

  /** Whether it has followers or delayed calls. */
  get isInUse(): boolean {
    return this.#polling?.isFollowed === true || this.delays.size > 0;
  }

  /** A new epoch ends delays and waits; the calls then fail. A reset also clears the journal. */
  protected override notify(changes: readonly (Change | StoredChange)[]): void {
    const epoch = epochOf(this.state);
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      // A shared store clears the journal with the change that resets the sandbox.
      const restored = changes.find((change) => 'restore' in change);
      const isReset = restored?.restore === initialSnapshot;
      if (isReset && !this.#shared) this.#journal?.clear();
      this.delays.endAll();
      this.waits.end(isReset ? 'reset' : restored ? 'restored from a snapshot' : 'replaced by an import');
    }
    super.notify(changes);
  }

  /** Delayed calls continue, waits and streams end, and from now on nothing waits. */
  close(): void {
    this.#isClosed = true;
    this.delays.close();
    this.#feed?.end();
    this.#journal?.close();
    this.#polling?.end();
  }

  override end(): void {
    super.end();
    this.waits.end('deleted');
    this.close();
  }
}

/** Counts the resets, restores and imports: a call belongs to the epoch in which it arrived. */
const epochOf = (state: State): number => state.value('history').lives;
