// One sandbox over a store: the only door to its state. Reads see the acknowledged root; a write is answered once the store has
// acknowledged it. One append is under way at a time; what comes meanwhile goes together in the next. A conflict catches up and
// runs the batch again; a failure refuses it.
import { Batch, type Outcome, settled } from './batch.ts';
import { applyChanges } from './changes.ts';
import type { Owner } from './collection.ts';
import { Draft } from './draft.ts';
import type { Change, Commit, Keeping, Root } from './root.ts';
import { type Awaitable, andThen, type Store } from './store.ts';
import { atOnce, orFailure, StoreFailure } from './store-failure.ts';

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

/** The sandbox was deleted; nothing can be read from it or written to it any more. */
export class SandboxGone extends Error {}

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

  /** Runs on the acknowledged root. What it writes is never seen: its draft has no owner, and clones what it writes. */
  read<T>(run: (draft: Draft) => T): Awaitable<T> {
    return andThen(this.#catchUp(), () => run(this.#draft()));
  }

  /**
   * Runs as a transaction: what it changes is committed, what it throws discards it. It may run again on a conflict, so it
   * must do nothing but read and write the draft.
   * @throws StoreFailure where the store did not acknowledge it.
   */
  write<T>(run: (draft: Draft) => T): Awaitable<T> {
    return this.#isWriting ? this.#queue(run) : andThen(this.#catchUp(), () => this.#write(run));
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

  #start(writes: readonly Write[]): UnderWay {
    const batch = new Batch(this.#root, this.#keeping, this.#owner);
    const outcomes = writes.map(({ run }) => batch.run(run));
    return { writes, outcomes, batch, answer: this.#append(batch) };
  }

  /** Sees a batch through: to its acknowledgement, over conflicts, or to its refusal. */
  #finish(first: UnderWay): Promise<void> {
    return this.#orRefused(first.writes, async () => {
      let underWay = first;
      for (let conflicts = 1; (await underWay.answer) === 'conflict'; conflicts += 1) {
        if (conflicts === maxConflicts) throw new StoreFailure(`a write met ${maxConflicts} conflicts in a row`);
        await this.#catchUp();
        underWay = this.#start(first.writes);
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
  #append(batch: Batch): Awaitable<'committed' | 'conflict'> {
    if (batch.changes.length === 0) return 'committed';
    const answer = this.#owner ? this.#askAtOnce(batch) : this.#ask(batch);
    if (answer === 'committed') this.#acknowledge(batch);
    return answer;
  }

  #ask({ root, changes }: Batch): Awaitable<'committed' | 'conflict'> {
    return orFailure(() => this.#store.append(this.name, root.version - 1, changes, { from: this.#root, to: root }));
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

  #catchUp(): Awaitable<void> {
    if (this.#isGone) throw new SandboxGone(`the sandbox ${this.name} was deleted`);
    const commits = orFailure(() => this.#store.since(this.name, this.#root.version));
    return andThen(commits, (all) => this.#apply(all));
  }

  #apply(commits: readonly Commit[]): void {
    for (const commit of commits) {
      if (commit.version !== this.#root.version + 1) continue;
      this.#root = applyChanges(this.#root, commit, this.#keeping.freeze);
      this.tell(commit.changes);
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
