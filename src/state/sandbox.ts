// One sandbox: the only way to its state. In memory a transaction is done when it has run, over a store when kept.

import { documentOf } from './document.ts';
import { type Change, type Committed, type State, type StoredChange, storedChanges } from './state.ts';
import { fromStore, type Loaded, SandboxGone, StoreFailure, type Whole } from './store.ts';
import { loadedState, type Persistence } from './storing.ts';

/** Called after each commit that is kept, also of another server. */
export type CommitObserver = (version: number, changes: readonly (Change | StoredChange)[]) => void;

/** A synchronous function, and who waits for it. It may run more than once: the last run counts. */
interface Job {
  readonly run: () => Committed<unknown>;
  /** Whether it must see what other servers have stored by now. */
  readonly isFresh: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Conflicts of one batch until it gives up. */
const maxConflicts = 100;
const none: readonly never[] = [];

export class Sandbox {
  readonly name: string;
  readonly #persistence: Persistence | undefined;
  #state: State;
  #version: number;
  // Made when they are needed: nobody follows most sandboxes, and in memory nothing waits.
  #waiting: Job[] | undefined;
  #observers: Set<CommitObserver> | undefined;
  #isWriting = false;
  #isGone = false;

  constructor(state: State, version: number, persistence?: Persistence) {
    this.name = state.made.identity.name;
    this.#state = state;
    this.#version = version;
    this.#persistence = persistence;
  }

  /** An unsynchronized view: over a store it may include changes that are not kept yet. */
  get state(): State {
    return this.#state;
  }

  /** Counts its commits. */
  get version(): number {
    return this.#version;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Ends its life: what is read or written from here on is a SandboxGone. */
  end(): void {
    this.#isGone = true;
    this.#observers?.clear();
  }

  /** Calls the observer after each commit. @returns a function that ends this */
  observe(observer: CommitObserver): () => void {
    this.#observers ??= new Set();
    const observers = this.#observers.add(observer);
    return () => void observers.delete(observer);
  }

  /** Reads. Over a store it resolves after that has everything the result may depend on. */
  read<T>(see: (state: State) => T): Promise<T> {
    return this.#do(() => ({ result: see(this.#state), changes: none }));
  }

  /** Runs a transaction and undoes it: nothing of it is kept. */
  rehearse<T>(work: (state: State) => T): Promise<T> {
    return this.#do(() => {
      const { result, changes } = this.#state.transaction(work);
      this.#state.undo(changes);
      return { result, changes: none };
    });
  }

  /** Runs a transaction; if it throws, it is undone. @throws StoreFailure if the store did not keep it */
  write<T>(work: (state: State) => T): Promise<T> {
    return this.#do(() => this.#state.transaction(work));
  }

  /** Has what other servers have stored until now. @throws SandboxGone if one has deleted it */
  async catchUp(): Promise<void> {
    if (this.#persistence?.store.shared) await this.#queue(() => ({ result: undefined, changes: none }), true);
  }

  async #do<T>(run: () => Committed<T>): Promise<T> {
    if (this.#persistence) return this.#queue(run, false);
    if (this.#isGone) throw this.#gone;
    const { result, changes } = run();
    this.#keep(changes);
    return result;
  }

  #queue<T>(run: () => Committed<T>, isFresh: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting ??= [];
      this.#waiting.push({ run, isFresh, resolve: resolve as Job['resolve'], reject });
      if (!this.#isWriting) void this.#runWaiting();
    });
  }

  /** One append is in progress at a time; what comes meanwhile runs together in the next. */
  async #runWaiting(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting) {
      const batch = this.#waiting;
      this.#waiting = undefined;
      try {
        await this.#runBatch(batch);
      } catch (error) {
        for (const { reject } of [...batch, ...this.#inVain()]) reject(error);
      }
    }
    this.#isWriting = false;
  }

