// A store of one sandbox that answers at once or late, and conflicts, fails or is overtaken where it is told to.
import type { Change, Commit } from '../../src/state/root.ts';
import type { Awaitable, Store } from '../../src/state/store.ts';

/** What becomes of the next append: refused, kept for nobody, or behind a commit of somebody else. */
export type Mishap = 'fails' | 'conflicts' | { readonly overtakenBy: readonly Change[] };

export class InstantStore implements Store {
  readonly isAtHand: boolean;
  readonly commits: Commit[] = [];
  readonly #isLate: boolean;
  #mishap: Mishap | undefined;

  /** @param isLate whether appends are answered with a promise, whatever it says of itself */
  constructor({ isAtHand = false, isLate = false } = {}) {
    this.isAtHand = isAtHand;
    this.#isLate = isLate;
  }

  next(mishap: Mishap | undefined): void {
    this.#mishap = mishap;
  }

  names = () => [];
  load = () => undefined;
  remove = () => undefined;
  trouble = () => undefined;

  since(_name: string, version: number): readonly Commit[] {
    return this.commits.filter((commit) => commit.version > version);
  }

  append(_name: string, base: number, changes: Iterable<Change>): Awaitable<'committed' | 'conflict'> {
    const list = structuredClone([...changes]);
    return this.#isLate ? Promise.resolve().then(() => this.#decide(base, list)) : this.#decide(base, list);
  }

  #decide(base: number, changes: readonly Change[]): 'committed' | 'conflict' {
    const mishap = this.#mishap;
    this.#mishap = undefined;
    if (mishap === 'fails') throw new Error('the disk is on fire');
    if (mishap === 'conflicts') return 'conflict';
    if (mishap) this.#keep(mishap.overtakenBy);
    if (base !== this.#version) return 'conflict';
    this.#keep(changes);
    return 'committed';
  }

  #keep(changes: readonly Change[]): void {
    this.commits.push({ version: this.#version + 1, changes });
  }

  get #version(): number {
    return this.commits.at(-1)?.version ?? 1;
  }
}
