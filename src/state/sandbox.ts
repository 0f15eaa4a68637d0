// One sandbox over a store: the only door to its state. Reads see the acknowledged root; a write is answered once the store has
// acknowledged it. One append is under way at a time; what comes meanwhile goes together in the next. A conflict catches up and
// runs the batch again; a failure refuses it.
import { Batch, type Outcome, settled } from './batch.ts';
import { applyChanges } from './changes.ts';
import type { Owner } from './collection.ts';
import { Draft } from './draft.ts';
import type { Change, Commit, Keeping, Root } from './root.ts';
import { type Awaitable, andThen, type Store, type Turn } from './store.ts';
import { atOnce, orFailure, SandboxGone, StoreFailure } from './store-failure.ts';

interface Write {
  readonly run: (draft: Draft) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes whose append the store has not answered yet. */
interface UnderWay {
  readonly writes: readonly Write[];
  readonly outcomes: readonly Outcome<unknown>[];
  readonly batch: Batch;
  readonly answer: Awaitable<'committed' | 'conflict'>;
}

/** Told of each commit once it is acknowledged, whoever made it. Of the root it keeps values alone: see Sandbox.root. */
export type CommitObserver = (root: Root, changes: Iterable<Change>) => void;

/** Conflicts of one batch until it gives up. */
const maxConflicts = 100;

export class Sandbox {
  readonly name: string;
  readonly #store: Store;
  readonly #keeping: Keeping;
  /** Over a store that is at hand the tables are the sandbox's own, for its whole life: its writes are done in place. */
  readonly #owner: Owner | undefined;
  // Made when they are needed: of most sandboxes nobody follows the commits, and over a store that is at hand no write waits.
  #waiting: Write[] | undefined;
  #observers: Set<CommitObserver> | undefined;
  #root: Root;
  #isWriting = false;
  #isGone = false;

  constructor(name: string, root: Root, store: Store, keeping: Keeping) {
    this.name = name;
    this.#root = root;
    this.#store = store;
    this.#keeping = keeping;
    this.#owner = store.isAtHand ? this : undefined;
  }

  /** Follows the commits from now on; gives what ends it. */
  observe(observer: CommitObserver): () => void {
    const observers = this.#observers ?? new Set();
    this.#observers = observers.add(observer);
    return () => void observers.delete(observer);
  }

  /** Ends its life: what is read or written from here on is a SandboxGone. */
  end(): void {
    this.#isGone = true;
    this.#observers?.clear();
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** The acknowledged root, for looking from outside. Over a store that is at hand its tables are written in place by what comes next. */
  get root(): Root {
    return this.#root;
  }

  /** Catches up. Whether the store still has it; where not, it ends. */
  async isThere(): Promise<boolean> {
    try {
      await this.#catchUp();
      return true;
    } catch (error) {
      if (error instanceof SandboxGone) return false;
      throw error;
    }
  }

  /**
   * Runs on the acknowledged root. What it writes is never seen: its draft has no owner, and clones what it writes.
   * @param isFresh whether whoever asks has found the sandbox since it was asked itself, which over a shared store is to catch up
   */
  read<T>(run: (draft: Draft) => T, isFresh = false): Awaitable<T> {
    return andThen(this.#upToDate(isFresh), () => run(this.#draft()));
  }

  /**
   * Runs as a transaction: what it changes is committed, what it throws discards it. It may run again on a conflict, so it
   * must do nothing but read and write the draft.
   * @param isFresh as of `read`
   * @throws StoreFailure where the store did not acknowledge it.
   */
  write<T>(run: (draft: Draft) => T, isFresh = false): Awaitable<T> {
    return this.#isWriting ? this.#queue(run) : andThen(this.#upToDate(isFresh), () => this.#write(run));
  }

  /** Over a store that is at hand a write is answered here and now. */
  #write<T>(run: (draft: Draft) => T): Awaitable<T> {
    if (this.#isWriting) return this.#queue(run);
    const batch = new Batch(this.#root, this.#keeping, this.#owner);
    const outcome = batch.run(run);
    const answer = this.#append(batch);
    if (answer === 'committed') return settled(outcome);
    return new Promise<T>((resolve, reject) => {
      const write: Write = { run, resolve: resolve as (value: unknown) => void, reject };
      void this.#drain({ writes: [write], outcomes: [outcome], batch, answer });
    });
  }

  #queue<T>(run: (draft: Draft) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting ??= [];
      this.#waiting.push({ run, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  async #drain(first: UnderWay): Promise<void> {
    this.#isWriting = true;
    await this.#finish(first);
    while (this.#waiting) {
      const writes = this.#waiting;
      this.#waiting = undefined;
      await this.#orRefused(writes, async () => {
        await this.#catchUp();
        await this.#finish(this.#start(writes));
      });
    }
    this.#isWriting = false;
  }

