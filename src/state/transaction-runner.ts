// Runs the transactions of one sandbox: in memory one is done when it has run, over a store when it is stored.
import type { Persistence } from './persistence.ts';
import { type Change, type Committed, initialSnapshot, type State, type StoredChange, storedChanges } from './state.ts';
import { callStore, type LoadedSandbox, SandboxDeletedError, type StoredSandbox, StoreFailure } from './store.ts';

/** Called after each commit, also for those of other servers. */
export type CommitObserver = (version: number, changes: readonly (Change | StoredChange)[]) => void;

/** A function that waits to run. It may run more than once: the last run counts. */
interface Job {
  readonly run: () => Committed<unknown>;
  /** Whether it must see everything that other servers have stored by now. */
  readonly isFresh: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the last run wrote something. */
  hasWritten?: boolean;
  /** Resolves or rejects with the outcome of the last run. */
  settle?: () => void;
}

/** A batch fails after this many conflicts in a row. */
const maxConflicts = 100;
const noChanges: readonly never[] = [];

export class TransactionRunner {
  readonly name: string;
  readonly #persistence: Persistence | undefined;
  #state: State;
  #version: number;
  // Created when needed: most sandboxes are not observed, and in memory nothing waits.
  #waiting: Job[] | undefined;
  #observers: Set<CommitObserver> | undefined;
  #isWriting = false;
  /** Once it is deleted, reads and writes throw SandboxDeletedError. */
  isGone = false;

  constructor(state: State, version: number, persistence?: Persistence) {
    this.name = state.initial.identity.name;
    this.#state = state;
    this.#version = version;
    this.#persistence = persistence;
  }

  /** An unsynchronized view: over a store it may include changes that are not stored yet. */
  get state(): State {
    return this.#state;
  }

  /** The number of commits. */
  get version(): number {
    return this.#version;
  }

  end(): void {
    this.isGone = true;
    this.#observers?.clear();
  }

  /** Calls the observer after each commit. @returns a function that ends this */
  observe(observer: CommitObserver): () => void {
    this.#observers ??= new Set();
    const observers = this.#observers.add(observer);
    return () => void observers.delete(observer);
  }

  /** Over a store, the read resolves when everything that the result may depend on is stored. */
  read<T>(reader: (state: State) => T): Promise<T> {
    return this.#do(() => ({ result: reader(this.#state), changes: noChanges }));
  }

  /** Runs a transaction and undoes it. */
  dryRun<T>(work: (state: State) => T): Promise<T> {
    return this.#do(() => {
      const { result, changes } = this.#state.transaction(work);
      this.#state.undo(changes);
      return { result, changes: noChanges };
    });
  }

  /** Runs a transaction; if it throws, it is undone. @throws StoreFailure if the store fails */
  write<T>(work: (state: State) => T): Promise<T> {
    return this.#do(() => this.#state.transaction(work));
  }

  /** Applies the changes that other servers have stored. @throws SandboxDeletedError if one has deleted the sandbox */
  async catchUp(): Promise<void> {
    if (this.#persistence?.store.shared) await this.#queue(() => ({ result: undefined, changes: noChanges }), true);
  }

  async #do<T>(run: () => Committed<T>): Promise<T> {
    if (this.#persistence) return this.#queue(run, false);
    if (this.isGone) throw this.#gone;
    const { result, changes } = run();
    this.#commit(changes);
    return result;
  }

  #queue<T>(run: () => Committed<T>, isFresh: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting ??= [];
      this.#waiting.push({ run, isFresh, resolve: resolve as Job['resolve'], reject });
      if (!this.#isWriting) void this.#runWaiting();
    });
  }

  /** One append is in progress at a time; jobs that arrive meanwhile run together in the next batch. */
  async #runWaiting(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting) {
      const batch = this.#waiting;
      this.#waiting = undefined;
      await this.#runBatch(batch).catch((error: unknown) => this.#fail(batch, error));
    }
    this.#isWriting = false;
  }

  /** Rejects jobs. If a shared store fails, those that wait for it fail as well: they have waited long enough. */
  #fail(jobs: readonly Job[], error: unknown): void {
    const others = this.#persistence?.store.shared ? this.#waiting : undefined;
    if (others) this.#waiting = undefined;
    for (const { reject } of [...jobs, ...(others ?? [])]) reject(error);
  }

  /** After a conflict the batch is undone, the other server's changes are applied, and it runs again. */
  async #runBatch(batch: readonly Job[]): Promise<void> {
    for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
      if (this.isGone) throw this.#gone;
      const changes = batch.flatMap(runJob);
      // A successful append proves that no other server has written. Without one, ask the store.
      if (changes.length === 0 && batch.some(({ isFresh }) => isFresh)) await this.#follow();
      try {
        if (changes.length === 0 || (await this.#append(changes))) return batch.forEach(settle);
      } catch (error) {
        this.#fail(
          batch.filter(({ hasWritten }) => hasWritten),
          error,
        );
        return this.#runBatch(batch.filter(({ hasWritten }) => !hasWritten));
      }
      await this.#follow();
    }
    throw new StoreFailure(`a write had ${maxConflicts} conflicts in a row`);
  }

  /** Stores the changes, or undoes them. @returns false if another server has written */
  async #append(changes: readonly Change[]): Promise<boolean> {
    const { store } = this.#persistence as Persistence;
    let isStored = false;
    try {
      const stored = storedChanges(changes);
      const whole = (version: number) => this.whole(version);
      isStored = await callStore(() => store.append(this.name, this.#version, stored, whole));
    } finally {
      if (!isStored) this.#state.undo(changes);
    }
    if (isStored) this.#commit(changes);
    return isStored;
  }

  /** The sandbox as it is stored. */
  whole(version: number): StoredSandbox {
    return (this.#persistence as Persistence).storedSandbox(this.#state, version);
  }

  #commit(changes: readonly (Change | StoredChange)[]): void {
    if (changes.length === 0) return;
    this.#version += 1;
    this.notify(changes);
  }

  async #follow(): Promise<void> {
    const { store } = this.#persistence as Persistence;
    const loaded = await callStore(() => store.load(this.name, this.#version));
    if (!loaded) this.end();
    if (!loaded || this.isGone) throw this.#gone;
    this.#applyLoaded(loaded);
  }

  /** A whole sandbox replaces this one, which may even be ahead of a database that lost its last moments. */
  #applyLoaded({ whole, commits }: LoadedSandbox): void {
    if (whole) {
      const { state, version } = (this.#persistence as Persistence).open(whole, commits);
      [this.#state, this.#version] = [state, version];
      this.notify([{ restore: initialSnapshot }]);
      return;
    }
    for (const { changes } of commits) {
      this.#state.apply(changes);
      this.#commit(changes);
    }
  }

  get #gone(): SandboxDeletedError {
    return new SandboxDeletedError(`the sandbox ${this.name} was deleted`);
  }

  /** Calls the observers. */
  protected notify(changes: readonly (Change | StoredChange)[]): void {
    if (this.#observers) for (const observer of this.#observers) observer(this.#version, changes);
  }
}

const settle = (job: Job): void => job.settle?.();

/** Runs a job and notes its outcome. @returns its changes */
function runJob(job: Job): readonly Change[] {
  try {
    const { result, changes } = job.run();
    job.hasWritten = changes.length > 0;
    job.settle = () => job.resolve(result);
    return changes;
  } catch (error) {
    job.hasWritten = false;
    job.settle = () => job.reject(error);
    return noChanges;
  }
}
