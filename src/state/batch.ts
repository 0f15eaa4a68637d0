// Writes that go to the store together: each runs on what the one before it left, as a transaction of its own.
import type { Owner } from './collection.ts';
import { Draft } from './draft.ts';
import type { Change, Keeping, Root } from './root.ts';

/** What a write came to: a value, or a thrown refusal that discarded its draft. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

export class Batch {
  readonly #keeping: Keeping;
  readonly #version: number;
  readonly #owner: Owner;
  readonly #committed: Draft[] = [];
  /** The root after all writes so far; the very same as before while nothing changed. */
  root: Root;
  readonly changes: Change[] = [];

  /** @param owner of tables that are written in place; by default the batch: only what its own writes cloned */
  constructor(base: Root, keeping: Keeping, owner: Owner = {}) {
    this.root = base;
    this.#version = base.version + 1;
    this.#keeping = keeping;
    this.#owner = owner;
  }

  run<T>(write: (draft: Draft) => T): Outcome<T> {
    const { freeze, maxRecords } = this.#keeping;
    const draft = new Draft(this.root, freeze, maxRecords, this.#owner);
    try {
      const value = write(draft);
      this.#commit(draft);
      return { value };
    } catch (error) {
      draft.discard();
      return { error };
    }
  }

  #commit(draft: Draft): void {
    const { changes } = draft;
    if (changes.length === 0) return;
    this.root = draft.commit(this.#version);
    this.#committed.push(draft);
    for (const change of changes) this.changes.push(change);
  }

  /** Takes all its writes back: the root that it began with is as it was. */
  discard(): void {
    for (const draft of this.#committed.toReversed()) draft.discard();
  }
}

/** The value, or what was thrown. */
export function settled<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