  /** If a shared store fails, the jobs that wait for it fail as well: they have waited long enough. */
  #inVain(): readonly Job[] {
    if (!this.#persistence?.store.shared) return none;
    const waiting = this.#waiting ?? none;
    this.#waiting = undefined;
    return waiting;
  }

  /** After a conflict the batch is undone, the other server's changes are applied, and it runs again. */
  async #runBatch(batch: readonly Job[]): Promise<void> {
    for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
      if (this.#isGone) throw this.#gone;
      const { changes, settle, dividedBy } = runJobs(batch);
      // A successful append proves that no other server has written. Without one, the store has to be asked.
      if (changes.length === 0) {
        if (batch.some(({ isFresh }) => isFresh)) await this.#follow();
        return settle();
      }
      try {
        if (await this.#append(changes)) return settle();
      } catch (error) {
        for (const { reject } of this.#inVain()) reject(error);
        return this.#runBatch(dividedBy(error));
      }
      await this.#follow();
    }
    throw new StoreFailure(`a write met ${maxConflicts} conflicts in a row`);
  }

  /** Whether the changes are kept; if not, they are undone. */
  async #append(changes: readonly Change[]): Promise<boolean> {
    const { store } = this.#persistence as Persistence;
    let isKept = false;
    try {
      const stored = storedChanges(changes);
      isKept = await fromStore(() => store.append(this.name, this.#version, stored, (version) => this.whole(version)));
    } finally {
      if (!isKept) this.#state.undo(changes);
    }
    if (isKept) this.#keep(changes);
    return isKept;
  }

  /** The sandbox as a store keeps it. */
  whole(version: number): Whole {
    const { nameOf } = this.#persistence as Persistence;
    const { seed } = this.#state;
    return { document: documentOf(this.#state, version, nameOf(seed)), fixtures: seed.fixtures };
  }

  #keep(changes: readonly (Change | StoredChange)[]): void {
    if (changes.length === 0) return;
    this.#version += 1;
    this.tell(changes);
  }

  async #follow(): Promise<void> {
    const { store } = this.#persistence as Persistence;
    const loaded = await fromStore(() => store.load(this.name, this.#version));
    if (!loaded) this.end();
    if (!loaded || this.#isGone) throw this.#gone;
    this.#take(loaded);
  }

  /** A whole sandbox replaces this one, which may even be ahead of a database that lost its last moments. */
  #take({ whole, commits }: Loaded): void {
    if (whole) {
      const { state, version } = loadedState({ whole, commits }, this.#persistence as Persistence);
      [this.#state, this.#version] = [state, version];
      this.tell([{ restore: '' }]);
      return;
    }
    for (const { changes } of commits) {
      this.#state.apply(changes);
      this.#keep(changes);
    }
  }

  get #gone(): SandboxGone {
    return new SandboxGone(`the sandbox ${this.name} was deleted`);
  }

  /** Notifies the observers of a commit. */
  protected tell(changes: readonly (Change | StoredChange)[]): void {
    if (this.#observers) for (const observer of this.#observers) observer(this.#version, changes);
  }
}

/** What jobs wrote, and how they are answered. */
interface Ran {
  readonly changes: readonly Change[];
  /** Gives each its result or error; for when the changes are kept. */
  readonly settle: () => void;
  /** Refuses those that wrote with this error; gives the others, which have to run again. */
  readonly dividedBy: (error: unknown) => Job[];
}

function runJobs(batch: readonly Job[]): Ran {
  const changes: Change[] = [];
  const writers = new Set<Job>();
  const answers: (() => void)[] = [];
  for (const job of batch) {
    try {
      const { result, changes: own } = job.run();
      if (own.length > 0) writers.add(job);
      for (const change of own) changes.push(change);
      answers.push(() => job.resolve(result));
    } catch (error) {
      answers.push(() => job.reject(error));
    }
  }
  const settle = () => {
    for (const answer of answers) answer();
  };
  const dividedBy = (error: unknown) => {
    for (const { reject } of writers) reject(error);
    return batch.filter((job) => !writers.has(job));
  };
  return { changes, settle, dividedBy };
}
