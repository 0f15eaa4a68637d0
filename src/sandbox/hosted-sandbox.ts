// A sandbox as a server holds it: its state, and what is no state: the journal, delayed calls, when it was last used.

import { Conduct } from '../conduct/conduct.ts';
import type { AssumptionId, Choices } from '../contract/assumptions.ts';
import { Assumptions, internChoices } from '../contract/resolved-assumptions.ts';
import { type Hashes, hex, utf8 } from '../domain/hashes.ts';
import type { Identity } from '../domain/world.ts';
import type { JournalBudget } from '../journal/budget.ts';
import type { Entry } from '../journal/entry.ts';
import { Journal, type JournalKeeper } from '../journal/journal.ts';
import { Feed } from '../journal/live-events.ts';
import { SharedJournal } from '../journal/shared-journal.ts';
import { timeOf } from '../state/clock.ts';
import type { Persistence } from '../state/persistence.ts';
import { Sandbox } from '../state/sandbox.ts';
import { type Change, initialSnapshot, type State, type StoredChange } from '../state/state.ts';
import { type SharedStore, StoreFailure } from '../state/store.ts';
import { after, machineTime } from '../system/time.ts';
import { resolvedAssumptions } from './sandbox-world.ts';
import { advanceTimeline, isBehind } from './timeline.ts';
import { Delays, Following, Waits } from './waiting.ts';

/** What a server holds sandboxes with. */
export interface Hosting {
  /** None: in memory. */
  readonly persistence?: Persistence | undefined;
  readonly hashes: Hashes;
  readonly budget: JournalBudget;
  /** Told of a bug, with the id of the request that met it. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** The sandbox was reset or deleted during a call: the call may write nothing, and no answer would be true. */
export class SandboxResetError extends Error {}

/** What is done at a time of the sandbox, in milliseconds since 1970. */
export type At<T> = (state: State, now: number) => T;

/** Some ten milliseconds' worth. */
const stepsAtOnce = 250;

/** Parts that only some sandboxes need are made on first use: most sandboxes of a test run never need them. */
export class HostedSandbox extends Sandbox implements JournalKeeper {
  /** Made by a login that is not answered yet. */
  isAwaited = false;
  /** Real time of its last use at this server, in milliseconds since 1970. */
  usedAt: number;
  readonly #hosting: Hosting;
  #lives: number;
  #journal: Journal | undefined;
  #conduct: Conduct | undefined;
  /** Completed calls that conduct has not seen yet. */
  #unjudged: Entry[] = [];
  #advancing: Promise<StoreFailure | undefined> | undefined;
  #delays: Delays | undefined;
  #feed: Feed | undefined;
  #waits: Waits | undefined;
  #following: Following | undefined;
  #isClosed = false;

  constructor(state: State, version: number, hosting: Hosting, usedAt: number) {
    super(state, version, hosting.persistence);
    this.#hosting = hosting;
    this.usedAt = usedAt;
    this.#lives = state.value('history').lives;
  }

  get #shared(): SharedStore | undefined {
    return this.#hosting.persistence?.store.shared;
  }

  get journal(): Journal {
    this.#journal ??= this.#newJournal();
    return this.#journal;
  }

