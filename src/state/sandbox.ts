// One sandbox over a store: the only door to its state. Reads see the acknowledged root; a write is answered once the store has
// acknowledged it. One append is under way at a time; what comes meanwhile goes together in the next. A conflict catches up and
// runs the batch again; a failure refuses it.
import { Batch, type Outcome, settled } from './batch.ts';
import { Draft } from './draft.ts';
import { applyChanges, type Commit, type Freeze, type Root } from './root.ts';
import { type Awaitable, andThen, type Store } from './store.ts';
import { orFailure, StoreFailure } from './store-failure.ts';

interface Write {
  readonly run: (draft: Draft) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes whose append the store has not answered yet. */
interface UnderWay {
  readonly writes: readonly Write[];
  readonly outcomes: readonly Outcome<unknown>[];
  readonly root: Root;
  readonly answer: Awaitable<'committed' | 'conflict'>;
}

/** Conflicts of one batch until it gives up. */
const maxConflicts = 100;

export class Sandbox {
  readonly name: string;
  readonly #store: Store;
  readonly #freeze: Freeze;
  readonly #waiting: Write[] = [];
  #root: Root;
  #isWriting = false;

  constructor(name: string, root: Root, store: Store, freeze: Freeze) {
    this.name = name;
    this.#root = root;
    this.#store = store;
    this.#freeze = freeze;
  }

  /** The acknowledged root; for snapshots and for looking from outside. */
  get root(): Root {
    return this.#root;
  }

  /** Runs on the acknowledged root. What it writes is never seen. */
  read<T>(run: (draft: Draft) => T): Awaitable<T> {
    return andThen(this.#catchUp(), () => run(new Draft(this.#root, this.#freeze)));
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
    const batch = new Batch(this.#root, this.#freeze);
    const outcome = batch.run(run);
    const answer = this.#append(batch);
    if (answer === 'committed') {
      this.#acknowledge(batch.root);
      return settled(outcome);
    }
    return new Promise<T>((resolve, reject) => {
      const write: Write = { run, resolve: resolve as (value: unknown) => void, reject };
      void this.#drain({ writes: [write], outcomes: [outcome], root: batch.root, answer });
    });
  }

  #queue<T>(run: (draft: Draft) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  async #drain(first: UnderWay): Promise<void> {
    this.#isWriting = true;
    await this.#finish(first);
    while (this.#waiting.length > 0) {
      const writes = this.#waiting.splice(0);
      await this.#orRefused(writes, async () => {
        await this.#catchUp();
        await this.#finish(this.#start(writes));
      });
    }
    this.#isWriting = false;
  }

  #start(writes: readonly Write[]): UnderWay {
    const batch = new Batch(this.#root, this.#freeze);
    const outcomes = writes.map(({ run }) => batch.run(run));
    return { writes, outcomes, root: batch.root, answer: this.#append(batch) };
  }

  /** Sees a batch through: to its acknowledgement, over conflicts, or to its refusal. */
  #finish(first: UnderWay): Promise<void> {
    return this.#orRefused(first.writes, async () => {
      let batch = first;
      for (let conflicts = 1; (await batch.answer) === 'conflict'; conflicts += 1) {
        if (conflicts === maxConflicts) throw new StoreFailure(`a write met ${maxConflicts} conflicts in a row`);
        await this.#catchUp();
        batch = this.#start(first.writes);
      }
      this.#acknowledge(batch.root);
      for (const [index, { resolve, reject }] of batch.writes.entries()) {
        const outcome = batch.outcomes[index];
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

  #append({ root, changes }: Batch): Awaitable<'committed' | 'conflict'> {
    if (changes.length === 0) return 'committed';
    return orFailure(() => this.#store.append(this.name, root.version - 1, changes));
  }

  #catchUp(): Awaitable<void> {
    const commits = orFailure(() => this.#store.since(this.name, this.#root.version));
    return andThen(commits, (all) => this.#apply(all));
  }

  #apply(commits: readonly Commit[]): void {
    for (const commit of commits) {
      if (commit.version === this.#root.version + 1) this.#root = applyChanges(this.#root, commit, this.#freeze);
    }
  }

  #acknowledge(root: Root): void {
    if (root.version > this.#root.version) this.#root = root;
  }
}
