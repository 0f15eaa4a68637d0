// One sandbox over a store: the only door to its state. Reads see the acknowledged root; writes run on the pending one and are
// answered once the store has acknowledged what they saw. A failed append drops what stood on it; a conflict runs it again.
import { Draft, type Freeze } from './draft.ts';
import { applyChanges, type Root } from './root.ts';
import { type Awaitable, andThen, type Commit, isPromise, type Store } from './store.ts';

/** What running a transaction came to: a value or a thrown refusal, and the root after it. */
interface Attempt<T> {
  readonly outcome: { readonly value: T } | { readonly error: unknown };
  readonly root: Root;
  readonly changed: boolean;
  readonly acknowledged: Awaitable<'committed' | 'conflict'>;
}

interface Waiting {
  readonly run: (base: Root) => Attempt<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  attempt: Attempt<unknown>;
  tries: number;
}

/** The store did not keep or tell the state; what was asked did not happen. The service answers its 500. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}
/** Conflicts in a row before a write gives up. */
const maxTries = 100;

export class Sandbox {
  readonly name: string;
  readonly #store: Store;
  readonly #freeze: Freeze;
  readonly #waiting: Waiting[] = [];
  #acknowledged: Root;

  constructor(name: string, root: Root, store: Store, freeze: Freeze) {
    this.name = name;
    this.#acknowledged = root;
    this.#store = store;
    this.#freeze = freeze;
  }

  /** Runs on the acknowledged root. What it writes is never seen. */
  read<T>(run: (draft: Draft) => T): Awaitable<T> {
    return andThen(this.#catchUp(), () => run(new Draft(this.#acknowledged, this.#freeze)));
  }

  /**
   * Runs as a transaction: what it changes is committed, what it throws discards it. It may run again on a conflict, so it
   * must do nothing but read and write the draft.
   */
  write<T>(run: (draft: Draft) => T): Awaitable<T> {
    return andThen(this.#catchUp(), () => this.#write(run));
  }

  /** The acknowledged root; for snapshots and for looking from outside. */
  get root(): Root {
    return this.#acknowledged;
  }

  #write<T>(run: (draft: Draft) => T): Awaitable<T> {
    const attempt = this.#attempt(run, this.#waiting.at(-1)?.attempt.root ?? this.#acknowledged);
    if (this.#waiting.length === 0 && attempt.acknowledged === 'committed') {
      this.#acknowledge(attempt.root);
      return settled(attempt);
    }
    return new Promise<T>((resolve, reject) => {
      const again = (base: Root) => this.#attempt(run, base);
      this.#waiting.push({ run: again, resolve: resolve as (value: unknown) => void, reject, attempt, tries: 1 });
      if (this.#waiting.length === 1) void this.#drain();
    });
  }

  #attempt<T>(run: (draft: Draft) => T, base: Root): Attempt<T> {
    const draft = new Draft(base, this.#freeze);
    const outcome = outcomeOf(() => run(draft));
    const changes = 'error' in outcome ? [] : draft.changes;
    if (changes.length === 0) return { outcome, root: base, changed: false, acknowledged: 'committed' };
    const acknowledged = orRejected(() => this.#store.append(this.name, base.version, changes));
    return { outcome, root: draft.commit(), changed: true, acknowledged };
  }

  /** Answers the waiting writes in order, as the store acknowledges them. */
  async #drain(): Promise<void> {
    for (let head = this.#waiting[0]; head; head = this.#waiting[0]) {
      const answer = await answerOf(head.attempt);
      if (answer === 'committed') {
        this.#acknowledge(head.attempt.root);
        this.#waiting.shift();
        settle(head);
      } else await this.#recover(answer);
    }
  }

  /** After a conflict or a failure everything waiting stood on a root that never was: the store tells what is, and it runs again. */
  async #recover(answer: 'conflict' | { readonly error: unknown }): Promise<void> {
    const answers = await Promise.all(this.#waiting.map(({ attempt }) => answerOf(attempt)));
    if (answer !== 'conflict') this.#waiting.shift()?.reject(answer.error);
    const kept = answer === 'conflict' ? answers : answers.slice(1);
    try {
      await this.#catchUp();
    } catch (error) {
      for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
      return;
    }
    this.#restart(kept);
  }

  #restart(answers: readonly unknown[]): void {
    let base = this.#acknowledged;
    for (const [index, waiting] of [...this.#waiting].entries()) {
      const { attempt } = waiting;
      if (answers[index] === 'committed' && attempt.changed) continue;
      if (waiting.tries >= maxTries) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        waiting.reject(new StoreFailure(`sandbox "${this.name}": a write met ${maxTries} conflicts in a row`));
        continue;
      }
      waiting.tries += 1;
      waiting.attempt = waiting.run(base);
      base = waiting.attempt.root;
    }
  }

  #catchUp(): Awaitable<void> {
    const commits = orFailure(() => this.#store.since(this.name, this.#acknowledged.version));
    return andThen(commits, (all) => this.#apply(all));
  }

  #apply(commits: readonly Commit[]): void {
    for (const { version, changes } of commits) {
      if (version === this.#acknowledged.version + 1)
        this.#acknowledged = applyChanges(this.#acknowledged, version, changes);
    }
  }

  #acknowledge(root: Root): void {
    if (root.version > this.#acknowledged.version) this.#acknowledged = root;
  }
}

function outcomeOf<T>(run: () => T): Attempt<T>['outcome'] {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

const failure = (cause: unknown): StoreFailure => new StoreFailure('the store did not answer', { cause });

/** What the store answers; what it throws, now or later, is a StoreFailure. */
function orFailure<T>(ask: () => Awaitable<T>): Awaitable<T> {
  try {
    const answer = ask();
    return isPromise(answer) ? answer.catch((cause: unknown) => Promise.reject(failure(cause))) : answer;
  } catch (cause) {
    throw failure(cause);
  }
}

/** As orFailure, but a failure is always a rejection, which somebody will look at in due course. */
function orRejected<T>(ask: () => Awaitable<T>): Awaitable<T> {
  try {
    const answer = orFailure(ask);
    if (isPromise(answer)) answer.catch(() => undefined);
    return answer;
  } catch (error) {
    const rejected = Promise.reject(error);
    rejected.catch(() => undefined);
    return rejected;
  }
}

async function answerOf({
  acknowledged,
}: Attempt<unknown>): Promise<'committed' | 'conflict' | { readonly error: unknown }> {
  try {
    return await acknowledged;
  } catch (error) {
    return { error };
  }
}

function settled<T>({ outcome }: Attempt<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

function settle({ attempt, resolve, reject }: Waiting): void {
  if ('error' in attempt.outcome) reject(attempt.outcome.error);
  else resolve(attempt.outcome.value);
}