  get delays(): Delays {
    if (!this.#delays) {
      this.#delays = new Delays();
      if (this.#isClosed) this.#delays.close();
    }
    return this.#delays;
  }

  get feed(): Feed {
    if (!this.#feed) {
      this.#feed = new Feed(this);
      if (this.#isClosed) this.#feed.end();
    }
    return this.#feed;
  }

  get waits(): Waits {
    this.#waits ??= new Waits();
    return this.#waits;
  }

  /** Reads as of this time of the machine: what is due by then has happened. @throws SandboxResetError */
  async readAt<T>(machine: number, see: At<T>): Promise<T> {
    const lives = this.#livesIfBehind(machine);
    const failure = await this.advance(machine);
    const look = (state: State): T => see(requireLife(state, lives), timeOf(state.value('clock'), machine));
    return failure ? this.readAdvanced(machine, look) : this.read(look);
  }

  /** Writes as of this time of the machine; what is due by then comes first. @throws SandboxResetError, StoreFailure */
  async writeAt<T>(machine: number, work: At<T>): Promise<T> {
    const lives = this.#livesIfBehind(machine);
    const failure = await this.advance(machine);
    if (failure) throw failure;
    return this.write((state) => work(requireLife(state, lives), timeOf(state.value('clock'), machine)));
  }

  #livesIfBehind(machine: number): number | undefined {
    return isBehind(this.state, machine) ? this.state.value('history').lives : undefined;
  }

  /**
   * Takes and keeps the steps of the timeline that are due, in transactions of their own: whatever becomes of the calls
   * that wait for it, no other call takes them again, and other sandboxes have their turn between them.
   * @returns the failure if the store keeps none: read with `readAdvanced` then
   */
  async advance(machine: number): Promise<StoreFailure | undefined> {
    while (isBehind(this.state, machine)) {
      this.#advancing ??= this.#advance(machine).finally(() => {
        this.#advancing = undefined;
      });
      const failure = await this.#advancing;
      if (failure) return failure;
    }
    return undefined;
  }

  /** Reads with the steps of the timeline that a failing store did not keep. */
  readAdvanced<T>(machine: number, see: (state: State) => T): Promise<T> {
    return this.rehearse((state) => {
      advanceTimeline(state, this.#hosting.hashes, machine);
      return see(state);
    });
  }

  async #advance(machine: number): Promise<StoreFailure | undefined> {
    try {
      for (;;) {
        await this.write((state) => advanceTimeline(state, this.#hosting.hashes, machine, stepsAtOnce));
        if (!isBehind(this.state, machine)) return undefined;
        await new Promise<void>((resolve) => after(0, resolve));
      }
    } catch (error) {
      if (error instanceof StoreFailure) return error;
      throw error;
    }
  }

  get identity(): Identity {
    return this.state.initial.identity;
  }

  /** Real time in milliseconds since 1970. */
  now(): number {
    return this.#shared?.now() ?? machineTime();
  }

  /** Whether its time without use is over. */
  isOver(): boolean {
    const { ttlSeconds } = this.identity;
    return ttlSeconds !== null && this.now() - this.usedAt >= ttlSeconds * 1000;
  }

  /** How the client behaved since the journal was last cleared. */
  get conduct(): Conduct {
    return this.#judge();
  }

  #newJournal(): Journal {
    const { hashes, budget } = this.#hosting;
    const key = hex(hashes.hmac(utf8(this.identity.signingKey), 'journal'));
    const shared = this.#shared;
    const assumptionsWith = (asked: Partial<Choices>): Assumptions => this.#assumptionsWith(asked);
    const journal = shared
      ? new SharedJournal(hashes, key, budget, {
          keeper: this,
          name: this.name,
          shared,
          resolvedAssumptions: assumptionsWith,
        })
      : new Journal(hashes, key, budget, { keeper: this });
    if (this.#isClosed) journal.close();
    return journal;
  }

  /** Choices of a call that another server has judged: those that it asked for, and what holds here. */
  #assumptionsWith(asked: Partial<Choices>): Assumptions {
    const { choices, administrationTimes } = resolvedAssumptions(this.state);
    const assumptions = new Assumptions(internChoices({ ...choices, ...asked }), administrationTimes);
    for (const id of Object.keys(asked) as AssumptionId[]) assumptions.get(id);
    return assumptions.kept;
  }

  /** Clients' conduct is judged by their calls, in the order of their answers, when somebody reads the report. */
  completed(entry: Entry): void {
    if (!entry.received.isByConsole) this.#unjudged.push(entry);
  }

  /** No evidence is lost with what the journal forgets. */
  evicting(entry: Entry): void {
    if (entry.answer && !entry.isByConsole && !entry.isJudged) this.#judge();
  }

  #judge(): Conduct {
    this.#conduct ??= new Conduct(this.#hosting.hashes);
    const unjudged = this.#unjudged;
    this.#unjudged = [];
    for (const entry of unjudged) {
      entry.isJudged = true;
      try {
        this.#conduct.see(entry);
      } catch (error) {
        this.#hosting.onFailure(error, entry.id);
      }
    }
    return this.#conduct;
  }

  /** Sees by itself what other servers do with the sandbox, as long as somebody waits for it. Gives what ends that. */
  follow(): () => void {
    if (!this.#shared) return () => undefined;
    this.#following ??= new Following(async () => {
      await this.catchUp();
      await this.journal.catchUp();
    });
    return this.#following.begin();
  }

  /** The journal was cleared: conduct is forgotten with the calls. */
  cleared(): void {
    this.#conduct = undefined;
    this.#unjudged = [];
  }

  /** A reset forgets the calls before it, and ends their delays; they find out when they go on. */
  protected override notify(changes: readonly (Change | StoredChange)[]): void {
    const { lives } = this.state.value('history');
    if (lives !== this.#lives) {
      this.#lives = lives;
      for (const change of changes) if ('restore' in change && change.restore === initialSnapshot) this.#forgetCalls();
      this.#delays?.endAll();
    }
    super.notify(changes);
  }

  /** Whether somebody follows it, or calls in it are delayed. */
  get isWaitedFor(): boolean {
    return this.#following?.isFollowed === true || (this.#delays?.size ?? 0) > 0;
  }

  /** Of a shared store the journal is cleared with the very change that resets the sandbox. */
  #forgetCalls(): void {
    if (!this.#shared) this.#journal?.clear();
  }

  /** Lets nothing wait any more: delayed calls go on, waits and streams end. */
  close(): void {
    this.#isClosed = true;
    this.#delays?.close();
    this.#feed?.end();
    this.#journal?.close();
    this.#following?.end();
  }

  override end(): void {
    super.end();
    this.close();
  }
}

/** A call that waited goes on in the life of the sandbox in which it came, or not at all. */
function requireLife(state: State, lives: number | undefined): State {
  if (lives !== undefined && state.value('history').lives !== lives)
    throw new SandboxResetError('the sandbox began anew');
  return state;
}
