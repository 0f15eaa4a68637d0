// Writes that go to the store together: each runs on what the one before it left, as a transaction of its own.
import { Draft } from './draft.ts';
import type { Change, Keeping, Root } from './root.ts';

/** What a write came to: a value, or a thrown refusal that discarded its draft. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

export class Batch {
  readonly #keeping: Keeping;
  readonly #version: number;
  /** The root after all writes so far; the very same as before while nothing changed. */
  root: Root;
  readonly changes: Change[] = [];

  constructor(base: Root, keeping: Keeping) {
    this.root = base;
    this.#version = base.version + 1;
    this.#keeping = keeping;
  }

  run<T>(write: (draft: Draft) => T): Outcome<T> {
    const { freeze, maxRecords } = this.#keeping;
    const draft = new Draft(this.root, freeze, maxRecords);
    try {
      const value = write(draft);
      const { changes } = draft;
      for (const change of changes) this.changes.push(change);
      if (changes.length > 0) this.root = draft.commit(this.#version);
      return { value };
    } catch (error) {
      return { error };
    }
  }
}

/** The value, or what was thrown. */
export function settled<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