  #start(writes: readonly Write[], turn?: Turn): UnderWay {
    const batch = new Batch(this.#root, this.#keeping, this.#owner);
    const outcomes = writes.map(({ run }) => batch.run(run));
    return { writes, outcomes, batch, answer: this.#append(batch, turn) };
  }

  /** Runs writes anew that met a conflict; where several servers share the store, in a turn of their own, in which they meet no other. */
  async #startAnew(writes: readonly Write[]): Promise<UnderWay> {
    const { shared } = this.#store;
    if (shared) return orFailure(() => shared.inTurn(this.name, (turn) => this.#startWithin(turn, writes)));
    await this.#catchUp();
    return this.#start(writes);
  }

  async #startWithin(turn: Turn, writes: readonly Write[]): Promise<UnderWay> {
    await this.#catchUp(turn);
    const underWay = this.#start(writes, turn);
    await underWay.answer;
    return underWay;
  }

  /** Sees a batch through: to its acknowledgement, over conflicts, or to its refusal. */
  #finish(first: UnderWay): Promise<void> {
    return this.#orRefused(first.writes, async () => {
      let underWay = first;
      for (let conflicts = 1; (await underWay.answer) === 'conflict'; conflicts += 1) {
        if (conflicts === maxConflicts) throw new StoreFailure(`a write met ${maxConflicts} conflicts in a row`);
        underWay = await this.#startAnew(first.writes);
      }
      this.#acknowledge(underWay.batch);
      for (const [index, { resolve, reject }] of underWay.writes.entries()) {
        const outcome = underWay.outcomes[index];
        if (outcome && 'value' in outcome) resolve(outcome.value);
        else reject(outcome?.error);
      }
    });
  }

  async #orRefused(writes: readonly Write[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  /** What is committed at once is acknowledged before anybody else looks: its tables may be those of the root before it. */
  #append(batch: Batch, turn?: Turn): Awaitable<'committed' | 'conflict'> {
    if (batch.changes.length === 0) return 'committed';
    const answer = this.#owner ? this.#askAtOnce(batch) : this.#ask(batch, turn);
    if (answer === 'committed') this.#acknowledge(batch);
    return answer;
  }

  #ask({ root, changes }: Batch, turn: Turn = this.#store): Awaitable<'committed' | 'conflict'> {
    return orFailure(() => turn.append(this.name, root.version - 1, changes, { from: this.#root, to: root }));
  }

  /** What was written in place is taken back, unless it was committed. @throws StoreFailure */
  #askAtOnce(batch: Batch): 'committed' | 'conflict' {
    let isCommitted = false;
    try {
      const answer = atOnce(this.#ask(batch));
      isCommitted = answer === 'committed';
      return answer;
    } finally {
      if (!isCommitted) batch.discard();
    }
  }

  #draft(): Draft {
    const { freeze, maxRecords } = this.#keeping;
    return new Draft(this.#root, freeze, maxRecords);
  }

  #upToDate(isFresh: boolean): Awaitable<void> {
    return isFresh && this.#store.shared && !this.#isGone ? undefined : this.#catchUp();
  }

  #catchUp(turn: Turn = this.#store): Awaitable<void> {
    if (this.#isGone) throw this.#gone;
    const commits = orFailure(() => turn.since(this.name, this.#root.version));
    return andThen(commits, (all) => this.#apply(all));
  }

  get #gone(): SandboxGone {
    return new SandboxGone(`the sandbox ${this.name} was deleted`);
  }

  #apply(commits: readonly Commit[] | undefined): void {
    if (!commits) {
      this.end();
      throw this.#gone;
    }
    for (const commit of commits) {
      const { version, changes, isWhole } = commit;
      if (isWhole ? version <= this.#root.version : version !== this.#root.version + 1) continue;
      this.#root = applyChanges(isWhole ? undefined : this.#root, commit, this.#keeping.freeze);
      this.tell(changes);
    }
  }

  #acknowledge({ root, changes }: Batch): void {
    if (root.version <= this.#root.version) return;
    this.#root = root;
    this.tell(changes);
  }

  /** A commit is acknowledged: the root is the one after it. */
  protected tell(changes: Iterable<Change>): void {
    if (this.#observers) for (const observer of this.#observers) observer(this.#root, changes);
  }
}
